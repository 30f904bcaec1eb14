/* What a page can do beyond reading. Nothing here is needed to read. A plain script, since modules do
   not load from a disk; the document listens, so that it holds for pages that are swapped in as well.

   Its other scripts share what it puts into `rulewright`:
   need(path)              what a script of data holds, by its path from the site's root; it is loaded once
   take(path, data)        called by such a script
   load(name)              another script of ours, which few pages have a use for; what names it in data-script gets it
   preview(href)           what stands at an address: {number, title, path, html, href, edition}, or undefined;
                           the number is that of a rule, with which its title begins
   rule(edition, number)   the same of a rule, rule("ocs/4.3", "12.5c")
   opened(href)            an address as it can be opened, from a disk too
   open(href)              go there; the way back is remembered
   over(close)             something lies over the page: the way back closes it first. Gives what to call once it is closed
   ask(typed)              open the box to find a rule with
   sought()                mark the words that one was led here by, until Escape
   edition()               the edition that this page belongs to, "ocs/4.3", or undefined
   key(name)               the key of what is stored under a name: other sites of the same host store theirs beside it
   kept(name, value, store)  what this device keeps under a name, once set; in "sessionStorage" this tab
   stored(name, isSound, store)  what this tab keeps as data, or another store, each part that is sound; another program may have written there
   dock()                  the edge of the screen that is kept for what stays at hand
   tool(name, label, icon, act, fits)  a button at each rule's number: icon is the path of a drawing of 24 by 24, act(rule)
                           is what it does, fits(rule) whether it is shown; what a rule is, toolbar.js says
   address(href, isRule)   the address to give to others: the short one of a rule, whatever its chapter is called
   copy(label, name, text)  copy a text, and say so: "12.5 Link copied"
   pin(href)               keep the card of what stands there open at the edge, or go there if there is none
   leave(link)             remember where the reader is, before he goes elsewhere
   place(href)             page and anchor of an address on this site, ["ocs/4.3/12-supply", "12.5c"], or [] */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const root = (rw.root = new URL("../", document.currentScript.src));
  const asked = new Map();
  const waiting = new Map();
  const loaded = new Map();
  let early; // what is typed while the box to find a rule with is on its way
  const all = (selector) => [...document.querySelectorAll(selector)];

  /** Words of an address as they were before they were put into it. */
  function decoded(words) {
    try {
      return decodeURIComponent(words);
    } catch {
      return words;
    }
  }

  /** An address as it can be opened: a disk shows the contents of a folder where a server sends its page. */
  function opened(href, base = location) {
    const url = new URL(href, base);
    if (url.protocol === "file:" && url.pathname.endsWith("/")) url.pathname += "index.html";
    return url.href;
  }

  rw.opened = opened;
  rw.take = (path, data) => waiting.get(path)?.(data);

  rw.need = (path) => {
    const src = new URL(path.split("/").map(encodeURIComponent).join("/"), root);
    if (!src.href.startsWith(root.href)) return Promise.reject(new Error(`no ${path}`));
    if (!asked.has(path)) {
      asked.set(path, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = src;
        // A network that answers with a page of its own has loaded something and given nothing.
        let given = false;
        script.onload = script.onerror = () => { if (!given) { asked.delete(path); reject(new Error(`no ${path}`)); } };
        waiting.set(path, (data) => { given = true; resolve(data); });
        document.head.append(script);
      }));
    }
    return asked.get(path);
  };

  rw.load = (name) => {
    if (!/^[a-z]+$/.test(name)) return Promise.reject(new Error(`no ${name}`));
    const src = new URL(`assets/${name}.js`, root).href;
    if (!loaded.has(src)) {
      loaded.set(src, new Promise((resolve, reject) => {
        const script = Object.assign(document.createElement("script"), { src, onload: resolve });
        script.onerror = () => { loaded.delete(src); reject(new Error(`no ${name}`)); };
        document.head.append(script);
      }));
    }
    return loaded.get(src);
  };

  rw.place = (href) => {
    if (!URL.canParse(href, location)) return [];
    const url = new URL(href, location);
    if (!url.href.startsWith(root.href)) return [];
    const path = url.pathname.slice(root.pathname.length).replace(/(^|\/)(index\.html)?$/, "");
    const folders = path.split("/").map(decoded);
    // A part of an address may hold what parts addresses, and so lead out of the site.
    if (folders.some((one) => /[/\\]|^\.\.?$/.test(one))) return [];
    return [folders.join("/"), decoded(url.hash.slice(1))];
  };

  // What cuts previews is loaded for the first of them, and takes this place.
  rw.preview = async (href) => {
    const before = rw.preview;
    await rw.load("preview");
    return rw.preview === before ? undefined : rw.preview(href);
  };

  /** The address of a rule, or undefined if no page has its number. */
  async function found(edition, number) {
    const pages = await rw.need(`${edition}/numbers.js`);
    let known = number;
    while (known && !Object.hasOwn(pages, known)) known = known.slice(0, -1);
    return known ? opened(`${edition}/${pages[known]}/#${encodeURIComponent(number)}`, root) : undefined;
  }

  rw.rule = async (edition, number) => {
    const href = await found(edition, number);
    return href && rw.preview(href);
  };

  /** Go from the short address of a rule to it: r/ocs/12.5c, or in an edition ocs/4.3/#12.5c or r/ocs/4.3/12.5c. */
  async function redirect(anchor) {
    const [page] = rw.place(location.href);
    if (/^r\/[^/]+(\/[^/]+)?(?<!\.html)$/.test(page) && document.querySelector("[data-missing]")) {
      location.replace(opened(`${page}.html`, root));
      return;
    }
    const [, edition, number] = page?.match(/^r\/([^/]+\/[^/]+)\/([^/]+)$/) ?? ["", page, anchor];
    const leads = edition !== page ? document.querySelector("[data-missing]") : number && edition === rw.edition();
    if (!leads || document.getElementById(anchor)) return;
    const href = await found(edition, number);
    if (href) location.replace(href);
  }

  const layers = []; // what lies over the page; each has a step of its own in the history
  let leaving; // the step of a layer that was closed, until it is gone or another one takes it
  rw.over = (close) => {
    const layer = { close };
    layers.push(layer);
    if (leaving) leaving = clearTimeout(leaving);
    else history.pushState({ over: layers.length }, "");
    return () => {
      if (!layers.includes(layer)) return;
      layers.splice(layers.indexOf(layer), 1);
      leaving = setTimeout(() => {
        leaving = undefined;
        if (history.state?.over) history.back();
      });
    };
  };
  window.addEventListener("popstate", () => {
    while (layers.length > (history.state?.over ?? 0)) layers.pop().close();
  });

  /** Go to an address, in the step of what lies over the page, if anything does. */
  function go(to) {
    const isOver = leaving || layers.length;
    leaving = clearTimeout(leaving);
    layers.length = 0;
    location[isOver ? "replace" : "assign"](to);
  }

  rw.open = (href, link) => {
    const to = opened(href);
    if (!/^(http|file)/.test(to)) return;
    rw.leave?.(link);
    go(to);
  };
  // A browser that follows a link while a step back is waited for would take back what it opened.
  window.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || link.target || link.hasAttribute("download") || event.button) return;
    if (!(leaving || layers.length) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!/^(http|file)/.test(link.href)) return;
    event.preventDefault();
    go(link.href);
  });

  rw.key = (name) => `${root.pathname}rulewright.${name}`;

  rw.kept = (name, value, store = "localStorage") => {
    try {
      if (value !== undefined) window[store].setItem(rw.key(name), value);
      return window[store].getItem(rw.key(name));
    } catch {
      return null; // where a browser keeps nothing, all is as it was at first
    }
  };

  rw.stored = (name, isSound, store = "sessionStorage") => {
    try {
      return JSON.parse(rw.kept(name, undefined, store)).filter(isSound);
    } catch {
      return [];
    }
  };

  rw.edition = () => document.querySelector("[data-edition]")?.dataset.edition;

  /** Load what the box asks for: beside it, not behind it. */
  function prepare() {
    const parts = [rw.load("jump"), rw.load("find"), rw.load("minisearch"), rw.need(`assets/stem-${document.documentElement.lang}.js`), rw.need(`${rw.edition() ?? "search"}/find.js`)];
    for (const part of parts) part.catch(() => {});
  }

  rw.ask = (typed = "") => {
    early = { typed, goes: false };
    prepare();
    return rw.load("jump").then(() => rw.find?.(early.typed, early.goes)).finally(() => { early = undefined; });
  };

  rw.sought = () => {
    const [to, typed] = rw.stored("sought", (one) => typeof one === "string" && one.length < 2000);
    const target = document.getElementById(decoded(location.hash.slice(1)));
    if (!to || to !== location.href || !target || !window.Highlight) return;
    rw.kept("sought", "[]", "sessionStorage");
    const words = typed.normalize().split(/[^\p{L}\p{N}]+/u).filter((one) => one.length > 1).slice(0, 9);
    const marks = new Highlight();
    const nodes = document.createTreeWalker(target.closest("section") ?? target, NodeFilter.SHOW_TEXT);
    while (words.length && nodes.nextNode()) {
      for (const { index, 0: found } of nodes.currentNode.data.matchAll(new RegExp(`(?<!\\p{L})(${words.join("|")})`, "giu"))) {
        const range = new Range();
        range.setStart(nodes.currentNode, index);
        range.setEnd(nodes.currentNode, index + found.length);
        marks.add(range);
      }
    }
    CSS.highlights.set("sought", marks);
  };

  /** Whatever hides what the address names is unfolded. */
  function reveal() {
    const target = document.getElementById(decoded(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (target?.closest("details")) target.scrollIntoView();
  }

  /** Lay out the chapters of a whole book one after another while nothing else is done: then its height is true. */
  function layOut([first, ...others]) {
    if (!first) return;
    first.style.contentVisibility = "visible";
    (window.requestIdleCallback ?? setTimeout)(() => layOut(others));
  }

  /** Show the entries that begin with a number or hold the words, and how many there are. */
  function filter(input) {
    const wanted = input.value.trim().toLowerCase().replace(/\.$/, "");
    const items = all(input.dataset.filter);
    let shown = 0;
    for (const item of items) {
      const text = item.textContent.toLowerCase();
      const hit = /^\W*\w?\d/.test(wanted) ? text.startsWith(wanted) : text.includes(wanted);
      item.hidden = !hit;
      shown += hit;
    }
    for (const group of all(".numbers .group")) group.hidden = wanted && !group.querySelector("li:not([hidden])");
    input.parentElement.querySelector("output").textContent = wanted ? `${shown} / ${items.length}` : "";
  }

  /** Controls that only work with this script are hidden until it runs. */
  function equip() {
    for (const control of all("[data-fold], .filter")) control.hidden = false;
    for (const { dataset } of all("[data-script]")) rw.load(dataset.script).catch(() => {});
    if (matchMedia("(min-width: 60em)").matches && document.querySelector(".md-nav--secondary a")) rw.load("contents").catch(() => {});
    layOut(all(".rw.all > .whole"));
    reveal();
    rw.sought();
    const asked = new URLSearchParams(location.search);
    const anchor = decoded(location.hash.slice(1));
    // A number that is not here: retired, renumbered, or one that never was.
    const isGone = document.querySelector(".rw.chapter") && /^[^/]{0,3}\d[^/]*$/.test(anchor) && !document.getElementById(anchor);
    redirect(anchor).catch(() => {});
    const typed = asked.get("find") ?? asked.get("q") ?? (isGone ? anchor : "");
    if (typed) rw.ask(typed.slice(0, 80)).catch(() => {});
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]:not([href^='#'])");
    if (link && location.protocol === "file:") link.setAttribute("href", opened(link.getAttribute("href")));
    const button = event.target.closest?.("[data-fold]");
    if (button) for (const fold of all("details.fold")) fold.open = button.dataset.fold === "open";
  });
  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-filter]")) filter(event.target);
  });
  // A finger rests a tenth of a second on what it taps.
  document.addEventListener("pointerdown", ({ target }) => { if (target.closest?.(".rw-jump")) prepare(); }, { passive: true });
  document.addEventListener("click", (event) => {
    const asks = event.target.closest?.(".rw-jump");
    if (!asks || event.ctrlKey || event.metaKey || event.shiftKey || !window.HTMLDialogElement) return;
    event.preventDefault();
    rw.ask().catch(() => location.assign(asks.href)); // where its script does not come, there is the list
  });
  document.addEventListener("keydown", (event) => {
    const busy = event.altKey || event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog[open]");
    const held = event.ctrlKey || event.metaKey;
    if (early && !held && (event.key.length === 1 || /^(Enter|Tab)$/.test(event.key))) {
      event.preventDefault();
      event.stopImmediatePropagation(); // a full stop leads Material to the next page
      if (event.key === "Enter") early.goes = true;
      else if (event.key !== "Tab") early.typed += event.key;
      return;
    }
    if (event.key === "Escape") window.CSS?.highlights?.delete("sought");
    if (busy || !(held ? /^k$/i : /^[/fs]$/).test(event.key) || (event.key === "s" && document.querySelector(".rw.play"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    rw.ask().catch(() => {});
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("[data-filter]")) return;
    all(event.target.dataset.filter).find((item) => !item.hidden)?.querySelector("a")?.click();
  });
  window.addEventListener("hashchange", reveal);
  window.addEventListener("beforeprint", () => { for (const fold of all(".rw details:not(.diff)")) fold.open = true; });

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
