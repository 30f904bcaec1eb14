/* The edition switcher: a link to another edition leads to the current rule there; without this script, to the page.
   `data-moves` maps the anchors of this page: `12.5 12.6=#12.7 12.7=../9-fuel/#9.1`. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const decoded = (words) => { try { return decodeURIComponent(words); } catch { return words; } };

  /** Return the current anchor: that of the URL while its target is visible, else the last one above. */
  function currentAnchor(moves) {
    const isVisible = (box) => box.bottom > 0 && box.top < innerHeight;
    let element = document.getElementById(decoded(location.hash.slice(1)));
    while (element && !moves.has(element.id)) element = element.parentElement;
    if (element && isVisible(element.getBoundingClientRect())) return element.id;
    let last;
    for (const id of moves.keys()) {
      const box = document.getElementById(id)?.getClientRects()[0];
      if (box && box.top < 120) last = id;
    }
    return last;
  }

  /** Return the URL of an anchor in the edition of a link; without an anchor, of the current one. */
  rw.counterpartUrl = (link, anchor) => {
    link.dataset.page ??= link.getAttribute("href").replace(/#.*/, "");
    const moves = new Map(link.dataset.moves.split(" ").map((move) => {
      const [from, to] = move.split("=");
      return [decoded(from), to ?? `#${from}`];
    }));
    const to = moves.get(anchor ?? currentAnchor(moves));
    return to && new URL(to.startsWith("#") ? link.dataset.page + to : to, location).href;
  };

  for (const event of ["pointerdown", "focusin", "click"]) {
    document.addEventListener(event, ({ target }) => {
      const link = target.closest?.("a[data-moves]");
      if (link) link.href = rw.counterpartUrl(link) ?? link.href;
      for (const list of document.querySelectorAll(".md-version[open]")) list.open = list.contains(target);
    }, true);
  }
  document.addEventListener("keydown", ({ key }) => {
    const list = key === "Escape" && document.querySelector(".md-version[open]");
    if (!list) return;
    list.open = false;
    list.firstElementChild.focus();
  });
})();
