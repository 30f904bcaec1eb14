/* A link to another edition leads to the rule that the reader is at, wherever that is there. Without this it
   leads to the page. `data-moves` says where each anchor of this page is: `12.5 12.6=#12.7 12.7=../9-fuel/#9.1`. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const decoded = (words) => { try { return decodeURIComponent(words); } catch { return words; } };

  /** The anchor that the reader is at: what the address names while that is in sight, else the last one above. */
  function place(moves) {
    const inSight = (box) => box.bottom > 0 && box.top < innerHeight;
    let named = document.getElementById(decoded(location.hash.slice(1)));
    while (named && !moves.has(named.id)) named = named.parentElement;
    if (named && inSight(named.getBoundingClientRect())) return named.id;
    let last;
    for (const id of moves.keys()) {
      const box = document.getElementById(id)?.getClientRects()[0];
      if (box && box.top < 120) last = id;
    }
    return last;
  }

  /** Where in the edition of a link an anchor of this page is; without one, where the reader is. */
  rw.moved = (link, anchor) => {
    link.dataset.page ??= link.getAttribute("href").replace(/#.*/, "");
    const moves = new Map(link.dataset.moves.split(" ").map((move) => {
      const [from, to] = move.split("=");
      return [decoded(from), to ?? `#${from}`];
    }));
    const to = moves.get(anchor ?? place(moves));
    return to && new URL(to.startsWith("#") ? link.dataset.page + to : to, location).href;
  };

  for (const event of ["pointerdown", "focusin", "click"]) {
    document.addEventListener(event, ({ target }) => {
      const link = target.closest?.("a[data-moves]");
      if (link) link.href = rw.moved(link) ?? link.href;
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
