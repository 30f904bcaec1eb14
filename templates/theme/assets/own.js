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

  rw.tool("note", "Note", "M3 17.2V21h3.8L17.8 9.9l-3.7-3.7zM20.7 7c.4-.4.4-1 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.9 1.8 3.8 3.8z", use("note"));
  const STAR = "m12 17.3 6.2 3.7-1.7-7L22 9.2l-7.2-.6L12 2 9.2 8.6 2 9.2 7.5 14l-1.7 7z";
  const isOwn = ({ element }) => element?.querySelector(":scope > * > .own-signs")?.textContent.includes("★");
  rw.tool("star", "Keep", `${STAR}m6.2-1.9-3.8 2.3 1-4.3-3.3-2.9 4.4-.4L12 6l1.7 4.1 4.4.4-3.3 2.8 1 4.3z`, use("star"), (rule) => !isOwn(rule));
  rw.tool("unstar", "Kept", STAR, use("star"), isOwn);
  if (isKept()) rw.load("layer").catch(() => {});
})();
