/* Play a turn: the tree of steps and the answers so far lead to the next prompt. This script does not know the page.
   A prompt is a step to do or a question. Each answer is a short word, so that a game turn is a list of words:

     d done   s skipped   y yes   n no   c2 the third of a choice   x none of a choice   w1 or w1-0-2 who, in order
     a17 the step 17 at any time   o17 the step 17 first, of those in any order   e17 all done in step 17

   Strangers write the content: a loop without prompts ends, and an answer that does not fit its prompt is refused. */
(() => {
  "use strict";

  const rw = (globalThis.rulewright ??= {});
  const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
  const MAX_IDLE = 5000; // rounds in a row without a prompt
  const MAX_PROMPTS = 24; // prompts that are computed for one screen

  /** Thrown by a step that ends an outer step, or the game if there is no such step. */
  class Ending {
    constructor(node) {
      this.node = node;
    }
  }

  const isOrdered = ({ how }) => how !== "at any time";
  const ancestors = (node) => (node.parent ? [node.parent, ...ancestors(node.parent)] : []);
  const contains = (node, other) => node === other || ancestors(other).includes(node);
  const descendants = (node) => node.steps.flatMap((step) => [step, ...descendants(step)]);
  const isLastingDecision = ({ decides }) => decides && decides !== "phasing";

  /** Read the tree of steps from the data of the page; each step gets its index and its parent. */
  function read(book) {
    const all = [];
    const stepsById = new Map();
    const addStep = (node, parent) => {
      Object.assign(node, { parent, index: all.push(node) - 1 });
      for (const key of ["steps", "by", "phasing", "acts", "inTurns"]) node[key] ??= [];
      node.asks ??= {};
      stepsById.set(node.id, node);
      for (const step of node.steps) addStep(step, node);
    };
    for (const step of book.steps) addStep(step, null);
    for (const node of all) {
      node.ending = node.ends && stepsById.get(node.ends); // undefined for the game
      node.isPass = node.how === "one of" && node.title.toLowerCase() === "pass";
    }
    return { ...book, all, stepsById, root: { index: -1, parent: null, steps: book.steps } };
  }

  /** Return the players of a game: its sides, or one for each seat at the table. */
  const players = (book, seats) => (book.sides.length ? book.sides : Array.from({ length: seats || book.players[0] || 0 }, (_, index) => `player-${index + 1}`));

  const isNow = ({ numbers, first, last, every }, number) =>
    numbers ? numbers.includes(number) : number >= first && number <= (last ?? Infinity) && (number - first) % (every || 1) === 0;

  /** Play a turn: yield each prompt and receive its answer; return the decisions and whether the game is over. */
  function* walk(book, start, turn) {
    const everyone = players(book, start.seats);
    const decisions = new Map(Object.entries(start.decisions ?? {}));
    const order = () => decisions.get("order") ?? everyone;
    const isOrder = (word) => !everyone.includes(word) && (/in order$/.test(word) || PLACES.includes(word) || book.orders.includes(word));
    let idle = 0;

    /** Return the players that a word names, or the word itself if it names nobody in particular. "Others" are all
        players except the phasing player, or else except the player who acts. */
    function playersOf(word, { phasing, player }) {
      if (everyone.includes(word)) return [word];
      if (word === "in order") return order();
      if (book.orders.includes(word)) return decisions.get(word) ?? everyone;
      if (word === "others in order") {
        const place = order().indexOf(phasing ?? player);
        return [...order().slice(place + 1), ...order().slice(0, Math.max(place, 0))];
      }
      if (PLACES.includes(word)) return order().slice(PLACES.indexOf(word)).slice(0, 1);
      if (word === "phasing") return [phasing ?? word];
      if (word === "non-phasing" && (phasing ?? player) && everyone.length === 2) return everyone.filter((side) => side !== (phasing ?? player));
      return [decisions.get(word) ?? word];
    }
    /** Return who acts, each with the word that names this actor. */
    const actorsOf = (words, context) => words.flatMap((word) => playersOf(word, context).map((who) => ({ who, word: isOrder(word) ? who : word })));
    const actingPlayers = (node, context) => (context.by ? [context.by] : actorsOf(node.acts, context));
    const isDue = (node, context) =>
      node.inTurns.every((when) => (when.side ? context.phasing === when.side : isNow(when, turn))) &&
      (!node.inRounds || isNow(node.inRounds, context.counts.findLast(({ isRound }) => isRound)?.number));

    function* prompt(kind, node, context, more = {}) {
      idle = 0;
      return yield { kind, node, ask: node.asks[kind], who: actingPlayers(node, context), phasing: context.phasing, counts: context.counts, anytime: [], others: [], ends: [], skips: null, ...more };
    }
    const askYes = function* (kind, node, context, more) { return (yield* prompt(kind, node, context, more)) === "y"; };

    function* step(node, context, isChosen = false) {
      if (!isDue(node, context)) return;
      if (!node.ends && !isChosen) {
        if (node.asks.if && !(yield* askYes("if", node, context))) return;
        if (node.asks.unless && (yield* askYes("unless", node, context))) return;
      }
      const skips = node.optional && node.steps.length && node.steps[0].how !== "one of" && !node.each;
      try {
        yield* withInterruptions(node, context, repetitions(node, context), { skips, ends: node.phase && node.steps.length > 0 });
      } catch (end) {
        if (end.node !== node) throw end;
      }
      yield* decide(node, context);
    }

    /** Yield the prompts in a step with the actions that are possible at each of them: steps at any time, end, skip. */
    function* withInterruptions(node, context, prompts, { skips, ends, isLoop = false }) {
      let next = prompts.next();
      const decidedSteps = new Set();
      for (let isFirst = true; !next.done; isFirst = false) {
        const current = next.value;
        const now = { ...context, phasing: current.phasing };
        const own = node.steps.filter((inner) => !isOrdered(inner) && isDue(inner, now));
        const answer = yield {
          ...current, anytime: isLoop ? current.anytime : [...current.anytime, ...own],
          ends: ends ? [...current.ends, { node, isLoop }] : current.ends, skips: skips && isFirst ? node : current.skips,
        };
        const chosen = own.find((inner) => answer === `a${inner.index}`);
        if (/^w/.test(answer)) decidedSteps.add(current.node);
        if (chosen && !isLoop) yield* step(chosen, now, true);
        else if (answer === "s" && skips && isFirst) return;
        else if (answer === `e${node.index}` && ends) {
          for (const inner of descendants(node)) if (isLastingDecision(inner) && isOrdered(inner) && !decidedSteps.has(inner)) yield* decide(inner, context);
          return;
        } else next = prompts.next(answer);
      }
    }

    /** Play all repetitions of a step: its rounds, each attack, once for each player who acts. */
    function* repetitions(node, context) {
      const phasing = node.phasing.flatMap((word) => playersOf(word, context));
      const by = node.by.length ? actorsOf(node.by, context) : [];
      const single = { ...context, by: node.by.length ? null : context.by };
      const contexts = phasing.length ? phasing.map((side) => ({ ...context, phasing: side, by: null })) : by.length > 1 ? by.map((actor) => ({ ...context, by: actor, player: actor.who })) : [single];
      if (node.rounds) yield* rounds(node, contexts);
      else {
        for (const each of contexts) {
          try {
            if (node.each) yield* withInterruptions(node, each, forEach(node, each), { ends: true, isLoop: true });
            else yield* performOnce(node, each);
          } catch (end) {
            if (end.node !== node) throw end;
          }
        }
      }
    }

    function* forEach(node, context) {
      for (let number = 1; idle++ < MAX_IDLE; number++) {
        const now = { ...context, counts: [...context.counts, { node, number, noun: node.noun }] };
        if (!(yield* askYes("each", node, now, { ask: node.asks[number === 1 ? "first" : "next"] }))) return;
        yield* performOnce(node, now);
      }
    }

    function* rounds(node, contexts) {
      const { minimum, maximum, passing: pass } = node.rounds;
      const [passed, acted] = [new Set(), new Set()];
      let passesInRow = 0;
      for (let number = 1; idle++ < MAX_IDLE; number++) {
        const numbered = (context) => ({ ...context, counts: [...context.counts, { node, number, noun: node.noun, most: maximum === minimum ? maximum : null, isRound: true }] });
        if (!minimum && number === 1 && !(yield* askYes("more", node, numbered(contexts[0]), { ask: node.asks.first }))) return;
        for (const each of contexts) {
          const now = { ...numbered(each), round: {} };
          const player = each.by?.who ?? each.phasing;
          if (passed.has(player)) continue;
          if (pass === "one left" && passed.size >= contexts.length - 1 && acted.has(player)) return;
          now.round.hasPassed = node.asks.pass && (yield* askYes("pass", node, now));
          if (!now.round.hasPassed) yield* performOnce(node, now);
          if (pass && now.round.hasPassed) {
            passesInRow++;
            if (pass !== "pass") passed.add(player);
            if ((pass === "pass" ? passesInRow : passed.size) >= contexts.length) return;
          } else {
            passesInRow = 0;
            acted.add(player);
          }
          const mayEnd = number >= minimum || minimum === maximum; // 3 rounds, until it rains
          if (node.asks.until && mayEnd && number !== maximum && (yield* askYes("until", node, now))) return;
        }
        if (maximum && number >= maximum) return;
        if (node.asks.next && number >= minimum && !(yield* askYes("more", node, numbered({ ...contexts[0], by: null }), { ask: node.asks.next }))) return;
      }
    }

    /** Play a step once. */
    function* performOnce(node, context) {
      const row = node.steps.filter(isOrdered);
      const scope = { phasing: null };
      const now = { ...context, scope };
      if (!row.length) {
        if ((yield* prompt("stop", node, context)) === "s") return;
      } else if (row[0].how === "one of") {
        const options = row.filter((inner) => isDue(inner, context));
        if (!options.length) return;
        const answer = options.length === 1 && !node.optional ? "c0" : yield* prompt("choice", node, context, { options });
        const chosen = options[answer.slice(1)];
        if (chosen?.isPass && context.round) context.round.hasPassed = true;
        if (chosen) yield* step(chosen, now, true);
      } else if (row[0].how === "any order") yield* anyOrder(row, now);
      else for (const inner of inDecidedOrder(row)) yield* step(inner, scope.phasing ? { ...now, phasing: scope.phasing } : now);
      if (node.ends && (!node.asks.ends || (yield* askYes("ends", node, context)))) throw new Ending(node.ending);
    }

    /** Yield the steps; adjacent turns of named sides come in the decided order. */
    function* inDecidedOrder(row) {
      const isTurn = ({ phasing }) => phasing.length === 1 && everyone.includes(phasing[0]);
      for (let index = 0; index < row.length; index++) {
        const end = row.findIndex((inner, other) => other >= index && !isTurn(inner));
        const group = row.slice(index, end < 0 ? row.length : end);
        index += group.length;
        while (group.length) {
          if (decisions.has("order")) group.sort((first, second) => order().indexOf(first.phasing[0]) - order().indexOf(second.phasing[0]));
          yield group.shift();
        }
        if (index < row.length) yield row[index];
      }
    }

    /** Play steps in any order: each waits at its prompt while another is done. */
    function* anyOrder(row, context) {
      const open = row.map((node) => ({ node, prompts: step(node, context), next: null }));
      while (open.length) {
        const now = open[0];
        now.next ??= now.prompts.next();
        if (now.next.done) open.shift();
        else {
          const others = open.slice(1).filter(({ node }) => isDue(node, context));
          const answer = yield { ...now.next.value, others: [...now.next.value.others, ...others.map(({ node }) => node)] };
          const wanted = others.find(({ node }) => answer === `o${node.index}`);
          if (wanted) open.unshift(...open.splice(open.indexOf(wanted), 1));
          else now.next = now.prompts.next(answer);
        }
      }
    }

    /** Ask for the decision at the end of a step. */
    function* decide(node, context) {
      const { decides } = node;
      if (!decides || everyone.length < 2) return;
      const isWhole = decides === "order" || book.orders.includes(decides);
      const before = [decisions.get(decides) ?? (isWhole ? everyone : [])].flat();
      const answer = yield* prompt(isWhole ? "order" : "who", node, context, { ask: node.asks.decides, sides: everyone, before: before.map((side) => everyone.indexOf(side)).filter((index) => index >= 0) });
      const chosen = answer.slice(1).split("-").map((number) => everyone[number]);
      if (decides === "phasing") context.scope.phasing = chosen[0];
      else decisions.set(decides, isWhole ? chosen : chosen[0]);
    }

    let isOver = false;
    try {
      yield* performOnce({ steps: book.steps, acts: [], asks: {} }, { phasing: null, by: null, counts: [] });
    } catch (end) {
      if (!(end instanceof Ending)) throw end;
      isOver = true;
    }
    return { decisions: Object.fromEntries(decisions), isOver };
  }

  /** Return whether an answer fits a prompt. */
  function isValidAnswer(prompt, answer) {
    const { kind, node, options, sides } = prompt;
    const [letter, number] = [answer[0], answer.slice(1)];
    const steps = { a: prompt.anytime, o: prompt.others, e: prompt.ends.map((end) => end.node) }[letter];
    if (steps) return steps.some(({ index }) => String(index) === number);
    if (answer === "s" && prompt.skips) return true;
    if (kind === "stop") return answer === "d" || answer === "s";
    if (kind === "choice") return answer === "x" ? Boolean(node.optional) : letter === "c" && /^\d{1,3}$/.test(number) && Number(number) < options.length;
    if (kind === "order" || kind === "who") {
      const picked = /^\d{1,2}(-\d{1,2})*$/.test(number) ? number.split("-").map(Number) : [];
      return letter === "w" && new Set(picked).size === (kind === "who" ? 1 : sides.length) && picked.length <= sides.length && picked.every((player) => player < sides.length);
    }
    return answer === "y" || answer === "n";
  }

  /** Return the answer that leads to the next step, or towards a wanted step. */
  function defaultAnswer(prompt, wanted = null) {
    const leads = (node) => wanted && contains(node, wanted);
    const other = wanted && [["a", prompt.anytime], ["o", prompt.others]].flatMap(([letter, nodes]) => nodes.filter((node) => leads(node) && !leads(prompt.node)).map((node) => letter + node.index))[0];
    if (other) return other;
    const isInside = !wanted || leads(prompt.node);
    const isEnd = wanted && prompt.node.ending && !leads(prompt.node.ending);
    const option = Math.max(prompt.options?.findIndex(leads) ?? -1, 0);
    return {
      stop: "d", if: "y", unless: "n", each: isInside ? "y" : "n", more: isInside ? "y" : "n", until: isInside ? "n" : "y",
      pass: isInside ? "n" : "y", ends: isEnd ? "y" : "n", choice: `c${option}`, order: `w${prompt.before?.join("-")}`, who: `w${prompt.before?.[0] ?? 0}`,
    }[prompt.kind];
  }

  /** Replay the answers of a game turn. Return each prompt with its answer, the first prompt without an answer, and the
      decisions. The first answer that does not fit and all later ones are dropped. */
  function replay(book, { turn, start, answers }) {
    const prompts = walk(book, start, turn);
    const past = [];
    let next = prompts.next();
    for (const answer of answers) {
      if (next.done || !isValidAnswer(next.value, answer)) break;
      past.push({ prompt: next.value, answer });
      next = prompts.next(answer);
    }
    return { past, prompts, prompt: next.done ? null : next.value, end: next.done ? next.value : null };
  }

  const roundNumbers = ({ counts }) => counts.map(({ node, number }) => `${node.index}.${number}`).join();
  const actorNames = (who) => who.map((actor) => actor.who).join();
  const isAsked = ({ kind }) => /^(if|unless|pass|each|more)$/.test(kind);

  /** Return whether a question shares the screen of the next prompt; the question of a phase has its own screen. */
  const joinsNextPrompt = (ask, next) =>
    ask && isAsked(ask) && /^(stop|choice)$/.test(next?.kind) && contains(ask.node, next.node) &&
    !(/if|unless/.test(ask.kind) && ask.node.steps.length && (ask.node.phase || ask.node.turn));

  /** Return whether a step shares the screen of the steps before it: they have the same parent, the same actors (or are
      a combat), and need no other dice. */
  function sharesScreen(prompt, lines) {
    const before = lines.at(-1).prompt;
    const row = [...lines.map((line) => line.prompt), prompt];
    const isLine = ({ node }) => node.kind === "do" && !node.decides && !node.rounds && !node.each && !node.phasing.length && isOrdered(node) && node.how !== "one of";
    if (prompt.node.parent !== before.node.parent || roundNumbers(prompt) !== roundNumbers(before) || !row.every(isLine)) return false;
    const acting = new Set(row.filter(({ who }) => actorNames(who) !== "none").map(({ who }) => actorNames(who)));
    const dice = new Set(row.map(({ node }) => node.dice).filter(Boolean));
    return dice.size < 2 && (acting.size < 2 || before.node.parent?.isFight || row.every(({ node }) => node === before.node));
  }

  /** Return what is on the screen: the question before its lines, the lines that one Done completes, and the question
      after them. The first prompt of a turn has its own screen. */
  function screen(book, game) {
    const { past, prompts, prompt, end } = replay(book, game);
    if (!prompt) return { past, end, prompt, before: null, main: null, lines: [], after: null };
    const upcoming = [prompt];
    while (upcoming.length < MAX_PROMPTS) {
      const next = prompts.next(defaultAnswer(upcoming.at(-1)));
      if (next.done) break;
      upcoming.push(next.value);
    }
    const isFirst = !past.length;
    const before = !isFirst && joinsNextPrompt(upcoming[0], upcoming[1]) ? upcoming[0] : null;
    let index = before ? 1 : 0;
    const lines = [];
    if (upcoming[index].kind === "stop") {
      lines.push({ asks: [], prompt: upcoming[index++] });
      for (let isShared = !isFirst; isShared && index < upcoming.length;) {
        const asks = [];
        while (/^(if|unless)$/.test(upcoming[index]?.kind) && upcoming[index + 1]?.node === upcoming[index].node) asks.push(upcoming[index++]);
        isShared = upcoming[index]?.kind === "stop" && sharesScreen(upcoming[index], lines);
        if (isShared) lines.push({ asks, prompt: upcoming[index++] });
        else index -= asks.length;
      }
    }
    const last = lines.length ? upcoming[index] : null;
    const isSame = last && (isFirst ? last.node === prompt.node && !/each|more|until|ends/.test(last.kind) : contains(last.node, lines.at(-1).prompt.node));
    const isAfter = isSame && /^(each|more|until|ends|order|who)$/.test(last.kind) && (last.kind !== "each" || last.counts.at(-1).number > 1);
    return { past, end, prompt, before, main: lines[0]?.prompt ?? upcoming[index], lines, after: isAfter ? last : null };
  }

  /** Return the answers of a game turn with those of a screen; each prompt takes the answer that was given for it. */
  function answersWith(book, game, choices) {
    const answers = [...game.answers];
    let { prompts, prompt } = replay(book, game);
    for (const { prompt: asked, answer } of choices) {
      if (!prompt) break;
      if (prompt.kind !== asked.kind || prompt.node !== asked.node || !isValidAnswer(prompt, answer)) continue;
      answers.push(answer);
      const next = prompts.next(answer);
      prompt = next.done ? null : next.value;
    }
    return answers;
  }

  /** Return the answers that lead back or forward to a step; null if the turn does not reach it. */
  function answersTowards(book, game, node) {
    const { past, prompts, prompt } = replay(book, game);
    const seen = past.findLastIndex((answered) => answered.prompt.node === node);
    if (prompt?.node === node || seen >= 0) return prompt?.node === node ? game.answers : game.answers.slice(0, seen);
    const answers = past.map(({ answer }) => answer);
    let asked = null;
    for (let now = prompt, count = 0; now && count < MAX_IDLE; count++) {
      if (contains(node, now.node)) return joinsNextPrompt(asked, now) ? answers.slice(0, -1) : answers;
      asked = now;
      answers.push(defaultAnswer(now, node));
      const next = prompts.next(answers.at(-1));
      now = next.done ? null : next.value;
    }
    return null;
  }

  /* The decisions before a turn, as text for a URL: the seats, then for each order and role its players by number. */
  const decisionNames = (book) => ["order", ...book.orders, ...book.roles];
  function encodeDecisions(book, { seats, decisions = {} }) {
    const all = players(book, seats);
    return [seats ?? "", ...decisionNames(book).map((word) => [decisions[word] ?? []].flat().map((side) => all.indexOf(side)).join("-"))].join("_").replace(/_+$/, "");
  }
  function decodeDecisions(book, text) {
    const [seats, ...parts] = text.split("_");
    const start = { decisions: {}, ...(book.sides.length || !seats ? {} : { seats: Math.max(book.players[0], Math.min(book.players[1], Number(seats) || 0)) }) };
    const all = players(book, start.seats);
    decisionNames(book).forEach((word, index) => {
      const found = (parts[index] || "").split("-").filter(Boolean).map((number) => all[number]);
      const isWhole = word === "order" || book.orders.includes(word);
      if (found.every(Boolean) && new Set(found).size === (isWhole ? all.length : 1)) start.decisions[word] = isWhole ? found : found[0];
    });
    return start;
  }

  /* The answers as text for a URL, one after another; a run of steps that are done is a count: D12. */
  const encodeAnswers = (answers) => answers.join("").replace(/d{2,}/g, (run) => `D${run.length}`);
  const decodeAnswers = (text) => (text.match(/D\d{1,4}|[a-z][\d-]*/g) ?? []).flatMap((word) => (word[0] === "D" ? Array(Number(word.slice(1))).fill("d") : [word])).slice(0, MAX_IDLE);

  rw.walk = { read, decodeDecisions, encodeDecisions, replay, screen, answersWith, answersTowards, defaultAnswer, ancestors, contains, encodeAnswers, decodeAnswers };
})();
