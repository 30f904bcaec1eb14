/* The box to jump with: a number in any form, a title, a term or a step leads to its place. What there is comes as
   data, a script for each edition (`ocs/4.3/jump.js`), which also says how its book writes numbers. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const box = document.getElementById("jump");
  if (!box?.showModal) return;

  const MOST = 40; // suggestions; from another edition than the first a quarter
  const [NAMED, BEGINS, WORDS] = [2, 3, 4]; // how well something is what is typed; 1: by its number
  const SORTS = ["term", "rule", "former", "table", "step", "page", "glossary"];
  const [input, list, said, scope, texts] = ["input", "#jump-list", "output", "select", "[data-texts]"].map((one) => box.querySelector(one));
  const names = new Map([...scope.options].map((one) => [one.value, one.text]));
  const known = new Map(); // the editions that are loaded, by their addresses
  const missing = new Set(); // those that could not be, until the box is opened again
  const reading = {}; // those on their way
  const best = ([one], [other]) => one - other;
  const order = new Intl.Collator(undefined, { numeric: true });
  let shown = [];
  let chosen = 0;
  let waits = false;
  let moved = false; // A reader who has chosen a suggestion keeps it while more of them come.

  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu; // a word may begin with each
  const words = (text) => fold(text).replace(/['’]/g, "").replace(UNSPACED, " $& ").replace(/[^\p{L}\p{N}.]+|\.(?![\p{L}\p{N}])/gu, " ").trim();
  const labels = (text) => fold(text).match(/\d+|\p{L}+/gu) ?? [];
  /** The ways to write a number, the surest first: as it is, bare, without its first letters, all in one. */
  function forms(text, parts, loose) {
    const bare = parts.join(".").replace(/\.(?=\p{L})|(?<=\p{L})\./gu, "");
    return [fold(text).replace(/\s/g, ""), bare, loose && bare.replace(/^\p{L}+/u, ""), parts.join("")];
  }

  /** All that one can jump to in an edition, ready to be held against what is typed. A key is heard in between. */
  async function read(edition, { cues, loose, chapters, former, others }) {
    const things = [];
    const rules = {};
    function enter(sort, short, title, page, anchor, also = "", around = "") {
      const all = ` | ${[title, short, ...also.split("; ")].map(words).join(" | ")} | ~ ${words(around)}`;
      const thing = { edition, sort, short, title, page, anchor, around, all, end: all.indexOf("|", 3), rank: SORTS.indexOf(sort) / 10 };
      things.push(thing);
      return thing;
    }
    for (const [page, label, inside] of chapters) {
      const above = [];
      for (const [number, title, level, also] of inside) {
        if (things.length % 400 === 399) await new Promise(setTimeout);
        above.length = level;
        const rule = (rules[number] = enter("rule", number, title, page, number, also, above.join(" › ")));
        const parts = labels(level ? number : label);
        Object.assign(rule, { parts, forms: forms(number, parts, loose), rank: rule.rank + level / 100, top: !level });
        above[level] = `${number} ${title}`.trim();
      }
    }
    for (const [old, now] of former) {
      const { title, page, around } = rules[now];
      Object.assign(enter("former", old, title, page, now, "", around), { now, forms: forms(old, labels(old), loose) });
    }
    for (const other of others) enter(...other);
    return { things, cue: new RegExp(`^((${[...cues, ...box.dataset.cues.split(" ")].map((cue) => fold(cue).replace(/\W/g, "\\$&")).join("|")})\\.? +)+`) };
  }

  /** How well the best things are what is typed, and how many are it at all. */
  function found({ things, cue }, typed, here) {
    const number = fold(typed).replace(cue, "");
    const asked = forms(number, labels(number));
    asked[2] = asked[1];
    if (!/^[^\p{L}\p{N}]*[\p{L}\p{N} ]+$/u.test(number)) asked[3] = null; // 1.4 is never 14
    const name = words(typed);
    const whole = ` | ${name} | `;
    const each = typed.split(/\s+/).map(words).filter(Boolean).map((word) => ` ${word}`); // 4-b is one, 4 b are two
    const most = /\d/.test(number) ? 4 : 0; // forms of which the beginning will do
    function rank({ forms = [], sort, all, end, rank, page, top }) {
      if (!name) return top || sort === "page" ? WORDS + rank : 0;
      for (let at = 0; at < forms.length - 1; at += 1) if (forms[at] === asked[at]) return 1 + at / 10 + (page === here ? 0 : 0.01);
      for (let at = 0; at < most && forms[at] !== undefined; at += 1) {
        if (forms[at] && forms[at].startsWith(asked[at])) return BEGINS + at / 10 - (forms[at] === asked[at] ? 0.05 : 0);
      }
      let last = 0;
      for (const word of each) {
        const at = all.indexOf(word);
        if (at < 0) return 0;
        last = Math.max(last, at);
      }
      if (sort !== "step" && all.includes(whole)) return NAMED + rank;
      return WORDS + (all.startsWith(each[0], 2) ? 0 : last < end ? 1 : 2) + rank;
    }
    const alike = {};
    let count = 0;
    for (const thing of things) {
      const own = rank(thing);
      if (own) count += 1;
      if (own && (alike[own] ??= []).length < MOST) alike[own].push([own, thing]);
    }
    return Object.assign(Object.values(alike).flat().sort(best), { count });
  }

  /** What comes nearest to what nothing is: the last rule before a number, the titles with most in common. */
  function nearest({ things, cue }, typed) {
    const number = fold(typed).replace(cue, "");
    let [near, most] = [null, -1];
    for (const wanted of [labels(number), labels(number.replace(/^\p{L}+ +/u, ""))]) {
      if (!/^(\p{L}{0,2}\.)?\d/u.test(wanted.join("."))) continue;
      for (const thing of things) {
        const own = thing.parts;
        if (!own || own.length > wanted.length) continue;
        let same = 0;
        while (same < own.length && own[same] === wanted[same]) same += 1;
        if (same > most || (same === most && order.compare(own[same] ?? "", wanted[same] ?? "") < 0)) [near, most] = [thing, same];
      }
      if (most > 0) return [near];
    }
    if (near) return [near];
    const pairs = [...words(typed)].map((letter, at, all) => letter + (all[at + 1] ?? " "));
    const scores = [];
    for (const thing of things) {
      let missed = 0;
      for (const pair of pairs) {
        if (thing.all.lastIndexOf(pair, thing.end) < 0) missed += 1;
        if (missed > pairs.length / 2) break;
      }
      if (missed <= pairs.length / 2) scores.push([missed / pairs.length + thing.end / 1000 + thing.rank / 10, thing]);
    }
    return scores.sort(best).slice(0, 5).map(([, thing]) => thing);
  }

  /** The editions to look in: the reader's own first, then those of its book. */
  function places() {
    const own = rw.edition?.() ?? "";
    const far = (one) => (one !== own) + (one.split("/")[0] !== own.split("/")[0]);
    const all = [...names.keys()].filter((one) => one.includes("/") && `/${one}/`.startsWith(`/${scope.value && `${scope.value}/`}`));
    return all.sort((one, other) => far(one) - far(other));
  }

  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const filled = (text, word) => text.replace("{}", () => word);
  const address = ({ page, anchor }) => new URL(encodeURI(`${page}/${anchor ? `#${anchor}` : ""}`), rw.root).href;

  function option(thing, at) {
    const row = Object.assign(make("a"), { id: `jump-${at}`, href: address(thing), tabIndex: -1 });
    row.setAttribute("role", "option");
    const sort = thing.now ? filled(box.dataset.former, thing.now) : box.dataset[thing.sort];
    const where = [thing.edition !== rw.edition() && names.get(thing.edition), thing.around, sort];
    row.append(make("b", thing.short), " ", make("span", thing.title), " ", make("small", where.filter(Boolean).join(" · ")));
    return row;
  }

  function choose(at) {
    chosen = (at + shown.length) % shown.length || 0;
    [...list.children].forEach((row, nth) => row.setAttribute("aria-selected", nth === chosen));
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", shown.length ? `jump-${chosen}` : "");
  }

  /** Show what is found for what is typed, with `kept` still chosen. What is called so in another edition comes
      before what is like it here. */
  function show(kept) {
    const typed = input.value.trim();
    const all = places();
    const ready = all.filter((one) => known.has(one)).map((one) => known.get(one));
    const groups = ready.map((one) => found(one, typed, rw.place(location.href)[0]));
    const count = groups.reduce((sum, one) => sum + one.count, 0);
    const named = (group) => group[0]?.[0] < BEGINS;
    if (count && !named(groups[0])) groups.sort((one, other) => named(other) - named(one));
    shown = groups.flatMap((group, at) => group.slice(0, at ? MOST / 4 : MOST)).slice(0, MOST).map(([, thing]) => thing);
    let told = filled(box.dataset.found, count);
    if (!count) {
      shown = ready.map((one) => nearest(one, typed)).find((some) => some.length) ?? [];
      told = ready.length + all.filter((one) => missing.has(one)).length < all.length ? "" : filled(shown.length ? box.dataset.near : box.dataset.none, typed);
    }
    said.textContent = told;
    list.replaceChildren(...shown.map(option));
    texts.hidden = !typed || !document.forms.search || (location.protocol === "file:" && !window.__index);
    choose(Math.max(0, shown.indexOf(kept)));
    const settled = (one) => known.has(one) || missing.has(one);
    if (waits && typed && (all.every(settled) || (settled(all[0]) && count))) return go(shown[0]);
    for (const one of typed || !rw.edition() ? all : all.slice(0, 1)) {
      if (settled(one)) continue;
      reading[one] ??= rw.need(`${one}/jump.js`).then((data) => read(one, data)).then((found) => known.set(one, found), () => missing.add(one)).then(() => {
        delete reading[one];
        show(moved && shown[chosen]);
      });
    }
    list.ariaBusy = Object.keys(reading).length > 0;
  }

  function fresh() {
    waits = moved = false;
    show();
  }

  function open(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!box.open) box.showModal();
    missing.clear();
    input.select();
    fresh();
  }

  function go(thing) {
    waits = !thing; // Enter came before the rules did
    if (!thing) return;
    box.close();
    rw.open(address(thing));
  }

  // Material's own / opens its search, which f and s do as well.
  document.addEventListener("keydown", (event) => {
    const busy = event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !busy) open(event);
  }, true);
  const plain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey);
  document.addEventListener("click", (event) => { if (plain(event) && event.target.closest?.(".rw-jump")) open(event); });
  input.addEventListener("input", fresh);
  scope.addEventListener("change", fresh);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || !(step || event.key === "Enter")) return;
    event.preventDefault();
    moved ||= !!step && shown.length > 0;
    if (step) choose(chosen + step);
    else go(shown[chosen]);
  });
  box.addEventListener("click", (event) => {
    const at = [...list.children].indexOf(event.target.closest("a"));
    if (at >= 0 && plain(event)) {
      event.preventDefault();
      event.stopPropagation();
      go(shown[at]);
    } else if (event.target === box || event.target.closest("[data-close]")) box.close();
  });
  texts.addEventListener("click", () => {
    const { query } = document.forms.search.elements;
    box.close();
    query.value = input.value;
    query.focus();
    query.dispatchEvent(new Event("keyup"));
  });
})();
