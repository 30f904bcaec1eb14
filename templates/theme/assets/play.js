/* A turn played screen by screen. walk.js finds the next halt from the tree of steps on the page and the answers of the
   players. The facts, rules and dice of a step are taken from the list of the turn, which is there without a script.
   A screen is a step, or the lines of one part that are done one after another. Each tap adds its answers, and is one
   entry of the browser's history. A game is stored on the device, and its address leads to the same screen. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const SIGNS = { open: "·", d: "✓", s: "×" };
  const PIPS = 16; // the most rounds with a sign for each

  function make(tag, given, ...inside) {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  }

  /* What is stored is read as if a stranger had written it. */
  const isText = (text, most) => typeof text === "string" && text.length <= most;
  const areTexts = (data) => typeof data === "object" && data !== null && Object.values(data).every((text) => isText(text, 9000));
  const isTurn = (one) => Array.isArray(one) && Number.isInteger(one[0]) && one[0] > 0 && one[0] < 1000 && isText(one[1], 300) && isText(one[2], 20000);
  const isSound = (game, id) =>
    game?.id === id && /^[a-z0-9]{1,9}$/.test(id) && isText(game.seal, 20) && [game.about, game.notes, game.rolls, game.ticks].every(areTexts) &&
    Array.isArray(game.turns) && game.turns.length > 0 && game.turns.length < 1000 && game.turns.every(isTurn);

  function play(page) {
    const { walk } = rw;
    const one = (selector, within = page) => within.querySelector(selector);
    const all = (selector, within = page) => [...within.querySelectorAll(selector)];
    const say = JSON.parse(page.dataset.words);
    const { seal } = page.dataset;
    const key = `turns/${page.dataset.play}`;
    const book = walk.read(JSON.parse(one("script.tree").textContent));
    const items = new Map(all("li.stop").map((li) => [li.id, li]));
    const item = (node) => items.get(node.id);
    const [desk, controls, form, over, log, shared, damaged, outline] = [".desk", ".controls", ".game form", ".over", ".log", ".shared", ".damaged", ".outline"].map((each) => one(each));
    const fields = [...form.elements].filter((field) => /^(name|scenario|weather|side-.*)$/.test(field.name));
    const note = one("[name=note]", desk);
    const line = make("div", { className: "told own-told", role: "status" });
    const button = (act) => one(`[data-act="${act}"]`);
    /* Dice and tables of each step: on the screen of their step, at all other times in a hidden element. */
    const aside = make("div", { hidden: true });
    const things = new Map(book.all.map((node) => [node, item(node) ? [
      ...all(":scope > .die, :scope > .fold > .within > .die", item(node)), ...(node.id === one(".rules", desk).dataset.of ? all(".tables-here > .die", desk) : []),
      ...(item(node).dataset.tables?.split(" ") ?? []).map((id) => document.getElementById(`table/${id}`)),
    ] : []]));
    const isRolled = (thing) => Boolean(one("[data-roller]", thing));
    let kept, game, view, offered, rolled, picked;
    let shown = "";

    /* Games: each a list of turns, [number, what was decided before it, its answers] */

    const fresh = (turn = 1, begun = "", answers = "", about = {}) => ({ id: Math.random().toString(36).slice(2, 7), seal, turns: [[turn, begun, answers]], about, notes: {}, rolls: {}, ticks: {} });
    const current = () => game.turns.at(-1);
    const state = ([turn, begun, answers] = current()) => ({ turn, start: walk.begin(book, begun), answers: walk.unwritten(answers) });
    const isPristine = () => game.turns.length === 1 && !current()[2];
    /** Where a note or a roll belongs. */
    const place = () => `${game.turns.length - 1}.${state().answers.length}`;

    /** Load the games of this device. Damaged data is stored apart, to be copied; sound games are loaded. */
    function load() {
      const raw = rw.kept(key);
      kept = { games: Object.create(null), last: "" };
      let isWhole = raw === null;
      try {
        const found = JSON.parse(raw);
        for (const [id, each] of Object.entries(found.games)) if (isSound(each, id)) kept.games[id] = each;
        isWhole = typeof found.games === "object" && Object.keys(found.games).length === Object.keys(kept.games).length;
        kept.last = String(found.last);
      } catch { /* it is no data at all */ }
      if (!isWhole) rw.kept(`${key}/damaged`, raw);
      damaged.hidden = !rw.kept(`${key}/damaged`);
    }

    /** Turn to a game; answers that do not fit the steps of this edition are left out. */
    function choose(wanted) {
      game = wanted ?? fresh();
      const { past } = walk.replay(book, state());
      current()[2] = walk.written(past.map(({ answer }) => answer));
      if (game.seal !== seal) tell(say.changed);
      game.seal = seal;
    }

    /** Keep the game, in the history as a step of its own or in the place of the last. */
    function keep(isStep = false) {
      load();
      kept.games[game.id] = game;
      kept.last = game.id;
      offered = null;
      write(isStep);
      render();
      store();
    }

    function store() {
      Object.assign(game, { turn: current()[0], step: label(view) });
      const data = JSON.stringify(kept);
      if (rw.kept(key, data) !== data) tell(say.full);
    }

    /** Say something at the edge of the screen, perhaps with a way back. */
    function tell(words, act) {
      rw.dock().append(line);
      const again = make("button", { type: "button", textContent: say.undo, onclick: () => { line.replaceChildren(); act(); } });
      line.replaceChildren(make("p", { textContent: words }), ...(act ? [again] : []), make("button", { type: "button", textContent: "×", ariaLabel: say.close, onclick: () => line.replaceChildren() }));
    }

    /** What changes a game as a whole can be taken back, and takes no other game with it. */
    function changing(words, change) {
      const [before, { id }] = [structuredClone({ ...kept.games, [game.id]: game }), game];
      change();
      tell(words, () => {
        load();
        for (const each of Object.keys(kept.games)) if (!before[each] && each === game.id) delete kept.games[each];
        kept.games[id] = before[id];
        choose(before[id]);
        keep();
      });
    }

    /* The address: seal of the edition, turn, what was decided before it, answers, and what was noted of the game */

    function address([turn, begun, answers] = current(), about = game.about) {
      const noted = fields.filter(({ name }) => about[name]).map(({ name }) => [name, about[name]]);
      return new URLSearchParams([["play", [seal, turn, begun, answers].join(".")], ...noted]).toString();
    }

    function read(hash) {
      const given = new URLSearchParams(hash.slice(1));
      const [, of, turn, begun, answers] = /^(\w{1,16})\.(\d{1,3})\.([\d_-]{0,300})\.([a-zA-Z\d-]{0,20000})$/.exec(given.get("play")) ?? [];
      if (!of) return null;
      const about = Object.fromEntries(fields.filter(({ name }) => given.get(name)).map(({ name }) => [name, given.get(name).slice(0, 60)]));
      return fresh(Math.max(1, Number(turn)), ...(of === seal ? [begun, answers] : ["", ""]), about); // of other steps only the turn holds
    }

    function write(isStep) {
      const wasStep = history.state?.game === game.id && history.state.isStep;
      history[isStep ? "pushState" : "replaceState"]({ game: game.id, at: game.turns.length - 1, isStep: isStep || Boolean(wasStep) }, "", `#${address()}`);
    }

    /** Show the game of the address. If the reader has another game, he chooses between the two. */
    function look() {
      const found = read(location.hash);
      const own = kept.games[history.state?.game] ?? Object.values(kept.games).find((each) => found && address(each.turns.at(-1), each.about) === address(found.turns[0], found.about));
      if (own) choose(own);
      else if (found && !kept.last) choose(found);
      else {
        choose(kept.games[kept.last]);
        offered = found;
      }
      if (!offered) write(false);
      render();
    }

    /** Begin with the game that an address shows. */
    function take() {
      const found = offered;
      choose(found);
      keep();
    }

    /** Go along with what another tab did. */
    function follow() {
      load();
      if (kept.games[game.id]) choose(kept.games[game.id]);
      else if (isPristine()) choose(kept.games[kept.last]);
      if (!offered) write(false);
      render();
    }

    /* What a player does */

    function answer(answers) {
      const text = walk.written(answers);
      if (text === current()[2]) return;
      current()[2] = text;
      delete game.ticks[view.key];
      keep(true);
    }

    /** Give the answers of a screen: to the question before it, of each line, to the question after it. */
    const give = (wishes) => answer(walk.answered(book, state(), wishes));

    function wishes(mark) {
      const { before, main, lines, after } = view;
      const marks = ticks();
      const given = lines.flatMap(({ asks, halt }) => {
        const own = marks[halt.node.at] ?? (lines.length > 1 && mark === "d" && isLeft(halt.node) ? "s" : mark);
        const isDone = own === "d";
        return [...asks.map((ask) => ({ halt: ask, answer: isDone === (ask.kind === "if") ? "y" : "n" })), { halt, answer: own }];
      });
      const chosen = main.kind === "choice" ? [{ halt: main, answer: choice() }, ...bare()] : lines.length ? [] : [{ halt: main, answer: walk.usual(main) }];
      return [...(before ? [{ halt: before, answer: walk.usual(before) }] : []), ...given, ...chosen, ...(after ? [{ halt: after, answer: walk.usual(after) }] : [])];
    }

    /** Of several lines one with a condition is done if it was ticked, or rolled for, or if its question is answered. */
    const isLeft = (node) => (node.optional || node.if) && node !== view.after?.node && !(things.get(node).some(isRolled) && game.rolls[place()]);

    const choice = () => picked ?? "c0";
    const option = () => view.main.options[choice().slice(1)];
    /** An option with nothing inside is done as it is chosen. */
    const bare = () => (option() && !option().steps.length && !option().decides ? [{ halt: { kind: "stop", node: option() }, answer: "d" }] : []);

    /** Ticks of the lines on the screen: their marks by step. */
    const ticks = () => Object.fromEntries((game.ticks[view.key] ?? "").split(" ").filter((each) => /^\d+[ds]$/.test(each)).map((each) => [each.slice(0, -1), each.at(-1)]));

    function tick(node, mark) {
      const marks = { ...ticks(), [node.at]: mark };
      if (!mark) delete marks[node.at];
      game.ticks[view.key] = Object.entries(marks).map(([at, each]) => at + each).join(" ");
      keep();
    }

    function end() {
      const { held } = view.end;
      const { start, turn } = state();
      game.turns.push([Math.min(999, turn + 1), walk.begun(book, { ...start, held }), ""]);
      game.ticks = {};
      keep(true);
    }

    function back() {
      const { state: at } = history;
      if (at?.isStep && at.game === game.id) return history.back();
      if (!current()[2]) game.turns.pop();
      else answerless();
      keep();
    }

    function answerless() {
      current()[2] = walk.written(state().answers.slice(0, -1));
    }

    /** All of this turn, from where it was begun. */
    function unturn() {
      const [turn] = current();
      changing(`${say.turn} ${turn}: ${say.back}`, () => {
        if (game.turns.length > 1) game.turns.pop();
        else current()[2] = "";
        keep();
      });
    }

    /** Another number for the turn; the answers hold as far as they lead through the same steps. */
    function renumber(turn) {
      const before = walk.replay(book, state()).past;
      current()[0] = turn;
      const after = walk.replay(book, state()).past;
      const same = after.findIndex(({ halt }, at) => halt.node !== before[at].halt.node);
      current()[2] = walk.written(after.slice(0, same < 0 ? after.length : same).map((each) => each.answer));
    }

    function go(li) {
      const node = book.named.get(li.id);
      const found = walk.towards(book, state(), node);
      if (found) answer(found);
      else tell(`${say.notnow} ${node.title}`);
    }

    /* What is shown */

    const named = (word) => book.names[word] ?? { title: word, mark: "?", style: "" };
    const title = (who) => named(who).title;
    const player = (who) => game.about[`side-${who}`];
    const sign = (word) => make("span", { className: `mark ${named(word).style}${named(word).mark.length > 1 ? " two" : ""}`, textContent: named(word).mark, ariaHidden: "true" });
    const isLoop = (counts, node) => counts.find((count) => count.node === node);

    function label({ main, lines }) {
      if (!main) return say.over;
      if (lines.length < 2) return main.node.title;
      const part = main.node.parent;
      const isAll = !part || part.steps.every((node) => lines.some(({ halt }) => halt.node === node));
      if (lines.every(({ halt }) => halt.node === main.node)) return main.node.title;
      return isAll && part ? part.title : [part?.title, main.node.title].filter(Boolean).join(": ");
    }

    /** The steps around a halt, its phase first; outside of phases those below the turn. */
    function path(halt) {
      const row = [halt.node, ...walk.around(halt.node)];
      const phase = row.findIndex((node) => node.phase);
      const turn = row.findIndex((node) => node.turn);
      return row.slice(0, phase >= 0 ? phase + 1 : turn >= 0 ? Math.max(turn, 1) : row.length).reverse();
    }

    /** Write the path to the step: "Action Phase · round 3 of 6 · Operations · attack 2", and a sign for each round or phase. */
    function measure({ main }) {
      const way = one(".way");
      const [words, pips] = [one("p", way), one("ol", way)];
      if (!main) return void words.replaceChildren(make("b", { textContent: `${say.turn} ${current()[0]}` }));
      const steps = path(main);
      const counted = walk.around(main.node).reverse().filter((node) => !steps.includes(node) && isLoop(main.counts, node));
      const parts = [...counted, ...steps].flatMap((node) => {
        const count = isLoop(main.counts, node);
        const isNamed = node !== main.node || node.phase || count;
        return [...(isNamed ? [make("b", { textContent: node.title })] : []), ...(count ? [`${count.noun} ${count.number}${count.most ? ` ${say.of} ${count.most}` : ""}`] : [])];
      });
      const turn = walk.around(main.node).find((node) => node.turn);
      if (!parts.length) parts.push(make("b", { textContent: turn?.title ?? main.node.title }));
      words.replaceChildren(...parts.flatMap((part, at) => (at ? [" · ", part] : [part])));
      const rounds = main.counts.findLast((count) => count.most && count.most <= PIPS);
      const phases = (steps[0]?.parent ?? { steps: book.steps }).steps;
      const at = rounds ? rounds.number - 1 : phases.indexOf(steps[0]);
      pips.replaceChildren(...Array.from({ length: rounds ? rounds.most : phases.length }, (_, place) => make("li", { className: `${rounds ? "" : item(phases[place])?.dataset.style ?? ""} ${place < at ? "done" : place === at ? "here" : ""}` })));
      const running = document.querySelector(".rw-at .running");
      if (running) running.textContent = [`${say.turn} ${current()[0]}`, turn?.title].filter(Boolean).join(" · ");
    }

    /** Who acts, in the bar: sign and name of the side, at its end the role and who plays it. */
    function announce({ main, lines, before }) {
      const bar = one(".acts", controls);
      const halts = lines.length > 1 ? lines.map(({ halt }) => halt) : [main].filter(Boolean);
      const actors = halts.flatMap(({ who }) => who).filter(({ who }, at, row) => row.findIndex((each) => each.who === who) === at);
      const acting = actors.filter(({ who }) => who !== "none");
      const those = acting.length ? acting : actors;
      bar.className = `acts ${those.length > 1 ? "both" : named(those[0]?.word).style}`;
      bar.style.visibility = those.length ? "" : "hidden";
      const role = those.length === 1 ? [those[0].word === those[0].who ? "" : title(those[0].word), player(those[0].who)].filter(Boolean).join(" · ") : "";
      const names = make("strong", { textContent: those.map(({ who }) => title(who)).join(`, ${say.then} `) });
      bar.replaceChildren(...those.map(({ word }) => sign(word)), ...(those.length ? [names, make("span", { textContent: role })] : []));
    }

    /** What the buttons do at the foot: [words, act], or nothing. */
    function foot() {
      const { before, main, lines, after } = view;
      if (!main) return { done: view.end.isOver ? [say.gameover] : [`${say.end} ${current()[0]}`, end] };
      const all = lines.length > 1 ? say.several : say.did;
      const wanted = wishes("d");
      const asks = /^(order|who)$/.test(after?.kind ?? main.kind) ? after ?? main : null;
      const refusing = (halt) => give([{ halt, answer: walk.usual(halt) === "y" ? "n" : "y" }]);
      const { skips } = view.halt;
      const skipAll = skips && [skips === main.node.parent ? say.pass : `${say.skip} ${skips.title}`, () => give([{ halt: view.halt, answer: "s" }])];
      const skipped = skipAll ?? [lines.length > 1 ? say.pass : say.skip, () => give(wishes("s"))];
      const found = { done: [all, () => give(wanted)], skip: lines.length ? skipped : null, all: ending() };
      if (main.kind === "choice") {
        found.done = [`${option()?.title ?? say.noneofthese} ›`, () => give(wanted)];
        found.skip = skipAll;
      } else if (!lines.length && !asks) {
        const [, no, yes] = main.ask;
        return { ...found, done: [`${yes} ›`, () => give(wanted)], skip: [no, () => refusing(main)] };
      }
      if (before && before.kind !== "if" && before.kind !== "unless") found.skip = [before.ask[1], () => refusing(before)];
      else if (before) found.skip = [say.skip, () => refusing(before)];
      if (asks) {
        const wish = [...(after ? wanted.slice(0, -1) : []), { halt: asks, answer: sorted(asks) }];
        const isChosen = picks.length || asks.before.length;
        found.done = isChosen ? [`${pickedNames(asks)} ›`, () => give(wish)] : [`${say.choose} ›`];
        if (!before) found.skip = null;
      } else if (after) {
        const [, no, yes] = after.ask;
        const loops = /^(each|more)$/.test(after.kind);
        const wish = (answer) => [...wanted.slice(0, -1), { halt: after, answer }];
        const [on, out] = [() => give(wish(walk.usual(after))), () => give(wish(walk.usual(after) === "y" ? "n" : "y"))];
        if (before && /^(each|more)$/.test(before.kind)) found.all = found.skip;
        found.done = loops ? [`${no} ›`, out] : [`${yes} ›`, on];
        found.skip = loops ? [yes, on] : [no, out];
      }
      return found;
    }

    /** The way out of a loop or a phase, where more of it would come. */
    function ending() {
      const { halt, after, before, next, past } = view;
      if (!past.length) return null;
      const leave = (node) => () => give([{ halt, answer: `e${node.at}` }]);
      const loop = halt.ends.find(({ isLoop }) => isLoop);
      const asked = [before, after, halt.kind === "each" && halt].map((each) => each?.node);
      if (loop && !asked.includes(loop.node)) return [`${loop.node.asks.next[1]} ›`, leave(loop.node)];
      const phase = halt.ends.find(({ isLoop }) => !isLoop)?.node;
      return phase && next.main && walk.holds(phase, next.main.node) ? [`${say.all} ${phase.title} ›`, leave(phase)] : null;
    }

    /* Who is first: tapped in order; the others follow round the table. */
    let picks = [];
    function sorted({ kind, sides, before }) {
      if (!picks.length) return `w${kind === "who" ? before[0] ?? 0 : before.join("-")}`;
      const last = picks.at(-1);
      const rest = sides.map((_, at) => (last + 1 + at) % sides.length).filter((at) => !picks.includes(at));
      return `w${kind === "who" ? picks[0] : [...picks, ...rest].join("-")}`;
    }
    const pickedNames = (halt) => {
      const names = sorted(halt).slice(1).split("-").map((at) => player(halt.sides[at]) || title(halt.sides[at]));
      return halt.kind === "who" ? names[0] : halt.sides.length === 2 ? `${names[0]} ${say.isfirst}` : names.join(", ");
    };

    /** What belongs to a step itself: its line or bar, not the steps inside. */
    const parts = (node) => (item(node) ? all(":scope > :is(.line, .refs, .aside, .besides), :scope > .fold > .within > :is(.aside, .besides)", item(node)) : []);
    const found = (selector, ...nodes) => nodes.flatMap(parts).flatMap((part) => [...(part.matches(selector) ? [part] : []), ...all(selector, part)]);
    const copies = (nodes) => nodes.map((node) => node.cloneNode(true));
    const rules = (...nodes) => [...new Map(found("a[data-ref]", ...nodes).filter((link) => link.closest(".refs")).map((link) => [link.dataset.ref, link])).values()];
    const story = (node) => [...(document.getElementById(`told/${item(node)?.dataset.told}`)?.children ?? [])];
    const spell = (link) => link.title.replace(/ \(number only\)$/, "");

    /** Facts of steps in one sentence, without the tables that are on the screen. */
    const facts = (tables, ...nodes) => copies(found(".fact", ...nodes).filter((fact) => !tables.has(one("a", fact)?.href))).flatMap((fact, at) => (at ? ["\u00a0· ", fact] : [fact]));

    /** A rule as a card, its text fetched with that of its chapter. */
    function rule(link) {
      const number = link.dataset.ref.split(":")[1];
      const top = make("a", { href: link.href, className: "at" }, make("b", { textContent: number }), " ", make("span", { textContent: spell(link).replace(number, "").trim() }));
      if (link.matches(".listed")) { // its number is all there is
        top.append(make("small", { textContent: say.inbook }));
        return make("section", { className: "rule-here bare" }, top);
      }
      const text = make("div", { className: "said" });
      rw.preview?.(link.href).then((preview) => {
        text.innerHTML = preview?.html ?? "";
        for (const each of all("[id]", text)) each.removeAttribute("id");
      }, () => {});
      return make("section", { className: "rule-here" }, top, text);
    }

    /** Something that opens, and is filled when it does. */
    function folded(name, fill) {
      const fold = make("details", {}, make("summary", { textContent: name }));
      fold.addEventListener("toggle", () => fold.append(...fill()), { once: true });
      return fold;
    }

    /** What a screen has from the parts of the turn that it lies in. */
    function inherited(nodes, taken) {
      return nodes.map((node) => {
        const links = rules(node).filter((link) => !taken.includes(link.dataset.ref));
        const more = things.get(node).filter((thing) => !taken.includes(thing));
        taken.push(...more, ...links.map((link) => link.dataset.ref));
        const tale = taken.includes(node) ? [] : story(node);
        const names = [...(tale.length ? [say.inwords] : []), ...links.map(spell), ...more.map((thing) => one(".title, .roller button", thing)?.textContent.trim())];
        return names.length && folded(`${say.from} ${node.title}: ${names.filter(Boolean).join(", ")}`, () => [...copies(tale), ...links.map(rule), ...more]);
      }).filter(Boolean);
    }

    /** A line to tick, where a screen has several. */
    function ticked({ node, who }, marks, isMixed) {
      const box = make("input", { type: "checkbox", checked: marks[node.at] === "d", onchange: () => tick(node, box.checked ? "d" : "") });
      const said = facts(new Set(), node);
      const text = make("span", {}, make("b", { textContent: node.title }), ...(said.length ? [" ", make("small", {}, ...said)] : []), ...copies(found(".aside", node)));
      const skip = make("button", { type: "button", textContent: say.skip, onclick: () => tick(node, marks[node.at] === "s" ? "" : "s") });
      return make("li", { className: marks[node.at] === "s" ? "skipped" : "" }, make("label", {}, box, ...(isMixed ? who.map(({ word }) => sign(word)) : []), text), skip, ...copies(found(".refs", node)));
    }

    /** An option of a choice. */
    function offer(node, at) {
      const value = node ? `c${at}` : "x";
      const pick = make("input", { type: "radio", name: "option", value, checked: choice() === value, onchange: () => { picked = value; render(); } });
      const said = node ? facts(new Set(), node) : [];
      return make("li", { className: choice() === value ? "at" : "" }, make("label", {}, pick, make("span", {}, make("b", { textContent: node ? node.title : say.noneofthese }), ...(said.length ? [" ", make("small", {}, ...said)] : []))), ...(node ? copies(found(".refs", node)) : []));
    }

    /** A player to be chosen: of two a tap is enough, more are tapped in order. */
    function nominate(halt, side, at) {
      const isOrder = halt.kind === "order" && halt.sides.length > 2;
      const act = () => {
        if (picks.includes(at)) picks = picks.slice(0, picks.indexOf(at));
        else picks = isOrder ? [...picks, at] : [at];
        if (isOrder) render();
        else foot().done[1]();
      };
      const nth = isOrder && picks.includes(at) ? [make("b", { className: "nth", textContent: picks.indexOf(at) + 1 })] : [];
      return make("li", {}, make("button", { type: "button", onclick: act }, sign(side), make("span", {}, make("b", { textContent: [title(side), player(side)].filter(Boolean).join(" · ") })), ...nth));
    }

    /** Fill the screen with what players need at a halt. */
    function serve(moved) {
      const { main, lines, before, after, past } = view;
      const marks = ticks();
      const nodes = lines.length > 1 ? [...new Set(lines.map(({ halt }) => halt.node))] : [main.node];
      const asks = /^(order|who)$/.test(after?.kind ?? main.kind) ? after ?? main : null;
      const focus = main.kind === "choice" ? option() ?? main.node : nodes.find((node) => !marks[node.at]) ?? nodes[0];
      const outer = path(main).filter((node) => !nodes.includes(node)).reverse();
      const own = main.kind === "choice" ? [main.node] : nodes.length > 1 ? [] : nodes;
      const tables = [...new Set([...nodes, focus].flatMap((node) => things.get(node)))].sort((one, other) => isRolled(other) - isRolled(one));
      const named = new Set(tables.map((each) => one("h2 a", each)?.href).filter(Boolean));
      const links = [focus, ...nodes, ...outer].map((node) => rules(node)).find((row) => row.length) ?? [];
      const isMixed = new Set(lines.map(({ halt }) => halt.who.map(({ who }) => who).join())).size > 1;
      const asked = before ?? (lines.length ? after : main);
      if (note !== document.activeElement) note.value = game.notes[place()] ?? "";
      if (note.value) note.closest("details").open = true;
      one("h2", desk).textContent = nodes.length > 1 ? main.node.parent?.title ?? main.node.title : main.node.title;
      one(".fact-line", desk).replaceChildren(...facts(named, ...own));
      one(".asides", desk).replaceChildren(...copies(found(".aside", ...own)));
      one(".asked", desk).textContent = asked && asked !== before ? asked.ask?.[0] ?? "" : "";
      const held = all(":is(.lines, .options) input", desk).indexOf(document.activeElement); // what is ticked keeps the keyboard
      one(".lines", desk).replaceChildren(...(lines.length > 1 ? lines.map(({ halt }) => ticked(halt, marks, isMixed)) : []));
      one(".options", desk).replaceChildren(...(main.kind === "choice" ? [...main.options.map(offer), ...(main.node.optional ? [offer(null)] : [])] : asks ? asks.sides.map((side, at) => nominate(asks, side, at)) : []));
      if (!moved) all(":is(.lines, .options) input", desk)[held]?.focus({ preventScroll: true });
      const at = all(".lines > li", desk)[nodes.indexOf(focus)];
      if (at && main.kind !== "choice") at.classList.add("at");
      one(".around", desk).replaceChildren(...outer.map((node) => [node, facts(named, node)]).filter(([, row]) => row.length).map(([node, row]) => make("p", {}, make("b", { textContent: `${node.title}: ` }), ...row)));
      for (const [box, letter, row] of [[".anytime", "a", main.anytime], [".also", "o", main.others]]) {
        one(box, desk).hidden = !row.length;
        one(".chips", one(box, desk)).replaceChildren(...row.map((node) => make("button", { type: "button", onclick: () => give([{ halt: view.halt, answer: letter + node.at }]) }, ...node.acts.slice(0, 1).map(sign), node.title)));
      }
      if (!moved && one(".rules", desk).dataset.of === focus.id) return;
      const isKnown = one(".rules", desk).dataset.of === focus.id; // as the page came
      const isOpened = (node) => !past.length || !walk.holds(node, past.at(-1).halt.node);
      const teller = [focus, ...nodes, ...outer].find((node) => story(node).length && (!outer.includes(node) || isOpened(node)));
      one(".told-here", desk).replaceChildren(...(teller ? copies(story(teller)) : []));
      for (const row of things.values()) for (const thing of row) if (!tables.includes(thing)) aside.append(thing);
      one(".tables-here", desk).replaceChildren(...tables);
      if (!isKnown) one(".rules", desk).replaceChildren(...links.slice(0, 2).map(rule), ...links.slice(2).map((link) => folded(spell(link), () => [rule(link)])));
      one(".rules", desk).dataset.of = focus.id;
      one(".more", desk).replaceChildren(...inherited(outer, [...tables, teller, ...links.map((link) => link.dataset.ref)]));
    }

    /** The marks of the list: which steps of this turn are done or skipped. */
    function marking() {
      const marks = new Map();
      for (const { halt: { kind, node }, answer } of view.past) {
        const mark = kind === "stop" ? answer : answer === "s" || (kind === "if" && answer === "n") || (kind === "unless" && answer === "y") ? "s" : "d";
        if (/^[ds]$/.test(mark)) marks.set(node, mark);
      }
      for (const node of book.all.toReversed()) {
        const inner = node.steps.map((each) => marks.get(each)).filter(Boolean);
        if (inner.length) marks.set(node, inner.includes("d") ? "d" : "s");
      }
      return marks;
    }

    function mark() {
      const { main, lines } = view;
      const marks = marking();
      const now = new Set(lines.length ? lines.map(({ halt }) => halt.node) : [main?.node]);
      for (const node of book.all) {
        const li = item(node);
        if (!li) continue;
        const isHere = Boolean(main) && walk.holds(node, main.node);
        const state = isHere ? "open" : marks.get(node) ?? "open";
        li.classList.toggle("done", state === "d");
        li.classList.toggle("skipped", state === "s");
        li.classList.toggle("now", now.has(node));
        li.classList.toggle("here", isHere);
        const sign = one(":scope > .go, :scope > .line > .go", li);
        if (sign) {
          sign.textContent = now.has(node) ? "→" : SIGNS[state];
          sign.setAttribute("aria-label", `${node.title}: ${now.has(node) ? say.now : { open: say.open, d: say.done, s: say.skipped }[state]}`);
        }
      }
    }

    /** The log: by turns and phases what was done or skipped, with rolls and notes. */
    function report() {
      let way = "";
      const entries = game.turns.flatMap((one, nth) => {
        const { past } = walk.replay(book, state(one));
        return past.map((each, at) => ({ ...each, turn: one[0], place: `${nth}.${at}` }));
      });
      const last = place();
      one("div", log).replaceChildren(...[...entries, { place: last, turn: current()[0] }].flatMap(({ halt, answer, turn, place }) => {
        const told = [...(game.rolls[place]?.split("\n") ?? []), game.notes[place]].filter(Boolean).join("; ");
        const [letter] = answer ?? "";
        const shows = halt && (halt.kind === "stop" || /[cwx]/.test(letter) || (/if|unless|ends|until|pass/.test(halt.kind) && walk.usual(halt) !== answer));
        if (!shows && !told) return [];
        const around = halt ? [`${say.turn} ${turn}`, ...walk.around(halt.node).filter((node) => node.turn || node.phase).reverse().map((node) => [node.title, ...halt.counts.filter((count) => count.node === node).map((count) => `${count.noun} ${count.number}`)].join(" "))].join(" › ") : way;
        const heading = way === (way = around) ? [] : [make("h2", { textContent: way })];
        const who = halt?.who.map((each) => title(each.who)).join(", ");
        const chosen = letter === "c" ? halt.options[answer.slice(1)].title : letter === "w" ? answer.slice(1).split("-").map((at) => title(halt.sides[at])).join(", ") : letter === "x" ? say.noneofthese : "";
        const words = chosen || (halt && halt.kind !== "stop" && shows ? `${halt.ask[0]} ${halt.ask[1 + (walk.usual(halt) === answer)]}` : "");
        const said = [words, told].filter(Boolean).join("; ");
        return [...heading, make("p", {}, halt?.kind === "stop" ? `${SIGNS[letter] ?? "·"} ` : "", make("b", { textContent: halt?.node.title ?? "" }), who ? ` (${who})` : "", said && ` – ${said}`)];
      }));
    }

    function render() {
      const screen = walk.screen(book, state());
      const { main, lines } = screen;
      const key = main ? `${game.turns.length}/${main.node.at}/${main.counts.map(({ number }) => number).join(".")}/${main.phasing ?? ""}` : "";
      const at = `${game.id} ${place()}`;
      const moved = shown !== at;
      if (moved) [rolled, picked, picks] = [false, null, []];
      view = { ...screen, key };
      if (main) view.next = walk.screen(book, { ...state(), answers: walk.answered(book, state(), wishes("d")) });
      desk.hidden = !main;
      over.hidden = Boolean(main);
      over.textContent = screen.end?.isOver ? say.gameover : `${say.over}.`;
      if (main) serve(moved);
      mark();
      if (moved) for (const fold of all("li.phase > details")) fold.open = fold.parentElement.matches(".here") || Boolean(one(":target", fold.parentElement));
      announce(view);
      measure(view);
      const [now, then] = one("[role=status]", controls).children;
      now.textContent = label(view);
      const asked = view.after && !/^(order|who)$/.test(view.after.kind) ? view.after.ask[0] : "";
      then.textContent = asked || (view.next?.main ? `${say.next} ${label(view.next)}` : "");
      const buttons = foot();
      for (const act of ["done", "skip", "all"]) {
        const [words, does] = buttons[act] ?? [];
        button(act).textContent = words ?? "";
        button(act).disabled = !does;
        button(act).hidden = !words;
        button(act).classList.toggle("leads", /›$/.test(words));
      }
      button("back").disabled = isPristine();
      describe();
      shared.hidden = !offered;
      if (offered) one("b", shared).textContent = [offered.about.name, `${say.turn} ${offered.turns[0][0]}`, label(walk.screen(book, state(offered.turns[0])))].filter(Boolean).join(", ");
      if (log.open) report();
      if (moved && shown) scrollTo(0, 0);
      if (moved) one("li.now", outline)?.scrollIntoView({ block: "nearest" });
      shown = at;
    }

    /** The bar of the game, and who plays what. */
    function describe() {
      const [turn, rest] = form.parentElement.firstElementChild.children;
      turn.textContent = `${say.turn} ${current()[0]}`;
      rest.textContent = ["name", "scenario", "weather"].map((part) => game.about[part]).filter(Boolean).join(" · ");
      for (const field of fields) if (field !== document.activeElement) field.value = game.about[field.name] ?? "";
      form.elements.turn.value = current()[0];
      if (form.elements.seats) form.elements.seats.value = state().start.seats ?? book.players[0];
      button("unturn").textContent = `${say.unturn} ${current()[0]}`;
      button("unturn").disabled = isPristine();
      const games = Object.values({ ...kept.games, [game.id]: game });
      form.elements.games.replaceChildren(...games.map((each, at) => new Option(`${each.about.name || `${say.game} ${at + 1}`}, ${say.turn} ${each.turns.at(-1)[0]}`, each.id, false, each.id === game.id)));
      for (const span of all("[data-player]")) {
        span.dataset.title ??= span.textContent;
        span.textContent = [span.dataset.title, player(span.dataset.player)].filter(Boolean).join(" · ");
      }
    }

    /** Handle keys that no field or button uses. */
    function press(event) {
      const busy = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, button, a, summary, [contenteditable], dialog") && event.key !== "Backspace";
      const writing = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog");
      if (!page.isConnected || busy || writing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const chosen = /^[1-9]$/.test(event.key) && all(".lines input, .options :is(input, button), .chips button", desk)[event.key - 1];
      const act = { Enter: "done", Backspace: "back", s: "skip", S: "skip" }[event.key];
      if (act ? button(act).disabled : !chosen || desk.hidden) return;
      event.preventDefault();
      line.replaceChildren();
      if (act) acts[act]();
      else chosen.click();
    }

    const acts = {
      done: () => foot().done[1]?.(), skip: () => foot().skip?.[1](), all: () => foot().all?.[1](), back, take, unturn,
      list: () => {
        const isOpen = page.classList.toggle("listed");
        button("list").setAttribute("aria-expanded", isOpen);
        if (isOpen) outline.scrollIntoView();
      },
      share: () => rw.copy("Link", label(view), new URL(`#${address()}`, location.href).href),
      keep: () => { offered = null; write(false); render(); },
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
      new: () => { choose(); keep(); },
      delete: () => changing(say.deleted, () => {
        load();
        delete kept.games[game.id];
        rw.kept(key, JSON.stringify(kept));
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
      const stop = event.target.closest("a[href^='#']") ? items.get(decodeURIComponent(event.target.closest("a").hash.slice(1))) : event.target.closest("li.stop .line, li.stop > div.fold") && !event.target.closest("a, button") && event.target.closest("li.stop");
      if (stop) {
        event.preventDefault();
        go(stop);
      }
      if (!act || !Object.hasOwn(acts, act)) return;
      line.replaceChildren(); // what came before cannot be taken back once something else is done
      acts[act]();
    });
    page.addEventListener("rolled", ({ target, detail }) => {
      const table = target.closest(".table-entry");
      const before = (game.rolls[place()] ?? "").split("\n").filter(Boolean);
      if (!detail.fresh && rolled) before.pop();
      const said = `${table ? `${one(".title", table).textContent.trim()}: ` : ""}${detail.said}`.replaceAll("\n", " ").slice(0, 400);
      game.rolls[place()] = [...before, said].slice(-20).join("\n");
      rolled = true;
      keep();
    });
    page.addEventListener("change", ({ target }) => {
      const number = (most) => Math.max(1, Math.min(most, Math.trunc(target.value) || 1));
      if (target.name === "games") choose(kept.games[target.value]);
      else if (target.name === "turn") renumber(number(999));
      else if (target.name === "seats") current()[1] = walk.begun(book, { seats: number(99) });
      else if (target === note) game.notes[place()] = note.value.slice(0, 400);
      else if (fields.includes(target)) game.about[target.name] = target.value.slice(0, 60);
      else return;
      keep();
    });
    document.addEventListener("keydown", press);
    form.addEventListener("submit", (event) => event.preventDefault());
    log.addEventListener("toggle", () => log.open && report());
    window.addEventListener("popstate", ({ state }) => {
      const found = page.isConnected && read(location.hash);
      if (!found) return;
      if (!kept.games[state?.game]) return void look();
      choose(kept.games[state.game]);
      const at = Number.isInteger(state.at) ? Math.min(state.at, game.turns.length) : game.turns.length - 1;
      game.turns.splice(at, Infinity, found.turns[0]);
      keep();
    });
    window.addEventListener("pageshow", ({ persisted }) => persisted && follow());
    window.addEventListener("storage", (event) => event.key === rw.key(key) && page.isConnected && follow());

    for (const [id, li] of items) {
      if (book.named.get(id)?.steps.length) continue;
      const sign = make("button", { type: "button", className: "go", onclick: () => go(li) });
      const bullet = one(":scope > .line > .bullet", li);
      if (bullet) bullet.replaceWith(sign);
      else li.prepend(sign);
    }
    page.append(aside);
    for (const row of things.values()) for (const thing of row) {
      for (const room of thing.querySelectorAll("[data-roller]")) room.parentElement.prepend(room); // at the thumb, not below its table
      aside.append(thing);
    }
    load();
    look();
    // From here the keyboard goes on: Back, Skip and Done come first.
    if (document.activeElement === document.body) Object.assign(one("h1"), { tabIndex: -1 }).focus({ preventScroll: true });
  }

  function start() {
    const page = document.querySelector(".rw.play[data-play]:not(.begun)");
    if (!page) return;
    page.classList.add("begun");
    rw.load("walk").then(() => play(page), () => page.classList.remove("live", "begun"));
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
