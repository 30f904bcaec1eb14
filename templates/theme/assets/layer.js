/* The reader's own layer: notes and marks at rules, bookmarks, house rules. Each is kept on the device under a
   name of its own, so that two tabs never write over each other. Whatever was kept or came in a file may have been
   written by anybody: it is checked, and shown as words.

   A thing is kept at a number of an edition. Where that rule is today, `places/all.js` of each edition says; what
   was found is remembered until that changes. Other scripts of ours use what is put into `rulewright.own`. */
(() => {
  "use strict";

  const rw = window.rulewright;
  if (rw.own) return;

  const PREFIX = "own/";
  const MOST = 5000; // things on a device
  const SIGNS = { important: ["!", "Important"], question: ["?", "Open question"], agreed: ["✓", "Agreed"], watch: ["◆", "Look again"] };
  const HOWS = { replace: "in its place", add: "besides", strike: "not played" };
  const LAST = 1e9; // place in the order
  /** The texts of a thing by their greatest length. */
  const PARTS = { id: 24, edition: 600, number: 200, mark: 12, title: 300, text: 10000, group: 80, sign: 20, how: 20 };

  const make = (tag, given, ...inside) => {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  };
  const button = (words, onclick, given) => make("button", { type: "button", textContent: words, onclick, ...given });
  const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);
  const book = (edition) => edition.split("/")[0];
  const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36).padStart(2, "0")).join("");

  /** Whether something is a note, a bookmark or a house rule as we keep them. */
  function isSound(one) {
    const count = (name, most) => Number.isInteger(one[name]) && one[name] >= 0 && one[name] <= most;
    return Boolean(one) && typeof one === "object" && ["note", "star", "house"].includes(one.kind) &&
      Object.entries(PARTS).every(([name, most]) => typeof one[name] === "string" && one[name].length <= most) &&
      /^[a-z0-9]{4,24}$/.test(one.id) && /^[^/]+\/[^/]+$/.test(one.edition) && one.number !== "" && /^([0-9a-f]{12})?$/.test(one.mark) &&
      count("left", 9999) && count("rank", LAST) && typeof one.off === "boolean" &&
      (one.sign === "" || Object.hasOwn(SIGNS, one.sign)) && Object.hasOwn(HOWS, one.how);
  }

  const whole = (given) => ({ kind: "note", id: fresh(), left: 0, mark: "", title: "", text: "", sign: "", how: "add", group: "", rank: 0, off: false, ...given });

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  /** Under which names something is kept. */
  function ids() {
    try {
      return Object.keys(localStorage).filter((name) => name.startsWith(`rulewright.${PREFIX}`)).map((name) => name.slice(`rulewright.${PREFIX}`.length)).sort();
    } catch {
      return [];
    }
  }

  /** All that is kept, as it stands there by its name; what cannot be read too. */
  const raw = () => new Map(ids().map((id) => [id, rw.kept(PREFIX + id)]));

  const all = () => [...raw()].map(([id, text]) => [id, parsed(text)]).filter(([id, one]) => isSound(one) && one.id === id).map(([, one]) => one).sort((a, b) => a.rank - b.rank);
  const damaged = () => [...raw()].filter(([id, text]) => { const one = parsed(text); return !isSound(one) || one.id !== id; });

  /** Keep a thing. `was`: what stood there when the reader began; where another tab has changed it since, both stay.
      Gives what is kept, or undefined where the device keeps nothing more. */
  function keep(one, was) {
    const there = rw.kept(PREFIX + one.id);
    const other = was !== undefined && there !== null && there !== was;
    if ((there === null || other) && ids().length >= MOST) return undefined;
    const kept = other ? { ...one, id: fresh() } : one;
    const text = JSON.stringify(kept);
    if (rw.kept(PREFIX + kept.id, text) !== text) return undefined;
    if (other) told("Another tab has changed this meanwhile. Both are kept.");
    changed();
    return kept;
  }

  /** Take a thing away, and offer it back. */
  function drop(id, words) {
    const there = rw.kept(PREFIX + id);
    try {
      localStorage.removeItem(`rulewright.${PREFIX}${id}`);
    } catch { /* then nothing was kept */ }
    changed();
    told(words, "Undo", () => { rw.kept(PREFIX + id, there); changed(); });
    line.querySelector("button").focus({ preventScroll: true });
  }

  /** Say something at the edge of the screen, perhaps with something to do about it. */
  const line = make("div", { className: "told own-told", role: "status" });
  const hush = () => line.replaceChildren();
  let stays = false; // what can be taken back is offered until it is closed
  function told(words, label, act) {
    rw.dock().append(line);
    stays = Boolean(act) && label !== "My rules";
    line.replaceChildren(make("p", {}, words), ...(label ? [button(label, () => { hush(); act(); })] : []), button("×", hush, { ariaLabel: "Close" }));
  }

  /* Where things are today */

  /** The number that a thing's rule has in its own edition, and the nearest where it has none: {key, near}. */
  function within(one, data) {
    const { rules, left } = data;
    const words = (key) => (own(rules, key) ?? "").slice(0, 8);
    const title = (key) => (own(rules, key) ?? "").slice(8);
    const [said, called] = [one.mark.slice(0, 8), one.mark.slice(8)];
    const says = (key) => said !== "" && said !== "00000000" && words(key) === said;
    const score = (key) => 2 * says(key) + (called !== "" && called !== "0000" && title(key) === called);
    const gone = own(left, one.number) ?? [];
    const here = Object.hasOwn(rules, one.number) ? [one.number] : [];
    const since = gone.length > one.left; // a rule has left this number since: most likely this one
    const candidates = since ? [...gone, ...here] : [...here, ...gone];
    const scores = candidates.map(score);
    const best = Math.max(0, ...scores);
    if (best < 3 && said && said !== "00000000") {
      const same = Object.keys(rules).filter((key) => rules[key] === one.mark);
      if (same.length === 1) return { key: same[0] };
    }
    if (best) return { key: candidates[scores.indexOf(best)] };
    if (!since && here.length) return { key: one.number };
    if (since && gone.length === 1) return { key: gone[0] };
    const near = [...gone, ...here, above(one.number, rules)].find(Boolean);
    return { key: "", near };
  }

  /** The rule that a number lies in, or the first of its chapter. */
  function above(number, rules) {
    for (let known = number; known; known = known.slice(0, -1)) if (Object.hasOwn(rules, known)) return known;
    return Object.keys(rules).find((key) => key.split(/\W/)[0] === number.split(/\W/)[0]) ?? "";
  }

  /** The same in an edition of its book. `theirs`: what is known of the edition that it was made in. */
  function place(one, edition, data, theirs) {
    let found;
    if (one.edition === edition) found = within(one, data);
    else {
      const there = theirs ? within(one, theirs) : { key: one.number };
      const to = own(own(data.from, one.edition), there.key || there.near) ?? there.key;
      if (!theirs) found = within({ ...one, left: 9999 }, data);
      else if (!there.key) found = { key: "", near: typeof to === "string" && Object.hasOwn(data.rules, to) ? to : above(one.number, data.rules) };
      else if (typeof to === "string") found = Object.hasOwn(data.rules, to) ? { key: to } : { key: "", near: above(to, data.rules) };
      else found = { key: "", near: to[0] ?? above(one.number, data.rules) };
    }
    const now = own(data.rules, found.key) ?? "";
    return { near: "", ...found, changed: Boolean(now && one.mark) && now.slice(0, 8) !== one.mark.slice(0, 8) };
  }

  const known = (edition) => rw.need(`${edition}/places/all.js`).catch(() => undefined);
  const signed = (one) => `${one.edition}:${one.number}:${one.left}:${one.mark}`;

  /** Every thing of a book with its place in an edition of it: [{one, key, near, changed}]. */
  async function placed(edition) {
    const things = all().filter((one) => book(one.edition) === book(edition));
    if (!things.length) return [];
    const stamp = await rw.need(`${edition}/places/stamp.js`).catch(() => undefined);
    const kept = parsed(rw.kept(`own-at/${edition}`));
    const at = Object.assign(Object.create(null), stamp === undefined || kept?.stamp === stamp ? kept?.at : undefined);
    const isFound = (one) => Array.isArray(at[one.id]) && at[one.id][0] === signed(one) && typeof at[one.id][1] === "string" && typeof at[one.id][2] === "string";
    const left = things.filter((one) => !isFound(one));
    const data = left.length ? await known(edition) : undefined;
    for (const one of left) {
      if (!data) at[one.id] = ["", one.edition === edition ? one.number : "", "", false];
      else {
        const theirs = one.edition !== edition && Object.hasOwn(data.from, one.edition) ? await known(one.edition) : undefined;
        const { key, near, changed } = place(one, edition, data, theirs);
        at[one.id] = [signed(one), key, near ?? "", changed];
      }
    }
    if (data) rw.kept(`own-at/${edition}`, JSON.stringify({ stamp, at: Object.fromEntries(things.map((one) => [one.id, at[one.id]])) }));
    return things.map((one) => ({ one, key: at[one.id][1], near: at[one.id][2], changed: at[one.id][3] === true }));
  }

  /** The parts of a thing that say which rule it is at, from what is known of that today. */
  async function anchored({ edition, number, title }) {
    const data = await known(edition);
    return { edition, number, title: title.slice(0, PARTS.title), left: own(data?.left, number)?.length ?? 0, mark: own(data?.rules, number) ?? "" };
  }

  /* What is shown at rules */

  const HEADING = ":scope > :is(h1, h2, h3, h4, h5, h6, .headed, span:first-child)";
  const isOn = () => rw.kept("own-house") !== "off";

  /** The rule that a part of the page is: edition, number, title and the link to it. */
  function ruleOf(section) {
    const link = section.querySelector(`${HEADING} :is(.permalink, a.number)`);
    const [page, anchor] = rw.place(link?.href);
    const number = section.id || anchor;
    const edition = page?.match(/^[^/]+\/[^/]+(?=\/)/)?.[0];
    const title = section.querySelector(`${HEADING} .title`)?.textContent.trim() ?? "";
    return edition && number ? { edition, number, title, href: link.href } : undefined;
  }

  function paragraphs(text) {
    return text.split(/\n\s*\n/).filter((part) => part.trim()).map((part) => make("p", { className: "own-words", textContent: part.trim() }));
  }

  /** A note or a house rule as it stands at its rule. */
  function shown({ one, key, changed }, edition, still) {
    const isHouse = one.kind === "house";
    const [sign, name] = SIGNS[one.sign] ?? [];
    const label = make("p", { className: "label" }, isHouse ? ["House rule", one.group, HOWS[one.how]].filter(Boolean).join(" · ") : "Your note");
    if (sign) label.append(" ", make("b", { className: "own-sign" }, `${sign} ${name}`));
    const made = make("div", { className: `note own ${isHouse ? "house" : `sign-${one.sign}`}`, role: "note" }, label, ...paragraphs(one.text));
    made.dataset.own = one.id;
    if (changed) made.append(make("p", { className: "own-changed" }, "The words of this rule have changed since you wrote this. "));
    if (still) return made;
    const at = () => anchored({ edition, number: key, title: one.title });
    const again = async () => keep({ ...one, ...(await at()) }, JSON.stringify(one));
    const tools = make("p", { className: "tools" }, button("Change", async () => write({ ...one, ...(await at()) }, key)), button("Delete", () => drop(one.id, isHouse ? "The house rule is deleted." : "The note is deleted.")));
    if (changed) tools.append(button("It still holds", again));
    made.append(tools);
    return made;
  }

  /** Put what is the reader's into a rule on a page, a card or a sheet. `still`: without anything to press. */
  function show(inside, things, edition, still) {
    const before = [...inside.children].find((part) => part.matches(".cited, .history, .later, .closing, .inner, .rule"));
    const text = inside.querySelector(":scope > .text");
    const on = isOn();
    for (const thing of things) {
      const { one } = thing;
      if (one.kind === "star" || (one.kind === "house" && !on)) continue;
      const printed = one.kind === "house" && one.how !== "add" && text;
      inside.insertBefore(shown(thing, edition, still), printed ? inside.querySelector(":scope > .own-printed") ?? text : before ?? null);
      if (one.kind !== "house" || one.how === "add" || text?.closest(".own-printed")) continue;
      // What says nothing itself is struck in the rules that it is made of.
      for (const part of text ? [text] : inside.querySelectorAll(".rule .text, .inner")) {
        part.classList.add("own-struck");
        part.querySelector("p, li")?.prepend(make("span", { className: "own spoken", textContent: "Not played, by a house rule: " }));
      }
      if (text && one.how === "replace") {
        const fold = make("details", { className: "own-printed", open: still === true }, make("summary", { textContent: "As printed" }));
        text.replaceWith(fold);
        fold.append(text);
      }
    }
    if (!on && things.some(({ one }) => one.kind === "house")) {
      const off = make("p", { className: "own label" }, "A house rule is switched off ");
      if (!still) off.append(button("Switch on", () => house(true)));
      inside.insertBefore(off, before ?? null);
    }
  }

  /** Take all of it away again. */
  function clear() {
    for (const fold of document.querySelectorAll(".own-printed")) fold.replaceWith(fold.querySelector(".text"));
    for (const text of document.querySelectorAll(".own-struck")) text.classList.remove("own-struck");
    for (const one of document.querySelectorAll("article .own, nav .own, [data-rule] .own")) one.remove();
  }

  /** Signs of what is kept at a rule, for its heading and for contents. */
  function signs(things) {
    const kinds = new Set(things.map(({ one }) => one.kind));
    const said = [["star", "★", "bookmark"], ["note", "✎", "your note"], ["house", "⌂", "house rule"]].filter(([kind]) => kinds.has(kind));
    const made = make("span", { className: "own own-signs", role: "img", textContent: said.map(([, sign]) => sign).join("") });
    made.ariaLabel = said.map(([, , words]) => words).join(", ");
    made.title = made.ariaLabel;
    return made;
  }

  async function byRule(editions) {
    const rows = await Promise.all([...editions].map(async (edition) => {
      const found = new Map();
      for (const thing of await placed(edition)) found.get(thing.key)?.push(thing) ?? found.set(thing.key, [thing]);
      found.delete("");
      return [edition, found];
    }));
    return new Map(rows);
  }

  /** The page of an edition that a rule stands on; empty where that is not known. */
  async function pageOf(edition, key) {
    const pages = await rw.need(`${edition}/previews/index.js`).catch(() => ({}));
    let start = key;
    while (start && !Object.hasOwn(pages, start)) start = start.slice(0, -1);
    return start && `${edition}/${pages[start]}`;
  }

  let turn = 0;
  async function render() {
    const mine = ++turn;
    const sections = [...document.querySelectorAll("article .rule[id]")].map((section) => [section, ruleOf(section)]).filter(([, rule]) => rule);
    const linked = (selector) => [...document.querySelectorAll(selector)].map((link) => [link, ...rw.place(link.href)]).filter(([, page]) => page?.includes("/"));
    const links = linked(".md-nav--secondary a.md-nav__link, article :is(.numbers, .laid) li > a");
    const chapters = linked(".rw-nav li a, .chapters a");
    const editionOf = (page) => page.split("/").slice(0, 2).join("/");
    const found = await byRule(new Set([...sections.map(([, rule]) => rule.edition), ...[...links, ...chapters].map(([, page]) => editionOf(page))]));
    const onPage = new Map(); // what the chapters of a menu hold
    for (const [edition, rules] of found) {
      for (const [key, things] of chapters.length ? rules : []) {
        const page = await pageOf(edition, key);
        onPage.get(page)?.push(...things) ?? onPage.set(page, [...things]);
      }
    }
    if (mine !== turn) return;
    clear();
    for (const [section, { edition, number }] of sections) {
      const things = found.get(edition)?.get(number);
      if (!things) continue;
      section.querySelector(HEADING).append(signs(things));
      show(section, things, edition);
    }
    const named = links.map(([link, page, anchor]) => [link, found.get(editionOf(page))?.get(anchor)]);
    for (const [link, things] of [...named, ...chapters.map(([link, page]) => [link, onPage.get(page)])]) if (things) link.append(signs(things));
    for (const inside of document.querySelectorAll("[data-rule]")) rw.shown(inside);
  }

  /** A rule is shown apart from its page, in a card or at a step; `data-rule` says where it stands. */
  rw.shown = async (inside) => {
    const { rule } = inside.dataset;
    const [page, number] = rw.place(rule);
    const edition = page?.match(/^[^/]+\/[^/]+(?=\/)/)?.[0];
    const things = edition && number && (await byRule([edition])).get(edition).get(number);
    if (things && inside.isConnected && inside.dataset.rule === rule && !inside.querySelector(".own")) show(inside, things, edition, true);
  };

  const hear = new Set();
  let waiting = false;
  /** Show everything anew, once for all that changes at a time. */
  function changed() {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      render();
      for (const one of hear) one();
    });
  }

  function house(on) {
    rw.kept("own-house", on ? "on" : "off");
    changed();
  }

  /* Dialogs */

  /** A dialog with a name, its parts and what is pressed at its end. */
  function ask(name, parts, ...ends) {
    const title = make("h2", { id: "own-title", textContent: name });
    const dialog = make("dialog", { className: "rw rw-own md-typeset" }, make("form", { method: "dialog" }, title, ...parts, make("p", { className: "tools" }, ...ends)));
    dialog.setAttribute("aria-labelledby", "own-title");
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
  }

  function choices(name, legend, options, chosen) {
    const rows = options.map(([value, words]) => make("label", {}, make("input", { type: "radio", name, value, checked: value === chosen }), ` ${words}`));
    return make("fieldset", {}, make("legend", { textContent: legend }), ...rows);
  }

  const FULL = "This device keeps nothing more: its storage is full, or this window is private. Your words still stand here to be copied.";

  /** Write a note or a house rule, or change it. `number`: where it stands today. */
  function write(one, number, begun = one.text) {
    const isHouse = one.kind === "house";
    const was = rw.kept(PREFIX + one.id) ?? undefined;
    const words = make("textarea", { name: "text", rows: 5, maxLength: PARTS.text, value: begun });
    const failed = make("p", { className: "own-failed", role: "alert" });
    const group = make("input", { name: "group", maxLength: PARTS.group, value: one.group });
    const parts = [make("label", {}, isHouse ? "How you play it" : "Note", words)];
    if (isHouse) parts.push(choices("how", "What the house rule does", [["replace", "Replaces the rule"], ["add", "Adds to the rule"], ["strike", "Strikes the rule"]], one.how), make("label", {}, "Whose house rules (a name for your group)", group));
    else parts.push(choices("sign", "Mark", [["", "None"], ...Object.entries(SIGNS).map(([key, [sign, said]]) => [key, `${sign} ${said}`])], one.sign));
    let done = false;
    const save = () => {
      const chosen = (name) => dialog.querySelector(`[name=${name}]:checked`)?.value;
      const made = { ...one, text: words.value.trim(), sign: chosen("sign") ?? one.sign, how: chosen("how") ?? one.how, group: group.value.trim() };
      if (!made.text && !made.sign && !(isHouse && made.how === "strike")) {
        failed.textContent = isHouse ? "Write how you play it." : "Write something, or choose a mark.";
        return words.focus();
      }
      if (!keep(made, was)) return (failed.textContent = FULL);
      done = true;
      dialog.close();
    };
    const dialog = ask(`${isHouse ? "House rule" : "Your note"} at ${number} ${one.title}`.trim(), [...parts, failed], button("Keep", save, { className: "main" }), button("Cancel", () => dialog.close()));
    dialog.addEventListener("close", () => {
      if (!done && words.value !== one.text) told("What you wrote was not kept.", "Take it up again", () => write(one, number, words.value));
    });
    dialog.querySelector("form").addEventListener("submit", (event) => { event.preventDefault(); save(); });
    words.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(); });
    words.focus();
  }

  const ranked = () => Math.min(LAST, (all().at(-1)?.rank ?? 0) + 1);
  /** A rule as the tools at its number say what it is, or as the part of a page that it stands in. */
  function asRule(rule) {
    if (rule instanceof Element) return ruleOf(rule.closest(".rule"));
    return rule?.key ? { ...rule, number: rule.key, title: rule.title.replace(rule.key, "").trim() } : rule;
  }

  async function begin(kind, rule) {
    const at = asRule(rule);
    if (at) write(whole({ kind, ...(await anchored(at)), rank: ranked() }), at.number);
  }

  /** What a reader may write at a rule: a note, a house rule, or a report to the publisher. */
  async function note(rule) {
    const at = asRule(rule);
    if (!at) return;
    const things = (await placed(at.edition)).filter(({ one, key }) => key === at.number && one.kind === "note");
    if (things.length) write(things[0].one, at.number);
    else await begin("note", at);
    const more = make("p", { className: "own-more" }, "Or: ", ...[["House rule", () => begin("house", at)], ["Report this rule", () => rw.load("report").then(() => rw.report(at), () => {})]].map(([words, act]) => button(words, () => { document.querySelector(".rw-own[open]")?.close(); act(); })));
    document.querySelector(".rw-own[open] form")?.append(more);
  }

  /** Keep a rule among one's own, or no longer. */
  async function star(rule) {
    const at = asRule(rule);
    if (!at) return;
    const there = (await placed(at.edition)).find(({ one, key }) => key === at.number && one.kind === "star");
    if (there) return drop(there.one.id, `${at.number} is no longer among your rules.`);
    const kept = keep(whole({ kind: "star", ...(await anchored(at)), rank: ranked() }));
    if (!kept) return told(FULL.replace(/ Your words.*/, ""));
    told(`${at.number} is kept among your rules.`, "My rules", () => rw.open(new URL("my-rules/", rw.root).href));
  }

  rw.own = { all, ids, raw, damaged, isSound, whole, keep, drop, told, place, placed, anchored, known, show, make, button, ask, house, isOn, hear, changed, write, note, begin, star, SIGNS, HOWS, PREFIX, MOST, book, pageOf };
  document.addEventListener("pointerdown", ({ target }) => { if (!stays && !line.contains(target)) hush(); });
  addEventListener("storage", (event) => { if (event.key === null || event.key.startsWith("rulewright.own")) changed(); });
  if (window.document$) window.document$.subscribe(render);
  else render();
})();
