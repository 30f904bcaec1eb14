/* The contents beside a page mark what stands at the top of what is read: after a jump what was jumped to, which at
   the end of a page cannot come to the top. Loaded where there is room for contents. */
(() => {
  "use strict";

  const EDGE = 24; // pixels below the bar that a heading may begin and be at the top
  let [places, marked, jump] = [[], null, null];

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
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    marked = link;
    const list = link?.closest(".md-sidebar__scrollwrap");
    if (!list) return;
    const [row, room] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
    if (row.top < room.top + 40 || row.bottom > room.bottom - 40) list.scrollTop += row.top - room.top - room.height / 2;
  }

  /** What the address names, or the last titled one before it, is marked for as long as nobody scrolls. */
  function jumped() {
    const to = target(location);
    const at = to && places.findLast(({ place }) => place === to || place.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_FOLLOWING);
    requestAnimationFrame(() => {
      jump = at ? { ...at, y: scrollY } : null;
      mark();
    });
  }

  let asked = false;
  function soon() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; mark(); });
  }

  function start() {
    const links = [...document.querySelectorAll(".md-nav--secondary a[href*='#']")];
    places = links.map((link) => ({ link, place: target(link) })).filter(({ place }) => place);
    marked = null;
    jumped();
  }

  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon, { passive: true });
  addEventListener("hashchange", jumped);
  addEventListener("click", ({ target: one }) => one.closest?.(".md-nav--secondary a") && setTimeout(jumped));
  document.addEventListener("toggle", soon, true);
  if (window.document$) window.document$.subscribe(start);
  else start();
})();
