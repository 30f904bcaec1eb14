/* The box to find a rule with: a number in any form, a title, a term, a step or words of a text lead to its place.
   `find.js` finds them. Loaded when it is asked for first.

   rulewright.find(typed, goes)  opens it, with what is typed in it; `goes` to the first that is found
   rulewright.heard()            show what is found once more: more is known now */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const box = document.getElementById("jump");
  if (!box?.showModal || rw.find) return;

  const [FIRST, EVERY] = [12, 40]; // suggestions at first, and when all are asked for; of another edition a quarter
  const [input, list, said, scope, beside] = ["input", "#jump-list", "output", "select", ".beside"].map((one) => box.querySelector(one));
  const wide = matchMedia("(min-width: 60em)");
  const names = new Map([...scope.options].map((one) => [one.value, one.text]));
  const known = new Map(); // what finds in an edition; nothing where that could not be loaded
  const reading = new Set();
  let shown = [];
  let chosen = 0;
  let waits = false; // Enter came before the rules did
  let moved = false; // A reader who has chosen a suggestion keeps it while more of them come.
  let every = false;
  let lacks = false; // All has been heard, and nothing is called what is typed.
  let showing = ""; // the address of the rule beside the list
  let closed;

  const shelf = (one) => one.split("/")[0];
  /** Whether an edition is neither the newest of its book nor the reader's own. */
  const isOld = (one) => one !== rw.edition?.() && [...names.keys()].find((other) => other.includes("/") && shelf(other) === shelf(one)) !== one;

  /** The editions to look in: the reader's own first, then those of its book; in all books old ones and other pages last. */
  function places(within) {
    const own = rw.edition?.() ?? "";
    const all = [...names.keys()].filter((one) => one.includes("/") && `/${one}/`.startsWith(`/${within && `${within}/`}`));
    const far = (one) => (one !== own) * (1 + (shelf(one) !== shelf(own)) + 2 * (!within && isOld(one)));
    return [...all.sort((one, other) => far(one) - far(other)), ...(within ? [] : [""])];
  }

  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const filled = (text, word) => text.replace("{}", () => word);
  const address = ({ page, anchor }) => new URL(encodeURI(`${page}/${anchor ? `#${anchor}` : ""}`), rw.root).href;

  /** A text with the words in it marked that were looked for. */
  function marked(name, text, { edition, words }) {
    const made = make(name);
    let from = 0;
    for (const [begin, end, roots] of words?.length ? known.get(edition).words(text) : []) {
      if (!roots.some((one) => words.includes(one))) continue;
      made.append(text.slice(from, begin), make("mark", text.slice(begin, end)));
      from = end;
    }
    made.append(text.slice(from));
    return made;
  }

  function option(thing, at) {
    const row = Object.assign(make("a"), { id: `jump-${at}`, tabIndex: -1 });
    row.setAttribute("role", "option");
    if (thing.more) row.append(make("b", "…"), " ", make("span", thing.more));
    else {
      row.href = address(thing);
      const sort = thing.now ? filled(box.dataset.former, thing.now) : box.dataset[thing.sort];
      const where = [thing.edition && thing.edition !== rw.edition() && names.get(thing.edition), thing.around, sort];
      row.append(make("b", thing.short), " ", marked("span", thing.title, thing), " ", make("small", where.filter(Boolean).join(" · ")));
      if (thing.says) row.append(" ", marked("q", thing.says, thing));
    }
    return row;
  }

  function choose(at) {
    chosen = at < 0 && !moved ? -1 : (at + shown.length) % shown.length || 0;
    const rows = [...list.children];
    rows.forEach((row, nth) => row.setAttribute("aria-selected", nth === chosen));
    rows[chosen]?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", rows[chosen] ? `jump-${chosen}` : "");
    const isPage = ["page", "text"].includes(shown[chosen]?.sort); // of which there is no preview
    const href = (wide.matches && !isPage && rows[chosen]?.href) || "";
    if (href === showing) return;
    showing = href;
    setTimeout(async () => {
      const told = href && href === showing && box.open && (await rw.preview(href).catch(() => undefined));
      if (href !== showing) return;
      beside.replaceChildren();
      if (!told) return;
      const inside = make("div");
      inside.innerHTML = told.html;
      for (const one of inside.querySelectorAll("[id]")) one.removeAttribute("id");
      beside.append(make("h2", told.title), make("p", told.path), inside);
    }, 80);
  }

  /** Get what finds in some editions; each that comes shows what is found in it. */
  function fetched(editions) {
    for (const one of editions.filter((each) => !known.has(each) && !reading.has(each))) {
      reading.add(one);
      const come = () => { reading.delete(one); rw.heard(); };
      rw.load("find").then(() => rw.finder(one)).then((found) => { known.set(one, found); found.ready.then(rw.heard); }, () => known.set(one)).then(come);
    }
  }

  /** What is found in some editions, the surest first. Of an old edition not what a newer one has. */
  function found(editions, typed) {
    const groups = editions.filter((one) => known.get(one)).map((one, at) => [one, at, known.get(one).find(typed, rw.place(location.href)[0])]);
    const most = (at) => (at ? EVERY / 4 : EVERY);
    const seen = new Set();
    const isOwn = groups[0]?.[2].exact; // a number is one of this book's first
    const things = groups.flatMap(([edition, at, group]) => group.things.slice(0, most(at)).map(([rank, thing]) => [isOwn ? at + rank / 100 : rank + at / 100, { ...thing, edition }]))
      .sort(([one], [other]) => one - other).map(([, thing]) => thing)
      .filter(({ edition, sort, short, title, anchor }) => {
        const name = [shelf(edition), sort === "removed" ? "rule" : sort, short, title, anchor].join("\n");
        return !(seen.has(name) && isOld(edition)) && seen.add(name);
      });
    const some = (name) => groups.some(([, , group]) => group[name]);
    const rest = ([, at, group]) => group.found - Math.min(group.things.length, most(at));
    return { things, count: groups.reduce((sum, group) => sum + Math.max(0, rest(group)), things.length), isMissed: some("number") && !some("exact"), isReady: groups.every(([, , group]) => group.ready) };
  }

  /** Show what is found for what is typed, with `kept` still chosen. */
  function show(kept) {
    const typed = input.value.trim();
    const within = places(scope.value);
    fetched(typed || !rw.edition() ? within : within.slice(0, 1));
    const isSettled = (all) => all.every((one) => known.has(one));
    let { things, count, isMissed, isReady } = found(within, typed);
    let told = isMissed ? box.dataset.near : count ? box.dataset.found : "";
    if (typed && !count && isSettled(within) && isReady) {
      const others = places("").filter((one) => !within.includes(one));
      fetched(others);
      const there = found(others, typed);
      if (there.count) [things, count, told, isMissed] = [there.things, there.count, box.dataset.elsewhere, false];
      else if (isSettled(others) && there.isReady) told ||= box.dataset.none;
    }
    lacks = isReady && isSettled(within) && (isMissed || !count);
    const most = every ? EVERY : FIRST;
    shown = things.slice(0, typed ? most : undefined);
    if (typed && things.length > shown.length) shown.push({ more: box.dataset.every });
    said.textContent = filled(told, isMissed || !count ? typed : count);
    list.replaceChildren(...shown.map(option));
    for (const one of box.querySelectorAll("[data-scope]")) {
      one.setAttribute("aria-pressed", scope.value === one.dataset.scope);
      one.querySelector("b").textContent = typed && isSettled(places(one.dataset.scope)) ? found(places(one.dataset.scope), typed).count : "";
    }
    choose(isMissed && !kept ? -1 : Math.max(0, shown.findIndex((one) => kept && address(one) === address(kept))));
    if (waits && typed && known.has(within[0]) && (isReady || things.length)) return go(shown[chosen]);
    list.ariaBusy = reading.size > 0 || !isReady;
  }

  rw.heard = () => { if (box.open) show(moved && shown[chosen]); };

  function fresh() {
    waits = moved = every = false;
    show();
  }

  rw.find = (typed, goes) => {
    if (!box.open) {
      // Beside the page and not in it: what changes here is no reason to style all of that anew.
      if (!box.parentElement.matches("html")) document.documentElement.append(box);
      for (const { name, value } of document.body.attributes) if (name.startsWith("data-md-color")) box.setAttribute(name, value);
      box.showModal();
      closed ??= rw.over(() => box.close());
    }
    for (const [one, finder] of known) if (!finder) known.delete(one);
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
    waits = !thing && !lacks;
    if (!thing) return;
    if (thing.more) {
      every = true;
      return show();
    }
    const to = address(thing);
    // A number is where one is led; words are looked for there.
    if (/\p{L}{2}/u.test(input.value)) rw.kept("sought", JSON.stringify([to, input.value.trim()]), "sessionStorage");
    closed = undefined;
    box.close();
    rw.open(to);
    rw.sought?.();
  }

  const plain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey);
  box.addEventListener("close", () => {
    if (box.open) return; // it is open again already

    closed?.();
    closed = undefined;
  });
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
    if (step) choose(Math.max(chosen, step < 0 ? 0 : -1) + step);
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
