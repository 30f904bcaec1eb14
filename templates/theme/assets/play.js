/* The player: a turn, one screen at a time. walk.js finds the next prompt from the tree of steps on the page and the
   answers of the players. The facts, rules and dice of a step come from the outline of the turn, which also works
   without a script. A screen shows one step, or several steps of one phase. Each tap adds answers and one entry to the
   browser's history. Games are saved on the device; the URL of a game leads to the same screen. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const SIGNS = { open: "·", d: "✓", s: "×" };
  const MAX_PIPS = 16; // maximum number of rounds that are shown as a row of signs

  function element(tag, properties, ...children) {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  }

  /* Saved data is checked as if a stranger had written it. */
  const isText = (text, maximum) => typeof text === "string" && text.length <= maximum;
  const areShortTexts = (data) => typeof data === "object" && data !== null && Object.values(data).every((text) => isText(text, 9000));
  const isTurn = (turn) => Array.isArray(turn) && Number.isInteger(turn[0]) && turn[0] > 0 && turn[0] < 1000 && isText(turn[1], 300) && isText(turn[2], 20000);
  const isValidGame = (game, id) =>
    game?.id === id && /^[a-z0-9]{1,9}$/.test(id) && isText(game.digest, 20) && [game.about, game.notes, game.rolls, game.ticks].every(areShortTexts) &&
    Array.isArray(game.turns) && game.turns.length > 0 && game.turns.length < 1000 && game.turns.every(isTurn);

  function play(page) {
    const { walk } = rw;
    const find = (selector, within = page) => within.querySelector(selector);
    const findAll = (selector, within = page) => [...within.querySelectorAll(selector)];
    const texts = JSON.parse(page.dataset.words);
    const { digest } = page.dataset;
    const key = `turns/${page.dataset.play}`;
    const book = walk.read(JSON.parse(find("script.tree").textContent));
    const items = new Map(findAll("li.stop").map((li) => [li.id, li]));
    const itemOf = (node) => items.get(node.id);
    const [panel, controls, form, over, log, shared, damaged, outline] = [".step-screen", ".controls", ".game form", ".over", ".log", ".shared", ".damaged", ".outline"].map((each) => find(each));
    const fields = [...form.elements].filter((field) => /^(name|scenario|weather|side-.*)$/.test(field.name));
    const note = find("[name=note]", panel);
    const statusLine = element("div", { className: "message play-message", role: "status" });
    const button = (act) => find(`[data-act="${act}"]`);
    /* The dice and tables of each step: visible on the screen of their step, else in a hidden element. */
    const hiddenTools = element("div", { hidden: true });
    const toolsByStep = new Map(book.all.map((node) => [node, itemOf(node) ? [
      ...findAll(":scope > .die, :scope > .fold > .within > .die", itemOf(node)),
      ...(itemOf(node).dataset.tables?.split(" ") ?? []).map((id) => document.getElementById(`table/${id}`)),
    ] : []]));
    const isRolled = (tool) => Boolean(find("[data-roller]", tool));
    let saved, game, view, offered, rolled, picked;
    let renderedPlace = "";

    /* A game is a list of turns: [number, decisions before it, answers] */

    const newGame = (turn = 1, decisions = "", answers = "", about = {}) => ({ id: Math.random().toString(36).slice(2, 7), digest, turns: [[turn, decisions, answers]], about, notes: {}, rolls: {}, ticks: {} });
    const current = () => game.turns.at(-1);
    const state = ([turn, decisions, answers] = current()) => ({ turn, start: walk.decodeDecisions(book, decisions), answers: walk.decodeAnswers(answers) });
    const isPristine = () => game.turns.length === 1 && !current()[2];
    /** Return the place in the game to which notes and rolls belong. */
    const currentPlace = () => `${game.turns.length - 1}.${state().answers.length}`;

    /** Load the games of this device. Damaged data is saved separately, so that the player can copy it. */
    function loadGames() {
      const text = rw.stored(key);
      saved = { games: Object.create(null), last: "" };
      let isComplete = text === null;
      try {
        const data = JSON.parse(text);
        for (const [id, each] of Object.entries(data.games)) if (isValidGame(each, id)) saved.games[id] = each;
        isComplete = typeof data.games === "object" && Object.keys(data.games).length === Object.keys(saved.games).length;
        saved.last = String(data.last);
      } catch { /* not JSON */ }
      if (!isComplete) rw.stored(`${key}/damaged`, text);
      damaged.hidden = !rw.stored(`${key}/damaged`);
    }

    /** Open a game without the answers that do not fit the steps of this edition. */
    function choose(wanted) {
      game = wanted ?? newGame();
      const { past } = walk.replay(book, state());
      current()[2] = walk.encodeAnswers(past.map(({ answer }) => answer));
      if (game.digest !== digest) notify(texts.changed);
      game.digest = digest;
    }

    /** Save the game; its URL becomes a new entry of the browser history or replaces the current one. */
    function save(isStep = false) {
      loadGames();
      saved.games[game.id] = game;
      saved.last = game.id;
      offered = null;
      writeUrl(isStep);
      render();
      storeGames();
    }

    function storeGames() {
      Object.assign(game, { turn: current()[0], step: label(view) });
      const data = JSON.stringify(saved);
      if (rw.stored(key, data) !== data) notify(texts.full);
    }

    /** Show a message at the edge of the screen, with an undo button if there is an action to undo. */
    function notify(words, act) {
      rw.dock().append(statusLine);
      const again = element("button", { type: "button", textContent: texts.undo, onclick: () => { statusLine.replaceChildren(); act(); } });
      statusLine.replaceChildren(element("p", { textContent: words }), ...(act ? [again] : []), element("button", { type: "button", textContent: "×", ariaLabel: texts.close, onclick: () => statusLine.replaceChildren() }));
    }

    /** Change a whole game so that the player can undo the change; other games are not affected. */
    function changeWithUndo(words, change) {
      const [before, { id }] = [structuredClone({ ...saved.games, [game.id]: game }), game];
      change();
      notify(words, () => {
        loadGames();
        for (const each of Object.keys(saved.games)) if (!before[each] && each === game.id) delete saved.games[each];
        saved.games[id] = before[id];
        choose(before[id]);
        save();
      });
    }

    /* The URL: digest of the steps, turn, decisions before it, answers, and the fields of the game */

    function urlOf([turn, decisions, answers] = current(), about = game.about) {
      const noted = fields.filter(({ name }) => about[name]).map(({ name }) => [name, about[name]]);
      return new URLSearchParams([["play", [digest, turn, decisions, answers].join(".")], ...noted]).toString();
    }

    function readUrl(hash) {
      const parameters = new URLSearchParams(hash.slice(1));
      const [, edition, turn, decisions, answers] = /^(\w{1,16})\.(\d{1,3})\.([\d_-]{0,300})\.([a-zA-Z\d-]{0,20000})$/.exec(parameters.get("play")) ?? [];
      if (!edition) return null;
      const about = Object.fromEntries(fields.filter(({ name }) => parameters.get(name)).map(({ name }) => [name, parameters.get(name).slice(0, 60)]));
      return newGame(Math.max(1, Number(turn)), ...(edition === digest ? [decisions, answers] : ["", ""]), about); // for other steps, only the turn number is valid
    }

    function writeUrl(isStep) {
      const wasStep = history.state?.game === game.id && history.state.isStep;
      history[isStep ? "pushState" : "replaceState"]({ game: game.id, at: game.turns.length - 1, isStep: isStep || Boolean(wasStep) }, "", `#${urlOf()}`);
    }

    /** Show the game of the URL. If the device has another game, the player chooses between the two. */
    function openFromUrl() {
      const found = readUrl(location.hash);
      const savedGame = saved.games[history.state?.game] ?? Object.values(saved.games).find((each) => found && urlOf(each.turns.at(-1), each.about) === urlOf(found.turns[0], found.about));
      if (savedGame) choose(savedGame);
      else if (found && !saved.last) choose(found);
      else {
        choose(saved.games[saved.last]);
        offered = found;
      }
      if (!offered) writeUrl(false);
      render();
    }

    /** Save the game that a URL offers. */
    function acceptOffered() {
      const found = offered;
      choose(found);
      save();
    }

    /** Load the changes of another tab. */
    function syncWithOtherTabs() {
      loadGames();
      if (saved.games[game.id]) choose(saved.games[game.id]);
      else if (isPristine()) choose(saved.games[saved.last]);
      if (!offered) writeUrl(false);
      render();
    }

    /* Actions of the player */

    function answer(answers) {
      const text = walk.encodeAnswers(answers);
      if (text === current()[2]) return;
      current()[2] = text;
      delete game.ticks[view.key];
      save(true);
    }

    /** Give the answers of a screen: to the question before it, for each line, to the question after it. */
    const giveAnswers = (choices) => answer(walk.answersWith(book, state(), choices));

    function choices(mark) {
      const { before, main, lines, after } = view;
      const marks = ticks();
      const lineAnswers = lines.flatMap(({ asks, prompt }) => {
        const own = marks[prompt.node.index] ?? (lines.length > 1 && mark === "d" && isOptionalLine(prompt.node) ? "s" : mark);
        const isDone = own === "d";
        return [...asks.map((ask) => ({ prompt: ask, answer: isDone === (ask.kind === "if") ? "y" : "n" })), { prompt, answer: own }];
      });
      const chosen = main.kind === "choice" ? [{ prompt: main, answer: choice() }, ...emptyOption()] : lines.length ? [] : [{ prompt: main, answer: walk.defaultAnswer(main) }];
      return [...(before ? [{ prompt: before, answer: walk.defaultAnswer(before) }] : []), ...lineAnswers, ...chosen, ...(after ? [{ prompt: after, answer: walk.defaultAnswer(after) }] : [])];
    }

    /** Return whether a line with a condition stays undone: it is neither ticked, nor rolled for, nor asked about. */
    const isOptionalLine = (node) => (node.optional || node.if) && node !== view.after?.node && !(toolsByStep.get(node).some(isRolled) && game.rolls[currentPlace()]);

    const choice = () => picked ?? "c0";
    const option = () => view.main.options[choice().slice(1)];
    /** Return the answer for an option without inner steps: choosing it is doing it. */
    const emptyOption = () => (option() && !option().steps.length && !option().decides ? [{ prompt: { kind: "stop", node: option() }, answer: "d" }] : []);

    /** Return the marks of the ticked lines on the screen, by step. */
    const ticks = () => Object.fromEntries((game.ticks[view.key] ?? "").split(" ").filter((each) => /^\d+[ds]$/.test(each)).map((each) => [each.slice(0, -1), each.at(-1)]));

    function tick(node, mark) {
      const marks = { ...ticks(), [node.index]: mark };
      if (!mark) delete marks[node.index];
      game.ticks[view.key] = Object.entries(marks).map(([index, mark]) => index + mark).join(" ");
      save();
    }

    function end() {
      const { decisions } = view.end;
      const { start, turn } = state();
      game.turns.push([Math.min(999, turn + 1), walk.encodeDecisions(book, { ...start, decisions }), ""]);
      game.ticks = {};
      save(true);
    }

    function back() {
      const { state: entry } = history;
      if (entry?.isStep && entry.game === game.id) return history.back();
      if (!current()[2]) game.turns.pop();
      else dropLastAnswer();
      save();
    }

    function dropLastAnswer() {
      current()[2] = walk.encodeAnswers(state().answers.slice(0, -1));
    }

    /** Restart this turn. */
    function restartTurn() {
      const [turn] = current();
      changeWithUndo(`${texts.turn} ${turn}: ${texts.back}`, () => {
        if (game.turns.length > 1) game.turns.pop();
        else current()[2] = "";
        save();
      });
    }

    /** Change the number of the turn; answers stay valid as far as they lead through the same steps. */
    function setTurnNumber(turn) {
      const before = walk.replay(book, state()).past;
      current()[0] = turn;
      const after = walk.replay(book, state()).past;
      const same = after.findIndex(({ prompt }, index) => prompt.node !== before[index].prompt.node);
      current()[2] = walk.encodeAnswers(after.slice(0, same < 0 ? after.length : same).map((each) => each.answer));
    }

    function goToStep(li) {
      const node = book.stepsById.get(li.id);
      const found = walk.answersTowards(book, state(), node);
      if (found) answer(found);
      else notify(`${texts.notnow} ${node.title}`);
    }

    /* Rendering */

    const actorOf = (word) => book.names[word] ?? { title: word, mark: "?", style: "" };
    const title = (who) => actorOf(who).title;
    const playerName = (who) => game.about[`side-${who}`];
    const actorSign = (word) => element("span", { className: `mark ${actorOf(word).style}${actorOf(word).mark.length > 1 ? " two" : ""}`, textContent: actorOf(word).mark, ariaHidden: "true" });
    const isLoop = (counts, node) => counts.find((count) => count.node === node);

    function label({ main, lines }) {
      if (!main) return texts.over;
      if (lines.length < 2) return main.node.title;
      const part = main.node.parent;
      const isAll = !part || part.steps.every((node) => lines.some(({ prompt }) => prompt.node === node));
      if (lines.every(({ prompt }) => prompt.node === main.node)) return main.node.title;
      return isAll && part ? part.title : [part?.title, main.node.title].filter(Boolean).join(": ");
    }

    /** Return the ancestors of a prompt, its phase first; without a phase, those inside the turn. */
    function path(prompt) {
      const row = [prompt.node, ...walk.ancestors(prompt.node)];
      const phase = row.findIndex((node) => node.phase);
      const turn = row.findIndex((node) => node.turn);
      return row.slice(0, phase >= 0 ? phase + 1 : turn >= 0 ? Math.max(turn, 1) : row.length).reverse();
    }

    /** Write the path to the step: "Action Phase · round 3 of 6 · Operations · attack 2", and a sign for each round or phase. */
    function renderProgress({ main }) {
      const way = find(".way");
      const [words, pips] = [find("p", way), find("ol", way)];
      if (!main) return void words.replaceChildren(element("b", { textContent: `${texts.turn} ${current()[0]}` }));
      const steps = path(main);
      const counted = walk.ancestors(main.node).reverse().filter((node) => !steps.includes(node) && isLoop(main.counts, node));
      const parts = [...counted, ...steps].flatMap((node) => {
        const count = isLoop(main.counts, node);
        const isNamed = node !== main.node || node.phase || count;
        return [...(isNamed ? [element("b", { textContent: node.title })] : []), ...(count ? [`${count.noun} ${count.number}${count.most ? ` ${texts.of} ${count.most}` : ""}`] : [])];
      });
      const turn = walk.ancestors(main.node).find((node) => node.turn);
      if (!parts.length) parts.push(element("b", { textContent: turn?.title ?? main.node.title }));
      words.replaceChildren(...parts.flatMap((part, index) => (index ? [" · ", part] : [part])));
      const rounds = main.counts.findLast((count) => count.most && count.most <= MAX_PIPS);
      const phases = (steps[0]?.parent ?? { steps: book.steps }).steps;
      const index = rounds ? rounds.number - 1 : phases.indexOf(steps[0]);
      pips.replaceChildren(...Array.from({ length: rounds ? rounds.most : phases.length }, (_, place) => element("li", { className: `${rounds ? "" : itemOf(phases[place])?.dataset.style ?? ""} ${place < index ? "done" : place === index ? "here" : ""}` })));
      const running = document.querySelector(".rw-at .running");
      if (running) running.textContent = [`${texts.turn} ${current()[0]}`, turn?.title].filter(Boolean).join(" · ");
    }

    /** Show who acts: the sign and the name of the side, then its role and its player. */
    function renderActors({ main, lines, before }) {
      const bar = find(".acts", controls);
      const prompts = lines.length > 1 ? lines.map(({ prompt }) => prompt) : [main].filter(Boolean);
      const actors = prompts.flatMap(({ who }) => who).filter(({ who }, index, row) => row.findIndex((each) => each.who === who) === index);
      const acting = actors.filter(({ who }) => who !== "none");
      const shownActors = acting.length ? acting : actors;
      bar.className = `acts ${shownActors.length > 1 ? "both" : actorOf(shownActors[0]?.word).style}`;
      bar.style.visibility = shownActors.length ? "" : "hidden";
      const role = shownActors.length === 1 ? [shownActors[0].word === shownActors[0].who ? "" : title(shownActors[0].word), playerName(shownActors[0].who)].filter(Boolean).join(" · ") : "";
      const names = element("strong", { textContent: shownActors.map(({ who }) => title(who)).join(`, ${texts.then} `) });
      bar.replaceChildren(...shownActors.map(({ word }) => actorSign(word)), ...(shownActors.length ? [names, element("span", { textContent: role })] : []));
    }

    /** Return the labels and actions of the buttons: [label, action], or null for a hidden button. */
    function buttonActions() {
      const { before, main, lines, after } = view;
      if (!main) return { done: view.end.isOver ? [texts.gameover] : [`${texts.end} ${current()[0]}`, end] };
      const allDone = lines.length > 1 ? texts.several : texts.did;
      const wanted = choices("d");
      const asks = /^(order|who)$/.test(after?.kind ?? main.kind) ? after ?? main : null;
      const refuse = (prompt) => giveAnswers([{ prompt, answer: walk.defaultAnswer(prompt) === "y" ? "n" : "y" }]);
      const { skips } = view.prompt;
      const skipAll = skips && [skips === main.node.parent ? texts.pass : `${texts.skip} ${skips.title}`, () => giveAnswers([{ prompt: view.prompt, answer: "s" }])];
      const skipped = skipAll ?? [lines.length > 1 ? texts.pass : texts.skip, () => giveAnswers(choices("s"))];
      const actions = { done: [allDone, () => giveAnswers(wanted)], skip: lines.length ? skipped : null, all: endAction() };
      if (main.kind === "choice") {
        actions.done = [`${option()?.title ?? texts.noneofthese} ›`, () => giveAnswers(wanted)];
        actions.skip = skipAll;
      } else if (!lines.length && !asks) {
        const [, no, yes] = main.ask;
        return { ...actions, done: [`${yes} ›`, () => giveAnswers(wanted)], skip: [no, () => refuse(main)] };
      }
      if (before && before.kind !== "if" && before.kind !== "unless") actions.skip = [before.ask[1], () => refuse(before)];
      else if (before) actions.skip = [texts.skip, () => refuse(before)];
      if (asks) {
        const answers = [...(after ? wanted.slice(0, -1) : []), { prompt: asks, answer: orderAnswer(asks) }];
        const isChosen = picks.length || asks.before.length;
        actions.done = isChosen ? [`${pickedNames(asks)} ›`, () => giveAnswers(answers)] : [`${texts.choose} ›`];
        if (!before) actions.skip = null;
      } else if (after) {
        const [, no, yes] = after.ask;
        const isLoop = /^(each|more)$/.test(after.kind);
        const answersWith = (answer) => [...wanted.slice(0, -1), { prompt: after, answer }];
        const [goOn, goOut] = [() => giveAnswers(answersWith(walk.defaultAnswer(after))), () => giveAnswers(answersWith(walk.defaultAnswer(after) === "y" ? "n" : "y"))];
        if (before && /^(each|more)$/.test(before.kind)) actions.all = actions.skip;
        actions.done = isLoop ? [`${no} ›`, goOut] : [`${yes} ›`, goOn];
        actions.skip = isLoop ? [yes, goOn] : [no, goOut];
      }
      return actions;
    }

    /** Return the button that ends a loop or a phase early, or null. */
    function endAction() {
      const { prompt, after, before, next, past } = view;
      if (!past.length) return null;
      const leave = (node) => () => giveAnswers([{ prompt, answer: `e${node.index}` }]);
      const loop = prompt.ends.find(({ isLoop }) => isLoop);
      const asked = [before, after, prompt.kind === "each" && prompt].map((each) => each?.node);
      if (loop && !asked.includes(loop.node)) return [`${loop.node.asks.next[1]} ›`, leave(loop.node)];
      const phase = prompt.ends.find(({ isLoop }) => !isLoop)?.node;
      return phase && next.main && walk.contains(phase, next.main.node) ? [`${texts.all} ${phase.title} ›`, leave(phase)] : null;
    }

    /* The order of the players: tapped in order; the others follow clockwise. */
    let picks = [];
    function orderAnswer({ kind, sides, before }) {
      if (!picks.length) return `w${kind === "who" ? before[0] ?? 0 : before.join("-")}`;
      const last = picks.at(-1);
      const rest = sides.map((_, index) => (last + 1 + index) % sides.length).filter((index) => !picks.includes(index));
      return `w${kind === "who" ? picks[0] : [...picks, ...rest].join("-")}`;
    }
    const pickedNames = (prompt) => {
      const names = orderAnswer(prompt).slice(1).split("-").map((index) => playerName(prompt.sides[index]) || title(prompt.sides[index]));
      return prompt.kind === "who" ? names[0] : prompt.sides.length === 2 ? `${names[0]} ${texts.isfirst}` : names.join(", ");
    };

    /** Return the elements of a step itself, without its inner steps. */
    const partsOf = (node) => (itemOf(node) ? findAll(":scope > :is(.line, .refs, .aside, .besides), :scope > .fold > .within > :is(.aside, .besides)", itemOf(node)) : []);
    const findParts = (selector, ...nodes) => nodes.flatMap(partsOf).flatMap((part) => [...(part.matches(selector) ? [part] : []), ...findAll(selector, part)]);
    const copies = (nodes) => nodes.map((node) => node.cloneNode(true));
    const ruleLinks = (...nodes) => [...new Map(findParts("a[data-ref]", ...nodes).filter((link) => link.closest(".refs")).map((link) => [link.dataset.ref, link])).values()];
    const narrativeOf = (node) => [...(document.getElementById(`narrative/${itemOf(node)?.dataset.narrative}`)?.children ?? [])];
    const ruleTitle = (link) => link.title.replace(/ \(number only\)$/, "");

    /** Return the facts of steps as one sentence, without the tables that are on the screen. */
    const factsOf = (tables, ...nodes) => copies(findParts(".fact", ...nodes).filter((fact) => !tables.has(find("a", fact)?.href))).flatMap((fact, index) => (index ? ["\u00a0· ", fact] : [fact]));

    /** Return a rule as a card; its text is fetched with its chapter. */
    function ruleCard(link) {
      const number = link.dataset.ref.split(":")[1];
      const top = element("a", { href: link.href, className: "at" }, element("b", { textContent: number }), " ", element("span", { textContent: ruleTitle(link).replace(number, "").trim() }));
      if (link.matches(".listed")) { // not transcribed
        top.append(element("small", { textContent: texts.inbook }));
        return element("section", { className: "rule-here bare" }, top);
      }
      const text = element("div", { className: "rule-text" });
      rw.preview?.(link.href).then((preview) => {
        text.innerHTML = preview?.html ?? "";
        for (const each of findAll("[id]", text)) each.removeAttribute("id");
      }, () => {});
      return element("section", { className: "rule-here" }, top, text);
    }

    /** Return a foldable element that is filled when it is opened. */
    function foldable(name, fill) {
      const fold = element("details", {}, element("summary", { textContent: name }));
      fold.addEventListener("toggle", () => fold.append(...fill()), { once: true });
      return fold;
    }

    /** Return what the ancestors of a screen add to it: narrative, rules, dice and tables. */
    function inherited(nodes, taken) {
      return nodes.map((node) => {
        const links = ruleLinks(node).filter((link) => !taken.includes(link.dataset.ref));
        const more = toolsByStep.get(node).filter((tool) => !taken.includes(tool));
        taken.push(...more, ...links.map((link) => link.dataset.ref));
        const narrative = taken.includes(node) ? [] : narrativeOf(node);
        const names = [...(narrative.length ? [texts.inwords] : []), ...links.map(ruleTitle), ...more.map((tool) => find(".title, .roller button", tool)?.textContent.trim())];
        return names.length && foldable(`${texts.from} ${node.title}: ${names.filter(Boolean).join(", ")}`, () => [...copies(narrative), ...links.map(ruleCard), ...more]);
      }).filter(Boolean);
    }

    /** Return a line with a checkbox, for a screen with several lines. */
    function checkLine({ node, who }, marks, isMixed) {
      const box = element("input", { type: "checkbox", checked: marks[node.index] === "d", onchange: () => tick(node, box.checked ? "d" : "") });
      const facts = factsOf(new Set(), node);
      const text = element("span", {}, element("b", { textContent: node.title }), ...(facts.length ? [" ", element("small", {}, ...facts)] : []), ...copies(findParts(".aside", node)));
      const skip = element("button", { type: "button", textContent: texts.skip, onclick: () => tick(node, marks[node.index] === "s" ? "" : "s") });
      return element("li", { className: marks[node.index] === "s" ? "skipped" : "" }, element("label", {}, box, ...(isMixed ? who.map(({ word }) => actorSign(word)) : []), text), skip, ...copies(findParts(".refs", node)));
    }

    /** Return an option of a choice. */
    function optionItem(node, index) {
      const value = node ? `c${index}` : "x";
      const pick = element("input", { type: "radio", name: "option", value, checked: choice() === value, onchange: () => { picked = value; render(); } });
      const facts = node ? factsOf(new Set(), node) : [];
      return element("li", { className: choice() === value ? "at" : "" }, element("label", {}, pick, element("span", {}, element("b", { textContent: node ? node.title : texts.noneofthese }), ...(facts.length ? [" ", element("small", {}, ...facts)] : []))), ...(node ? copies(findParts(".refs", node)) : []));
    }

    /** Return a button that chooses a player: of two, one tap is enough; more are tapped in order. */
    function playerItem(prompt, side, index) {
      const isOrder = prompt.kind === "order" && prompt.sides.length > 2;
      const act = () => {
        if (picks.includes(index)) picks = picks.slice(0, picks.indexOf(index));
        else picks = isOrder ? [...picks, index] : [index];
        if (isOrder) render();
        else buttonActions().done[1]();
      };
      const nth = isOrder && picks.includes(index) ? [element("b", { className: "nth", textContent: picks.indexOf(index) + 1 })] : [];
      return element("li", {}, element("button", { type: "button", onclick: act }, actorSign(side), element("span", {}, element("b", { textContent: [title(side), playerName(side)].filter(Boolean).join(" · ") })), ...nth));
    }

    /** Fill the screen with what players need at a prompt. */
    function renderStep(moved) {
      const { main, lines, before, after, past } = view;
      const marks = ticks();
      const nodes = lines.length > 1 ? [...new Set(lines.map(({ prompt }) => prompt.node))] : [main.node];
      const asks = /^(order|who)$/.test(after?.kind ?? main.kind) ? after ?? main : null;
      const focus = main.kind === "choice" ? option() ?? main.node : nodes.find((node) => !marks[node.index]) ?? nodes[0];
      const outer = path(main).filter((node) => !nodes.includes(node)).reverse();
      const own = main.kind === "choice" ? [main.node] : nodes.length > 1 ? [] : nodes;
      const tables = [...new Set([...nodes, focus].flatMap((node) => toolsByStep.get(node)))].sort((first, second) => isRolled(second) - isRolled(first));
      const tableLinks = new Set(tables.map((each) => find("h2 a", each)?.href).filter(Boolean));
      const links = [focus, ...nodes, ...outer].map((node) => ruleLinks(node)).find((row) => row.length) ?? [];
      const isMixed = new Set(lines.map(({ prompt }) => prompt.who.map(({ who }) => who).join())).size > 1;
      const asked = before ?? (lines.length ? after : main);
      if (note !== document.activeElement) note.value = game.notes[currentPlace()] ?? "";
      if (note.value) note.closest("details").open = true;
      find("h2", panel).textContent = nodes.length > 1 ? main.node.parent?.title ?? main.node.title : main.node.title;
      find(".fact-line", panel).replaceChildren(...factsOf(tableLinks, ...own));
      find(".asides", panel).replaceChildren(...copies(findParts(".aside", ...own)));
      find(".asked", panel).textContent = asked && asked !== before ? asked.ask?.[0] ?? "" : "";
      const focusedIndex = findAll(":is(.lines, .options) input", panel).indexOf(document.activeElement); // the focus stays on the checkbox
      find(".lines", panel).replaceChildren(...(lines.length > 1 ? lines.map(({ prompt }) => checkLine(prompt, marks, isMixed)) : []));
      find(".options", panel).replaceChildren(...(main.kind === "choice" ? [...main.options.map(optionItem), ...(main.node.optional ? [optionItem(null)] : [])] : asks ? asks.sides.map((side, index) => playerItem(asks, side, index)) : []));
      if (!moved) findAll(":is(.lines, .options) input", panel)[focusedIndex]?.focus({ preventScroll: true });
      const focusLine = findAll(".lines > li", panel)[nodes.indexOf(focus)];
      if (focusLine && main.kind !== "choice") focusLine.classList.add("at");
      find(".around", panel).replaceChildren(...outer.map((node) => [node, factsOf(tableLinks, node)]).filter(([, row]) => row.length).map(([node, row]) => element("p", {}, element("b", { textContent: `${node.title}: ` }), ...row)));
      for (const [box, letter, row] of [[".anytime", "a", main.anytime], [".also", "o", main.others]]) {
        find(box, panel).hidden = !row.length;
        find(".chips", find(box, panel)).replaceChildren(...row.map((node) => element("button", { type: "button", onclick: () => giveAnswers([{ prompt: view.prompt, answer: letter + node.index }]) }, ...node.acts.slice(0, 1).map(actorSign), node.title)));
      }
      if (!moved && find(".rules", panel).dataset.of === focus.id) return;
      const isOpened = (node) => !past.length || !walk.contains(node, past.at(-1).prompt.node);
      const narrator = [focus, ...nodes, ...outer].find((node) => narrativeOf(node).length && (!outer.includes(node) || isOpened(node)));
      find(".narrative-here", panel).replaceChildren(...(narrator ? copies(narrativeOf(narrator)) : []));
      for (const row of toolsByStep.values()) for (const tool of row) if (!tables.includes(tool)) hiddenTools.append(tool);
      find(".tables-here", panel).replaceChildren(...tables);
      find(".rules", panel).replaceChildren(...links.slice(0, 2).map(ruleCard), ...links.slice(2).map((link) => foldable(ruleTitle(link), () => [ruleCard(link)])));
      find(".rules", panel).dataset.of = focus.id;
      find(".more", panel).replaceChildren(...inherited(outer, [...tables, narrator, ...links.map((link) => link.dataset.ref)]));
    }

    /** Return which steps of this turn are done or skipped. */
    function stepMarks() {
      const marks = new Map();
      for (const { prompt: { kind, node }, answer } of view.past) {
        const mark = kind === "stop" ? answer : answer === "s" || (kind === "if" && answer === "n") || (kind === "unless" && answer === "y") ? "s" : "d";
        if (/^[ds]$/.test(mark)) marks.set(node, mark);
      }
      for (const node of book.all.toReversed()) {
        const inner = node.steps.map((each) => marks.get(each)).filter(Boolean);
        if (inner.length) marks.set(node, inner.includes("d") ? "d" : "s");
      }
      return marks;
    }

    function markList() {
      const { main, lines } = view;
      const marks = stepMarks();
      const now = new Set(lines.length ? lines.map(({ prompt }) => prompt.node) : [main?.node]);
      for (const node of book.all) {
        const li = itemOf(node);
        if (!li) continue;
        const isHere = Boolean(main) && walk.contains(node, main.node);
        const state = isHere ? "open" : marks.get(node) ?? "open";
        li.classList.toggle("done", state === "d");
        li.classList.toggle("skipped", state === "s");
        li.classList.toggle("now", now.has(node));
        li.classList.toggle("here", isHere);
        const button = find(":scope > .go, :scope > .line > .go", li);
        if (button) {
          button.textContent = now.has(node) ? "→" : SIGNS[state];
          button.setAttribute("aria-label", `${node.title}: ${now.has(node) ? texts.now : { open: texts.open, d: texts.done, s: texts.skipped }[state]}`);
        }
      }
    }

    /** Fill the log: what was done or skipped by turn and phase, with rolls and notes. */
    function renderLog() {
      let way = "";
      const entries = game.turns.flatMap((turn, index) => {
        const { past } = walk.replay(book, state(turn));
        return past.map((each, number) => ({ ...each, turn: turn[0], place: `${index}.${number}` }));
      });
      const last = currentPlace();
      find("div", log).replaceChildren(...[...entries, { place: last, turn: current()[0] }].flatMap(({ prompt, answer, turn, place }) => {
        const notes = [...(game.rolls[place]?.split("\n") ?? []), game.notes[place]].filter(Boolean).join("; ");
        const [letter] = answer ?? "";
        const shows = prompt && (prompt.kind === "stop" || /[cwx]/.test(letter) || (/if|unless|ends|until|pass/.test(prompt.kind) && walk.defaultAnswer(prompt) !== answer));
        if (!shows && !notes) return [];
        const around = prompt ? [`${texts.turn} ${turn}`, ...walk.ancestors(prompt.node).filter((node) => node.turn || node.phase).reverse().map((node) => [node.title, ...prompt.counts.filter((count) => count.node === node).map((count) => `${count.noun} ${count.number}`)].join(" "))].join(" › ") : way;
        const heading = way === (way = around) ? [] : [element("h2", { textContent: way })];
        const who = prompt?.who.map((each) => title(each.who)).join(", ");
        const chosen = letter === "c" ? prompt.options[answer.slice(1)].title : letter === "w" ? answer.slice(1).split("-").map((index) => title(prompt.sides[index])).join(", ") : letter === "x" ? texts.noneofthese : "";
        const words = chosen || (prompt && prompt.kind !== "stop" && shows ? `${prompt.ask[0]} ${prompt.ask[1 + (walk.defaultAnswer(prompt) === answer)]}` : "");
        const details = [words, notes].filter(Boolean).join("; ");
        return [...heading, element("p", {}, prompt?.kind === "stop" ? `${SIGNS[letter] ?? "·"} ` : "", element("b", { textContent: prompt?.node.title ?? "" }), who ? ` (${who})` : "", details && ` – ${details}`)];
      }));
    }

    function render() {
      const screen = walk.screen(book, state());
      const { main, lines } = screen;
      const key = main ? `${game.turns.length}/${main.node.index}/${main.counts.map(({ number }) => number).join(".")}/${main.phasing ?? ""}` : "";
      const place = `${game.id} ${currentPlace()}`;
      const moved = renderedPlace !== place;
      if (moved) [rolled, picked, picks] = [false, null, []];
      view = { ...screen, key };
      if (main) view.next = walk.screen(book, { ...state(), answers: walk.answersWith(book, state(), choices("d")) });
      panel.hidden = !main;
      over.hidden = Boolean(main);
      over.textContent = screen.end?.isOver ? texts.gameover : `${texts.over}.`;
      if (main) renderStep(moved);
      markList();
      if (moved) for (const fold of findAll("li.phase > details")) fold.open = fold.parentElement.matches(".here") || Boolean(find(":target", fold.parentElement));
      renderActors(view);
      renderProgress(view);
      const [now, then] = find("[role=status]", controls).children;
      now.textContent = label(view);
      const asked = view.after && !/^(order|who)$/.test(view.after.kind) ? view.after.ask[0] : "";
      then.textContent = asked || (view.next?.main ? `${texts.next} ${label(view.next)}` : "");
      const buttons = buttonActions();
      for (const act of ["done", "skip", "all"]) {
        const [words, does] = buttons[act] ?? [];
        button(act).textContent = words ?? "";
        button(act).disabled = !does;
        button(act).hidden = !words;
        button(act).classList.toggle("leads", /›$/.test(words));
      }
      button("back").disabled = isPristine();
      renderGameBar();
      shared.hidden = !offered;
      if (offered) find("b", shared).textContent = [offered.about.name, `${texts.turn} ${offered.turns[0][0]}`, label(walk.screen(book, state(offered.turns[0])))].filter(Boolean).join(", ");
      if (log.open) renderLog();
      if (moved && renderedPlace) scrollTo(0, 0);
      if (moved) find("li.now", outline)?.scrollIntoView({ block: "nearest" });
      renderedPlace = place;
    }

    /** Fill the form of the game and the names of the players. */
    function renderGameBar() {
      const [turn, rest] = form.parentElement.firstElementChild.children;
      turn.textContent = `${texts.turn} ${current()[0]}`;
      rest.textContent = ["name", "scenario", "weather"].map((part) => game.about[part]).filter(Boolean).join(" · ");
      for (const field of fields) if (field !== document.activeElement) field.value = game.about[field.name] ?? "";
      form.elements.turn.value = current()[0];
      if (form.elements.seats) form.elements.seats.value = state().start.seats ?? book.players[0];
      button("unturn").textContent = `${texts.unturn} ${current()[0]}`;
      button("unturn").disabled = isPristine();
      const games = Object.values({ ...saved.games, [game.id]: game });
      form.elements.games.replaceChildren(...games.map((each, index) => new Option(`${each.about.name || `${texts.game} ${index + 1}`}, ${texts.turn} ${each.turns.at(-1)[0]}`, each.id, false, each.id === game.id)));
      for (const span of findAll("[data-player]")) {
        span.dataset.title ??= span.textContent;
        span.textContent = [span.dataset.title, playerName(span.dataset.player)].filter(Boolean).join(" · ");
      }
    }

    /** Handle keys that no field or button uses. */
    function handleKey(event) {
      const busy = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, button, a, summary, [contenteditable], dialog") && event.key !== "Backspace";
      const writing = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], dialog");
      if (!page.isConnected || busy || writing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const chosen = /^[1-9]$/.test(event.key) && findAll(".lines input, .options :is(input, button), .chips button", panel)[event.key - 1];
      const act = { Enter: "done", Backspace: "back", s: "skip", S: "skip" }[event.key];
      if (act ? button(act).disabled : !chosen || panel.hidden) return;
      event.preventDefault();
      statusLine.replaceChildren();
      if (act) acts[act]();
      else chosen.click();
    }

    const acts = {
      done: () => buttonActions().done[1]?.(), skip: () => buttonActions().skip?.[1](), all: () => buttonActions().all?.[1](), back, take: acceptOffered, unturn: restartTurn,
      list: () => {
        const isOpen = page.classList.toggle("listed");
        button("list").setAttribute("aria-expanded", isOpen);
        if (isOpen) outline.scrollIntoView();
      },
      share: () => rw.copy("Link", label(view), new URL(`#${urlOf()}`, location.href).href),
      keep: () => { offered = null; writeUrl(false); render(); },
      copy: () => {
        const href = URL.createObjectURL(new Blob([rw.stored(`${key}/damaged`)], { type: "application/json" }));
        element("a", { href, download: "games.json" }).click();
        setTimeout(() => URL.revokeObjectURL(href), 1000);
      },
      forget: () => {
        storeGames();
        rw.stored(`${key}/damaged`, "");
        damaged.hidden = true;
      },
      new: () => { choose(); save(); },
      delete: () => changeWithUndo(texts.deleted, () => {
        loadGames();
        delete saved.games[game.id];
        rw.stored(key, JSON.stringify(saved));
        choose(Object.values(saved.games)[0]);
        save();
      }),
      print: () => {
        log.open = true;
        renderLog();
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
        goToStep(stop);
      }
      if (!act || !Object.hasOwn(acts, act)) return;
      statusLine.replaceChildren(); // an older change cannot be undone after another action
      acts[act]();
    });
    page.addEventListener("rolled", ({ target, detail }) => {
      const table = target.closest(".table-entry");
      const before = (game.rolls[currentPlace()] ?? "").split("\n").filter(Boolean);
      if (!detail.isNewRoll && rolled) before.pop();
      const result = `${table ? `${find(".title", table).textContent.trim()}: ` : ""}${detail.result}`.replaceAll("\n", " ").slice(0, 400);
      game.rolls[currentPlace()] = [...before, result].slice(-20).join("\n");
      rolled = true;
      save();
    });
    page.addEventListener("change", ({ target }) => {
      const number = (maximum) => Math.max(1, Math.min(maximum, Math.trunc(target.value) || 1));
      if (target.name === "games") choose(saved.games[target.value]);
      else if (target.name === "turn") setTurnNumber(number(999));
      else if (target.name === "seats") current()[1] = walk.encodeDecisions(book, { seats: number(99) });
      else if (target === note) game.notes[currentPlace()] = note.value.slice(0, 400);
      else if (fields.includes(target)) game.about[target.name] = target.value.slice(0, 60);
      else return;
      save();
    });
    document.addEventListener("keydown", handleKey);
    form.addEventListener("submit", (event) => event.preventDefault());
    log.addEventListener("toggle", () => log.open && renderLog());
    window.addEventListener("popstate", ({ state }) => {
      const found = page.isConnected && readUrl(location.hash);
      if (!found) return;
      if (!saved.games[state?.game]) return void openFromUrl();
      choose(saved.games[state.game]);
      const index = Number.isInteger(state.at) ? Math.min(state.at, game.turns.length) : game.turns.length - 1;
      game.turns.splice(index, Infinity, found.turns[0]);
      save();
    });
    window.addEventListener("pageshow", ({ persisted }) => persisted && syncWithOtherTabs());
    window.addEventListener("storage", (event) => event.key === rw.storageKey(key) && page.isConnected && syncWithOtherTabs());

    for (const [id, li] of items) {
      if (book.stepsById.get(id)?.steps.length) continue;
      const button = element("button", { type: "button", className: "go", onclick: () => goToStep(li) });
      const bullet = find(":scope > .line > .bullet", li);
      if (bullet) bullet.replaceWith(button);
      else li.prepend(button);
    }
    page.append(hiddenTools);
    for (const row of toolsByStep.values()) for (const tool of row) {
      for (const roller of tool.querySelectorAll("[data-roller]")) roller.parentElement.prepend(roller); // above its table, in reach of the thumb
      hiddenTools.append(tool);
    }
    loadGames();
    openFromUrl();
    // The keyboard continues from here: Back, Skip and Done come first.
    if (document.activeElement === document.body) Object.assign(find("h1"), { tabIndex: -1 }).focus({ preventScroll: true });
  }

  function start() {
    const page = document.querySelector(".rw.play[data-play]:not(.begun)");
    if (!page) return;
    page.classList.add("begun");
    rw.loadScript("walk").then(() => play(page), () => page.classList.remove("live")).finally(() => page.classList.add("filled"));
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
