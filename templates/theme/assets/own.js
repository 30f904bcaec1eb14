/* The reader's own layer is loaded where this device keeps something of it, or once a tool of it is used. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const use = (act) => (rule) => rw.load("layer").then(() => rw.own[act](rule), () => {});
  const isKept = () => {
    try {
      return Object.keys(localStorage).some((name) => name.startsWith("rulewright.own/"));
    } catch {
      return false;
    }
  };

  for (const [name, label, icon] of [["note", "Note", "pencil"], ["star", "Keep", "star"]]) rw.tool?.(name, label, icon, use(name));
  if (!rw.tool) document.addEventListener("click", ({ target }) => {
    const link = target.closest?.(".rule .permalink");
    if (link) setTimeout(() => {
      const told = rw.dock().querySelector(".told");
      for (const [name, label] of [["note", "Note"], ["star", "Keep"]]) {
        told.append(Object.assign(document.createElement("button"), { type: "button", textContent: label, onclick: () => use(name)(link.closest(".rule")) }));
      }
    });
  });
  if (isKept()) rw.load("layer").catch(() => {});
})();
