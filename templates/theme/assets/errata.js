/* How the reader wants errata to be shown is kept on the device, for every page. Choosing needs no script. */
(() => {
  "use strict";

  const rw = window.rulewright;

  function equip() {
    const wanted = rw.kept("errata");
    for (const one of document.querySelectorAll(".errata-choice input")) if (one.value === wanted) one.checked = true;
  }

  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".errata-choice input")) rw.kept("errata", event.target.value);
  });

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
