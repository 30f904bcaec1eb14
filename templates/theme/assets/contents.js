/* Mark the current heading in the table of contents: the one at the top of the screen, or after a jump its target, which
   cannot scroll to the top at the end of a page. Loaded on wide screens. */
(() => {
  "use strict";

  const EDGE = 24; // a heading up to this many pixels below the bar counts as at the top
  let [places, markedLink, jump] = [[], null, null];

  const target = (link) => {
    try {
      return document.getElementById(decodeURIComponent(link.hash.slice(1)));
    } catch {
      return null;
    }
  };

  function current() {
    const box = jump?.place.getBoundingClientRect();
    if (box && Math.abs(scrollY - jump.y) < 4 && box.bottom > 0 && box.top < innerHeight) return jump;
    const line = (document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0) + EDGE;
    return places.findLast(({ place }) => place.getBoundingClientRect().top <= line);
  }

  function mark() {
    const link = current()?.link ?? null;
    if (link === markedLink) return;
    markedLink?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    markedLink = link;
    const list = link?.closest(".md-sidebar__scrollwrap");
    if (!list) return;
    const [row, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
    if (row.top < frame.top + 40 || row.bottom > frame.bottom - 40) list.scrollTop += row.top - frame.top - frame.height / 2;
  }

  /** Mark the target of the URL, or the last heading before it, until the reader scrolls. */
  function markTarget() {
    const to = target(location);
    const at = to && places.findLast(({ place }) => place === to || place.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING);
    requestAnimationFrame(() => {
      jump = at ? { ...at, y: scrollY } : null;
      mark();
    });
  }

  let isScheduled = false;
  function scheduleMark() {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => { isScheduled = false; mark(); });
  }

  function start() {
    const links = [...document.querySelectorAll(".md-nav--secondary a[href*='#']")];
    places = links.map((link) => ({ link, place: target(link) })).filter(({ place }) => place);
    markedLink = null;
    markTarget();
  }

  addEventListener("scroll", scheduleMark, { passive: true });
  addEventListener("resize", scheduleMark, { passive: true });
  addEventListener("hashchange", markTarget);
  addEventListener("click", ({ target: clicked }) => clicked.closest?.(".md-nav--secondary a") && setTimeout(markTarget));
  document.addEventListener("toggle", scheduleMark, true);
  if (window.document$) window.document$.subscribe(start);
  else start();
})();
