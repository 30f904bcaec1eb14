/* What a page can do beyond reading. Nothing here is needed to read. A plain script, since modules do
   not load from a disk; the document listens, so that it holds for pages that are swapped in as well. */
(() => {
  "use strict";

  const all = (selector) => [...document.querySelectorAll(selector)];

  /** Whatever hides what the address names is unfolded. */
  function reveal() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (target?.closest("details")) target.scrollIntoView();
  }

  /** Show the entries that begin with a number or hold the words, and how many there are. */
  function filter(input) {
    const wanted = input.value.trim().toLowerCase().replace(/\.$/, "");
    const items = all(input.dataset.filter);
    let shown = 0;
    for (const item of items) {
      const text = item.textContent.toLowerCase();
      const hit = /^\W*\w?\d/.test(wanted) ? text.startsWith(wanted) : text.includes(wanted);
      item.hidden = !hit;
      shown += hit;
    }
    for (const group of all(".numbers .group")) group.hidden = wanted && !group.querySelector("li:not([hidden])");
    input.parentElement.querySelector("output").textContent = wanted ? `${shown} / ${items.length}` : "";
  }

  /** Controls that only work with this script are hidden until it runs. */
  function equip() {
    for (const control of all("[data-fold], .filter")) control.hidden = false;
    reveal();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-fold]");
    if (button) for (const fold of all("details.fold")) fold.open = button.dataset.fold === "open";
  });
  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-filter]")) filter(event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("[data-filter]")) return;
    all(event.target.dataset.filter).find((item) => !item.hidden)?.querySelector("a")?.click();
  });
  window.addEventListener("hashchange", reveal);
  window.addEventListener("beforeprint", () => { for (const fold of all(".rw details:not(.diff)")) fold.open = true; });

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
