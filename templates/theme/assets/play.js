/* A turn played stop by stop. The list on the page is what it works from: each stop stands where it is come to,
   with who acts, what is asked and which tables it rolls on. A game is kept on the device, and the address leads to
   its turn and step; what it is made of, and how two become one, is in games.js. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const [OPEN, DONE, SKIPPED] = [0, 1, 2];
  const SIGNS = "·✓×";
  const LETTERS = "ods"; // the same in an address

  const ALLOWED = ":scope > .line .allows, :scope > .besides .allows, :scope > .fold > .within > .besides .allows";

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
    const [desk, controls, form, over, log, shared, damaged, far] = [".desk", ".controls", ".game form", ".over", ".log", ".shared", ".damaged", ".far"].map((s) => one(s));
    const fields = [...form.elements].filter((field) => /^(name|scenario|weather|side-.*)$/.test(field.name));
    const tables = all(".tables > .table-entry");
    const note = one("[name=note]", desk);
    const line = make("div", { className: "told own-told", role: "status" });
    const button = (act) => one(`[data-act="${act}"]`);
    const parents = new Map(stops.map((li) => [li, li.parentElement.closest("li.stop")]));
    const inside = new Map();
    for (const [li, parent] of parents) inside.get(parent)?.push(li) ?? inside.set(parent, [li]);
    const up = (li) => parents.get(li);
    const halts = stops.filter((li) => !inside.has(li) || li.dataset.ask || li.dataset.every);
    const left = (around = page) => played.halts.filter((li) => states.get(li) === OPEN && around.contains(li));
    const title = (li) => one(".title", li).textContent.trim();
    const name = (li) => (li.matches(".round") ? `${name(up(li))}: ${title(li)}` : title(li));
    let kept, game, is, offered, shown, states, seen, rolled;
    let [played, swapped] = [{ stops, halts, order }, []]; // in the order of this turn; addresses have that of the book

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
      game.step = named.has(game.at) ? name(named.get(game.at)) : say.over;
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
      played = { stops: row, halts: row.filter((li) => halts.includes(li)), order: new Map(row.map((li, at) => [li, at])) };
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

    /** The stop that comes next: of what is in any order all, then whatever follows. */
    function next(li) {
      judge();
      const open = left();
      const behind = (row) => row.find((halt) => played.order.get(halt) > played.order.get(li));
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

    function act(li, mark) {
      const around = [];
      for (let one = up(li); one; one = up(one)) if (own(one) === SKIPPED) around.push(entered(one, DONE));
      put(entered(li, mark), ...around);
      if (li.id === game.at && mark !== OPEN) game.at = next(li)?.id ?? "";
      keep();
    }

    /** All that is left of a phase: what is asked there was not done. */
    function rest(li) {
      const around = li.closest(".phase") ?? li;
      put(...left(around).map((halt) => entered(halt, halt.dataset.ask ? SKIPPED : DONE)));
      game.at = next(played.halts.filter((one) => around.contains(one)).at(-1))?.id ?? "";
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
      game.at = li.id;
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

    /** Who acts, in the bar: sign, colour and name, a player's own before the side's. */
    function announce(li) {
      const bar = one(".acts", controls);
      let around = li;
      while (around && !one(":scope > .line .mark, :scope > .fold > summary .mark, :scope > div.fold .mark", around)) around = up(around);
      const sign = around && one(":scope > .line .mark, :scope > .fold > summary .mark, :scope > div.fold .mark", around).cloneNode(true);
      bar.className = `acts ${sign?.className.replace("mark", "") ?? ""}`;
      const names = li ? who(li).split(" · ") : [];
      bar.hidden = !names[0];
      bar.replaceChildren(...(sign ? [sign] : []), " ", make("strong", { textContent: `${names.at(-1)} ${/^both/i.test(names.at(-1)) ? say.act : say.acts}` }), " ", make("span", { textContent: names.length > 1 ? names[0] : "" }));
    }

    /** How far the turn has come: a sign for each phase, and which phase and step this is. */
    function measure(at) {
      const phases = played.stops.filter((li) => li.matches(".phase"));
      const here = at?.closest(".phase");
      const inner = here ? played.halts.filter((li) => here.contains(li)) : [];
      far.hidden = !here;
      one("ol", far).replaceChildren(...phases.map((li) => {
        const sign = make("li", { className: `${li.className.replace(/\b(stop|phase|now)\b/g, "")} ${li === here ? "here" : ""}` });
        const part = halts.filter((halt) => li.contains(halt));
        sign.style.setProperty("--far", `${(100 * part.filter((halt) => states.get(halt) !== OPEN).length) / (part.length || 1)}%`);
        return sign;
      }));
      if (!here) return;
      one("b", far).textContent = title(here);
      one("span", far).textContent = [[say.phase, phases.indexOf(here), phases.length], [say.step, inner.indexOf(at), inner.length]].map(([word, nth, all]) => `${word} ${nth + 1} ${say.of} ${all}`).join(" · ");
    }

    /** What belongs to a stop itself: its line or bar, not the stops inside. */
    const parts = (li) => all(":scope > :is(.line, .refs, .aside, .besides), :scope > .fold > .within > :is(.aside, .besides)", li);

    function rules(li) {
      for (let around = li; around && !around.matches(".turn"); around = up(around)) {
        const found = parts(around).flatMap((part) => all("a[data-ref]", part));
        if (found.length) return [...new Map(found.map((link) => [link.dataset.ref, link])).values()];
      }
      return [];
    }

    /** A rule in full, fetched with its chapter when it is opened. */
    function rule(link, few) {
      const body = make("div", { className: "text" });
      const folded = make("details", { className: "rule-here" }, make("summary", { textContent: link.title }), body);
      folded.addEventListener("toggle", async () => {
        if (body.childNodes.length) return;
        const found = await rw.preview?.(link.href).catch(() => null);
        body.innerHTML = found?.html ?? "";
        body.append(make("p", {}, make("a", { href: link.href, className: "ref", textContent: link.dataset.ref.split(":")[1] })));
      }, { once: true });
      folded.open = few && !link.matches(".listed");
      return folded;
    }

    /** A step and what it lies in, as far as its phase. */
    function around(li) {
      const found = [];
      for (let step = li; step && !step.matches(".turn"); step = up(step)) found.push(step);
      return found;
    }

    /** What can be done at any time while a step lasts. */
    const allowed = (fact) => make("p", {}, make("b", { textContent: say.also }), " ", ...[...fact.childNodes].filter((part) => !part.matches?.(".label")).map((part) => part.cloneNode(true)));

    /** A step in words, as the book tells it. */
    function telling(step, isOpen) {
      const text = named.get(step.id) && document.getElementById(`told/${step.dataset.told}`);
      const folded = make("details", { className: "rule-here", open: isOpen }, make("summary", { textContent: `${say.inwords} ${title(step)}` }));
      folded.append(...[...(text?.children ?? [])].map((part) => part.cloneNode(true)));
      return folded;
    }

    function choice(li) {
      if (inside.has(li)) return make("button", { type: "button", textContent: title(li), onclick: () => go(li) });
      const box = make("input", { type: "checkbox", value: li.id, checked: states.get(li) !== OPEN, onchange: () => act(li, box.checked ? DONE : OPEN) });
      return make("label", {}, box, ` ${title(li)}`);
    }

    /** Lay before the players what they need at a stop. */
    function serve(li, moved) {
      const within = one(":scope > details > .within", li);
      if (within && !one(":scope > :is(.besides, .aside)", within)) within.prepend(desk);
      else if (within) all(":scope > :is(.besides, .aside)", within).at(-1).after(desk);
      else (one(":scope > .aside", li) ?? one(":scope > :is(.line, .fold, .turn-bar)", li)).after(desk);
      one(".who", desk).textContent = who(li);
      one(".ask", desk).textContent = li.dataset.ask ?? li.dataset.often ?? "";
      note.dataset.place = `${is.turn} ${game.at}`;
      if (note !== document.activeElement) note.value = is.notes[li.id] ?? "";
      const row = li.parentElement.matches(".any-order > ul") ? [...li.parentElement.children] : [];
      if (!moved) return all(".choose input", desk).forEach((box) => { box.checked = states.get(named.get(box.value)) !== OPEN; });
      one(".choose", desk).hidden = row.length < 2;
      one(".choose", desk).replaceChildren(one(".choose legend", desk), ...row.map(choice));
      one(".also", desk).replaceChildren(...around(li).flatMap((step) => all(ALLOWED, step)).map(allowed));
      one(".telling", desk).replaceChildren(...[around(li).find((step) => step.dataset.told)].filter(Boolean).map((step) => telling(step, step === li || halts.find((one) => step.contains(one)) === li)));
      const wanted = [li, up(li), li.closest(".phase")].flatMap((at) => at?.dataset.tables?.split(" ") ?? []).map((at) => `table/${at}`);
      for (const table of tables) if (!wanted.includes(table.id)) one(".tables").append(table);
      const found = rules(li);
      one(".here", desk).replaceChildren(...tables.filter((table) => wanted.includes(table.id)), ...found.map((link) => rule(link, found.length < 3)));
      const phase = li.closest(".phase");
      button("all").hidden = !phase || phase === li;
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
        const around = [`${say.turn} ${t}`];
        for (let step = li && up(li); step; step = up(step)) if (step.matches(".turn, .phase")) around.splice(1, 0, title(step));
        const head = path === (path = around.join(" › ")) ? [] : [make("h2", { textContent: path })];
        const reason = k === "m" && m === SKIPPED && (li?.dataset.ask ?? li?.dataset.often);
        const said = k === "m" ? [[say.reopened, "", say.skipped][m], reason].filter(Boolean).join(": ") : k === "a" ? v : k === "s" ? `${say.turn} ${m}` : "";
        const told = [said, ...(isTold ? [...room.rolls, room.note] : [])].filter(Boolean).join("; ");
        const called = li ? name(li) : k === "t" ? say.ended : k === "s" ? say.set : form.elements[i]?.labels?.[0]?.firstChild.textContent.trim() || i || say.over;
        return [...head, make("p", {}, k === "m" && m ? `${SIGNS[m]} ` : "", make("b", { textContent: called }), li?.dataset.who ? ` (${who(li)})` : "", told && ` – ${told}`)];
      }));
    }

    function render() {
      // A note that is being written belongs to its own stop, wherever another tab leads.
      if (note === document.activeElement && note.dataset.place !== `${is.turn} ${game.at}`) note.blur();
      judge();
      const at = named.get(game.at);
      const place = `${game.id} ${is.turn} ${game.at}`;
      const moved = shown !== place;
      if (moved) rolled = null;
      for (const li of stops) {
        const mark = seen.get(li);
        li.classList.toggle("done", mark === DONE);
        li.classList.toggle("skipped", mark === SKIPPED);
        li.classList.toggle("now", li === at);
        const reason = why(li);
        const state = mark === OPEN ? "" : reason ? `${SIGNS[mark]} ${say.skipped}: ${reason}` : li.matches(".phase, .turn") ? SIGNS[mark] : "";
        one(".state", li).textContent = [instead(li), state].filter(Boolean).join(" ");
        const sign = one(":scope > .go, :scope > .line > .go", li);
        if (sign) {
          sign.textContent = li === at ? "→" : SIGNS[mark];
          sign.setAttribute("aria-label", `${name(li)}: ${li === at ? say.now : [say.open, say.done, say.skipped][mark]}`);
        }
      }
      if (moved) {
        for (const fold of all("li.phase > details")) fold.open = fold.parentElement.contains(at ?? null) || Boolean(one(":target", fold.parentElement));
      }
      desk.hidden = !at;
      if (at) serve(at, moved);
      const open = left();
      over.hidden = Boolean(at);
      over.replaceChildren(make("p", {}, make("b", { textContent: `${say.over}.` })), ...(open.length ? [say.left, ...open.map((li) => make("button", { type: "button", textContent: name(li), onclick: () => go(li) }))] : []));
      const [now, then] = one("[role=status]", controls).children;
      announce(at);
      measure(at);
      const following = at && next(at);
      now.textContent = at ? name(at) : say.over;
      then.textContent = following ? `${say.next} ${name(following)}` : "";
      button("back").disabled = !is.held.some(isMove);
      button("skip").disabled = !at;
      button("done").textContent = at ? (inside.has(at) ? say.do : say.did) : `${say.end} ${is.turn}`;
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
      const begun = !shown && (is.held.length > 0 || location.hash.startsWith("#play=")) && !one(":target");
      if (moved && (shown || begun)) {
        const there = () => (at ?? over).scrollIntoView({ block: "start" });
        there();
        if (begun) document.fonts?.ready.then(() => { if (game.at === (at?.id ?? "")) there(); }); // letters have moved it
      }
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
      const chosen = /^[1-9]$/.test(event.key) && all(":is(input, button)", one(".choose", desk))[event.key - 1];
      const act = { Enter: "done", Backspace: "back", s: "skip", S: "skip" }[event.key];
      if (act ? button(act).disabled : !chosen || desk.hidden || one(".choose", desk).hidden) return;
      event.preventDefault();
      line.replaceChildren();
      if (act) acts[act](named.get(game.at));
      else chosen.click();
    }

    const acts = {
      done: (at) => (at ? act(at, DONE) : end()), skip: (at) => act(at, SKIPPED), all: rest, back, take,
      share: (at) => rw.copy("Link", at ? name(at) : say.over, new URL(`#${written(game)}`, location.href).href),
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
      if (!act || !Object.hasOwn(acts, act)) return;
      line.replaceChildren(); // what came before cannot be taken back once something else is done
      acts[act](named.get(game.at));
    });
    page.addEventListener("rolled", ({ target, detail }) => {
      const table = target.closest(".table-entry");
      if (!detail.fresh && rolled) undo([rolled]);
      put({ k: "r", i: game.at, v: `${table ? `${title(table)}: ` : ""}${detail.said}`.slice(0, 400) });
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
      if (event.key !== `rulewright.${key}` || !page.isConnected) return;
      load();
      const there = kept.games[game.id];
      if (there) choose({ ...game, log: games.merge(game.log, there.log), at: there.at === "" || named.has(there.at) ? there.at : game.at });
      else if (!is.held.length) choose(kept.games[kept.last]);
      render();
    });

    for (const li of stops) {
      one(".title", li).after(make("span", { className: "state" }));
      if (!halts.includes(li)) continue;
      const sign = make("button", { type: "button", className: "go", onclick: () => go(li) });
      const bullet = one(":scope > .line > .bullet", li);
      if (bullet) bullet.replaceWith(sign);
      else li.prepend(sign);
    }
    for (const hidden of [desk, controls, form.parentElement, log, button("share")]) hidden.hidden = false;
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
