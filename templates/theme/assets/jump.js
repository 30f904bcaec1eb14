/* The search box: finds a number in any form, a title, a term, a step or words of a text. find.js searches. Loaded on
   first use.

   rulewright.find(typed, opensFirst)  open the box with a text; `opensFirst`: go to the first result
   rulewright.showAgain()              update the results after more data has loaded */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const box = document.getElementById("jump");
  if (!box?.showModal || rw.find) return;

  const [MAX_FIRST, MAX_ALL] = [12, 40]; // maximum number of results at first, and after "show all"; a quarter for other editions
  const [input, list, status, scope, previewBox] = ["input", "#jump-list", "output", "select", ".beside"].map((item) => box.querySelector(item));
  const isWide = matchMedia("(min-width: 60em)");
  const editionNames = new Map([...scope.options].map((item) => [item.value, item.text]));
  const finders = new Map(); // the finder of each edition; undefined if it could not be loaded
  const loading = new Set();
  let shownResults = [];
  let selected = 0;
  let isEnterPending = false; // Enter was pressed before the rules had loaded
  let hasSelected = false; // the reader has selected a result; it stays selected while more arrive
  let showsAll = false;
  let hasNoResult = false; // everything is loaded and nothing matches
  let previewUrl = ""; // the URL of the rule in the preview box
  let closeLayer;

  const bookOf = (item) => item.split("/")[0];
  /** Return whether an edition is neither the newest of its book nor that of the page. */
  const isOld = (item) => item !== rw.edition?.() && [...editionNames.keys()].find((other) => other.includes("/") && bookOf(other) === bookOf(item)) !== item;

  /** Return the editions to search: that of the page first, then others of its book; old ones and other pages last. */
  function editionsIn(within) {
    const own = rw.edition?.() ?? "";
    const all = [...editionNames.keys()].filter((item) => item.includes("/") && `/${item}/`.startsWith(`/${within && `${within}/`}`));
    const distance = (item) => (item !== own) * (1 + (bookOf(item) !== bookOf(own)) + 2 * (!within && isOld(item)));
    return [...all.sort((item, other) => distance(item) - distance(other)), ...(within ? [] : [""])];
  }

  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const fillIn = (text, word) => text.replace("{}", () => word);
  const urlOf = ({ page, anchor }) => new URL(encodeURI(`${page}/${anchor ? `#${anchor}` : ""}`), rw.root).href;

  /** Return an element with a text in which the searched words are highlighted. */
  function highlighted(name, text, { edition, words }) {
    const node = element(name);
    let from = 0;
    for (const [start, end, roots] of words?.length ? finders.get(edition).words(text) : []) {
      if (!roots.some((item) => words.includes(item))) continue;
      node.append(text.slice(from, start), element("mark", text.slice(start, end)));
      from = end;
    }
    node.append(text.slice(from));
    return node;
  }

  function resultRow(result, index) {
    const row = Object.assign(element("a"), { id: `jump-${index}`, tabIndex: -1 });
    row.setAttribute("role", "option");
    if (result.more) row.append(element("b", "…"), " ", element("span", result.more));
    else {
      row.href = urlOf(result);
      const sort = result.now ? fillIn(box.dataset.former, result.now) : box.dataset[result.sort];
      const where = [result.edition && result.edition !== rw.edition() && editionNames.get(result.edition), result.around, sort];
      row.append(element("b", result.short), " ", highlighted("span", result.title, result), " ", element("small", where.filter(Boolean).join(" · ")));
      if (result.says) row.append(" ", highlighted("q", result.says, result));
    }
    return row;
  }

  function select(index) {
    selected = index < 0 && !hasSelected ? -1 : (index + shownResults.length) % shownResults.length || 0;
    const rows = [...list.children];
    rows.forEach((row, index) => row.setAttribute("aria-selected", index === selected));
    rows[selected]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", rows[selected] ? `jump-${selected}` : "");
    const isPage = ["page", "text"].includes(shownResults[selected]?.sort); // they have no preview
    const href = (isWide.matches && !isPage && rows[selected]?.href) || "";
    if (href === previewUrl) return;
    previewUrl = href;
    setTimeout(async () => {
      const preview = href && href === previewUrl && box.open && (await rw.preview(href).catch(() => undefined));
      if (href !== previewUrl) return;
      previewBox.replaceChildren();
      if (!preview) return;
      const content = element("div");
      content.innerHTML = preview.html;
      for (const item of content.querySelectorAll("[id]")) item.removeAttribute("id");
      previewBox.append(element("h2", preview.title), element("p", preview.path), content);
    }, 80);
  }

  /** Load the finders of some editions; each updates the results when it arrives. */
  function loadFinders(editions) {
    for (const edition of editions.filter((each) => !finders.has(each) && !loading.has(each))) {
      loading.add(edition);
      const finish = () => { loading.delete(edition); rw.showAgain(); };
      rw.loadScript("find").then(() => rw.loadFinder(edition)).then((finder) => { finders.set(edition, finder); finder.ready.then(rw.showAgain); }, () => finders.set(edition)).then(finish);
    }
  }

  /** Return the results in some editions, the best first; an old edition adds only what newer ones lack. */
  function findIn(editions, typed) {
    const groups = editions.filter((item) => finders.get(item)).map((item, index) => [item, index, finders.get(item).find(typed, rw.locate(location.href)[0])]);
    const maximum = (index) => (index ? MAX_ALL / 4 : MAX_ALL);
    const seen = new Set();
    const isOwn = groups[0]?.[2].exact; // a number means this book first
    const results = groups.flatMap(([edition, index, group]) => group.results.slice(0, maximum(index)).map(([rank, result]) => [isOwn ? index + rank / 100 : rank + index / 100, { ...result, edition }]))
      .sort(([item], [other]) => item - other).map(([, result]) => result)
      .filter(({ edition, sort, short, title, anchor }) => {
        const name = [bookOf(edition), sort === "removed" ? "rule" : sort, short, title, anchor].join("\n");
        return !(seen.has(name) && isOld(edition)) && seen.add(name);
      });
    const anyGroup = (name) => groups.some(([, , group]) => group[name]);
    const hiddenCount = ([, index, group]) => group.count - Math.min(group.results.length, maximum(index));
    return { results, count: groups.reduce((sum, group) => sum + Math.max(0, hiddenCount(group)), results.length), isNumberMissing: anyGroup("number") && !anyGroup("exact"), isReady: groups.every(([, , group]) => group.ready) };
  }

  /** Show the results for the typed text; `selectedBefore` stays selected. */
  function show(selectedBefore) {
    const typed = input.value.trim();
    const within = editionsIn(scope.value);
    loadFinders(typed || !rw.edition() ? within : within.slice(0, 1));
    const isSettled = (all) => all.every((item) => finders.has(item));
    let { results, count, isNumberMissing, isReady } = findIn(within, typed);
    let message = isNumberMissing ? box.dataset.near : count ? box.dataset.found : "";
    if (typed && !count && isSettled(within) && isReady) {
      const others = editionsIn("").filter((item) => !within.includes(item));
      loadFinders(others);
      const elsewhere = findIn(others, typed);
      if (elsewhere.count) [results, count, message, isNumberMissing] = [elsewhere.results, elsewhere.count, box.dataset.elsewhere, false];
      else if (isSettled(others) && elsewhere.isReady) message ||= box.dataset.none;
    }
    hasNoResult = isReady && isSettled(within) && (isNumberMissing || !count);
    const maximum = showsAll ? MAX_ALL : MAX_FIRST;
    shownResults = results.slice(0, typed ? maximum : undefined);
    if (typed && results.length > shownResults.length) shownResults.push({ more: box.dataset.every });
    status.textContent = fillIn(message, isNumberMissing || !count ? typed : count);
    list.replaceChildren(...shownResults.map(resultRow));
    for (const item of box.querySelectorAll("[data-scope]")) {
      item.setAttribute("aria-pressed", scope.value === item.dataset.scope);
      item.querySelector("b").textContent = typed && isSettled(editionsIn(item.dataset.scope)) ? findIn(editionsIn(item.dataset.scope), typed).count : "";
    }
    select(isNumberMissing && !selectedBefore ? -1 : Math.max(0, shownResults.findIndex((item) => selectedBefore && urlOf(item) === urlOf(selectedBefore))));
    if (isEnterPending && typed && finders.has(within[0]) && (isReady || results.length)) return go(shownResults[selected]);
    list.ariaBusy = loading.size > 0 || !isReady;
  }

  rw.showAgain = () => { if (box.open) show(hasSelected && shownResults[selected]); };

  function restart() {
    isEnterPending = hasSelected = showsAll = false;
    show();
  }

  rw.find = (typed, opensFirst) => {
    if (!box.open) {
      // Outside the body: changes here must not restyle the page.
      if (!box.parentElement.matches("html")) document.documentElement.append(box);
      for (const { name, value } of document.body.attributes) if (name.startsWith("data-md-color")) box.setAttribute(name, value);
      box.showModal();
      closeLayer ??= rw.openLayer(() => box.close());
    }
    for (const [item, finder] of finders) if (!finder) finders.delete(item);
    const own = rw.edition?.() ?? "";
    if (!box.dataset.used) scope.value = rw.stored("find") === "all" || !editionNames.has(own) ? "" : own;
    box.dataset.used = "";
    if (typed) input.value = typed;
    else input.select();
    restart();
    isEnterPending = opensFirst;
    if (opensFirst) show();
  };

  function go(result) {
    isEnterPending = !result && !hasNoResult;
    if (!result) return;
    if (result.more) {
      showsAll = true;
      return show();
    }
    const to = urlOf(result);
    // Words are highlighted on the target page; a number is the target itself.
    if (/\p{L}{2}/u.test(input.value)) rw.stored("sought", JSON.stringify([to, input.value.trim()]), "sessionStorage");
    closeLayer = undefined;
    box.close();
    rw.open(to);
    rw.highlightSearchWords?.();
  }

  const isPlainClick = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey);
  box.addEventListener("close", () => {
    if (box.open) return; // reopened

    closeLayer?.();
    closeLayer = undefined;
  });
  input.addEventListener("input", restart);
  scope.addEventListener("change", () => {
    rw.stored("find", scope.value ? "book" : "all");
    restart();
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || !(step || event.key === "Enter")) return;
    event.preventDefault();
    hasSelected ||= !!step && shownResults.length > 0;
    if (step) select(Math.max(selected, step < 0 ? 0 : -1) + step);
    else go(shownResults[selected]);
  });
  box.addEventListener("click", (event) => {
    const index = [...list.children].indexOf(event.target.closest("a"));
    if (index >= 0 && isPlainClick(event)) {
      event.preventDefault();
      event.stopPropagation();
      go(shownResults[index]);
    } else if (event.target === box || event.target.closest("[data-close]")) box.close();
    const within = event.target.closest("[data-scope]");
    if (!within) return;
    scope.value = within.dataset.scope;
    scope.dispatchEvent(new Event("change"));
    input.focus();
  });
})();
