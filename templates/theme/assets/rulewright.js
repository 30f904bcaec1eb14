/* The functions that all scripts share, as `rulewright`. Pages can be read without scripts. These are plain scripts,
   because browsers do not load modules from a disk. Listeners are on the document, so that they also serve pages that
   Material loads without a reload.

   loadData(path)           load a data script once, by its path from the root of the site; returns its data
   receiveData(path, data)  called by a data script
   loadScript(name)         load another script of the site; elements with data-script="name" load it too
   preview(href)            return {number, title, path, html, href, edition} for a rule, step, table or term, or undefined
   rule(edition, number)    return the preview of a rule: rule("ocs/4.3", "12.5c")
   openableUrl(href)        return a URL that also opens from a disk
   open(href)               go to a URL and remember the place of the reader
   openLayer(close)         register an overlay that Back closes first; returns the function to call when it is closed
   openFind(typed)          open the search box
   highlightSearchWords()   highlight the words of the search that led here, until Escape
   edition()                return the edition of the page, such as "ocs/4.3", or undefined
   storageKey(name)         return the storage key of a name; other sites on the host use other keys
   stored(name, value, store)  return a stored text, after storing a given value; default store: localStorage
   storedList(name, isValid, store)  return the valid items of a stored list; default store: sessionStorage
   dock()                   return the area at the edge of the screen for pinned cards and messages
   addTool(name, label, icon, act, fits)  add a button to the toolbar of each rule: icon is an SVG path on 24 by 24, act(rule)
                            is its action, fits(rule) tells whether it is shown; toolbar.js describes the rule
   shareUrl(href, isRule)   return the URL to share; the short URL of a rule does not depend on the name of its chapter
   copy(label, name, text)  copy a text and show a message: "12.5 Link copied"
   pinCard(href)            pin the card of a target, or go there if it has no card
   rememberPlace(link)      remember the place of the reader before he follows a link
   locate(href)             return page and anchor of a URL of this site, ["ocs/4.3/12-supply", "12.5c"], or [] */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const root = (rw.root = new URL("../", document.currentScript.src));
  const requested = new Map();
  const waiting = new Map();
  const loaded = new Map();
  let typedEarly; // keys typed before the search box has loaded
  const all = (selector) => [...document.querySelectorAll(selector)];

  /** Return a decoded part of a URL, or the part itself if it is malformed. */
  function decoded(words) {
    try {
      return decodeURIComponent(words);
    } catch {
      return words;
    }
  }

  /** Return a URL that opens: from a disk, a folder needs index.html. */
  function opened(href, base = location) {
    const url = new URL(href, base);
    if (url.protocol === "file:" && url.pathname.endsWith("/")) url.pathname += "index.html";
    return url.href;
  }

  rw.openableUrl = opened;
  rw.receiveData = (path, data) => waiting.get(path)?.(data);

  rw.loadData = (path) => {
    const src = new URL(path.split("/").map(encodeURIComponent).join("/"), root);
    if (!src.href.startsWith(root.href)) return Promise.reject(new Error(`no ${path}`));
    if (!requested.has(path)) {
      requested.set(path, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = src;
        // The login page of a network loads, but has no data.
        let given = false;
        script.onload = script.onerror = () => { if (!given) { requested.delete(path); reject(new Error(`no ${path}`)); } };
        waiting.set(path, (data) => { given = true; resolve(data); });
        document.head.append(script);
      }));
    }
    return requested.get(path);
  };

  rw.loadScript = (name) => {
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

  rw.locate = (href) => {
    if (!URL.canParse(href, location)) return [];
    const url = new URL(href, location);
    if (!url.href.startsWith(root.href)) return [];
    const path = url.pathname.slice(root.pathname.length).replace(/(^|\/)(index\.html)?$/, "");
    const folders = path.split("/").map(decoded);
    // A decoded part with a slash would lead out of the site.
    if (folders.some((part) => /[/\\]|^\.\.?$/.test(part))) return [];
    return [folders.join("/"), decoded(url.hash.slice(1))];
  };

  // preview.js is loaded for the first preview and replaces this function.
  rw.preview = async (href) => {
    const before = rw.preview;
    await rw.loadScript("preview");
    return rw.preview === before ? undefined : rw.preview(href);
  };

  /** Return the URL of a rule, or undefined if no page has its number. */
  async function found(edition, number) {
    const pages = await rw.loadData(`${edition}/numbers.js`);
    let known = number;
    while (known && !Object.hasOwn(pages, known)) known = known.slice(0, -1);
    return known ? opened(`${edition}/${pages[known]}/#${encodeURIComponent(number)}`, root) : undefined;
  }

  rw.rule = async (edition, number) => {
    const href = await found(edition, number);
    return href && rw.preview(href);
  };

  /** Go from the short address of a rule, ocs/4.3/#12.5c, to the rule. */
  async function redirect(anchor) {
    const [page] = rw.locate(location.href);
    if (!anchor || page !== rw.edition() || document.getElementById(anchor)) return;
    const href = await found(page, anchor);
    if (href) location.replace(href);
  }

  const layers = []; // open overlays; each has an entry in the browser history
  let leaving; // the timer that removes the history entry of a closed layer
  rw.openLayer = (close) => {
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

  /** Go to a URL; it replaces the history entry of an open layer. */
  function go(to) {
    const isOver = leaving || layers.length;
    leaving = clearTimeout(leaving);
    layers.length = 0;
    location[isOver ? "replace" : "assign"](to);
  }

  rw.open = (href, link) => {
    const to = opened(href);
    if (!/^(http|file)/.test(to)) return;
    rw.rememberPlace?.(link);
    go(to);
  };
  // A pending step back would undo the navigation of a link.
  window.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || link.target || link.hasAttribute("download") || event.button) return;
    if (!(leaving || layers.length) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!/^(http|file)/.test(link.href)) return;
    event.preventDefault();
    go(link.href);
  });

  rw.storageKey = (name) => `${root.pathname}rulewright.${name}`;

  rw.stored = (name, value, store = "localStorage") => {
    try {
      if (value !== undefined) window[store].setItem(rw.storageKey(name), value);
      return window[store].getItem(rw.storageKey(name));
    } catch {
      return null; // without storage, everything has its defaults
    }
  };

  rw.storedList = (name, isSound, store = "sessionStorage") => {
    try {
      return JSON.parse(rw.stored(name, undefined, store)).filter(isSound);
    } catch {
      return [];
    }
  };

  rw.edition = () => document.querySelector("[data-edition]")?.dataset.edition;

  /** Load the data of the search box in parallel with its script. */
  function prepare() {
    const parts = [rw.loadScript("jump"), rw.loadScript("find"), rw.loadScript("minisearch"), rw.loadData(`assets/stem-${document.documentElement.lang}.js`), rw.loadData(`${rw.edition() ?? "search"}/find.js`)];
    for (const part of parts) part.catch(() => {});
  }

  rw.openFind = (typed = "") => {
    typedEarly = { typed, goes: false };
    prepare();
    return rw.loadScript("jump").then(() => rw.find?.(typedEarly.typed, typedEarly.goes)).finally(() => { typedEarly = undefined; });
  };

  rw.highlightSearchWords = () => {
    const [to, typed] = rw.storedList("sought", (part) => typeof part === "string" && part.length < 2000);
    const target = document.getElementById(decoded(location.hash.slice(1)));
    if (!to || to !== location.href || !target || !window.Highlight) return;
    rw.stored("sought", "[]", "sessionStorage");
    const words = typed.normalize().split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 1).slice(0, 9);
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

  /** Unfold the details that hide the target of the URL. */
  function reveal() {
    const target = document.getElementById(decoded(location.hash.slice(1)));
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (target?.closest("details")) target.scrollIntoView();
  }

  /** Filter a list by a number at the beginning or by words, and show the count. */
  function filter(input) {
    const wanted = input.value.trim().toLowerCase().replace(/\.$/, "");
    const items = all(input.dataset.filter);
    let shown = 0;
    for (const item of items) {
      const text = item.textContent.toLowerCase();
      const isMatch = /^\W*\w?\d/.test(wanted) ? text.startsWith(wanted) : text.includes(wanted);
      item.hidden = !isMatch;
      shown += isMatch;
    }
    for (const group of all(".numbers .group")) group.hidden = wanted && !group.querySelector("li:not([hidden])");
    input.parentElement.querySelector("output").textContent = wanted ? `${shown} / ${items.length}` : "";
  }

  /** Set up a page. Controls that need this script are hidden until now. */
  function equip() {
    for (const control of all("[data-fold], .filter")) control.hidden = false;
    for (const { dataset } of all("[data-script]")) rw.loadScript(dataset.script).catch(() => {});
    if (matchMedia("(min-width: 60em)").matches && document.querySelector(".md-nav--secondary a")) rw.loadScript("contents").catch(() => {});
    reveal();
    rw.highlightSearchWords();
    const requested = new URLSearchParams(location.search);
    const anchor = decoded(location.hash.slice(1));
    // A number that the chapter does not have: retired, renumbered or wrong.
    const isGone = document.querySelector(".rw.chapter") && /^[^/]{0,3}\d[^/]*$/.test(anchor) && !document.getElementById(anchor);
    redirect(anchor).catch(() => {});
    const typed = requested.get("find") ?? requested.get("q") ?? (isGone ? anchor : "");
    if (typed) rw.openFind(typed.slice(0, 80)).catch(() => {});
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
  // A tap takes a tenth of a second: time to load.
  document.addEventListener("pointerdown", ({ target }) => { if (target.closest?.(".rw-jump")) prepare(); }, { passive: true });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(".rw-jump");
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey || !window.HTMLDialogElement) return;
    event.preventDefault();
    rw.openFind().catch(() => location.assign(button.href)); // without its script, the list of numbers helps
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.altKey || event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog[open]");
    const hasModifier = event.ctrlKey || event.metaKey;
    if (typedEarly && !hasModifier && (event.key.length === 1 || /^(Enter|Tab)$/.test(event.key))) {
      event.preventDefault();
      event.stopImmediatePropagation(); // Material would open the next page on a full stop
      if (event.key === "Enter") typedEarly.goes = true;
      else if (event.key !== "Tab") typedEarly.typed += event.key;
      return;
    }
    if (event.key === "Escape") window.CSS?.highlights?.delete("sought");
    if (isTyping || !(hasModifier ? /^k$/i : /^[/fs]$/).test(event.key) || (event.key === "s" && document.querySelector(".rw.play"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    rw.openFind().catch(() => {});
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches?.("[data-filter]")) return;
    all(event.target.dataset.filter).find((item) => !item.hidden)?.querySelector("a")?.click();
  });
  // The page of all rules is laid out part by part until it has its true height.
  window.addEventListener("load", () => {
    for (const part of all(".rw.all > .whole, .rw.all .level-1")) (window.requestIdleCallback ?? setTimeout)(() => { part.style.contentVisibility = "visible"; part.getBoundingClientRect(); });
  });
  window.addEventListener("hashchange", reveal);
  window.addEventListener("beforeprint", () => { for (const fold of all(".rw details:not(.diff)")) fold.open = true; });

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
