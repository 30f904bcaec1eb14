/* A game as it is kept, told to others and joined with what they did: a log, from which all else follows.

   Each entry has the device that made it, its number there, and a time that is later than all that the device knew
   of. So two logs are joined by putting both together, each entry once: in whatever order and however often that is
   done, the same comes of it. What is taken back is an entry too. Nothing that is read is believed: from storage,
   a file, an address or another device.

   An entry: d device, n its number there, c time, t turn, k kind, g number of the first entry of its group, and of

     m  mark of the step i: m is OPEN, DONE or SKIPPED      t  the turn is over: m comes next
     n  note v at the step i                                s  the turn is set to m by hand
     r  roll v at the step i                                a  of the game: i, such as "weather", is v
     x  the group v, "device.number", is taken back */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MOST = 3000; // entries of a game, the latest
  const GAMES = 50; // on a device, and in one file
  const LARGEST = 4e6; // letters of a file
  const SPREAD = 4e5; // letters of what an address unpacks to
  const PORTION = 100; // entries of a message
  const MESSAGE = 300000; // letters of it
  const LATEST = 2 ** 40;
  const [ID, SHORT, NAME, TEXT] = [/^[a-z0-9]{1,9}$/, /^[^]{0,60}$/, /^[^]{0,400}$/, /^[^]{0,2000}$/];
  const KINDS = { m: [2, TEXT], t: [999], s: [999], n: [0, NAME], r: [0, TEXT], a: [0, SHORT], x: [0, /^[a-z0-9]{1,9}\.\d{1,7}$/] };

  /* A sample says what may stand there: numbers up to it, texts that it describes, `*` for whatever name. */
  const ENTRY = { d: ID, n: 1e6, c: LATEST, t: 999, k: /^[mtsnrax]$/, g: 1e6 };
  const EARLIER = { g: 1e9, t: 999, i: NAME, m: 2, why: TEXT, from: NAME, was: 2, end: NAME, note: TEXT, rolls: [TEXT], marks: { "*": 2 } };
  const GAME = { id: ID, turn: 999, at: NAME, step: NAME, about: { "*": TEXT }, note: TEXT, rolls: [TEXT], marks: { "*": 2 } };

  /** What is wrong with something that ought to be as a sample; nothing where it is. */
  function wrong(sample, one, name) {
    if (sample instanceof RegExp) return typeof one === "string" && sample.test(one) ? "" : `${name} is no text as it ought to be`;
    if (typeof sample === "number") return Number.isInteger(one) && one >= 0 && one <= sample ? "" : `${name} is no whole number from 0 to ${sample}`;
    if (one === null || typeof one !== "object" || Array.isArray(one) !== Array.isArray(sample)) return `${name || "it"} is not as a game has it`;
    const parts = Object.entries(one);
    if (parts.length > MOST + 1000) return `${name} is too long`;
    for (const [part, value] of parts) {
      const expected = Array.isArray(sample) ? sample[0] : Object.hasOwn(sample, part) ? sample[part] : sample["*"];
      const found = expected === undefined ? "" : wrong(expected, value, `${name} ${Array.isArray(sample) ? Number(part) + 1 : part}`.trim());
      if (found) return found;
    }
    return "";
  }

  /** What is wrong with an entry of a log. */
  function faulty(one, name) {
    if (!Object.hasOwn(one ?? {}, "k")) return wrong(EARLIER, one, name);
    const missing = Object.keys(ENTRY).find((part) => !Object.hasOwn(one, part));
    if (missing) return `${name} has no ${missing}`;
    const found = wrong(ENTRY, one, name);
    if (found) return found;
    const [most, text] = KINDS[one.k];
    return (most ? wrong(most, one.m, `${name} m`) : "") || (text && (one.k !== "m" || one.v !== undefined) ? wrong(text, one.v, `${name} v`) : "") || (one.i === undefined ? "" : wrong(NAME, one.i, `${name} i`));
  }

  /** What is wrong with a game, in words; nothing where it is sound. */
  function fault(one, id = one?.id) {
    const found = wrong(GAME, one, "");
    if (found) return found;
    if (typeof one.id !== "string" || one.id !== id) return "it has no name of its own";
    if (!Array.isArray(one.log)) return "it has no log";
    if (one.log.length > MOST + 1000) return "the log is too long";
    for (const [at, entry] of one.log.entries()) {
      const told = faulty(entry, `entry ${at + 1}`);
      if (told) return told;
    }
    return "";
  }

  /* Only what is known of an entry is kept: nothing else travels with it. */
  const bare = ({ d, n, c, t, k, g, i, m, v }) => ({ d, n, c, t, k, g, ...(i === undefined ? {} : { i }), ...(m === undefined ? {} : { m }), ...(v === undefined ? {} : { v }) });
  const compared = (one, other) => (one < other ? -1 : Number(one > other));
  const byTime = (one, other) => one.c - other.c || compared(one.d, other.d) || one.n - other.n || compared(JSON.stringify(one), JSON.stringify(other));

  /** Logs joined: each entry once, by time and device; of too many the latest. */
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

  /** A log with more entries of one device, made together. */
  function added(log, device, entries) {
    const own = log.reduce((most, one) => (one.d === device ? Math.max(most, one.n) : most), 0);
    const now = Math.max(Math.floor(Date.now() / 1000) - 1.7e9, log.at(-1)?.c ?? 0);
    return merge(log, entries.map((one, at) => ({ d: device, n: own + 1 + at, c: Math.min(now + 1 + at, LATEST), g: own + 1, ...one })));
  }

  /** A game of which only the marks are known, as entries. */
  const known = ({ turn = 1, marks = {}, about = {} }) => [
    ...(turn > 1 ? [{ k: "s", t: turn, m: turn }] : []),
    ...Object.entries(marks).map(([i, m]) => ({ k: "m", t: turn, i, m })),
    ...Object.entries(about).map(([i, v]) => ({ k: "a", t: turn, i, v: v.slice(0, 60) })),
  ];

  /** A sound game as this version has it: earlier ones kept their marks besides. */
  function whole(game) {
    const { id, at = "", step = "", log } = game;
    const isEarlier = game.marks !== undefined || log.some((one) => one.k === undefined);
    if (!isEarlier) return { id, at, step, log: merge(log) };
    const did = log.flatMap(({ g, t = 1, i = "", m = 1, end, note, rolls = [] }) => [
      ...rolls.map((v) => ({ k: "r", t, i, v })),
      ...(note ? [{ k: "n", t, i, v: note.slice(0, 400) }] : []),
      { ...(end === undefined ? { k: "m", t, i, m } : { k: "t", t, m: Math.min(999, t + 1) }), part: g },
    ]);
    const entries = [...did, ...known(game), ...(game.rolls ?? []).map((v) => ({ k: "r", t: game.turn ?? 1, i: at, v }))].slice(-MOST);
    const device = [...JSON.stringify(game)].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7).toString(36);
    const first = new Map();
    const made = entries.map(({ part, ...one }, at) => {
      if (part !== undefined && !first.has(part)) first.set(part, at + 1);
      return { ...one, d: device, n: at + 1, c: at + 1, g: first.get(part) ?? at + 1 };
    });
    return { id, at, step, log: merge(made) };
  }

  /* A log in an address: each part of the entries for itself, as differences, which pack well */

  const chars = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

  /** Bytes through one of the browser's streams, and no more of them than `most`. */
  async function through(stream, given, most) {
    const reader = new Blob([given]).stream().pipeThrough(stream).getReader();
    const parts = [];
    for (let [size, part] = [0, await reader.read()]; !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > most) {
        reader.cancel();
        throw new Error("too much");
      }
      parts.push(part.value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  /** A log as letters for an address. `stops`: the names of all steps of the turn, in their order. */
  async function pack(log, stops) {
    const places = new Map(stops.map((name, at) => [name, at]));
    const devices = [...new Set(log.map(({ d }) => d))];
    const last = new Map();
    let [time, place] = [0, 0];
    const rows = log.map(({ d, n, c, t, k, g, i, m, v }) => {
      const at = places.get(i);
      const row = [devices.indexOf(d), n - (last.get(d) ?? 0), c - time, t, k, at === undefined ? i ?? "" : at - place, m ?? -1, v ?? 0, n - g];
      last.set(d, n);
      time = c;
      place = at ?? place;
      return row;
    });
    const data = new TextEncoder().encode(JSON.stringify([devices, ...Array.from({ length: 9 }, (_, part) => rows.map((row) => row[part]))]));
    return window.CompressionStream ? `1${chars(await through(new CompressionStream("deflate-raw"), data, Infinity))}` : `0${chars(data)}`;
  }

  /** The log that an address has; throws where it is none. */
  async function unpack(text, stops) {
    const data = bytes(text.slice(1));
    const plain = text[0] === "1" ? await through(new DecompressionStream("deflate-raw"), data, SPREAD) : data;
    const [devices, ...parts] = JSON.parse(new TextDecoder().decode(plain));
    if (parts.length !== 9 || !Array.isArray(parts[0]) || parts[0].length > MOST) throw new Error("no log");
    const last = new Map();
    let [time, place] = [0, 0];
    return merge(parts[0].map((device, row) => {
      const [, n, c, t, k, i, m, v, g] = parts.map((part) => part[row]);
      const d = devices[device];
      const number = n + (last.get(d) ?? 0);
      last.set(d, number);
      time += c;
      if (typeof i === "number") place += i;
      const one = bare({ d, n: number, c: time, t, k, g: number - g, i: typeof i === "number" ? stops[place] : i || undefined, m: m < 0 ? undefined : m, v: v === 0 ? undefined : v });
      const told = one.k === undefined ? "no kind" : faulty(one, `entry ${row + 1}`);
      if (told) throw new Error(told);
      return one;
    }));
  }

  /* A message of a device that plays along, and a file of games */

  const told = (id, at, log) => JSON.stringify({ id, at, log });

  /** What a message of the other device says of a game, {at, log}, or nothing where it is none. */
  function heard(text, id) {
    if (typeof text !== "string" || text.length > MESSAGE) return undefined;
    try {
      const { id: named, at, log } = JSON.parse(text);
      const isSound = named === id && (at === undefined || (typeof at === "string" && NAME.test(at))) && Array.isArray(log) && log.length <= PORTION;
      return isSound && log.every((one) => one?.k !== undefined && !faulty(one, "entry")) ? { at, log: log.map(bare) } : undefined;
    } catch {
      return undefined;
    }
  }


  const written = (edition, games) => JSON.stringify({ rulewright: "games", edition, games }, null, 1);

  /** The games of a file; throws what is wrong with it, in words. */
  function readFile(text, edition) {
    if (text.length > LARGEST) throw new Error("the file is too large for games");
    let found;
    try {
      found = JSON.parse(text);
    } catch {
      throw new Error("it is no file that was saved here, or it was cut short");
    }
    if (found?.rulewright !== "games" || !Array.isArray(found.games)) throw new Error("it is a file of something else");
    if (found.edition !== edition) throw new Error(`its games are of another book${typeof found.edition === "string" ? `, ${found.edition.slice(0, 80)}` : ""}`);
    if (!found.games.length) throw new Error("no game is in it");
    if (found.games.length > GAMES) throw new Error(`more than ${GAMES} games are in it`);
    return found.games.map((one, at) => {
      const told = fault(one);
      if (told) throw new Error(`game ${at + 1} of it is damaged: ${told}`);
      return whole(one);
    });
  }

  rw.games = { LARGEST, PORTION, fault, whole, merge, state, added, known, pack, unpack, chars, bytes, told, heard, written, readFile };
})();
