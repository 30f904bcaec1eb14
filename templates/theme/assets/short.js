/* On the page for what is missing: leads on from a short address, /r/ocs/12.5c/, as the table of them says. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const [path] = rw.place(location.href);
  if (!path?.startsWith("r/")) return;
  rw.need("r/short.js").then(([begin, exact]) => {
    let start = path;
    while (start && !Object.hasOwn(begin, start)) start = start.slice(0, -1);
    const name = encodeURIComponent(path.split("/").at(-1));
    const to = Object.hasOwn(exact, path) ? exact[path] : start && `${begin[start]}/#${name}`;
    if (to) location.replace(new URL(to, rw.root));
    else rw.ask(path.split("/").at(-1)); // what became of it, or what comes nearest
  }, () => {});
})();
