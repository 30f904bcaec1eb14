/* The box to find a rule with: a number in any form, a title, a term, a step or words of a text lead to its place.
   What there is comes as data, a script for each edition (`ocs/4.3/jump.js`), which also says how its book writes
   numbers; what stands in the texts comes from `texts.js`. Loaded when it is asked for first.

   rulewright.find(typed, goes)  opens it, with what is typed in it; `goes` to the first that is found
   rulewright.fold(text)         a text as it is compared: without accents, small
   rulewright.words(text)        its words and numbers, each behind one space
   rulewright.pauses()           what long work asks now and then: nothing, or a pause in which keys are heard */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const box = document.getElementById("jump");
  if (!box?.showModal || rw.find) return;

  const MOST = 40; // suggestions; from another edition than the first a quarter
  // How well something is what is typed. 1: it has the number. 2: it is the title, or another name.
  const [NAMED, ALSO, BEGINS, STARTS, HOLDS, WORDS] = [2, 2.5, 3, 4, 5, 6];
  const FEW = 3; // rules found by their text alone that are shown beneath many by their titles
  const SORTS = ["term", "rule", "former", "table", "step", "page", "glossary"];
  const [input, list, said, scope, beside] = ["input", "#jump-list", "output", "select", ".beside"].map((one) => box.querySelector(one));
  const wide = matchMedia("(min-width: 60em)");
  const names = new Map([...scope.options].map((one) => [one.value, one.text]));
  const known = new Map(); // the editions that are loaded, by their addresses
  const missing = new Set(); // those that could not be, until the box is opened again
  const texts = new Map(); // what finds in the texts of editions
  const reading = {}; // those on their way
  const best = ([one], [other]) => one - other;
  const order = new Intl.Collator(undefined, { numeric: true });
  let shown = [];
  let chosen = 0;
  let waits = false;
  let moved = false; // A reader who has chosen a suggestion keeps it while more of them come.
  let every = false; // all rules with the words in their texts are asked for
  let showing = ""; // the address of the rule beside the list

  const fold = (rw.fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());
  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu; // a word may begin with each
  const words = (rw.words = (text) => fold(text).replace(/['’]/g, "").replace(UNSPACED, " $& ").replace(/[^\p{L}\p{N}.]+|\.(?![\p{L}\p{N}])/gu, " ").trim());
  const ATONCE = 25; // milliseconds of work between two pauses
  const pauses = (rw.pauses = () => {
    let begun = performance.now();
    return () => (performance.now() - begun < ATONCE ? null : new Promise(setTimeout).then(() => { begun = performance.now(); }));
  });
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
    const pause = pauses();
    let rest;
    function enter(sort, short, title, page, anchor, also = "", around = "") {
      const all = ` | ${[title, short, ...also.split("; ")].map(words).join(" | ")} | ~ ${words(around)}`;
      const thing = { edition, sort, short, title, page, anchor, around, all, end: all.indexOf("|", 3), rank: SORTS.indexOf(sort) / 10 };
      things.push(thing);
      return thing;
    }
    for (const [page, label, inside] of chapters) {
      const above = [];
      for (const [number, title, level, also] of inside) {
        if ((rest = pause())) await rest;
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
    for (const other of others) {
      enter(...other);
      if ((rest = pause())) await rest;
    }
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
      if (sort !== "step" && all.includes(whole)) return all.startsWith(whole) ? NAMED + rank / 2 : ALSO + rank / 2;
      const at = all.indexOf(` ${name}`);
      if (at >= 0 && at < end) return (at === 2 ? STARTS : HOLDS) + rank;
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

  const shelf = (one) => one.split("/")[0];
  /** Whether an edition is neither the newest of its book nor the reader's own. */
  const isOld = (one) => one !== rw.edition?.() && [...names.keys()].find((other) => other.includes("/") && shelf(other) === shelf(one)) !== one;

  /** The editions to look in: the reader's own first, then those of its book; in all books old ones last. */
  function places(within) {
    const own = rw.edition?.() ?? "";
    const all = [...names.keys()].filter((one) => one.includes("/") && `/${one}/`.startsWith(`/${within && `${within}/`}`));
    const far = (one) => (one !== own) * (1 + (shelf(one) !== shelf(own)) + 2 * (!within && isOld(one)));
    return all.sort((one, other) => far(one) - far(other));
  }

  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const filled = (text, word) => text.replace("{}", () => word);
  const address = ({ page, anchor }) => new URL(encodeURI(`${page}/${anchor ? `#${anchor}` : ""}`), rw.root).href;

  /** A text with the words in it marked that begin as those that were typed. */
  function marked(name, text, sought) {
    const made = make(name);
    let from = 0;
    for (const found of sought ? text.matchAll(sought) : []) {
      made.append(text.slice(from, found.index), make("mark", found[0]));
      from = found.index + found[0].length;
    }
    made.append(text.slice(from));
    return made;
  }

  /** What finds, in a text as it is printed, the words that were typed. */
  function seeking(typed) {
    const each = words(typed).split(" ").filter(Boolean).map((word) => word.replaceAll(".", "\\."));
    return each.length ? new RegExp(`(?<![\\p{L}\\p{N}])(${each.join("|")})`, "giu") : null;
  }

  function option(thing, at, sought) {
    const row = Object.assign(make("a"), { id: `jump-${at}`, tabIndex: -1 });
    row.setAttribute("role", "option");
    if (thing.more) row.append(make("b", "…"), " ", make("span", thing.more));
    else {
      row.href = address(thing);
      const sort = thing.now ? filled(box.dataset.former, thing.now) : box.dataset[thing.sort];
      const where = [thing.edition && thing.edition !== rw.edition() && names.get(thing.edition), thing.around, sort];
      row.append(make("b", thing.short), " ", marked("span", thing.title, sought), " ", make("small", where.filter(Boolean).join(" · ")));
      if (thing.says) row.append(" ", marked("q", thing.says, sought));
    }
    return row;
  }

  function choose(at) {
    chosen = (at + shown.length) % shown.length || 0;
    const rows = [...list.children];
    rows.forEach((row, nth) => row.setAttribute("aria-selected", nth === chosen));
    rows[chosen]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", shown.length ? `jump-${chosen}` : "");
    const href = (wide.matches && rows[chosen]?.href) || "";
    if (href === showing) return;
    showing = href;
    setTimeout(async () => {
      const known = href && href === showing && box.open && (await rw.preview(href).catch(() => undefined));
      if (href !== showing) return;
      beside.replaceChildren();
      if (!known) return;
      const inside = make("div");
      inside.innerHTML = known.html;
      for (const one of inside.querySelectorAll("[id]")) one.removeAttribute("id");
      beside.append(make("h2", known.title), make("p", known.path), inside);
    }, 80);
  }

  /** A thing's name on its page: a chapter is the page of its texts and the rule of its number. */
  const called = ({ page, short, title }) => `${page} ${short} ${title}`.replace(/\s+/g, " ").trim();

  /** The rules of these editions whose texts hold what is typed and that are not listed yet, and how many in all. */
  function spoken(editions, typed, listed) {
    const ready = editions.map((one) => texts.get(one)).filter(Boolean);
    const there = new Set(listed.map(called));
    const all = ready.map((one) => one.find(typed));
    const rows = all.flatMap((one) => one.found).map((one) => ({ ...one, sort: "text" }));
    return { rows: rows.filter((one) => !there.has(called(one))), count: all.reduce((sum, one) => sum + one.count, 0), meant: all.find((one) => one.meant)?.meant };
  }

  /** Get what is to be known of some editions; each that comes shows what is found in it. */
  function fetched(editions) {
    for (const one of editions) {
      if (known.has(one) || missing.has(one)) continue;
      reading[one] ??= rw.need(`${one}/jump.js`).then((data) => read(one, data)).then((found) => known.set(one, found), () => missing.add(one)).then(() => {
        delete reading[one];
        show(moved && shown[chosen]);
      });
    }
  }

  /** Get the texts of some editions, one after the other. */
  function heard(editions) {
    const next = editions.find((one) => !texts.has(one));
    if (next === undefined || reading[`${next} texts`]) return;
    reading[`${next} texts`] = rw.load("texts").then(() => rw.texts(next)).catch(() => ({ find: () => ({ found: [], count: 0 }) })).then((found) => {
      texts.set(next, found);
      delete reading[`${next} texts`];
      if (box.open) show(moved && shown[chosen]);
    });
  }

  /** Show what is found for what is typed, with `kept` still chosen. What is called so in another edition comes
      before what is only like it here. */
  function show(kept) {
    const typed = input.value.trim();
    const all = places("");
    const within = places(scope.value);
    const groups = new Map(all.filter((one) => known.has(one)).map((one) => [one, found(known.get(one), typed, rw.place(location.href)[0])]));
    let asked = within.filter((one) => groups.has(one));
    const sum = (editions) => editions.reduce((count, one) => count + (groups.get(one)?.count ?? 0), 0);
    let count = sum(asked);
    const settled = (one) => known.has(one) || missing.has(one);
    const letters = /\p{L}{2}|\p{Script=Han}/u.test(words(fold(typed).replace(known.get(within[0])?.cue ?? "", "")));
    const telling = scope.value ? within : [...within.filter((one) => !isOld(one)), ""]; // and pages of no edition
    if (letters) heard(telling);
    const silent = !letters || (telling.every((one) => texts.has(one)) && !spoken(telling, typed, []).count);
    const elsewhere = !count && typed && silent && within.every(settled) ? sum([...groups.keys()]) : 0;
    if (elsewhere) asked = [...groups.keys()];
    const good = (one, most) => (groups.get(one)[0]?.[0] ?? 99) < most;
    const exact = letters || !asked[0] || !good(asked[0], WORDS) ? BEGINS : 0; // a number is one of this book's first
    const seen = new Set();
    const things = asked.flatMap((one, at) => groups.get(one).slice(0, at ? MOST / 4 : MOST)).filter(([, { edition, sort, short, title, anchor }]) => {
      const name = [edition.split("/")[0], sort, short, title, anchor].join("\n"); // of an old edition not what a newer has
      return !(seen.has(name) && isOld(edition)) && seen.add(name);
    });
    things.sort(([one], [other]) => (other < exact) - (one < exact));
    shown = things.slice(0, MOST).map(([, thing]) => thing);
    const spoke = letters ? spoken(telling, typed, shown) : { rows: [], count: 0 };
    let told = filled(box.dataset.found, count);
    if (!count && spoke.meant && !elsewhere) {
      shown = within.filter((one) => known.has(one)).flatMap((one) => found(known.get(one), spoke.meant, "").slice(0, MOST / 4)).map(([, thing]) => thing);
      told = filled(box.dataset.meant, spoke.meant);
    } else if (elsewhere) told = filled(box.dataset.elsewhere, elsewhere);
    else if (!count && spoke.count) told = filled(box.dataset.spoken, spoke.count);
    else if (!count) {
      shown = asked.map((one) => nearest(known.get(one), typed)).find((some) => some.length) ?? [];
      told = within.every(settled) ? filled(shown.length ? box.dataset.near : box.dataset.none, typed) : "";
    }
    const most = every ? Infinity : Math.max(FEW, 10 - shown.length);
    const rest = spoke.rows.filter((one) => !shown.some((other) => called(other) === called(one)));
    shown = [...shown, ...rest.slice(0, most)];
    if (rest.length > most) shown.push({ more: filled(filled(box.dataset.every, typed), spoke.count) });
    said.textContent = told;
    const sought = typed && seeking(spoke.meant ?? typed);
    list.replaceChildren(...shown.map((thing, at) => option(thing, at, sought)));
    for (const one of box.querySelectorAll("[data-scope]")) {
      const inside = places(one.dataset.scope);
      one.setAttribute("aria-pressed", scope.value === one.dataset.scope);
      one.querySelector("b").textContent = typed && inside.every(settled) ? sum(inside) : "";
    }
    choose(Math.max(0, shown.indexOf(kept)));
    if (waits && typed && (within.every(settled) || (within[0] && settled(within[0]) && count))) return go(shown[0]);
    fetched(typed || !rw.edition() ? all : within.slice(0, 1));
    list.ariaBusy = Object.keys(reading).length > 0;
  }

  function fresh() {
    waits = moved = every = false;
    show();
  }

  rw.find = (typed, goes) => {
    if (!box.open) box.showModal();
    missing.clear();
    const own = rw.edition?.() ?? "";
    if (!box.dataset.used) scope.value = rw.kept("find") === "all" || !names.has(own) ? "" : own;
    box.dataset.used = "";
    if (typed) input.value = typed;
    else input.select();
    fresh();
    waits = goes;
    if (goes) show();
  };

  function go(thing) {
    waits = !thing; // Enter came before the rules did
    if (!thing) return;
    if (thing.more) {
      every = true;
      return show();
    }
    box.close();
    const to = address(thing);
    // A number is where one is led; words are looked for there.
    if (/\p{L}{2}/u.test(input.value)) rw.kept("sought", JSON.stringify([to, input.value.trim()]), "sessionStorage");
    rw.open(to);
    rw.sought?.();
  }

  const plain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey);
  input.addEventListener("input", fresh);
  scope.addEventListener("change", () => {
    rw.kept("find", scope.value ? "book" : "all");
    fresh();
  });
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
    const within = event.target.closest("[data-scope]");
    if (!within) return;
    scope.value = within.dataset.scope;
    scope.dispatchEvent(new Event("change"));
    input.focus();
  });
})();
