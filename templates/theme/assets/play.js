/* A turn played screen by screen. The list on the page is what it works from: each stop stands where it is come to,
   with who acts, what is asked and which tables it rolls on. A screen is a step, or the lines of one part that are
   done one behind the other until other dice are needed; Done passes it. A game is kept on the device, and the
   address leads to its turn and step; what it is made of, and how two become one, is in games.js. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const [OPEN, DONE, SKIPPED] = [0, 1, 2];
  const SIGNS = "·✓×";
  const LETTERS = "ods"; // the same in an address

  function make(tag, given, ...inside) {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  }

  function play(page) {
    const { games } = rw;
    const device = Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => (byte % 36).toString(36)).join(""); // as long as this page is open
    const one = (selector, within = page) => within.querySelector(selector);
    const all = (selector, within = page) => [...within.querySelectorAll(selector)];
    const say = JSON.parse(page.dataset.words);
    const key = `play/${page.dataset.play}`;
    const stops = all("li.stop");
    const order = new Map(stops.map((li, at) => [li, at]));
    const named = new Map(stops.map((li) => [li.id, li]));
    const [desk, controls, form, over, log, shared, damaged, far, outline] = [".desk", ".controls", ".game form", ".over", ".log", ".shared", ".damaged", ".far", ".outline"].map((s) => one(s));
    const fields = [...form.elements].filter((field) => /^(name|scenario|weather|side-.*)$/.test(field.name));
    const note = one("[name=note]", desk);
    const line = make("div", { className: "told own-told", role: "status" });
    const button = (act) => one(`[data-act="${act}"]`);
    const parents = new Map(stops.map((li) => [li, li.parentElement.closest("li.stop")]));
    const inside = new Map();
    for (const [li, parent] of parents) inside.get(parent)?.push(li) ?? inside.set(parent, [li]);
    const up = (li) => parents.get(li);
    const above = (li) => (up(li) ? [up(li), ...above(up(li))] : []);
    const halts = stops.filter((li) => !inside.has(li) || li.dataset.ask || li.dataset.every);
    /* What is rolled or looked up at a stop; it stands there while the stop is on the screen, and else aside. */
    const aside = make("div", { hidden: true });
    const things = new Map(stops.map((li) => [li, [
      ...all(":scope > .die, :scope > .fold > .within > .die", li),
      ...(li.dataset.tables?.split(" ") ?? []).map((id) => document.getElementById(`table/${id}`)),
    ]]));
    const isRolled = (thing) => Boolean(one("[data-roller]", thing));
    const dice = (li) => things.get(step(li)).filter(isRolled).map((thing) => thing.id || thing.textContent).join(" ");
    /** The step that a stop is of: that of one of several players is the one that they share. */
    const step = (li) => (li.matches(".round") && !inside.has(li) ? up(li) : li);
    const left = (around = page) => played.halts.filter((li) => states.get(li) === OPEN && around.contains(li));
    const title = (li) => one(".title", li).textContent.trim();
    const name = (li) => (li.matches(".round") ? `${name(up(li))}: ${title(li)}` : title(li));
    let kept, game, is, offered, shown, states, seen, rolled, onScreen;
    let [played, swapped] = [{ stops, halts, order, screens: screens(halts) }, []]; // in the order of this turn; addresses have that of the book

    const fresh = () => ({ id: Math.random().toString(36).slice(2, 7), at: halts.find((li) => due(li, 1) === 1)?.id ?? "", step: "", log: [] });

    /** The games of this device. What is damaged is put by, to be copied, and no game is lost by that of another. */
    function load() {
      const raw = rw.kept(key);
      kept = { games: Object.create(null), last: "" };
      let isWhole = raw === null;
      try {
        const found = JSON.parse(raw);
        const sound = Object.entries(found.games).filter(([id, one]) => games.isSound(one, id));
        for (const [id, one] of sound) kept.games[id] = games.whole(one);
        isWhole = typeof found.games === "object" && sound.length === Object.keys(found.games).length;
        kept.last = String(found.last);
      } catch { /* it is no data at all */ }
      if (!isWhole) rw.kept(`${key}/damaged`, raw);
      damaged.hidden = !rw.kept(`${key}/damaged`);
    }

    function choose(one) {
      game = one ?? fresh();
      is = games.state(game.log);
    }

    /** Keep the game, with what another tab has added to it, unless the reader takes that back. */
    function keep(joins = true) {
      load();
      if (joins && kept.games[game.id]) game.log = games.merge(game.log, kept.games[game.id].log);
      choose(game);
      game.step = named.has(game.at) ? label(screen(named.get(game.at))) : say.over;
      kept.games[game.id] = game;
      kept.last = game.id;
      offered = null;
      history.replaceState(history.state, "", `#${written(game)}`);
      render();
      store();
    }

    function store() {
      const data = JSON.stringify({ ...kept, games: Object.fromEntries(Object.entries(kept.games).map(([id, one]) => [id, { ...one, turn: games.state(one.log).turn }])) });
      if (rw.kept(key, data) !== data) tell(say.full);
    }

    /** Say something at the edge of the screen, perhaps with a way back. */
    function tell(words, act) {
      rw.dock().append(line);
      const again = make("button", { type: "button", textContent: say.undo, onclick: () => { line.replaceChildren(); act(); } });
      line.replaceChildren(make("p", { textContent: words }), ...(act ? [again] : []), make("button", { type: "button", textContent: "×", ariaLabel: say.close, onclick: () => line.replaceChildren() }));
    }

    /** What changes games as a whole can be taken back, and takes no other game with it. */
    function changing(words, change) {
      const [before, at] = [new Map(Object.entries(kept.games)), game.id];
      change();
      const changed = [...new Set([...before.keys(), ...Object.keys(kept.games)])].filter((id) => JSON.stringify(before.get(id)) !== JSON.stringify(kept.games[id]));
      tell(words, () => {
        load();
        for (const id of changed) if (before.has(id)) kept.games[id] = before.get(id); else delete kept.games[id];
        store();
        choose(kept.games[at]);
        keep(false);
      });
    }

    /* Marks: what was done or skipped, and what is therefore over */

    /** The game turn in which a stop comes round next, this one among them; of one that always comes, this. */
    const due = ({ dataset: { every, from } }, turn) => (every > 0 ? Math.max(0, Math.ceil((turn - from) / every)) * every + Number(from) : turn);
    const late = (li) => due(li, is.turn) > is.turn;
    const marked = (li) => Object.hasOwn(is.marks, li.id);
    const own = (li) => (marked(li) ? is.marks[li.id] : late(li) ? SKIPPED : OPEN);

    /** What is over: `states` is what there is to do, `seen` what is shown of a step with others in it. */
    function judge() {
      states = new Map();
      for (const li of stops) states.set(li, states.get(up(li)) === SKIPPED ? SKIPPED : own(li));
      seen = new Map(states);
      for (const li of [...stops].reverse()) {
        const marks = inside.get(li)?.map((each) => seen.get(each));
        if (marks && states.get(li) !== SKIPPED) seen.set(li, marks.includes(OPEN) ? OPEN : marks.includes(DONE) ? DONE : SKIPPED);
      }
      arrange();
    }

    /** Let the steps that were swapped change places, for as long as the step that says so is done. */
    function arrange() {
      const wanted = stops.filter((li) => li.dataset.swaps && [states.get(li), seen.get(li)].includes(DONE)).map((li) => li.dataset.swaps);
      if (wanted.join() === swapped.join()) return;
      for (const pair of [...swapped.toReversed(), ...wanted]) {
        const [here, there] = pair.split(" ").map((id) => named.get(id));
        const place = document.createComment("");
        here.replaceWith(place);
        there.replaceWith(here);
        place.replaceWith(there);
      }
      swapped = wanted;
      const row = all("li.stop");
      const stands = row.filter((li) => halts.includes(li));
      played = { stops: row, halts: stands, order: new Map(row.map((li, at) => [li, at])), screens: screens(stands) };
    }

    /** In whose place a step is played that was swapped. */
    function instead(li) {
      if (!swapped.some((pair) => pair.split(" ").includes(li.id))) return "";
      const row = inside.get(up(li));
      const place = row.toSorted((one, other) => played.order.get(one) - played.order.get(other)).indexOf(li);
      return row[place] === li ? "" : `⇄ ${say.instead} ${title(row[place])}`;
    }

    function why(li) {
      if (late(li) && !marked(li)) {
        return `${li.dataset.often}; ${say.due} ${due(li, is.turn)}`;
      }
      return own(li) === SKIPPED ? li.dataset.ask ?? "" : "";
    }

    /* Screens: what one Done passes */

    /** Lines of one part follow each other on a screen as long as the same side acts, or both by turns in a combat,
        and no other dice are needed. What is asked of a part stands over its first lines. A phase, a segment and
        what swaps others have a screen of their own. */
    function screens(row) {
      const found = [];
      for (const li of row) {
        const here = found.at(-1) ?? [];
        const before = here.at(-1);
        const follows = before && !li.matches(".phase, [data-swaps]") && !before.matches("[data-swaps]") &&
          (inside.has(before) ? before.contains(li) : !inside.has(li) && !li.matches(".segment") && !before.matches(".segment") && part(li) === part(before));
        const acting = new Set([...here, li].filter((each) => !inside.has(each) && !isNobody(each)).map(called));
        const isOne = acting.size < 2 || part(li)?.matches("[data-combat]") || here.every((each) => step(each) === step(li));
        const rolls = new Set([...here, li].filter((each) => !inside.has(each)).map(dice).filter(Boolean));
        if (follows && isOne && rolls.size < 2) here.push(li);
        else found.push([li]);
      }
      return found;
    }

    function called({ dataset: { who = "", side } }) {
      return (side && form.elements[`side-${side}`]?.dataset.title) || who;
    }

    function isNobody(li) {
      return sign(li).matches?.(".none") ?? true;
    }

    /** What a line is a part of. */
    function part(li) {
      return up(step(li));
    }

    function screen(li) {
      const halt = halts.includes(li) ? li : halts.find((each) => li.contains(each));
      return played.screens.find((row) => row.includes(halt));
    }

    /** The lines of a screen; what is not due this turn is no part of it. */
    function lines(row) {
      const found = row.filter((li) => !inside.has(li));
      const now = found.filter((li) => !late(li) || marked(li));
      return now.length ? now : found.length ? found : row.slice(-1);
    }

    /** The parts of a turn that a screen shows all of, the innermost first. */
    function whole(row) {
      const [first, ...others] = lines(row);
      return above(others.length ? first : step(first)).filter((around) => !around.matches(".turn") && halts.every((li) => row.includes(li) || !around.contains(li)));
    }

    /** The part of the turn that a screen asks about, with all that is in it. */
    const asks = (row) => row.find((li) => inside.has(li) && li.dataset.ask);

    /** The step that a screen is called after; of several lines the part that they are, or are of. */
    function head(row) {
      const those = lines(row);
      const all = whole(row);
      const asked = asks(row);
      if (asked && !(those.length < 2 && all.includes(asked))) return asked;
      return those.length < 2 ? step(those[0]) : all.at(-1) ?? part(those[0]) ?? those[0];
    }

    /** Whether a screen has lines to tick. */
    const isList = (row) => lines(row).length > 1 || head(row) !== step(lines(row)[0]);

    /** The line of a screen that is looked at. */
    function lookedAt(row) {
      const those = lines(row);
      return those.find((li) => li.id === game.at) ?? those.find((li) => states.get(li) === OPEN) ?? those[0];
    }

    function label(row) {
      if (!isList(row)) return name(lines(row)[0]);
      const [all, first] = [head(row), step(lines(row)[0])];
      return all === asks(row) || all === first || whole(row).includes(all) ? name(all) : `${title(all)}: ${title(first)}`;
    }

    /** The stop that comes behind a screen: of what is in any order all, then whatever follows. */
    function next(row) {
      judge();
      const open = left().filter((li) => !row.includes(li));
      const li = row.at(-1);
      const behind = (found) => found.find((halt) => played.order.get(halt) > played.order.get(li));
      for (let group = li.closest(".any-order"); group; group = group.parentElement.closest(".any-order")) {
        const here = open.filter((halt) => group.contains(halt));
        if (here.length) return behind(here) ?? here[0];
      }
      return behind(open);
    }

    /* What a player does. Whatever was entered together is taken back together. */

    function put(...entries) {
      game.log = games.added(game.log, device, entries.map((one) => ({ t: is.turn, ...one })));
      choose(game);
      judge();
    }

    const entered = (li, m) => ({ k: "m", i: li.id, m });
    const group = ({ d, g }) => `${d}.${g}`;
    const isMove = ({ k }) => /[mts]/.test(k);
    const undo = (groups) => put(...[...new Set(groups)].map((v) => ({ k: "x", v })));

    /** Marks, and what they lie in is skipped no longer. */
    function enter(marks) {
      const around = new Set(marks.flatMap(({ i }) => above(named.get(i))));
      put(...marks, ...[...around].filter((li) => own(li) === SKIPPED && !marks.some(({ i }) => i === li.id)).map((li) => entered(li, DONE)));
    }

    /** Pass a screen. Of several lines those with a condition are done if they were ticked, or rolled for. */
    function pass(mark) {
      const row = screen(named.get(game.at));
      const open = row.filter((li) => states.get(li) === OPEN);
      const isRolledFor = (li) => is.held.some(({ k, t, i }) => k === "r" && t === is.turn && i === li.id);
      const isLeft = (li) => isList(row) && li.dataset.ask && !("usual" in li.dataset) && !inside.has(li) && !isRolledFor(li);
      const asked = asks(row);
      if (mark === SKIPPED && asked && states.get(asked) === OPEN) enter([entered(asked, SKIPPED)]);
      else enter((open.length || isList(row) ? open : row).map((li) => entered(li, inside.has(li) ? DONE : isLeft(li) ? SKIPPED : mark)));
      game.at = next(row)?.id ?? "";
      keep();
    }

    /** Mark one line alone; the next that is open is looked at. */
    function tick(li, mark) {
      enter([entered(li, mark)]);
      const row = lines(screen(li));
      if (mark !== OPEN) game.at = (row.find((each) => states.get(each) === OPEN) ?? li).id;
      keep();
    }

    /** All that is left of a phase: what is asked there was not done. */
    function rest(li) {
      const around = li.closest(".phase") ?? li;
      put(...left(around).map((halt) => entered(halt, halt.dataset.ask ? SKIPPED : DONE)));
      game.at = next(played.halts.filter((one) => around.contains(one)))?.id ?? "";
      keep();
    }

    function begin() {
      judge();
      game.at = left()[0]?.id ?? "";
      keep();
    }

    function end() {
      put({ k: "t", m: Math.min(999, is.turn + 1) }, ...halts.filter((li) => late(li) && !marked(li)).map((li) => entered(li, SKIPPED)));
      begin();
    }

    /** The same marks in another turn, whose number was wrong. */
    const turned = (turn) => [{ k: "s", m: turn }, ...Object.entries(is.marks).map(([i, m]) => ({ k: "m", t: turn, i, m }))];

    function back() {
      const last = is.held.findLast(isMove);
      if (!last) return;
      const first = is.held.find((one) => group(one) === group(last));
      undo([group(last)]);
      if (first.k === "m") game.at = named.has(first.i) ? first.i : game.at;
      else if (first.k === "t") game.at = "";
      keep();
    }

    /** All of this turn, from where it was begun. */
    function unturn() {
      const { turn } = is;
      undo(is.held.filter((one) => isMove(one) && (one.k === "m" ? one.t === turn : one.m === turn)).map(group));
      const [taken, at] = [group(game.log.at(-1)), game.at];
      begin();
      tell(`${say.turn} ${turn}: ${say.back}`, () => {
        undo([taken]);
        game.at = at;
        keep();
      });
    }

    function go(li) {
      game.at = (halts.includes(li) ? li : halts.find((halt) => li.contains(halt))).id;
      keep();
    }

    /* The address: game, turn, place, marks one behind the other, and what was noted of the game */

    function written(one) {
      const { turn, about, marks } = games.state(one.log);
      const signs = halts.map((li) => LETTERS[marks[li.id] ?? OPEN]).join("").replace(/o+$/, "");
      const short = signs.replace(/(.)\1+/g, (run) => run.length + run[0]);
      const at = order.get(named.get(one.at)) ?? "";
      const said = fields.filter(({ name }) => about[name]).map(({ name }) => [name, about[name]]);
      return new URLSearchParams([["play", [one.id, turn, at, short, page.dataset.seal].join(".")], ...said]).toString();
    }

    function read(hash) {
      const given = new URLSearchParams(hash.slice(1));
      const [, id, turn, at, short, seal] = /^([a-z0-9]{1,9})\.(\d{1,3})\.(\d*)\.([\dods]*)\.(\w+)$/.exec(given.get("play")) ?? [];
      if (!id) return null;
      const found = { id, turn: Math.max(1, turn), at: fresh().at, marks: {}, about: {} };
      for (const { name } of fields) if (given.get(name)) found.about[name] = given.get(name).slice(0, 60);
      if (seal !== page.dataset.seal) return found; // other stops: only what was noted holds
      const marks = short.replace(/(\d+)(\D)/g, (_, run, letter) => letter.repeat(Math.min(run, halts.length)));
      halts.forEach((li, at) => { if (LETTERS.indexOf(marks[at]) > 0) found.marks[li.id] = LETTERS.indexOf(marks[at]); });
      found.at = at ? (stops[at] ?? halts[0]).id : "";
      return found;
    }

    /** Whoever opens an address sees what it shows; a game of one's own stays until one chooses. */
    function look() {
      offered = read(location.hash);
      const mine = offered && kept.games[offered.id];
      if (mine && written(mine) === written({ ...offered, log: entries(offered) })) {
        choose(mine);
        offered = null;
      } else if (offered && !kept.last) return take();
      render();
    }

    /** What an address shows, as a log of its own. */
    const entries = (shown) => games.added([], "0", games.known(shown));

    /** Join what was offered with the game of that name, or begin with it. Marks only add to one's own. */
    function take() {
      const { id, at, turn, marks, about } = offered;
      const mine = kept.games[id];
      const isOlder = Boolean(mine) && turn < games.state(mine.log).turn;
      const change = () => {
        choose({ ...(mine ?? { id, step: "", log: [] }), at });
        if (is.turn !== turn) put(...games.known({ turn, marks }), ...(turn > 1 ? [] : [{ k: "s", m: 1 }]));
        else {
          const more = Object.entries(marks).filter(([stop, mark]) => (mark === DONE ? is.marks[stop] !== DONE : !is.marks[stop]));
          put(...games.known({ turn, marks: Object.fromEntries(more) }).filter(({ k }) => k === "m"));
        }
        put(...games.known({ about: Object.fromEntries(Object.entries(about).filter(([part, said]) => is.about[part] !== said)) }).map((one) => ({ ...one, t: turn })));
        keep();
      };
      if (mine) changing(isOlder ? say.older : say.joined, change);
      else change();
    }

    /* What is shown */

    const player = (side) => is.about[`side-${side}`];

    function who(li) {
      const { who = "", side } = li.dataset;
      const called = side && (form.elements[`side-${side}`]?.dataset.title ?? side);
      return [who, called === who ? "" : called, side && player(side)].filter(Boolean).join(" · ");
    }

    /** The sign of whoever acts at a stop, as the list has it. */
    function sign(li) {
      const signs = ":scope > .line .mark, :scope > .fold > summary .mark, :scope > div.fold .mark";
      const around = [li, ...above(li)].find((each) => one(signs, each));
      return around ? one(signs, around).cloneNode(true) : "";
    }

    /** Stops of a screen by who acts there, each once, in their order. */
    function actors(row) {
      const found = [...new Map(lines(row).filter((li) => li.dataset.who).map((li) => [who(li), li])).values()];
      const acting = found.filter((li) => !isNobody(li)); // what nobody does goes along
      return acting.length ? acting : found;
    }


    /** Who acts, in the bar: sign, colour and name of the side, at its end the role and who plays it. */
    function announce(row) {
      const bar = one(".acts", controls);
      const acting = row ? actors(row) : [];
      const sides = new Map(acting.map((li) => [called(li), li]));
      const signs = [...sides.values()].map(sign);
      bar.className = `acts ${signs.length > 1 ? "both" : signs[0]?.className?.replace("mark", "") ?? ""}`;
      bar.hidden = !acting.length;
      if (!acting.length) return;
      const names = [...sides.keys()].join(`, ${say.then} `);
      const isMany = sides.size > 1 || "many" in acting[0].dataset;
      const role = sides.size > 1 ? "" : who(acting[0]).split(" · ").filter((each) => each !== called(acting[0])).join(" · ");
      bar.replaceChildren(...signs, make("strong", { textContent: `${names} ${isMany ? say.act : say.acts}` }), make("span", { textContent: role }));
    }

    /** How far the turn has come: a sign for each phase of this turn, and which phase and step this is. */
    function measure(row) {
      const here = row?.[0].closest(".phase");
      const turns = played.stops.filter((li) => li.matches(".turn"));
      const turn = here?.closest(".turn") ?? turns.find((li) => left(li).length) ?? turns.at(-1);
      const phases = played.stops.filter((li) => li.matches(".phase") && (li.closest(".turn")?.contains(turn) ?? true));
      const inner = here ? played.screens.filter(([li]) => here.contains(li)) : [];
      far.hidden = !here;
      one("ol", far).replaceChildren(...phases.map((li) => {
        const shape = make("li", { className: `${li.className.replace(/\b(stop|phase|now|here)\b/g, "")} ${li === here ? "here" : ""}` });
        const within = halts.filter((halt) => li.contains(halt));
        shape.style.setProperty("--far", `${(100 * within.filter((halt) => states.get(halt) !== OPEN).length) / (within.length || 1)}%`);
        return shape;
      }));
      const running = document.querySelector(".rw-at .running");
      if (running) running.textContent = [`${say.turn} ${is.turn}`, here?.closest(".turn") && title(turn)].filter(Boolean).join(" · ");
      if (!here) return;
      one("b", far).textContent = title(here);
      one("span", far).textContent = [[say.phase, phases.indexOf(here), phases.length], [say.step, inner.indexOf(row), inner.length]].map(([word, nth, all]) => `${word} ${nth + 1} ${say.of} ${all}`).join(" · ");
    }

    /** What belongs to a stop itself: its line or bar, not the stops inside. */
    const parts = (li) => all(":scope > :is(.line, .refs, .aside, .besides), :scope > .fold > .within > :is(.aside, .besides)", li);
    const found = (selector, ...those) => those.flatMap(parts).flatMap((part) => [...(part.matches(selector) ? [part] : []), ...all(selector, part)]);
    const copies = (nodes) => nodes.map((node) => node.cloneNode(true));
    const rules = (...those) => [...new Map(found("a[data-ref]", ...those).filter((link) => link.closest(".refs")).map((link) => [link.dataset.ref, link])).values()];

    /** Facts of steps in one sentence. */
    const facts = (isToSay, ...those) => copies(found(".fact", ...those).filter(isToSay)).flatMap((fact, at) => (at ? ["\u00a0· ", fact] : [fact]));

    const spell = (link) => link.title.replace(/ \(number only\)$/, "");

    /** A rule as a card, its text fetched with that of its chapter. */
    function rule(link) {
      const number = link.dataset.ref.split(":")[1];
      const text = spell(link).replace(number, "").trim();
      const head = make("a", { href: link.href, className: "at" }, make("b", { textContent: number }), " ", make("span", { textContent: text }));
      if (link.matches(".listed")) { // its number is all there is
        head.append(make("small", { textContent: say.inbook }));
        return make("section", { className: "rule-here bare" }, head);
      }
      const body = make("div", { className: "said" });
      rw.preview?.(link.href).then((shown) => {
        body.innerHTML = shown?.html ?? "";
        for (const each of all("[id]", body)) each.removeAttribute("id");
      }, () => {});
      return make("section", { className: "rule-here" }, head, body);
    }

    /** Something that opens, and is filled when it does. */
    function folded(name, fill) {
      const made = make("details", {}, make("summary", { textContent: name }));
      made.addEventListener("toggle", () => made.append(...fill()), { once: true });
      return made;
    }

    const story = (li) => [...(document.getElementById(`told/${li.dataset.told}`)?.children ?? [])];

    /** What a screen has from the parts of the turn that it lies in. */
    function inherited(around, taken) {
      return around.map((li) => {
        const links = rules(li).filter((link) => !taken.includes(link.dataset.ref));
        const more = things.get(li).filter((thing) => !taken.includes(thing));
        taken.push(...more, ...links.map((link) => link.dataset.ref));
        const tale = taken.includes(li) ? [] : story(li);
        const names = [...(tale.length ? [say.inwords] : []), ...links.map(spell), ...more.map((thing) => one(".title, .roller button", thing)?.textContent.trim())];
        return names.length && folded(`${say.from} ${title(li)}: ${names.filter(Boolean).join(", ")}`, () => [...copies(tale), ...links.map(rule), ...more]);
      }).filter(Boolean);
    }

    /** A line to tick, where a screen has several. */
    function ticked(li, isMixed) {
      const box = make("input", { type: "checkbox", value: li.id, checked: states.get(li) === DONE, onchange: () => tick(li, box.checked ? DONE : OPEN) });
      const said = facts(() => true, step(li));
      const text = make("span", {}, make("b", { textContent: step(li) === li ? title(li) : `${title(step(li))}: ${called(li)}` }), ...(said.length ? [" ", make("small", {}, ...said)] : []), ...copies(found(".aside", step(li))));
      const skip = make("button", { type: "button", textContent: say.skip, onclick: () => tick(li, SKIPPED) });
      return make("li", {}, make("label", {}, box, isMixed ? sign(li) : "", text), skip, ...copies(found(".refs", step(li))));
    }

    /** Lay before the players what they need at a stop. */
    function serve(row, moved) {
      const those = lines(row);
      const focus = lookedAt(row);
      const isTicked = isList(row);
      note.dataset.place = `${is.turn} ${those[0].id}`;
      if (note !== document.activeElement) note.value = is.notes[those[0].id] ?? "";
      if (note.value) note.closest("details").open = true;
      const boxes = one(".lines", desk);
      if (moved || boxes.dataset.turn !== `${is.turn}`) boxes.replaceChildren(...(isTicked ? those.map((each) => ticked(each, actors(row).length > 1)) : []));
      boxes.dataset.turn = is.turn;
      for (const box of all("input", boxes)) {
        const each = named.get(box.value);
        box.checked = states.get(each) === DONE;
        box.closest("li").className = each === focus ? "at" : states.get(each) === SKIPPED ? "skipped" : "";
      }
      const full = whole(row);
      const own = isTicked ? [...new Set([...row.filter((each) => inside.has(each)), ...full, head(row)])] : [...new Set([step(focus), ...row, ...full])];
      const around = above(step(focus)).filter((each) => !each.matches(".turn"));
      const links = rules(step(focus)).length ? rules(step(focus)) : rules(...full);
      if (moved) {
        one("h2", desk).textContent = title(head(row));
        one(".asides", desk).replaceChildren(...copies(found(".aside", ...own)));
        const mine = [...new Set(those.map(step))].flatMap((each) => things.get(each));
        const table = [...new Set([...mine, ...(mine.some(isRolled) ? [] : full.flatMap((each) => things.get(each)))])].sort((one, other) => isRolled(other) - isRolled(one));
        const teller = [step(focus), ...around].find((each) => each.dataset.told && (full.includes(each) || each === step(focus) || played.screens.find(([first]) => each.contains(first)) === row));
        one(".told-here", desk).replaceChildren(...(teller ? copies(story(teller)) : []));
        for (const all of things.values()) for (const thing of all) if (!table.includes(thing)) aside.append(thing);
        one(".tables-here", desk).replaceChildren(...table);
        const shown = new Set(table.map((each) => one("h2 a", each)?.href)); // a table that stands there is not named as well
        one(".fact-line", desk).replaceChildren(...facts((fact) => !shown.has(one("a", fact)?.href), ...own));
        if (table.some(isRolled)) one(".told-here", desk).before(one(".rules", desk)); // beside the dice
        else one(".also", desk).before(one(".rules", desk));
        one(".more", desk).replaceChildren(...inherited(around, [...table, teller, ...(isTicked && rules(step(focus)).length ? [] : links.map((link) => link.dataset.ref))]));
        one(".allowed", desk).replaceChildren(...[step(focus), ...around].flatMap((each) => found(".allows", each)).map((fact) => make("span", {}, ...[...fact.childNodes].filter((part) => !part.matches?.(".label")).map((part) => part.cloneNode(true)))));
      }
      if (moved || one(".rules", desk).dataset.of !== focus.id) one(".rules", desk).replaceChildren(...links.slice(0, 2).map(rule), ...links.slice(2).map((link) => folded(spell(link), () => [rule(link)])));
      one(".rules", desk).dataset.of = focus.id;
      const loose = [...around, ...row].flatMap((each) => inside.get(each) ?? []).filter((each) => each.parentElement.matches(".any-order > ul") && seen.get(each) === OPEN && !row.some((one) => each.contains(one)));
      one(".chips", desk).replaceChildren(...[...new Set(loose)].map((each) => make("button", { type: "button", onclick: () => go(each) }, sign(each), title(each))));
      one(".also", desk).hidden = !loose.length && !one(".allowed", desk).childNodes.length;
      const phase = row[0].closest(".phase");
      button("all").hidden = !phase || played.screens.filter(([first]) => phase.contains(first)).at(-1) === row;
      if (phase) button("all").textContent = `${say.all} ${title(phase)}`;
    }

    /** The log: by turns and phases what was done or skipped, with rolls and notes. */
    function report() {
      let path = "";
      const rooms = new Map(); // what was rolled and noted at a stop in a turn, told with its last mark
      for (const one of is.held) {
        if (!/[mrn]/.test(one.k)) continue;
        const room = rooms.get(`${one.t} ${one.i}`) ?? rooms.set(`${one.t} ${one.i}`, { rolls: [], note: "", at: one }).get(`${one.t} ${one.i}`);
        if (one.k === "r") room.rolls.push(one.v);
        else if (one.k === "n") room.note = one.v;
        if (one.k === "m" || room.at.k !== "m") room.at = one;
      }
      one("div", log).replaceChildren(...is.held.flatMap((entry) => {
        const { k, t, i, m, v } = entry;
        const room = rooms.get(`${t} ${i}`);
        const isTold = /[mrn]/.test(k) && room.at === entry;
        if (k === "x" || (/[rn]/.test(k) && !isTold)) return [];
        const li = named.get(i);
        const parts = li ? above(li).filter((each) => each.matches(".turn, .phase")).map(title) : [];
        const around = [`${say.turn} ${t}`, ...parts.reverse()];
        const head = path === (path = around.join(" › ")) ? [] : [make("h2", { textContent: path })];
        const reason = k === "m" && m === SKIPPED && (li?.dataset.ask ?? li?.dataset.often);
        const said = k === "m" ? [[say.reopened, "", say.skipped][m], reason].filter(Boolean).join(": ") : k === "a" ? v : k === "s" ? `${say.turn} ${m}` : "";
        const told = [said, ...(isTold ? [...room.rolls, room.note] : [])].filter(Boolean).join("; ");
        const called = li ? name(li) : k === "t" ? say.ended : k === "s" ? say.set : form.elements[i]?.labels?.[0]?.firstChild.textContent.trim() || i || say.over;
        return [...head, make("p", {}, k === "m" && m ? `${SIGNS[m]} ` : "", make("b", { textContent: called }), li?.dataset.who ? ` (${who(li)})` : "", told && ` – ${told}`)];
      }));
    }

    function render() {
      judge();
      // A note that is being written belongs to its own stop, wherever another tab leads.
      if (note === document.activeElement && note.dataset.place !== `${is.turn} ${named.has(game.at) ? lines(screen(named.get(game.at)))[0].id : ""}`) note.blur();
      const at = named.get(game.at);
      const place = `${game.id} ${is.turn} ${game.at}`;
      const row = at && screen(at);
      const moved = !row?.includes(onScreen) || !shown.startsWith(`${game.id} ${is.turn} `);
      if (moved) rolled = null;
      onScreen = at && row[0];
      const focus = row && lookedAt(row);
      for (const li of stops) {
        const mark = seen.get(li);
        li.classList.toggle("done", mark === DONE);
        li.classList.toggle("skipped", mark === SKIPPED);
        li.classList.toggle("now", li === focus);
        li.classList.toggle("here", Boolean(row) && li.contains(row[0]));
        const sign = one(":scope > .go, :scope > .line > .go", li);
        const reason = why(li);
        const state = mark === OPEN ? "" : reason ? `${say.skipped}: ${reason}` : !sign && li.matches(".phase, .turn") ? SIGNS[mark] : "";
        one(".state", li).textContent = [instead(li), state].filter(Boolean).join(" ");
        if (sign) {
          sign.textContent = li === focus ? "→" : SIGNS[mark];
          sign.setAttribute("aria-label", `${name(li)}: ${li === focus ? say.now : [say.open, say.done, say.skipped][mark]}`);
        }
      }
      if (moved) {
        for (const fold of all("li.phase > details")) fold.open = fold.parentElement.contains(at ?? null) || Boolean(one(":target", fold.parentElement));
      }
      desk.hidden = !at;
      if (at) serve(row, moved);
      const open = left();
      over.hidden = Boolean(at);
      over.replaceChildren(make("p", {}, make("b", { textContent: `${say.over}.` })), ...(open.length ? [say.left, ...open.map((li) => make("button", { type: "button", textContent: name(li), onclick: () => go(li) }))] : []));
      const [now, then] = one("[role=status]", controls).children;
      announce(row);
      measure(row);
      const following = row && next(row);
      now.textContent = row ? label(row) : say.over;
      then.textContent = following ? `${say.next} ${label(screen(following))}` : "";
      button("back").disabled = !is.held.some(isMove);
      button("skip").disabled = !at;
      const isSeveral = row && lines(row).filter((li) => states.get(li) === OPEN).length > 1;
      button("skip").textContent = isSeveral ? say.pass : say.skip;
      button("done").textContent = row ? (isSeveral ? say.several : say.did) : `${say.end} ${is.turn}`;
      describe();
      shared.hidden = !offered;
      if (offered) {
        const mine = kept.games[offered.id];
        const further = mine ? games.state(mine.log).turn : 0;
        one("b", shared).textContent = [offered.about.name, `${say.turn} ${offered.turn}`, named.has(offered.at) ? name(named.get(offered.at)) : say.over].filter(Boolean).join(", ");
        one("span", shared).textContent = further > offered.turn ? `${say.further} ${further}.` : "";
        button("take").textContent = further > offered.turn ? `${say.backto} ${offered.turn}` : say.gothere;
      }
      one("summary span", log).textContent = is.held.filter(({ k }) => /[mtsa]/.test(k)).length || "";
      if (log.open) report();
      if (moved && shown) scrollTo(0, 0);
      if (moved) one("li.now", outline)?.scrollIntoView({ block: "nearest" });
      shown = place;
    }

    /** The bar of the game, and who plays what. */
    function describe() {
      const [turn, rest] = form.parentElement.firstElementChild.children;
      turn.textContent = `${say.turn} ${is.turn}`;
      rest.textContent = ["name", "scenario", "weather"].map((part) => is.about[part]).filter(Boolean).join(" · ");
      for (const field of fields) if (field !== document.activeElement) field.value = is.about[field.name] ?? "";
      form.elements.turn.value = is.turn;
      button("unturn").textContent = `${say.unturn} ${is.turn}`;
      button("unturn").disabled = !is.held.some((one) => isMove(one) && (one.k === "m" ? one.t : one.m) === is.turn);
      form.elements.games.replaceChildren(...Object.values({ ...kept.games, [game.id]: game }).map((each, at) => {
        const { about, turn } = games.state(each.log);
        return new Option(`${about.name || `${say.game} ${at + 1}`}, ${say.turn} ${turn}`, each.id, false, each.id === game.id);
      }));
      for (const span of all("[data-player]")) {
        span.dataset.title ??= span.textContent;
        span.textContent = [span.dataset.title, player(span.dataset.player)].filter(Boolean).join(" · ");
      }
    }

    /** Keys of whoever plays at a desk, where nothing else takes them. */
    function press(event) {
      const busy = event.target.closest?.("input, textarea, select, button, a, summary, [contenteditable], dialog") && event.key !== "Backspace";
      const writing = event.target.closest?.("input, textarea, select, [contenteditable], dialog");
      if (!page.isConnected || busy || writing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const chosen = /^[1-9]$/.test(event.key) && all(".lines input, .chips button", desk)[event.key - 1];
      const act = { Enter: "done", Backspace: "back", s: "skip", S: "skip" }[event.key];
      if (act ? button(act).disabled : !chosen || desk.hidden) return;
      event.preventDefault();
      line.replaceChildren();
      if (act) acts[act](named.get(game.at));
      else chosen.click();
    }

    const acts = {
      done: (at) => (at ? pass(DONE) : end()), skip: () => pass(SKIPPED), all: rest, back, take,
      list: () => {
        const isOpen = page.classList.toggle("listed");
        button("list").setAttribute("aria-expanded", isOpen);
        if (isOpen) outline.scrollIntoView();
      },
      share: (at) => rw.copy("Link", at ? label(screen(at)) : say.over, new URL(`#${written(game)}`, location.href).href),
      keep: () => { offered = null; render(); },
      copy: () => {
        const href = URL.createObjectURL(new Blob([rw.kept(`${key}/damaged`)], { type: "application/json" }));
        make("a", { href, download: "games.json" }).click();
        setTimeout(() => URL.revokeObjectURL(href), 1000);
      },
      forget: () => {
        store();
        rw.kept(`${key}/damaged`, "");
        damaged.hidden = true;
      },
      unturn,
      new: () => { choose(); keep(); },
      delete: () => changing(say.deleted, () => {
        load();
        delete kept.games[game.id];
        store();
        choose(Object.values(kept.games)[0]);
        keep();
      }),
      print: () => {
        log.open = true;
        report();
        page.classList.add("printing");
        print();
        page.classList.remove("printing");
      },
    };

    page.addEventListener("click", (event) => {
      const act = event.target.closest("[data-act]")?.dataset.act;
      const stop = event.target.closest("a[href^='#']") ? named.get(decodeURIComponent(event.target.closest("a").hash.slice(1))) : event.target.closest("li.stop .line, li.stop > div.fold") && !event.target.closest("a, button") && event.target.closest("li.stop");
      if (stop) {
        event.preventDefault();
        go(stop);
      }
      if (!act || !Object.hasOwn(acts, act)) return;
      line.replaceChildren(); // what came before cannot be taken back once something else is done
      acts[act](named.get(game.at));
    });
    page.addEventListener("rolled", ({ target, detail }) => {
      const table = target.closest(".table-entry");
      if (!named.has(game.at)) return;
      if (!detail.fresh && rolled) undo([rolled]);
      put({ k: "r", i: (lines(screen(named.get(game.at))).find((li) => dice(li)) ?? named.get(game.at)).id, v: `${table ? `${title(table)}: ` : ""}${detail.said}`.slice(0, 400) });
      rolled = group(is.held.findLast(({ k }) => k === "r"));
      keep();
    });
    page.addEventListener("change", ({ target }) => {
      if (target.name === "games") choose(kept.games[target.value]);
      else if (target.name === "turn") put(...turned(Math.max(1, Math.min(999, Math.trunc(target.value) || 1))));
      else if (target === note) put({ k: "n", t: Number(note.dataset.place.split(" ")[0]), i: note.dataset.place.slice(note.dataset.place.indexOf(" ") + 1), v: note.value.slice(0, 400) });
      else if (fields.includes(target)) put({ k: "a", i: target.name, v: target.value.slice(0, 60) });
      else return;
      keep();
    });
    document.addEventListener("keydown", press);
    form.addEventListener("submit", (event) => event.preventDefault());
    log.addEventListener("toggle", () => log.open && report());
    window.addEventListener("hashchange", () => page.isConnected && look());
    window.addEventListener("storage", (event) => {
      if (event.key !== rw.key(key) || !page.isConnected) return;
      load();
      const there = kept.games[game.id];
      if (there) choose({ ...game, log: games.merge(game.log, there.log), at: there.at === "" || named.has(there.at) ? there.at : game.at });
      else if (!is.held.length) choose(kept.games[kept.last]);
      render();
    });

    for (const li of stops) {
      one(".title", li).after(" ", make("span", { className: "state" }));
      if (!halts.includes(li)) continue;
      const sign = make("button", { type: "button", className: "go", onclick: () => go(li) });
      const bullet = one(":scope > .line > .bullet", li);
      if (bullet) bullet.replaceWith(sign);
      else li.prepend(sign);
    }
    page.append(aside);
    for (const all of things.values()) for (const thing of all) {
      for (const room of thing.querySelectorAll("[data-roller]")) room.parentElement.prepend(room); // at the thumb, not below its table
      aside.append(thing);
    }
    for (const hidden of [desk, controls, form.parentElement, log, button("share")]) hidden.hidden = false;
    button("list").hidden = false;
    load();
    choose(kept.games[kept.last]);
    look();
    // From here the keyboard goes on: Back, Skip and Done come first.
    if (document.activeElement === document.body) Object.assign(one("h1"), { tabIndex: -1 }).focus({ preventScroll: true });
  }

  function start() {
    const page = document.querySelector(".rw.play[data-play]:not(.live)");
    if (!page || !page.querySelector("li.stop")) return;
    page.classList.add("live");
    rw.load("games").then(() => play(page), () => page.classList.remove("live"));
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
