/* Store the choice between amended and printed text on the device. The choice itself works without a script. */
(() => {
  "use strict";

  const rw = window.rulewright;

  function equip() {
    const wanted = rw.stored("errata");
    for (const input of document.querySelectorAll(".errata-choice input")) if (input.value === wanted) input.checked = true;
  }

  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".errata-choice input")) rw.stored("errata", event.target.value);
  });

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
