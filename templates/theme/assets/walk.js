/* A turn as it is played: a tree of steps and the answers that were given lead to the next halt. Nothing here knows
   the page. A halt is a step to do or a question. Each answer is a short word, so that a list of them is a game turn:

     d done   s skipped   y yes   n no   c2 the third of a choice   x none of a choice   w1 or w1-0-2 who, in order
     a17 the step 17 at any time   o17 the step 17 first, of those in any order   e17 all done in step 17

   Content is written by strangers: what would go round without a halt ends, and an answer that does not fit is refused. */
(() => {
  "use strict";

  const rw = (globalThis.rulewright ??= {});
  const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
  const IDLE = 5000; // rounds in which nothing is done
  const AHEAD = 24; // halts of a screen

  /** The end of a step, thrown to it from a step inside; of the game if it has no step. */
  class Ending {
    constructor(node) {
      this.node = node;
    }
  }

  const isRow = ({ how }) => how !== "at any time";
  const around = (node) => (node.parent ? [node.parent, ...around(node.parent)] : []);
  const holds = (node, other) => node === other || around(other).includes(node);
  const inside = (node) => node.steps.flatMap((step) => [step, ...inside(step)]);
  const settles = ({ decides }) => decides && decides !== "phasing";

  /** A tree of steps as it is written on the page, each step with its number and the step around it. */
  function read(book) {
    const all = [];
    const named = new Map();
    const enter = (node, parent) => {
      Object.assign(node, { parent, at: all.push(node) - 1 });
      for (const key of ["steps", "by", "phasing", "acts", "inTurns"]) node[key] ??= [];
      node.asks ??= {};
      named.set(node.id, node);
      for (const step of node.steps) enter(step, node);
    };
    for (const step of book.steps) enter(step, null);
    for (const node of all) {
      node.ending = node.ends && named.get(node.ends); // none is the game
      node.isPass = node.how === "one of" && node.title.toLowerCase() === "pass";
    }
    return { ...book, all, named, root: { at: -1, parent: null, steps: book.steps } };
  }

  /** The players of a game: its sides, or as many as sit at the table. */
  const players = (book, seats) => (book.sides.length ? book.sides : Array.from({ length: seats || book.players[0] || 0 }, (_, at) => `player-${at + 1}`));

  const isNow = ({ numbers, first, last, every }, number) =>
    numbers ? numbers.includes(number) : number >= first && number <= (last ?? Infinity) && (number - first) % (every || 1) === 0;

  /** Go through a turn. Yields each halt and takes the answer to it; returns what was decided and whether the game is over. */
  function* walk(book, start, turn) {
    const all = players(book, start.seats);
    const held = new Map(Object.entries(start.held ?? {}));
    const order = () => held.get("order") ?? all;
    const isOrder = (word) => !all.includes(word) && (/in order$/.test(word) || PLACES.includes(word) || book.orders.includes(word));
    let idle = 0;

    /** The players whom a word names; the word itself where nobody in particular is meant. The others are those beside
        him who is phasing, or else beside him whose go it is. */
    function playersOf(word, { phasing, me }) {
      if (all.includes(word)) return [word];
      if (word === "in order") return order();
      if (book.orders.includes(word)) return held.get(word) ?? all;
      if (word === "others in order") {
        const at = order().indexOf(phasing ?? me);
        return [...order().slice(at + 1), ...order().slice(0, Math.max(at, 0))];
      }
      if (PLACES.includes(word)) return order().slice(PLACES.indexOf(word)).slice(0, 1);
      if (word === "phasing") return [phasing ?? word];
      if (word === "non-phasing" && (phasing ?? me) && all.length === 2) return all.filter((side) => side !== (phasing ?? me));
      return [held.get(word) ?? word];
    }
    /** Who acts, each with the word for it: the side that is phasing. */
    const named = (words, at) => words.flatMap((word) => playersOf(word, at).map((who) => ({ who, word: isOrder(word) ? who : word })));
    const acting = (node, at) => (at.by ? [at.by] : named(node.acts, at));
    const isDue = (node, at) =>
      node.inTurns.every((when) => (when.side ? at.phasing === when.side : isNow(when, turn))) &&
      (!node.inRounds || isNow(node.inRounds, at.counts.findLast(({ isRound }) => isRound)?.number));

    function* halt(kind, node, at, more = {}) {
      idle = 0;
      return yield { kind, node, ask: node.asks[kind], who: acting(node, at), phasing: at.phasing, counts: at.counts, anytime: [], others: [], ends: [], skips: null, ...more };
    }
    const isYes = function* (kind, node, at, more) { return (yield* halt(kind, node, at, more)) === "y"; };

    function* step(node, at, isChosen = false) {
      if (!isDue(node, at)) return;
      if (!node.ends && !isChosen) {
        if (node.asks.if && !(yield* isYes("if", node, at))) return;
        if (node.asks.unless && (yield* isYes("unless", node, at))) return;
      }
      const skips = node.optional && node.steps.length && node.steps[0].how !== "one of" && !node.each;
      try {
        yield* passing(node, at, goes(node, at), { skips, ends: node.phase && node.steps.length > 0 });
      } catch (end) {
        if (end.node !== node) throw end;
      }
      yield* settle(node, at);
    }

    /** Pass on the halts in a step, with what can be done at all of them: its steps at any time, and to end or skip it. */
    function* passing(node, at, halts, { skips, ends, isLoop = false }) {
      let next = halts.next();
      const settled = new Set();
      for (let isFirst = true; !next.done; isFirst = false) {
        const here = next.value;
        const now = { ...at, phasing: here.phasing };
        const own = node.steps.filter((one) => !isRow(one) && isDue(one, now));
        const answer = yield {
          ...here, anytime: isLoop ? here.anytime : [...here.anytime, ...own],
          ends: ends ? [...here.ends, { node, isLoop }] : here.ends, skips: skips && isFirst ? node : here.skips,
        };
        const chosen = own.find((one) => answer === `a${one.at}`);
        if (/^w/.test(answer)) settled.add(here.node);
        if (chosen && !isLoop) yield* step(chosen, now, true);
        else if (answer === "s" && skips && isFirst) return;
        else if (answer === `e${node.at}` && ends) {
          for (const one of inside(node)) if (settles(one) && isRow(one) && !settled.has(one)) yield* settle(one, at);
          return;
        } else next = halts.next(answer);
      }
    }

    /** All goes of a step: its rounds, each attack, one go for each who acts. */
    function* goes(node, at) {
      const phasing = node.phasing.flatMap((word) => playersOf(word, at));
      const by = node.by.length ? named(node.by, at) : [];
      const alone = { ...at, by: node.by.length ? null : at.by };
      const who = phasing.length ? phasing.map((side) => ({ ...at, phasing: side, by: null })) : by.length > 1 ? by.map((actor) => ({ ...at, by: actor, me: actor.who })) : [alone];
      if (node.rounds) yield* rounds(node, who);
      else {
        for (const each of who) {
          try {
            if (node.each) yield* passing(node, each, forEach(node, each), { ends: true, isLoop: true });
            else yield* body(node, each);
          } catch (end) {
            if (end.node !== node) throw end;
          }
        }
      }
    }

    function* forEach(node, at) {
      for (let number = 1; idle++ < IDLE; number++) {
        const now = { ...at, counts: [...at.counts, { node, number, noun: node.noun }] };
        if (!(yield* isYes("each", node, now, { ask: node.asks[number === 1 ? "first" : "next"] }))) return;
        yield* body(node, now);
      }
    }

    function* rounds(node, who) {
      const { minimum, maximum, passing: pass } = node.rounds;
      const [out, acted] = [new Set(), new Set()];
      let inRow = 0;
      for (let number = 1; idle++ < IDLE; number++) {
        const counted = (at) => ({ ...at, counts: [...at.counts, { node, number, noun: node.noun, most: maximum === minimum ? maximum : null, isRound: true }] });
        if (!minimum && number === 1 && !(yield* isYes("more", node, counted(who[0]), { ask: node.asks.first }))) return;
        for (const each of who) {
          const now = { ...counted(each), go: {} };
          const me = each.by?.who ?? each.phasing;
          if (out.has(me)) continue;
          if (pass === "one left" && out.size >= who.length - 1 && acted.has(me)) return;
          now.go.hasPassed = node.asks.pass && (yield* isYes("pass", node, now));
          if (!now.go.hasPassed) yield* body(node, now);
          if (pass && now.go.hasPassed) {
            inRow++;
            if (pass !== "pass") out.add(me);
            if ((pass === "pass" ? inRow : out.size) >= who.length) return;
          } else {
            inRow = 0;
            acted.add(me);
          }
          const mayEnd = number >= minimum || minimum === maximum; // 3 rounds, until it rains
          if (node.asks.until && mayEnd && number !== maximum && (yield* isYes("until", node, now))) return;
        }
        if (maximum && number >= maximum) return;
        if (node.asks.next && number >= minimum && !(yield* isYes("more", node, counted({ ...who[0], by: null }), { ask: node.asks.next }))) return;
      }
    }

    /** One go of a step. */
    function* body(node, at) {
      const row = node.steps.filter(isRow);
      const scope = { phasing: null };
      const now = { ...at, scope };
      if (!row.length) {
        if ((yield* halt("stop", node, at)) === "s") return;
      } else if (row[0].how === "one of") {
        const options = row.filter((one) => isDue(one, at));
        if (!options.length) return;
        const answer = options.length === 1 && !node.optional ? "c0" : yield* halt("choice", node, at, { options });
        const chosen = options[answer.slice(1)];
        if (chosen?.isPass && at.go) at.go.hasPassed = true;
        if (chosen) yield* step(chosen, now, true);
      } else if (row[0].how === "any order") yield* anyOrder(row, now);
      else for (const one of arranged(row)) yield* step(one, scope.phasing ? { ...now, phasing: scope.phasing } : now);
      if (node.ends && (!node.asks.ends || (yield* isYes("ends", node, at)))) throw new Ending(node.ending);
    }

    /** Turns of named sides next to each other, in the order that was decided. */
    function* arranged(row) {
      const isTurn = ({ phasing }) => phasing.length === 1 && all.includes(phasing[0]);
      for (let at = 0; at < row.length; at++) {
        const end = row.findIndex((one, place) => place >= at && !isTurn(one));
        const group = row.slice(at, end < 0 ? row.length : end);
        at += group.length;
        while (group.length) {
          if (held.has("order")) group.sort((one, other) => order().indexOf(one.phasing[0]) - order().indexOf(other.phasing[0]));
          yield group.shift();
        }
        if (at < row.length) yield row[at];
      }
    }

    /** All steps of a row, whichever first: each waits at its halt while another is done. */
    function* anyOrder(row, at) {
      const open = row.map((node) => ({ node, halts: step(node, at), next: null }));
      while (open.length) {
        const now = open[0];
        now.next ??= now.halts.next();
        if (now.next.done) open.shift();
        else {
          const others = open.slice(1).filter(({ node }) => isDue(node, at));
          const answer = yield { ...now.next.value, others: [...now.next.value.others, ...others.map(({ node }) => node)] };
          const wanted = others.find(({ node }) => answer === `o${node.at}`);
          if (wanted) open.unshift(...open.splice(open.indexOf(wanted), 1));
          else now.next = now.halts.next(answer);
        }
      }
    }

    /** Ask for what is decided at the end of a step. */
    function* settle(node, at) {
      const { decides } = node;
      if (!decides || all.length < 2) return;
      const isWhole = decides === "order" || book.orders.includes(decides);
      const before = [held.get(decides) ?? (isWhole ? all : [])].flat();
      const answer = yield* halt(isWhole ? "order" : "who", node, at, { ask: node.asks.decides, sides: all, before: before.map((side) => all.indexOf(side)).filter((at) => at >= 0) });
      const chosen = answer.slice(1).split("-").map((one) => all[one]);
      if (decides === "phasing") at.scope.phasing = chosen[0];
      else held.set(decides, isWhole ? chosen : chosen[0]);
    }

    let isOver = false;
    try {
      yield* body({ steps: book.steps, acts: [], asks: {} }, { phasing: null, by: null, counts: [] });
    } catch (end) {
      if (!(end instanceof Ending)) throw end;
      isOver = true;
    }
    return { held: Object.fromEntries(held), isOver };
  }

  /** Whether an answer fits a halt. */
  function fits(halt, answer) {
    const { kind, node, options, sides } = halt;
    const [letter, number] = [answer[0], answer.slice(1)];
    const named = { a: halt.anytime, o: halt.others, e: halt.ends.map((end) => end.node) }[letter];
    if (named) return named.some(({ at }) => String(at) === number);
    if (answer === "s" && halt.skips) return true;
    if (kind === "stop") return answer === "d" || answer === "s";
    if (kind === "choice") return answer === "x" ? Boolean(node.optional) : letter === "c" && /^\d{1,3}$/.test(number) && Number(number) < options.length;
    if (kind === "order" || kind === "who") {
      const picked = /^\d{1,2}(-\d{1,2})*$/.test(number) ? number.split("-").map(Number) : [];
      return letter === "w" && new Set(picked).size === (kind === "who" ? 1 : sides.length) && picked.length <= sides.length && picked.every((one) => one < sides.length);
    }
    return answer === "y" || answer === "n";
  }

  /** The answer that leads on, or towards a step. */
  function usual(halt, wanted = null) {
    const leads = (node) => wanted && holds(node, wanted);
    const there = wanted && [["a", halt.anytime], ["o", halt.others]].flatMap(([letter, nodes]) => nodes.filter((node) => leads(node) && !leads(halt.node)).map((node) => letter + node.at))[0];
    if (there) return there;
    const isInside = !wanted || leads(halt.node);
    const isEnd = wanted && halt.node.ending && !leads(halt.node.ending);
    const option = Math.max(halt.options?.findIndex(leads) ?? -1, 0);
    return {
      stop: "d", if: "y", unless: "n", each: isInside ? "y" : "n", more: isInside ? "y" : "n", until: isInside ? "n" : "y",
      pass: isInside ? "n" : "y", ends: isEnd ? "y" : "n", choice: `c${option}`, order: `w${halt.before?.join("-")}`, who: `w${halt.before?.[0] ?? 0}`,
    }[halt.kind];
  }

  /** Give the answers of a game turn again: each halt with its answer, the halt that waits for one, and what was decided.
      The first answer that does not fit and all after it are left out. */
  function replay(book, { turn, start, answers }) {
    const halts = walk(book, start, turn);
    const past = [];
    let next = halts.next();
    for (const answer of answers) {
      if (next.done || !fits(next.value, answer)) break;
      past.push({ halt: next.value, answer });
      next = halts.next(answer);
    }
    return { past, halts, halt: next.done ? null : next.value, end: next.done ? next.value : null };
  }

  const numbers = ({ counts }) => counts.map(({ node, number }) => `${node.at}.${number}`).join();
  const ids = (who) => who.map((actor) => actor.who).join();
  const isAsked = ({ kind }) => /^(if|unless|pass|each|more)$/.test(kind);

  /** Whether a question is put together with the halt after it; that of a whole phase has a screen of its own. */
  const isBefore = (ask, next) =>
    ask && isAsked(ask) && /^(stop|choice)$/.test(next?.kind) && holds(ask.node, next.node) &&
    !(/if|unless/.test(ask.kind) && ask.node.steps.length && (ask.node.phase || ask.node.turn));

  /** Whether a line goes on the screen of those before it: it is of the same part, the same players act, or all by
      turns in a combat, and no other dice are needed. */
  function follows(halt, lines) {
    const before = lines.at(-1).halt;
    const row = [...lines.map((line) => line.halt), halt];
    const isLine = ({ node }) => node.kind === "do" && !node.decides && !node.rounds && !node.each && !node.phasing.length && isRow(node) && node.how !== "one of";
    if (halt.node.parent !== before.node.parent || numbers(halt) !== numbers(before) || !row.every(isLine)) return false;
    const acting = new Set(row.filter(({ who }) => ids(who) !== "none").map(({ who }) => ids(who)));
    const dice = new Set(row.map(({ node }) => node.dice).filter(Boolean));
    return dice.size < 2 && (acting.size < 2 || before.node.parent?.isFight || row.every(({ node }) => node === before.node));
  }

  /** What is on the screen: questions before its lines, the lines that one Done passes, and the question after them.
      The first halt of a turn has a screen of its own, as the page has it before any script. */
  function screen(book, game) {
    const { past, halts, halt, end } = replay(book, game);
    if (!halt) return { past, end, halt, before: null, main: null, lines: [], after: null };
    const ahead = [halt];
    while (ahead.length < AHEAD) {
      const next = halts.next(usual(ahead.at(-1)));
      if (next.done) break;
      ahead.push(next.value);
    }
    const isFirst = !past.length;
    const before = !isFirst && isBefore(ahead[0], ahead[1]) ? ahead[0] : null;
    let at = before ? 1 : 0;
    const lines = [];
    if (ahead[at].kind === "stop") {
      lines.push({ asks: [], halt: ahead[at++] });
      for (let isOn = !isFirst; isOn && at < ahead.length;) {
        const asks = [];
        while (/^(if|unless)$/.test(ahead[at]?.kind) && ahead[at + 1]?.node === ahead[at].node) asks.push(ahead[at++]);
        isOn = ahead[at]?.kind === "stop" && follows(ahead[at], lines);
        if (isOn) lines.push({ asks, halt: ahead[at++] });
        else at -= asks.length;
      }
    }
    const last = lines.length ? ahead[at] : null;
    const isSame = last && (isFirst ? last.node === halt.node && !/each|more|until|ends/.test(last.kind) : holds(last.node, lines.at(-1).halt.node));
    const isAfter = isSame && /^(each|more|until|ends|order|who)$/.test(last.kind) && (last.kind !== "each" || last.counts.at(-1).number > 1);
    return { past, end, halt, before, main: lines[0]?.halt ?? ahead[at], lines, after: isAfter ? last : null };
  }

  /** The answers of a game turn with those that a screen gives: each question takes the answer that is meant for it. */
  function answered(book, game, wishes) {
    const answers = [...game.answers];
    let { halts, halt } = replay(book, game);
    for (const { halt: asked, answer } of wishes) {
      if (!halt) break;
      if (halt.kind !== asked.kind || halt.node !== asked.node || !fits(halt, answer)) continue;
      answers.push(answer);
      const next = halts.next(answer);
      halt = next.done ? null : next.value;
    }
    return answers;
  }

  /** The answers that lead to a step: back to where it was, or on to it; none if the turn does not reach it. */
  function towards(book, game, node) {
    const { past, halts, halt } = replay(book, game);
    const seen = past.findLastIndex((one) => one.halt.node === node);
    if (halt?.node === node || seen >= 0) return halt?.node === node ? game.answers : game.answers.slice(0, seen);
    const answers = past.map(({ answer }) => answer);
    let asked = null;
    for (let now = halt, count = 0; now && count < IDLE; count++) {
      if (holds(node, now.node)) return isBefore(asked, now) ? answers.slice(0, -1) : answers;
      asked = now;
      answers.push(usual(now, node));
      const next = halts.next(answers.at(-1));
      now = next.done ? null : next.value;
    }
    return null;
  }

  /* What was decided before a turn, in an address: the seats, then for each order and role its players by number. */
  const decided = (book) => ["order", ...book.orders, ...book.roles];
  function begun(book, { seats, held = {} }) {
    const all = players(book, seats);
    return [seats ?? "", ...decided(book).map((word) => [held[word] ?? []].flat().map((side) => all.indexOf(side)).join("-"))].join("_").replace(/_+$/, "");
  }
  function begin(book, text) {
    const [seats, ...parts] = text.split("_");
    const start = { held: {}, ...(book.sides.length || !seats ? {} : { seats: Math.max(book.players[0], Math.min(book.players[1], Number(seats) || 0)) }) };
    const all = players(book, start.seats);
    decided(book).forEach((word, at) => {
      const found = (parts[at] || "").split("-").filter(Boolean).map((number) => all[number]);
      const isWhole = word === "order" || book.orders.includes(word);
      if (found.every(Boolean) && new Set(found).size === (isWhole ? all.length : 1)) start.held[word] = isWhole ? found : found[0];
    });
    return start;
  }

  /* Answers in an address: one after the other, several steps done in a row as their number: D12. */
  const written = (answers) => answers.join("").replace(/d{2,}/g, (run) => `D${run.length}`);
  const unwritten = (text) => (text.match(/D\d{1,4}|[a-z][\d-]*/g) ?? []).flatMap((one) => (one[0] === "D" ? Array(Number(one.slice(1))).fill("d") : [one])).slice(0, IDLE);

  rw.walk = { read, begin, begun, replay, screen, answered, towards, usual, around, holds, written, unwritten };
})();
