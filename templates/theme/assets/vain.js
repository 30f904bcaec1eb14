/* What was sought in vain on this device, for whoever edits the books: words that may be aliases. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const section = document.querySelector("[data-script=vain]");
  const sought = rw.stored("vain", (one) => Array.isArray(one) && one.every((word) => typeof word === "string"), "localStorage");
  if (!section || !sought.length) return;
  const list = section.querySelector("ul");
  for (const [book, words] of sought) list.append(Object.assign(document.createElement("li"), { textContent: book ? `${words} (${book})` : words }));
  section.hidden = false;
  section.querySelector("button").addEventListener("click", () => {
    rw.kept("vain", "[]");
    section.hidden = true;
  });
})();
