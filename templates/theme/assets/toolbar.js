/* The tools of a rule, at its number: a row of buttons that `rulewright.tool` has been given, ours among them.
   Loaded when somebody first asks for them.

   Each is told of a rule as {key, edition, title, href, element}: "12.5c", "ocs/4.3", "12.5c Leftover fuel", its
   address, and where it stands on this page, which a rule in a card does not. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const DRAWN = "http://www.w3.org/2000/svg";
  const MOST = 1500; // letters of a quotation
  let open = null; // the bar that is shown, with its number

  /** The words of a rule and of all in it, without what we say beside them. */
  function words(rule) {
    const said = (rule.element ?? rule.card).cloneNode(true);
    if (rule.element) said.firstElementChild.remove(); // its number and title
    for (const one of said.querySelectorAll(".cited, .spoken, .rw-tools, .remarks, .history, .notice, figure")) one.remove();
    const all = said.textContent.replace(/\s+/g, " ").trim();
    return all.length > MOST ? `${all.slice(0, MOST)} …` : all;
  }

  /** Where the same rule stands in the edition before, or else in the one behind. */
  function counterpart({ element, key }) {
    const all = [...document.querySelectorAll(".md-version__link")];
    const here = all.findIndex((one) => one.ariaCurrent);
    const near = [...all.slice(here + 1), ...all.slice(0, Math.max(here, 0)).reverse()];
    return element && near.map((one) => one.dataset.moves && rw.moved(one, key)).find(Boolean);
  }

  rw.tool("link", "Link", "M10.59 13.41c.41.39.41 1.03 0 1.42-.39.39-1.03.39-1.42 0a5.003 5.003 0 0 1 0-7.07l3.54-3.54a5.003 5.003 0 0 1 7.07 0 5.003 5.003 0 0 1 0 7.07l-1.49 1.49c.01-.82-.12-1.64-.4-2.42l.47-.48a2.98 2.98 0 0 0 0-4.24 2.98 2.98 0 0 0-4.24 0l-3.53 3.53a2.98 2.98 0 0 0 0 4.24m2.82-4.24c.39-.39 1.03-.39 1.42 0a5.003 5.003 0 0 1 0 7.07l-3.54 3.54a5.003 5.003 0 0 1-7.07 0 5.003 5.003 0 0 1 0-7.07l1.49-1.49c-.01.82.12 1.64.4 2.43l-.47.47a2.98 2.98 0 0 0 0 4.24 2.98 2.98 0 0 0 4.24 0l3.53-3.53a2.98 2.98 0 0 0 0-4.24.973.973 0 0 1 0-1.42",
    ({ key, href }) => rw.copy("Link", key, rw.address(href, true)));
  rw.tool("quote", "Quote", "M19 21H8V7h11m0-2H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2m-3-4H4a2 2 0 0 0-2 2v14h2V3h12z",
    (rule) => rw.copy("Quote", rule.key, `${rule.title}: ${words(rule)} (${rw.address(rule.href, true)})`));
  rw.tool("pin", "Pin", "M16 12V4h1V2H7v2h1v8l-2 2v2h5.2v6h1.6v-6H18v-2zm-7.2 2 1.2-1.2V4h4v8.8l1.2 1.2z",
    ({ href }) => rw.pin(href));
  rw.tool("compare", "Compare", "M19 3h-5v2h5v13l-5-6v9h5a2 2 0 0 0 2-2V5a2 2 0 0 0-2-2m-9 15H5l5-6m0-9H5c-1.11 0-2 .89-2 2v14a2 2 0 0 0 2 2h5v2h2V1h-2z",
    (rule) => rw.pin(counterpart(rule)), counterpart);

  rw.tool("report", "Report", "m12.36 6 .4 2H18v6h-3.36l-.4-2H7V6zM14 4H5v17h2v-7h5.6l.4 2h7V6h-5.6z",
    (rule) => rw.load("report").then(() => rw.report(rule)).catch(() => {}));

  rw.tools.unshift(...rw.tools.splice(-5)); // others may have come before us

  /** The rule whose number on this page, or whose card, this is. */
  function about(place) {
    const card = place.closest(".rw-card");
    const element = card ? undefined : place.closest(".rule");
    const href = card ? card.shown.href : place.href;
    const [page, key] = rw.place(href);
    const name = element && [".number", ".title"].map((one) => element.querySelector(`:scope > * > ${one}`)?.textContent.trim());
    const title = card ? card.shown.title : name.filter(Boolean).join(" ");
    return { key, edition: page.split("/", 2).join("/"), title, href, element, card: card?.querySelector(".rule-text") };
  }

  rw.use = (name, place) => rw.tools.find((one) => one.name === name).act(about(place));

  function button({ label, icon, act }, rule) {
    const made = Object.assign(document.createElement("button"), { type: "button", onclick: () => act(rule) });
    const svg = document.createElementNS(DRAWN, "svg");
    const path = document.createElementNS(DRAWN, "path");
    path.setAttribute("d", icon);
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.append(path);
    made.append(svg, label);
    return made;
  }

  function close(back) {
    if (!open) return;
    const { bar, number } = open;
    open = null;
    if (back) number.focus({ preventScroll: true });
    bar.remove();
    number.removeAttribute("aria-expanded");
  }

  /** Show the tools of the rule of a number, or put them away. `enter`: go to the first of them. */
  rw.toolbar = (number, enter) => {
    const again = open?.number === number;
    close();
    if (again) return;
    const rule = about(number);
    const bar = Object.assign(document.createElement("div"), { className: "rw-tools", role: "group", ariaLabel: `Tools for ${rule.key}` });
    bar.append(...rw.tools.filter(({ fits }) => !fits || fits(rule)).map((one) => button(one, rule)));
    number.parentElement.after(bar);
    number.setAttribute("aria-expanded", "true");
    open = { bar, number };
    if (enter) bar.firstElementChild.focus();
  };

  document.addEventListener("click", ({ target }) => {
    if (open && !open.bar.contains(target) && !target.closest?.(".rw-dock") && target !== open.number) close();
  });
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && open) close(open.bar.contains(target) || target === open.number);
  });
})();
