/* Previews: the target of a reference, cut from its page. A page opened from a disk cannot read other pages, so there the
   data of the search is used. Implements rulewright.preview(href), which rulewright.js describes. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const MAX_INLINE = 3000; // maximum length of the HTML of inner rules that are shown in full
  const MAX_EXCERPT = 100; // maximum length of the excerpt of a rule without a title
  const PARTS = ":scope > :is(.notice.retired, .text, details.retired, figure:not(.drawn), .note, .table-entry)";
  const LEFT_OUT = "del, .gone, .erratum-sign, script, .roller, .downloads, .permalink, input, details.cited, details.history";
  const pages = new Map(); // documents by path
  const element = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const text = (node) => node?.textContent.trim().replace(/\s+/g, " ") ?? "";
  const encodedPath = (page) => `${page.split("/").map(encodeURIComponent).join("/")}/`;

  /** Fetch a page of the site as a document, once. */
  function fetchPage(page) {
    if (!pages.has(page)) {
      const read = async () => {
        const answer = await fetch(new URL(encodedPath(page), rw.root));
        if (!answer.ok) throw new Error(`no ${page}`);
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      };
      pages.set(page, read().catch((error) => { pages.delete(page); throw error; }));
    }
    return pages.get(page);
  }

  /** Return a copy without generated parts; errata are applied. */
  function cleanCopy(node) {
    const copy = node.cloneNode(true);
    for (const item of copy.querySelectorAll(LEFT_OUT)) item.remove();
    for (const item of copy.querySelectorAll("ins.erratum")) item.replaceWith(...(item.querySelector(".w") ?? item).childNodes);
    for (const item of copy.querySelectorAll("[data-table]")) item.removeAttribute("data-table");
    return copy;
  }

  // A rule on the page of its chapter

  const inner = (rule) => [...rule.querySelectorAll(":scope > .rule")];
  const heading = (rule) => rule.querySelector(":scope > :is(h1, h2, h3, h4, h5, h6, span) > .number")?.parentElement;
  const number = (rule) => text(heading(rule)?.querySelector(".number"));
  const title = (rule) => text(heading(rule) && cleanCopy(heading(rule)).querySelector(".title"));
  const nameOf = (rule) => `${number(rule)} ${title(rule)}`.trim();

  /** Return the parts of a rule and its closing parts, without inner rules. */
  function partsOf(rule) {
    const parts = [...rule.querySelectorAll(PARTS)].flatMap((part) => (part.matches("details") ? [...part.querySelectorAll(".text")] : [part])).map(cleanCopy);
    if (rule.matches(".listed")) parts.push(element("p", { className: "label", lang: "en" }, "The text is in the printed book"));
    const closing = parts.filter((part) => part.matches(".closing"));
    return [parts.filter((part) => !closing.includes(part)), closing];
  }

  /** Return the list of inner rules; with their texts, if these are short. */
  function innerRules(rule) {
    const rules = inner(rule).filter(number);
    if (!rules.length) return [];
    const length = (rule) => (rule.matches(".listed") ? 0 : partsOf(rule).flat().map((part) => part.outerHTML).join("").length);
    const isShort = rules.reduce((sum, rule) => sum + length(rule), 0) <= MAX_INLINE;
    const items = rules.map((rule) => {
      const link = element("a", { className: rule.matches(".listed") ? "ref listed" : "ref" }, number(rule));
      link.setAttribute("href", `#${encodeURIComponent(rule.id)}`);
      const item = element("li", {}, link, " ");
      const [parts, closing] = partsOf(rule);
      const isInline = isShort && !rule.matches(".listed");
      if (title(rule)) item.append(element("b", {}, title(rule)));
      else if (!isInline && parts.length) {
        const words = text(parts[0]);
        item.append(element("span", { className: "cut" }, words.length > MAX_EXCERPT ? `${words.slice(0, MAX_EXCERPT - 3).replace(/\s\S*$/, "")}...` : words));
      }
      if (isInline) item.append(" ", ...parts, ...innerRules(rule), ...closing);
      return item;
    });
    return [element("ul", { className: "inner" }, ...items)];
  }

  function rulePreview(rule) {
    const [parts, closing] = partsOf(rule);
    return { number: number(rule), title: nameOf(rule), parts: [...parts, ...innerRules(rule), ...closing] };
  }

  /** Return the preview of a list item, without inner lists. */
  function itemPreview(item) {
    const copy = cleanCopy(item);
    for (const item of copy.querySelectorAll("ol, ul")) item.remove();
    const labels = decodeURIComponent(item.id).split("/").slice(1).flatMap((item) => item.split("."));
    const label = labels.every((item) => /^\d+$/.test(item)) ? labels.join(".") : labels.map((item) => `(${item})`).join("");
    return { title: `${number(item.closest(".rule"))}, ${label}`, parts: [element("p", {}, ...copy.childNodes)] };
  }

  // A step of the sequence of play

  const stepAround = (node) => node.closest(".rw li[id], .rw .do[id]");
  const ownParts = (node, selector) => [...node.querySelectorAll(selector)].filter((item) => stepAround(item) === node);
  const stepName = (node) => [ownParts(node, ".step-label")[0], ownParts(node, ".title")[0] ?? ownParts(node, "h2, h3, h4, h5, h6")[0]].filter((item, index, all) => item && !(index === 0 && all[1]?.contains(item))).map((item) => text(cleanCopy(item))).join(" ") || text(node);

  function stepPreview(node, isTop) {
    const parts = [];
    const marks = ownParts(node, ".mark").map(cleanCopy);
    const actors = text(ownParts(node, ".spoken").at(-1)).replace(/^\(|\)$/g, "");
    if (marks.length && !node.matches(".turn")) parts.push(element("p", { className: "who" }, ...marks, ` ${actors}`));
    parts.push(...ownParts(node, "p.repeat, .same").map(cleanCopy));
    const facts = ownParts(node, ".fact").map(cleanCopy).flatMap((fact, index) => (index ? ["; ", fact] : [fact]));
    const refs = ownParts(node, ".refs").map(cleanCopy);
    if (facts.length || refs.length) parts.push(element("p", { className: "besides" }, ...facts, facts.length && refs.length ? "; " : "", ...refs));
    parts.push(...ownParts(node, ".aside").filter((item) => !item.matches(":is(.any-order, .choice, .between) > *")).map((item) => element("p", { className: "aside" }, ...cleanCopy(item).childNodes)));
    const items = [...node.querySelectorAll("li[id], .do[id]")].filter((item) => (isTop ? !stepAround(item.parentElement) : stepAround(item.parentElement) === node)).map((item) => {
      const link = element("a", { className: "named" }, stepName(item));
      link.setAttribute("href", `#${encodeURIComponent(item.id)}`);
      return element("li", {}, link);
    });
    return { title: isTop ? text(node.querySelector("h1")) : stepName(node), parts, inner: items.length ? [element("ul", { className: "inner" }, ...items)] : [] };
  }

  /** Return the parts of a step in the narrative. */
  const narrativeParts = (entry) => [...entry.querySelectorAll(":scope > :is(.text, p.repeat)")].map(cleanCopy);

  async function previewFromPage(page, anchor, edition) {
    const file = await fetchPage(page);
    const found = file.getElementById(anchor);
    const target = found?.matches(".former") ? found.closest(".rule") : found;
    const game = text(file.querySelector("title")).split(" · ").at(-1);
    if (!target) return undefined;
    const above = (selector, name) => {
      const names = [];
      for (let node = target.parentElement?.closest(selector); node; node = node.parentElement.closest(selector)) names.unshift(name(node));
      return [game, ...names].join(" › ");
    };
    if (target.matches(".rule")) return { ...rulePreview(target), path: above(".rule", nameOf) };
    if (target.matches(".rule .text li")) return { ...itemPreview(target), path: above(".rule", nameOf) };
    if (target.matches(".narrative-step")) return { title: text(target.querySelector(":is(h1, h2, h3, h4, h5, h6) > a")), path: game, parts: narrativeParts(target) };
    if (target.matches(".term")) {
      const meaning = cleanCopy(target.querySelector("dd"));
      return { title: text(target.querySelector("dfn")), path: game, parts: [element("p", {}, ...meaning.childNodes)] };
    }
    if (target.matches(".table-entry")) {
      const parts = [...target.querySelectorAll(":scope > :is(.text, .tabled)")].map(cleanCopy);
      return { title: `${text(target.querySelector(".number"))} ${text(target.querySelector(".title"))}`.trim(), path: game, parts };
    }
    const isTop = target.matches("h1");
    if (!isTop && !target.matches("li, .do")) return undefined;
    const preview = stepPreview(isTop ? target.closest(".rw") : target, isTop);
    const narrative = file.querySelector(`a[href="../narrative/"]`) && (await fetchPage(`${edition}/narrative`).catch(() => undefined))?.getElementById(anchor);
    return { title: preview.title, path: isTop ? game : above(".rw li[id]", stepName), parts: [...preview.parts, ...(narrative ? narrativeParts(narrative) : []), ...preview.inner] };
  }

  /** Return the preview from the data of the search. */
  async function previewFromSearchData(page, anchor, edition) {
    const { chapters, others } = await rw.loadData(`${edition}/find.js`);
    const rules = chapters.find(([path]) => path === page)?.[2] ?? [];
    const index = rules.findIndex(([key]) => key === anchor || anchor.startsWith(`${key}/`));
    if (index >= 0) {
      const name = ([key, words]) => `${key} ${words}`.trim();
      const [key, , level, , words = ""] = rules[index];
      const path = [];
      for (let before = index, lowestLevel = level; before >= 0; before -= 1) if (rules[before][2] < lowestLevel) { lowestLevel = rules[before][2]; path.unshift(name(rules[before])); }
      const end = rules.findIndex(([, , depth], position) => position > index && depth <= level);
      const items = rules.slice(index + 1, end < 0 ? undefined : end).filter(([, , depth]) => depth === level + 1).map(([number, words]) => {
        const link = element("a", { className: "ref" }, number);
        link.setAttribute("href", `#${encodeURIComponent(number)}`);
        return element("li", {}, link, " ", element("b", {}, words));
      });
      return { number: key, title: name(rules[index]), path: [edition, ...path].join(" › "), parts: [element("p", {}, words), ...(items.length ? [element("ul", { className: "inner" }, ...items)] : [])] };
    }
    const [sort, short, name, , , , around, words] = others.find(([, , , path, its]) => path === page && its === anchor) ?? [];
    if (!sort) return undefined;
    if (sort === "glossary") return { title: short, path: edition, parts: [element("p", {}, name)] };
    return { title: name, path: [edition, around].filter(Boolean).join(" › "), parts: [element("p", {}, words ?? "")] };
  }

  rw.preview = async (href) => {
    const [page, anchor] = rw.locate(href);
    const [, edition, name] = page?.match(/^([^/]+\/[^/]+)\/([^/]+)$/) ?? [];
    if (!name || !anchor) return undefined;
    const preview = await (location.protocol === "file:" ? previewFromSearchData : previewFromPage)(page, anchor, edition);
    if (!preview) return undefined;
    const content = element("div", {}, ...preview.parts);
    for (const item of content.querySelectorAll("[href], [src]")) {
      const where = item.hasAttribute("href") ? "href" : "src";
      item.setAttribute(where, rw.openableUrl(item.getAttribute(where), new URL(encodedPath(page), rw.root)));
    }
    return { number: "", ...preview, html: content.innerHTML, href: rw.openableUrl(href), edition };
  };
})();
