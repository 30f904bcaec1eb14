/* A turn played stop by stop. The list on the page is what it works from: each stop stands where it is come to,
   with who acts, what is asked and which tables it rolls on. A game is kept on the device and in the address. */
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

  /* What is kept of a game and of an entry of its log, each number with the most that it may be: another program may have written there. */
  const SAMPLE = { id: "", turn: 999, at: "", marks: { "*": SKIPPED }, note: "", rolls: [""], about: { "*": "" }, g: 1e9, t: 999, i: "", m: SKIPPED, why: "", from: "", was: SKIPPED, end: "" };
  SAMPLE.log = [SAMPLE];

  /** Whether something is of the same make as a sample. */
  function like(sample, one) {
    if (typeof one !== typeof sample || Array.isArray(one) !== Array.isArray(sample) || one === null) return false;
    if (typeof one === "number") return Number.isInteger(one) && one >= 0 && one <= sample;
    return typeof one !== "object" || Object.entries(one).every(([name, value]) => like(Array.isArray(one) ? sample[0] : sample[name] ?? sample["*"] ?? value, value));
  }

  function play(page) {
    const one = (selector, within = page) => within.querySelector(selector);
    const all = (selector, within = page) => [...within.querySelectorAll(selector)];
    const say = JSON.parse(page.dataset.words);
    const key = `play/${page.dataset.play}`;
    const stops = all("li.stop");
    const order = new Map(stops.map((li, at) => [li, at]));
    const named = new Map(stops.map((li) => [li.id, li]));
    const [desk, controls, form, over, log, shared, damaged] = [".desk", ".controls", ".game form", ".over", ".log", ".shared", ".damaged"].map((s) => one(s));
    const fields = [...form.elements].filter((field) => /^(name|scenario|weather|side-.*)$/.test(field.name));
    const tables = all(".tables > .table-entry");
    const button = (act) => one(`[data-act="${act}"]`);
    const parents = new Map(stops.map((li) => [li, li.parentElement.closest("li.stop")]));
    const inside = new Map();
    for (const [li, parent] of parents) inside.get(parent)?.push(li) ?? inside.set(parent, [li]);
    const up = (li) => parents.get(li);
    const halts = stops.filter((li) => !inside.has(li) || li.dataset.ask || li.dataset.every);
    const left = (around = page) => halts.filter((li) => states.get(li) === OPEN && around.contains(li));
    const title = (li) => one(".title", li).textContent.trim();
    const name = (li) => (li.matches(".round") ? `${name(up(li))}: ${title(li)}` : title(li));
    let kept, game, offered, shown, states, seen;

    const fresh = () => ({ id: Math.random().toString(36).slice(2, 7), turn: 1, at: halts.find((li) => !(li.dataset.every > 1))?.id ?? "", marks: {}, log: [], note: "", rolls: [], about: {} });
    const whole = (found) => ({ ...fresh(), ...found });

    /** The games of this device. What is damaged is put by, to be copied, and no game is lost by that of another. */
    function load() {
      const raw = rw.kept(key);
      kept = { games: Object.create(null), last: "" };
      let isWhole = raw === null;
      try {
        const found = JSON.parse(raw);
        for (const [id, one] of Object.entries(found.games)) if (like(SAMPLE, one) && one.id === id) kept.games[id] = one;
        isWhole = JSON.stringify(found.games) === JSON.stringify(kept.games);
        kept.last = String(found.last);
      } catch { /* it is no data at all */ }
      if (!isWhole) rw.kept(`${key}/damaged`, raw);
      damaged.hidden = !rw.kept(`${key}/damaged`);
      game = whole(kept.games[game?.id ?? kept.last]);
    }

    function keep() {
      kept.games[game.id] = game;
      kept.last = game.id;
      rw.kept(key, JSON.stringify(kept));
      offered = null;
      history.replaceState(history.state, "", `#${written(game)}`);
      render();
    }

    /* Marks: what was done or skipped, and what is therefore over */

    const late = (li) => Number(li.dataset.every) > 0 && game.turn % li.dataset.every > 0;
    const marked = (li) => Object.hasOwn(game.marks, li.id);
    const own = (li) => (marked(li) ? game.marks[li.id] : late(li) ? SKIPPED : OPEN);

    /** What is over: `states` is what there is to do, `seen` what is shown of a step with others in it. */
    function judge() {
      states = new Map();
      for (const li of stops) states.set(li, states.get(up(li)) === SKIPPED ? SKIPPED : own(li));
      seen = new Map(states);
      for (const li of [...stops].reverse()) {
        const marks = inside.get(li)?.map((each) => seen.get(each));
        if (marks && states.get(li) !== SKIPPED) seen.set(li, marks.includes(OPEN) ? OPEN : marks.includes(DONE) ? DONE : SKIPPED);
      }
    }

    function why(li) {
      if (late(li) && !marked(li)) {
        return `${li.dataset.often}; ${say.due} ${Math.ceil(game.turn / li.dataset.every) * li.dataset.every}`;
      }
      return own(li) === SKIPPED ? li.dataset.ask ?? "" : "";
    }

    /** The stop that comes next: of what is in any order all, then whatever follows. */
    function next(li) {
      judge();
      const open = left();
      const behind = (row) => row.find((halt) => order.get(halt) > order.get(li));
      for (let group = li.closest(".any-order"); group; group = group.parentElement.closest(".any-order")) {
        const here = open.filter((halt) => group.contains(halt));
        if (here.length) return behind(here) ?? here[0];
      }
      return behind(open);
    }

    /* What a player does. Whatever was entered together is taken back together. */

    const together = () => (game.log.at(-1)?.g ?? 0) + 1;

    function enter(g, li, mark, reason = "") {
      const entry = { g, t: game.turn, i: li.id, m: mark, why: reason, from: game.at, was: marked(li) ? game.marks[li.id] : undefined };
      if (li.id === game.at) {
        Object.assign(entry, { note: game.note, rolls: game.rolls });
        Object.assign(game, { note: "", rolls: [] });
      }
      game.log.push(entry);
      game.marks[li.id] = mark;
    }

    function act(li, mark) {
      const g = together();
      for (let around = up(li); around; around = up(around)) if (own(around) === SKIPPED) enter(g, around, DONE);
      enter(g, li, mark, mark === SKIPPED ? li.dataset.ask : "");
      if (li.id === game.at && mark !== OPEN) game.at = next(li)?.id ?? "";
      keep();
    }

    /** All that is left of a phase: what is asked there was not done. */
    function rest(li) {
      const g = together();
      const around = li.closest(".phase") ?? li;
      for (const halt of left(around)) {
        enter(g, halt, halt.dataset.ask ? SKIPPED : DONE, halt.dataset.ask);
      }
      game.at = next(halts.filter((one) => around.contains(one)).at(-1))?.id ?? "";
      keep();
    }

    function end() {
      const g = together();
      for (const li of halts) if (late(li) && !marked(li)) enter(g, li, SKIPPED, why(li));
      game.log.push({ g, t: game.turn, end: say.ended, from: "", marks: game.marks });
      Object.assign(game, { turn: game.turn + 1, marks: {} });
      judge();
      game.at = left()[0]?.id ?? "";
      keep();
    }

    function back() {
      for (const g = game.log.at(-1)?.g; game.log.length && game.log.at(-1).g === g; ) {
        const entry = game.log.pop();
        if (entry.marks) Object.assign(game, { turn: entry.t, marks: entry.marks });
        else if (entry.was === undefined) delete game.marks[entry.i];
        else game.marks[entry.i] = entry.was;
        game.at = entry.from;
        if (entry.rolls) Object.assign(game, { note: entry.note, rolls: entry.rolls });
      }
      keep();
    }

    function go(li) {
      game.at = li.id;
      keep();
    }

    /* The address: game, turn, place, marks one behind the other, and what was noted of the game */

    function written(one) {
      const marks = halts.map((li) => LETTERS[Object.hasOwn(one.marks, li.id) ? one.marks[li.id] : OPEN]).join("").replace(/o+$/, "");
      const short = marks.replace(/(.)\1+/g, (run) => run.length + run[0]);
      const at = order.get(named.get(one.at)) ?? "";
      const said = fields.filter(({ name }) => one.about[name]).map(({ name }) => [name, one.about[name]]);
      return new URLSearchParams([["play", [one.id, one.turn, at, short, page.dataset.seal].join(".")], ...said]).toString();
    }

    function read(hash) {
      const given = new URLSearchParams(hash.slice(1));
      const [, id, turn, at, short, seal] = /^([a-z0-9]{1,9})\.(\d{1,3})\.(\d*)\.([\dods]*)\.(\w+)$/.exec(given.get("play")) ?? [];
      if (!id) return null;
      const found = { ...fresh(), id, turn: Math.max(1, turn) };
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
      const mine = offered && Object.hasOwn(kept.games, offered.id) ? whole(kept.games[offered.id]) : null;
      if (mine && written(mine) === written(offered)) [game, offered] = [mine, null];
      else if (offered && !kept.last) {
        game = offered;
        return keep();
      }
      render();
    }

    function take() {
      if (!Object.hasOwn(kept.games, offered.id)) game = offered;
      else {
        game = whole(kept.games[offered.id]);
        game.log.push({ g: together(), t: game.turn, end: say.taken, from: game.at, marks: game.marks });
        for (const part of ["turn", "at", "marks", "about"]) game[part] = offered[part];
      }
      keep();
    }

    /* What is shown */

    const player = (side) => game.about[`side-${side}`];

    function who(li) {
      const { who = "", side } = li.dataset;
      const called = side && (form.elements[`side-${side}`]?.dataset.title ?? side);
      return [who, called === who ? "" : called, side && player(side)].filter(Boolean).join(" · ");
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
        body.dataset.rule = link.href;
        rw.shown?.(body);
        body.append(make("p", {}, make("a", { href: link.href, className: "ref", textContent: link.dataset.ref.split(":")[1] })));
      }, { once: true });
      folded.open = few && !link.matches(".listed");
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
      if (within) within.prepend(desk);
      else one(":scope > :is(.line, .fold, .turn-bar)", li).after(desk);
      one(".who", desk).textContent = who(li);
      one(".ask", desk).textContent = li.dataset.ask ?? li.dataset.often ?? "";
      one("[name=note]", desk).value = game.note;
      const group = li.parentElement.matches(".any-order > ul") ? [...li.parentElement.children] : [];
      if (!moved) return all(".choose input", desk).forEach((box) => { box.checked = states.get(named.get(box.value)) !== OPEN; });
      one(".choose", desk).hidden = group.length < 2;
      one(".choose", desk).replaceChildren(one(".choose legend", desk), ...group.map(choice));
      const wanted = [li, up(li), li.closest(".phase")].flatMap((at) => at?.dataset.tables?.split(" ") ?? []).map((at) => `table/${at}`);
      for (const table of tables) if (!wanted.includes(table.id)) one(".tables").append(table);
      const found = rules(li);
      one(".here", desk).replaceChildren(...tables.filter((table) => wanted.includes(table.id)), ...found.map((link) => rule(link, found.length < 3)));
      const phase = li.closest(".phase");
      button("all").hidden = !phase || phase === li;
      if (phase) button("all").textContent = `${say.all} ${title(phase)}`;
    }

    /** The log: by turns and phases what was done, skipped or taken back, with rolls and notes. */
    function report() {
      let path = "";
      one("div", log).replaceChildren(...game.log.flatMap((entry) => {
        const li = named.get(entry.i);
        const around = [`${say.turn} ${entry.t}`];
        for (let step = li && up(li); step; step = up(step)) if (step.matches(".turn, .phase")) around.splice(1, 0, title(step));
        const head = path === (path = around.join(" › ")) ? [] : [make("h2", { textContent: path })];
        const said = [[say.back, "", say.skipped][entry.m], entry.why].filter(Boolean).join(": ");
        const told = [said, ...(entry.rolls ?? []), entry.note].filter(Boolean).join("; ");
        const sign = entry.m ? `${SIGNS[entry.m]} ` : "";
        return [...head, make("p", {}, sign, make("b", { textContent: li ? name(li) : entry.end ?? entry.i }), li?.dataset.who ? ` (${who(li)})` : "", told && ` – ${told}`)];
      }));
    }

    function render() {
      judge();
      const at = named.get(game.at);
      const place = game.id + game.turn + game.at;
      const moved = shown !== place;
      for (const li of stops) {
        const mark = seen.get(li);
        li.classList.toggle("done", mark === DONE);
        li.classList.toggle("skipped", mark === SKIPPED);
        li.classList.toggle("now", li === at);
        const reason = why(li);
        one(".state", li).textContent = mark === OPEN ? "" : reason ? `${SIGNS[mark]} ${say.skipped}: ${reason}` : li.matches(".phase, .turn") ? SIGNS[mark] : "";
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
      const [now, then] = controls.firstElementChild.children;
      const following = at && next(at);
      now.textContent = at ? name(at) : say.over;
      then.textContent = following ? `${say.next} ${name(following)}` : "";
      button("back").disabled = !game.log.length;
      button("skip").disabled = !at;
      button("done").textContent = at ? (inside.has(at) ? say.do : say.did) : `${say.end} ${game.turn}`;
      describe();
      shared.hidden = !offered;
      if (offered) one("b", shared).textContent = [offered.about.name, `${say.turn} ${offered.turn}`, named.has(offered.at) ? name(named.get(offered.at)) : say.over].filter(Boolean).join(", ");
      one("summary span", log).textContent = game.log.length || "";
      if (log.open) report();
      if (moved && (shown || (game.log.length && !one(":target")))) (at ?? over).scrollIntoView({ block: "start" });
      shown = place;
    }

    /** The bar of the game, and who plays what. */
    function describe() {
      const [turn, rest] = form.parentElement.firstElementChild.children;
      turn.textContent = `${say.turn} ${game.turn}`;
      rest.textContent = ["name", "scenario", "weather"].map((part) => game.about[part]).filter(Boolean).join(" · ");
      for (const field of fields) if (field !== document.activeElement) field.value = game.about[field.name] ?? "";
      form.elements.turn.value = game.turn;
      const games = Object.values({ ...kept.games, [game.id]: game });
      form.elements.games.replaceChildren(...games.map((each, at) => new Option(`${each.about.name || `${say.game} ${at + 1}`}, ${say.turn} ${each.turn}`, each.id, false, each.id === game.id)));
      for (const span of all("[data-player]")) {
        span.dataset.title ??= span.textContent;
        span.textContent = [span.dataset.title, player(span.dataset.player)].filter(Boolean).join(" · ");
      }
    }

    async function share() {
      const { address } = form.elements;
      address.value = location.href;
      address.closest("p").hidden = false;
      address.select();
      try {
        await navigator.clipboard.writeText(location.href);
        button("share").textContent = say.copied;
      } catch { /* the address stands there to be copied by hand */ }
    }

    const acts = {
      done: (at) => (at ? act(at, DONE) : end()), skip: (at) => act(at, SKIPPED), all: rest, back, take, share,
      keep: () => { offered = null; render(); },
      copy: () => {
        const href = URL.createObjectURL(new Blob([rw.kept(`${key}/damaged`)], { type: "application/json" }));
        make("a", { href, download: "games.json" }).click();
        setTimeout(() => URL.revokeObjectURL(href), 1000);
      },
      forget: () => {
        rw.kept(key, JSON.stringify(kept));
        rw.kept(`${key}/damaged`, "");
        damaged.hidden = true;
      },
      new: () => { game = fresh(); keep(); },
      delete: () => {
        if (!confirm(say.sure)) return;
        delete kept.games[game.id];
        game = whole(Object.values(kept.games)[0]);
        keep();
      },
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
      if (act && Object.hasOwn(acts, act)) acts[act](named.get(game.at));
    });
    page.addEventListener("rolled", ({ target, detail }) => {
      const table = target.closest(".table-entry");
      if (!detail.fresh) game.rolls.pop();
      game.rolls.push(`${table ? `${title(table)}: ` : ""}${detail.said}`);
      keep();
    });
    page.addEventListener("change", ({ target }) => {
      if (target.name === "games") game = whole(kept.games[target.value]);
      else if (target.name === "turn") game.turn = Math.max(1, Math.min(999, Math.trunc(target.value) || 1));
      else if (target.name === "note") game.note = target.value;
      else if (fields.includes(target)) game.about[target.name] = target.value;
      else return;
      keep();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    log.addEventListener("toggle", () => log.open && report());
    window.addEventListener("hashchange", () => page.isConnected && look());
    window.addEventListener("storage", (event) => { if (event.key === `rulewright.${key}` && page.isConnected) { load(); render(); } });

    for (const li of stops) {
      one(".title", li).after(make("span", { className: "state" }));
      if (!halts.includes(li)) continue;
      const sign = make("button", { type: "button", className: "go", onclick: () => go(li) });
      const bullet = one(":scope > .line > .bullet", li);
      if (bullet) bullet.replaceWith(sign);
      else li.prepend(sign);
    }
    for (const hidden of [desk, controls, form.parentElement, log]) hidden.hidden = false;
    load();
    look();
  }

  function start() {
    const page = document.querySelector(".rw.play[data-play]:not(.live)");
    if (!page || !page.querySelector("li.stop")) return;
    page.classList.add("live");
    play(page);
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
