/* What a reference leads to, cut from its page; a page from a disk can read no other, so there the passages of Find
   take its place. Adds to `rulewright`: preview(href) and rule(edition, number), as rulewright.js says. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const GLANCE = 3000; // letters of HTML
  const CUT = 100; // letters of a rule without a title
  const PARTS = ":scope > :is(.notice.retired, .text, details.retired, figure:not(.drawn), .note, .table-entry)";
  const LEFT_OUT = "del, .gone, .erratum-sign, script, .roller, .downloads, .permalink, input, details.cited, details.history";
  const pages = new Map(); // documents by path
  const make = (tag, given, ...inside) => {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  };
  const text = (node) => node?.textContent.trim().replace(/\s+/g, " ") ?? "";
  const spelt = (page) => `${page.split("/").map(encodeURIComponent).join("/")}/`;

  /** A page of the site as a document. It is asked for once. */
  function fetched(page) {
    if (!pages.has(page)) {
      const read = async () => {
        const answer = await fetch(new URL(spelt(page), rw.root));
        if (!answer.ok) throw new Error(`no ${page}`);
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      };
      pages.set(page, read().catch((error) => { pages.delete(page); throw error; }));
    }
    return pages.get(page);
  }

  /** A copy without what belongs to its page alone; the words that errata inserted are in it, those deleted are not. */
  function copied(node) {
    const copy = node.cloneNode(true);
    for (const one of copy.querySelectorAll(LEFT_OUT)) one.remove();
    for (const one of copy.querySelectorAll("ins.erratum")) one.replaceWith(...(one.querySelector(".w") ?? one).childNodes);
    for (const one of copy.querySelectorAll("[data-table]")) one.removeAttribute("data-table");
    return copy;
  }

  // A rule on the page of its chapter

  const inner = (rule) => [...rule.querySelectorAll(":scope > .rule")];
  const heading = (rule) => rule.querySelector(":scope > :is(h1, h2, h3, h4, h5, h6, span) > .number")?.parentElement;
  const number = (rule) => text(heading(rule)?.querySelector(".number"));
  const title = (rule) => text(heading(rule) && copied(heading(rule)).querySelector(".title"));
  const named = (rule) => `${number(rule)} ${title(rule)}`.trim();

  /** What a rule says, without the rules inside it. */
  function said(rule) {
    const parts = [...rule.querySelectorAll(PARTS)].flatMap((part) => (part.matches("details") ? [...part.querySelectorAll(".text")] : [part])).map(copied);
    if (rule.matches(".listed")) parts.push(make("p", { className: "label", lang: "en" }, "The text is in the printed book"));
    const closing = parts.filter((part) => part.matches(".closing"));
    return [parts.filter((part) => !closing.includes(part)), closing];
  }

  /** The rules inside a rule by name; what they say as well, if it is short enough together to be read at a glance. */
  function list(rule) {
    const rules = inner(rule).filter(number);
    if (!rules.length) return [];
    const isShort = rules.reduce((sum, one) => sum + (one.matches(".listed") ? 0 : said(one).flat().map((part) => part.outerHTML).join("").length), 0) <= GLANCE;
    const items = rules.map((one) => {
      const link = make("a", { className: one.matches(".listed") ? "ref listed" : "ref" }, number(one));
      link.setAttribute("href", `#${encodeURIComponent(one.id)}`);
      const item = make("li", {}, link, " ");
      const [parts, closing] = said(one);
      const spread = isShort && !one.matches(".listed");
      if (title(one)) item.append(make("b", {}, title(one)));
      else if (!spread && parts.length) {
        const words = text(parts[0]);
        item.append(make("span", { className: "cut" }, words.length > CUT ? `${words.slice(0, CUT - 3).replace(/\s\S*$/, "")}...` : words));
      }
      if (spread) item.append(" ", ...parts, ...list(one), ...closing);
      return item;
    });
    return [make("ul", { className: "inner" }, ...items)];
  }

  function ofRule(rule) {
    const [parts, closing] = said(rule);
    return { number: number(rule), title: named(rule), parts: [...parts, ...list(rule), ...closing] };
  }

  /** An item of a list, without the lists inside it. */
  function ofItem(item) {
    const copy = copied(item);
    for (const one of copy.querySelectorAll("ol, ul")) one.remove();
    const labels = decodeURIComponent(item.id).split("/").slice(1).flatMap((one) => one.split("."));
    const own = labels.every((one) => /^\d+$/.test(one)) ? labels.join(".") : labels.map((one) => `(${one})`).join("");
    return { title: `${number(item.closest(".rule"))}, ${own}`, parts: [make("p", {}, ...copy.childNodes)] };
  }

  // A step of the sequence of play

  const step = (node) => node.closest(".rw li[id], .rw .do[id]");
  const own = (node, selector) => [...node.querySelectorAll(selector)].filter((one) => step(one) === node);
  const stepName = (node) => [own(node, ".step-label")[0], own(node, ".title")[0] ?? own(node, "h2, h3, h4, h5, h6")[0]].filter((one, at, all) => one && !(at === 0 && all[1]?.contains(one))).map((one) => text(copied(one))).join(" ") || text(node);

  function ofStep(node, isTop) {
    const parts = [];
    const marks = own(node, ".mark").map(copied);
    const actors = text(own(node, ".spoken").at(-1)).replace(/^\(|\)$/g, "");
    if (marks.length && !node.matches(".turn")) parts.push(make("p", { className: "who" }, ...marks, ` ${actors}`));
    parts.push(...own(node, "p.repeat, .same").map(copied));
    const facts = own(node, ".fact").map(copied).flatMap((fact, at) => (at ? ["; ", fact] : [fact]));
    const refs = own(node, ".refs").map(copied);
    if (facts.length || refs.length) parts.push(make("p", { className: "besides" }, ...facts, facts.length && refs.length ? "; " : "", ...refs));
    parts.push(...own(node, ".aside").filter((one) => !one.matches(":is(.any-order, .choice, .between) > *")).map((one) => make("p", { className: "aside" }, ...copied(one).childNodes)));
    const items = [...node.querySelectorAll("li[id], .do[id]")].filter((one) => (isTop ? !step(one.parentElement) : step(one.parentElement) === node)).map((one) => {
      const link = make("a", { className: "named" }, stepName(one));
      link.setAttribute("href", `#${encodeURIComponent(one.id)}`);
      return make("li", {}, link);
    });
    return { title: isTop ? text(node.querySelector("h1")) : stepName(node), parts, inner: items.length ? [make("ul", { className: "inner" }, ...items)] : [] };
  }

  /** A step told in words. */
  const told = (entry) => [...entry.querySelectorAll(":scope > :is(.text, p.repeat)")].map(copied);

  async function cut(page, anchor, edition) {
    const file = await fetched(page);
    const found = file.getElementById(anchor);
    const at = found?.matches(".former") ? found.closest(".rule") : found;
    const game = text(file.querySelector("title")).split(" · ").at(-1);
    if (!at) return undefined;
    const above = (selector, name) => {
      const names = [];
      for (let node = at.parentElement?.closest(selector); node; node = node.parentElement.closest(selector)) names.unshift(name(node));
      return [game, ...names].join(" › ");
    };
    if (at.matches(".rule")) return { ...ofRule(at), path: above(".rule", named) };
    if (at.matches(".rule .text li")) return { ...ofItem(at), path: above(".rule", named) };
    if (at.matches(".narrative-step")) return { title: text(at.querySelector(":is(h1, h2, h3, h4, h5, h6) > a")), path: game, parts: told(at) };
    if (at.matches(".term")) {
      const meaning = copied(at.querySelector("dd"));
      return { title: text(at.querySelector("dfn")), path: game, parts: [make("p", {}, ...meaning.childNodes)] };
    }
    if (at.matches(".table-entry")) {
      const parts = [...at.querySelectorAll(":scope > :is(.text, .tabled)")].map(copied);
      return { title: `${text(at.querySelector(".number"))} ${text(at.querySelector(".title"))}`.trim(), path: game, parts };
    }
    const isTop = at.matches("h1");
    if (!isTop && !at.matches("li, .do")) return undefined;
    const shown = ofStep(isTop ? at.closest(".rw") : at, isTop);
    const story = file.querySelector(`a[href="../narrative/"]`) && (await fetched(`${edition}/narrative`).catch(() => undefined))?.getElementById(anchor);
    return { title: shown.title, path: isTop ? game : above(".rw li[id]", stepName), parts: [...shown.parts, ...(story ? told(story) : []), ...shown.inner] };
  }

  /** The same from a disk: the words that Find has. */
  async function passage(page, anchor, edition) {
    const { chapters, others } = await rw.need(`${edition}/find.js`);
    const rules = chapters.find(([path]) => path === page)?.[2] ?? [];
    const at = rules.findIndex(([key]) => key === anchor || anchor.startsWith(`${key}/`));
    if (at >= 0) {
      const name = ([key, words]) => `${key} ${words}`.trim();
      const [key, , level, , words = ""] = rules[at];
      const path = [];
      for (let before = at, least = level; before >= 0; before -= 1) if (rules[before][2] < least) { least = rules[before][2]; path.unshift(name(rules[before])); }
      const end = rules.findIndex(([, , depth], nth) => nth > at && depth <= level);
      const items = rules.slice(at + 1, end < 0 ? undefined : end).filter(([, , depth]) => depth === level + 1).map(([inside, words]) => {
        const link = make("a", { className: "ref" }, inside);
        link.setAttribute("href", `#${encodeURIComponent(inside)}`);
        return make("li", {}, link, " ", make("b", {}, words));
      });
      return { number: key, title: name(rules[at]), path: [edition, ...path].join(" › "), parts: [make("p", {}, words), ...(items.length ? [make("ul", { className: "inner" }, ...items)] : [])] };
    }
    const [sort, short, name, , , , around, words] = others.find(([, , , path, its]) => path === page && its === anchor) ?? [];
    if (!sort) return undefined;
    if (sort === "glossary") return { title: short, path: edition, parts: [make("p", {}, name)] };
    return { title: name, path: [edition, around].filter(Boolean).join(" › "), parts: [make("p", {}, words ?? "")] };
  }

  rw.preview = async (href) => {
    const [page, anchor] = rw.place(href);
    const [, edition, name] = page?.match(/^([^/]+\/[^/]+)\/([^/]+)$/) ?? [];
    if (!name || !anchor) return undefined;
    const shown = await (location.protocol === "file:" ? passage : cut)(page, anchor, edition);
    if (!shown) return undefined;
    const inside = make("div", {}, ...shown.parts);
    for (const one of inside.querySelectorAll("[href], [src]")) {
      const where = one.hasAttribute("href") ? "href" : "src";
      one.setAttribute(where, rw.opened(one.getAttribute(where), new URL(spelt(page), rw.root)));
    }
    return { number: "", ...shown, html: inside.innerHTML, href: rw.opened(href), edition };
  };
})();
