/* The toolbar of a rule: the buttons that were added with `rulewright.addTool`. Loaded on first use.

   Each button gets its rule as {key, edition, title, href, element}: "12.5c", "ocs/4.3", "12.5c Leftover fuel", its
   URL, and its element on this page; a rule in a card has no element. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const SVG = "http://www.w3.org/2000/svg";
  const MAX_QUOTE = 1500; // maximum length of a quotation
  let open = null; // the open toolbar, with its number

  /** Return the text of a rule and the rules inside it, without generated parts. */
  function words(rule) {
    const copy = (rule.element ?? rule.card).cloneNode(true);
    if (rule.element) copy.firstElementChild.remove(); // its number and title
    for (const element of copy.querySelectorAll(".cited, .spoken, .rw-tools, .remarks, .history, .notice, figure")) element.remove();
    const text = copy.textContent.replace(/\s+/g, " ").trim();
    return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)} …` : text;
  }

  /** Return the URL of the same rule in the nearest other edition, older ones first. */
  function counterpart({ element, key }) {
    const links = [...document.querySelectorAll(".md-version__link")];
    const current = links.findIndex((link) => link.ariaCurrent);
    const candidates = [...links.slice(current + 1), ...links.slice(0, Math.max(current, 0)).reverse()];
    return element && candidates.map((link) => link.dataset.moves && rw.counterpartUrl(link, key)).find(Boolean);
  }

  rw.addTool("link", "Link", "M10.59 13.41c.41.39.41 1.03 0 1.42-.39.39-1.03.39-1.42 0a5.003 5.003 0 0 1 0-7.07l3.54-3.54a5.003 5.003 0 0 1 7.07 0 5.003 5.003 0 0 1 0 7.07l-1.49 1.49c.01-.82-.12-1.64-.4-2.42l.47-.48a2.98 2.98 0 0 0 0-4.24 2.98 2.98 0 0 0-4.24 0l-3.53 3.53a2.98 2.98 0 0 0 0 4.24m2.82-4.24c.39-.39 1.03-.39 1.42 0a5.003 5.003 0 0 1 0 7.07l-3.54 3.54a5.003 5.003 0 0 1-7.07 0 5.003 5.003 0 0 1 0-7.07l1.49-1.49c-.01.82.12 1.64.4 2.43l-.47.47a2.98 2.98 0 0 0 0 4.24 2.98 2.98 0 0 0 4.24 0l3.53-3.53a2.98 2.98 0 0 0 0-4.24.973.973 0 0 1 0-1.42",
    ({ key, href }) => rw.copy("Link", key, rw.shareUrl(href, true)));
  rw.addTool("quote", "Quote", "M19 21H8V7h11m0-2H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2m-3-4H4a2 2 0 0 0-2 2v14h2V3h12z",
    (rule) => rw.copy("Quote", rule.key, `${rule.title}: ${words(rule)} (${rw.shareUrl(rule.href, true)})`));
  rw.addTool("pin", "Pin", "M16 12V4h1V2H7v2h1v8l-2 2v2h5.2v6h1.6v-6H18v-2zm-7.2 2 1.2-1.2V4h4v8.8l1.2 1.2z",
    ({ href }) => rw.pinCard(href));
  rw.addTool("compare", "Compare", "M19 3h-5v2h5v13l-5-6v9h5a2 2 0 0 0 2-2V5a2 2 0 0 0-2-2m-9 15H5l5-6m0-9H5c-1.11 0-2 .89-2 2v14a2 2 0 0 0 2 2h5v2h2V1h-2z",
    (rule) => rw.pinCard(counterpart(rule)), counterpart);

  rw.addTool("report", "Report", "m12.36 6 .4 2H18v6h-3.36l-.4-2H7V6zM14 4H5v17h2v-7h5.6l.4 2h7V6h-5.6z",
    (rule) => rw.loadScript("report").then(() => rw.openReport(rule)).catch(() => {}));

  rw.tools.unshift(...rw.tools.splice(-5)); // the own tools come first

  /** Return the rule of a number on this page or of a card. */
  function ruleOf(place) {
    const card = place.closest(".rw-card");
    const element = card ? undefined : place.closest(".rule");
    const href = card ? card.shown.href : place.href;
    const [page, key] = rw.locate(href);
    const name = element && [".number", ".title"].map((part) => element.querySelector(`:scope > * > ${part}`)?.textContent.trim());
    const title = card ? card.shown.title : name.filter(Boolean).join(" ");
    return { key, edition: page.split("/", 2).join("/"), title, href, element, card: card?.querySelector(".rule-text") };
  }

  rw.useTool = (name, place) => rw.tools.find((element) => element.name === name).act(ruleOf(place));

  function button({ label, icon, act }, rule) {
    const tool = Object.assign(document.createElement("button"), { type: "button", onclick: () => act(rule) });
    const svg = document.createElementNS(SVG, "svg");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", icon);
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.append(path);
    tool.append(svg, label);
    return tool;
  }

  function close(back) {
    if (!open) return;
    const { bar, number } = open;
    open = null;
    if (back) number.focus({ preventScroll: true });
    bar.remove();
    number.removeAttribute("aria-expanded");
  }

  /** Open or close the toolbar of a rule. `enter`: focus its first button. */
  rw.openToolbar = (number, enter) => {
    const isOpen = open?.number === number;
    close();
    if (isOpen) return;
    const rule = ruleOf(number);
    const bar = Object.assign(document.createElement("div"), { className: "rw-tools", role: "group", ariaLabel: `Tools for ${rule.key}` });
    bar.append(...rw.tools.filter(({ fits }) => !fits || fits(rule)).map((element) => button(element, rule)));
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
