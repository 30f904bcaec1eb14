/* How the reader wants errata to be shown is kept on the device, for every page. Choosing needs no script. */
(() => {
  "use strict";

  const KEY = "rulewright.errata";

  /** A device may allow no page to keep anything; then each page begins as amended. */
  function kept() {
    try { return localStorage.getItem(KEY); } catch { return null; }
  }

  function equip() {
    const wanted = kept();
    for (const one of document.querySelectorAll(".errata-choice input")) if (one.value === wanted) one.checked = true;
  }

  document.addEventListener("change", (event) => {
    if (!event.target.matches?.(".errata-choice input")) return;
    try { localStorage.setItem(KEY, event.target.value); } catch { /* it holds for this page */ }
  });

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
