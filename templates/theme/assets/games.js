/* A game as it is kept, and joined with what another tab did: a log, from which all else follows.

   Each entry has the tab that made it, its number there, and a time that is later than all that the tab knew of. So
   two logs are joined by putting both together, each entry once: in whatever order and however often that is done,
   the same comes of it. What is taken back is an entry too. Nothing that is read is believed.

   An entry: d tab, n its number there, c time, t turn, k kind, g number of the first entry of its group, and of

     m  mark of the step i: m is OPEN, DONE or SKIPPED      t  the turn is over: m comes next
     n  note v at the step i                                s  the turn is set to m by hand
     r  roll v at the step i                                a  of the game: i, such as "weather", is v
     x  the group v, "tab.number", is taken back */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MOST = 3000; // entries of a game, the latest
  const LATEST = 2 ** 40;
  const [ID, SHORT, NAME, TEXT] = [/^[a-z0-9]{1,9}$/, /^[^]{0,60}$/, /^[^]{0,400}$/, /^[^]{0,2000}$/];
  const KINDS = { m: [2, TEXT], t: [999], s: [999], n: [0, NAME], r: [0, TEXT], a: [0, SHORT], x: [0, /^[a-z0-9]{1,9}\.\d{1,7}$/] };

  /* A sample says what may stand there: numbers up to it, texts that it describes. */
  const ENTRY = { d: ID, n: 1e6, c: LATEST, t: 999, k: /^[mtsnrax]$/, g: 1e6 };
  const GAME = { id: ID, turn: 999, at: NAME, step: NAME };
  const fits = (sample, one) => (sample instanceof RegExp ? typeof one === "string" && sample.test(one) : Number.isInteger(one) && one >= 0 && one <= sample);

  function isEntry(one) {
    if (!Object.entries(ENTRY).every(([part, sample]) => fits(sample, one?.[part]))) return false;
    const [most, text] = KINDS[one.k];
    return (!most || fits(most, one.m)) && (!text || (one.k === "m" && one.v === undefined) || fits(text, one.v)) && (one.i === undefined || fits(NAME, one.i));
  }

  /** Whether something that is kept under a name is a game. */
  const isSound = (one, id) =>
    one?.id === id && Object.entries(GAME).every(([part, sample]) => one[part] === undefined || fits(sample, one[part])) &&
    Array.isArray(one.log) && one.log.length <= MOST + 1000 && one.log.every(isEntry);

  /* Only what is known of an entry is kept. */
  const bare = ({ d, n, c, t, k, g, i, m, v }) => ({ d, n, c, t, k, g, ...(i === undefined ? {} : { i }), ...(m === undefined ? {} : { m }), ...(v === undefined ? {} : { v }) });
  const compared = (one, other) => (one < other ? -1 : Number(one > other));
  const byTime = (one, other) => one.c - other.c || compared(one.d, other.d) || one.n - other.n || compared(JSON.stringify(one), JSON.stringify(other));

  /** Logs joined: each entry once, by time and tab; of too many the latest. */
  function merge(...logs) {
    const found = new Map();
    for (const one of logs.flat().map(bare).sort(byTime)) found.set(`${one.d}.${one.n}`, one); // of two of one name the later
    return [...found.values()].sort(byTime).slice(-MOST);
  }

  /** What holds of a log: what was not taken back. */
  function holding(log) {
    const gone = new Set();
    return [...log].reverse().filter((one) => {
      if (gone.has(`${one.d}.${one.g}`)) return false;
      if (one.k === "x") gone.add(one.v);
      return true;
    }).reverse();
  }

  /** Where a log leads: {turn, marks, about, notes, held}. */
  function state(log) {
    const held = holding(log);
    let turn = 1;
    for (const { k, m } of held) turn = k === "s" ? m : k === "t" ? Math.max(turn, m) : turn;
    const [marks, about, notes] = [{}, {}, {}].map((one) => Object.setPrototypeOf(one, null));
    for (const { k, i, m, v, t } of held) {
      if (k === "a") about[i] = v;
      else if (t === turn && k === "n") notes[i] = v;
      else if (t === turn && k === "m") marks[i] = m;
    }
    return { turn: Math.max(1, turn), marks, about, notes, held };
  }

  /** A log with more entries of one tab, made together. */
  function added(log, tab, entries) {
    const own = log.reduce((most, one) => (one.d === tab ? Math.max(most, one.n) : most), 0);
    const now = Math.max(Math.floor(Date.now() / 1000) - 1.7e9, log.at(-1)?.c ?? 0);
    return merge(log, entries.map((one, at) => ({ d: tab, n: own + 1 + at, c: Math.min(now + 1 + at, LATEST), g: own + 1, ...one })));
  }

  /** A game of which only the marks are known, as entries. */
  const known = ({ turn = 1, marks = {}, about = {} }) => [
    ...(turn > 1 ? [{ k: "s", t: turn, m: turn }] : []),
    ...Object.entries(marks).map(([i, m]) => ({ k: "m", t: turn, i, m })),
    ...Object.entries(about).map(([i, v]) => ({ k: "a", t: turn, i, v: v.slice(0, 60) })),
  ];

  /** A sound game with no more than is known of one. */
  const whole = ({ id, at = "", step = "", log }) => ({ id, at, step, log: merge(log) });

  rw.games = { isSound, whole, merge, state, added, known };
})();
