/* What finds in an edition: rules by their numbers, whatever is called so by its name, all else by what it says, which
   MiniSearch ranks. Data, in the form that passages.py gives, comes from `ocs/4.3/find.js`. Also runs as a worker.

   rulewright.finder(edition)  what finds in it. find(typed, here) gives the best things first, {things, found, number,
                               exact, ready}: each thing behind its rank, how many are found at all, whether a number is
                               typed, whether there is such a one, and whether passages are among them; `here`: the page
                               that is read. words(text) gives the words of a text with their
                               places and roots; ready: a promise, when passages are found too
   rulewright.fold(text)       a text as it is compared: without accents, small, one sort of dash */
(() => {
  "use strict";

  const rw = (globalThis.rulewright ??= {});
  const MOST = 40;
  const MANY = 5000; // passages from which on a worker reads them
  const SHOWN = 60; // milliseconds
  const CHUNK = 60; // passages between two moments in which keys are heard
  const NOTHING = { meant: "", found: 0, best: [] };
  const WORTH = 0.12; // of the best passage, from which on another is worth a look
  const [SAME, FAINT] = [0.5, 0.05]; // weights of a word that is meant too, and of one with which one asks
  const ASKING = new Set("a am an are as at be by can could did do does for from had has have he how i if in is it its just me may mine must my of on or shall she should so than that the their them then there these they this those to us was we were what when where which who whose why will with would you your".split(" "));
  // Words for the same in English rules; a phrase is one of them as well.
  const SYNONYMS = [
    "railroad; railway; rail line", "swamp; marsh", "plane; aircraft; air unit", "airfield; airbase; air base",
    "paratroops; paratroopers; airborne; air drop; airdrop", "dogfight; air combat", "boat; ship; fleet; navy; flotilla",
    "harbour; port", "headquarters; hq", "cavalry; horse; riders", "tank; armour; panzer", "arty; artillery; battery; gun",
    "bombard; bombardment; barrage; shelling", "spotter; observer; spotting; sight", "entrench; dig in; dug in",
    "fort; fortification; fortress", "disrupted; disordered; shaken", "merge; combine; consolidate", "repair; rebuild; restore",
    "stacking; how many units", "casualties; losses", "take back; undo", "drm; modifier",
  ];
  const BELOW = 0.05; // by which a section counts for what the rules inside it say
  const ALL = 0.5; // by which what says all words asked for is worth more
  const LIFT = 0.1; // by which a title with some of the words asked for is worth more
  const SORTS = { rule: 1, table: 1, glossary: 0.9, former: 0.9, removed: 0.9, text: 0.9, page: 0.8, step: 0.7 };
  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu; // a word may begin with each
  // A number keeps its sign and what joins it: +1, 7:1, 12.5c, 3-1, 1/2.
  const WORD = /(?:(?<![\p{L}\p{N}])[+-](?=\p{N}))?[\p{L}\p{N}]+(?:[.:/&-][\p{L}\p{N}]+)*%?/gu;

  const fold = (rw.fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]/g, "").replace(/[‐-―−]/g, "-").replace(/⁄/g, "/").replace(UNSPACED, " $& "));
  const split = (text) => fold(text).match(WORD) ?? [];
  const labels = (text) => fold(text).match(/\d+|\p{L}+/gu) ?? [];
  /** A word and what one may type for it: half-strength, A.T., 2d6. */
  const spelt = (word) => [word, ...(/[:/&-]/.test(word.slice(1)) ? word.split(/[:/&-]/).filter(Boolean) : []), ...(/^\p{L}(\.\p{L})+$/u.test(word) ? [word.replaceAll(".", "")] : []), ...(word.match(/d\d+$/) ?? [])];
  const order = new Intl.Collator(undefined, { numeric: true });

  /** The ways to write a number, the surest first: as it is, bare, without its first letters, all in one. */
  function forms(text, parts, loose) {
    const bare = parts.join(".").replace(/\.(?=\p{L})|(?<=\p{L})\./gu, "");
    return [fold(text).replace(/\s/g, ""), bare, loose && bare.replace(/^\p{L}+/u, ""), parts.join("")];
  }

  /** All that one can find in an edition. */
  function things(edition, { loose, chapters, former, removed, others }) {
    const all = [];
    const rules = {};
    const enter = (sort, short, title, page, anchor = "", also = "", around = "", text = "") => all[all.push({ edition, sort, short, title, page, anchor, also, around, text }) - 1];
    for (const [page, label, inside] of chapters) {
      const above = [];
      let section;
      for (const [number, title, level, also, text] of inside) {
        if (level > 1 && section) section.below += ` ${title} ${text ?? ""}`;
        above.length = level;
        const parts = labels(level ? number : label);
        rules[number] = Object.assign(enter("rule", number, title, page, number, also, above.join(" › "), text), { level, parts, forms: forms(number, parts, loose) });
        if (level === 1) section = Object.assign(rules[number], { below: "" });
        above[level] = `${number} ${title}`.trim();
      }
    }
    for (const [old, now] of former) Object.assign(enter("former", old, rules[now].title, rules[now].page, now, "", rules[now].around), { now, forms: forms(old, labels(old), loose) });
    for (const [old, title, page, anchor, where] of removed) Object.assign(enter("removed", old, title, page, anchor, "", where), { forms: forms(old, labels(old), loose) });
    for (const other of others) enter(...other);
    return all;
  }

  /** What finds passages, [title, also, around, text, weight, whether it is a chapter or a table, the text of the rules inside it] each: ask(typed) gives [place, roots that were found] each.
      `root`: what stems a word; `small`: words with which one asks, where not English. Names of one thing are meant by each other. */
  rw.ranked = (rows, root, small) => {
    const asking = small ? new Set(split(small)) : ASKING;
    const often = new Map(); // in how many passages a root stands
    const words = new globalThis.MiniSearch({ fields: ["word"], tokenize: (text) => [text], processTerm: (text) => text });
    const index = new globalThis.MiniSearch({
      fields: ["title", "also", "around", "text", "below"],
      tokenize: split,
      processTerm: (word) => spelt(word).map((one) => {
        if (!words.has(one)) words.add({ id: one, word: one });
        often.set(root(one), (often.get(root(one)) ?? 0) + 1);
        return root(one);
      }),
    });
    const isSynonym = new Set(small ? [] : SYNONYMS.flatMap(split).map(root));
    /** The two words of which a word that the book has not is made: airdrop is asked for as air drop. */
    function parted(word) {
      for (let at = 3; at <= word.length - 3; at += 1) {
        const parts = [word.slice(0, at), word.slice(at)];
        if (parts.every((part) => often.has(root(part)))) return parts;
      }
      return [word];
    }
    /** How many letters are typed otherwise, two in the wrong order as one. */
    function distance(word, other) {
      let [before, last] = [[], [...Array(other.length + 1).keys()]];
      for (let at = 1; at <= word.length; at += 1) {
        const row = [at];
        for (let to = 1; to <= other.length; to += 1) {
          const isSwapped = at > 1 && to > 1 && word[at - 1] === other[to - 2] && word[at - 2] === other[to - 1];
          row[to] = Math.min(last[to] + 1, row[to - 1] + 1, last[to - 1] + (word[at - 1] !== other[to - 1]), isSwapped ? before[to - 2] + 1 : Infinity);
        }
        [before, last] = [last, row];
      }
      return last[other.length];
    }
    const stands = (word) => isSynonym.has(root(word)) || often.has(root(word)) || [...often.keys()].some((one) => one.startsWith(word) || one.startsWith(root(word)));
    /** What is meant by a word that begins none here, by one or two letters. */
    function meant(word) {
      if (word.length < 4 || /\d/.test(word) || stands(word)) return word;
      // The nearest word; of several the one that stands most often, so that a rare word does not win.
      const near = words.search(word, { fuzzy: word.length < 5 ? 1 : 2 }).map(({ id }) => [distance(word, id) + asking.has(id), -often.get(root(id)), id]);
      return near.sort((one, other) => one[0] - other[0] || one[1] - other[1])[0]?.[2] ?? word;
    }
    const phrase = (text) => split(text).map(root);
    const lists = [...rows.map(([, also]) => also), ...(small ? [] : SYNONYMS)].map((names) => names.split("; ").map(phrase).filter((name) => name.length)).filter((list) => list.length > 1);
    const titles = rows.map(([title]) => new Set(split(title).filter((word) => !asking.has(word)).map(root)));
    /** How much the words asked for that stand in a title lift it, most if they are all of it; a chapter or a table before others. */
    function lift(id, asked) {
      const title = titles[id];
      const shared = asked.filter((word) => title.has(word)).length;
      if (!shared || !asked.length) return 1;
      const isWhole = shared === asked.length;
      return isWhole ? 1.2 + (rows[id][5] ? 0.8 : 0.3) * (shared / title.size) : 1 + (LIFT * shared) / Math.max(title.size, asked.length);
    }
    function others(asked) {
      const typed = ` ${asked.join(" ")} `;
      const same = lists.filter((list) => list.some((name) => typed.includes(` ${name.join(" ")} `)));
      return [...new Set(same.flat(2))].filter((word) => !asked.includes(word));
    }
    const first = new Promise((resolve) => setTimeout(resolve, SHOWN)); // numbers and names are on the screen before
    const ready = first.then(() => index.addAllAsync(rows.map(([title, also, around, text, , , below], id) => ({ id, title, also, around, text, below })), { chunkSize: CHUNK }));

    /** What is typed for a letter with dots, groesse, if the books have the word. */
    function umlaut(word) {
      const short = often.has(root(word)) ? word : meant(word.replace(/(?<=[aou])e/g, ""));
      return often.has(root(short)) ? short : word;
    }

    function ask(typed) {
      const known = (word) => (often.has(root(word)) ? [word] : spelt(word).slice(-2).flatMap((one) => (stands(one) ? [one] : parted(one))));
      const given = split(typed).flatMap(known).map(meant).map(umlaut);
      const open = /\s$/.test(typed) ? -1 : given.length - 1; // the last word may go on
      const asked = given.map(root);
      const told = [...new Set(asked.filter((word, at) => !asking.has(given[at])))];
      const pairs = given.slice(1).map((word, at) => root(given[at] + word)).filter((pair) => often.has(pair) && !asked.includes(pair));
      const found = index.search([...asked, ...new Set([...pairs, ...others(asked)])].join(" "), {
        tokenize: (text) => text.split(" ").filter(Boolean),
        processTerm: (word) => word,
        boost: { title: 1.8, also: 1.8, around: 0.6, below: BELOW },
        boostTerm: (word, at) => (at >= given.length ? (pairs.includes(word) ? 1 : SAME) : asking.has(given[at]) ? FAINT : 1),
        boostDocument: (id) => rows[id][4],
        prefix: (word, at) => at === open && word.length > 1 && !/^\d+$/.test(word),
        weights: { prefix: 0.6, fuzzy: 0.6 },
        bm25: { k: 1.2, b: 0.6, d: 0.5 },
      });
      // Who says more of the words asked for comes first, whatever they weigh.
      for (const one of found) one.score *= lift(one.id, told) * (1 + (ALL * told.filter((word) => one.queryTerms.includes(word)).length) / (told.length || 1));
      found.sort((one, other) => other.score - one.score);
      const good = found.filter(({ score }) => score > found[0].score * WORTH);
      return { meant: given.join(" "), found: good.length, best: good.slice(0, MOST).map(({ id, terms }) => [id, terms.map((one) => [one, often.get(one)])]) };
    }
    return { ask, ready };
  };

  /** The same from a worker, so that nothing waits while it reads. */
  function aside(rows, language) {
    const worker = new Worker(new URL("assets/find.js", rw.root));
    const told = (data) => new Promise((resolve) => { worker.onmessage = (event) => resolve(event.data); worker.postMessage(data); });
    let asked = "";
    let given = NOTHING;
    const ready = told({ rows, language });
    // An answer that is not there yet comes with the next question, which whoever asks puts again.
    const ask = (typed) => { if (asked !== typed) { asked = typed; told({ typed }).then((answer) => { if (asked === typed) { given = answer; rw.heard?.(); } }); } return given; };
    return { ask, ready, isLate: true };
  }
  if (globalThis.importScripts) {
    let index;
    rw.take = (path, stemmer) => { rw.stemmer = stemmer; };
    globalThis.onmessage = async ({ data: { rows, language, typed } }) => {
      if (rows) {
        importScripts("minisearch.js", `stem-${language}.js`);
        await (index = rw.ranked(rows, rooted(rw.stemmer), rw.stemmer.small)).ready;
        postMessage("ready");
      } else postMessage(index.ask(typed));
    };
  }

  function rooted(stemmer) {
    const known = new Map();
    return (word) => known.get(word) ?? known.set(word, /[\d&]/.test(word) ? word : stemmer.stemWord(word)).get(word);
  }

  rw.finder = async (edition) => {
    const data = await rw.need(`${edition || "search"}/find.js`);
    const [stemmer] = await Promise.all([rw.need(`assets/stem-${data.language}.js`), rw.load("minisearch")]);
    const root = rooted(stemmer);
    const all = things(edition, data);
    const phrase = (text) => split(text).map(root).join(" ");
    const cue = new RegExp(`^((${[...data.cues, ..."see rule rules section chapter".split(" ")].map((one) => fold(one).replace(/\W/g, "\\$&")).join("|")})\\.? +)+`);
    let names; // what is called just so
    function named(name) {
      if (!names) {
        names = new Map();
        for (const thing of all) {
          for (const one of new Set([thing.title, thing.sort === "rule" ? "" : thing.short, ...thing.also.split("; ")].map(phrase))) if (one) (names.get(one) ?? names.set(one, []).get(one)).push(thing);
        }
      }
      return names.get(phrase(name));
    }
    const weight = ({ sort, short, level }) => (level === 0 ? 0.7 : 1) * SORTS[sort] * (sort === "rule" && /^\p{L}/u.test(short) && data.chapters.some(([, label]) => /^\d/.test(label)) ? 0.6 : 1);
    const isMain = ({ sort, level, title }) => sort === "table" || level === 0 || / (Table|Chart|Schedule)$/.test(title);
    const rows = all.map((one) => [one.sort === "rule" ? one.title : `${one.title} ${one.short}`, one.also, one.around, one.text, weight(one), isMain(one), one.below ?? ""]);
    const index = all.length > MANY && location.protocol !== "file:" && globalThis.Worker ? aside(rows, data.language) : rw.ranked(rows, root, stemmer.small);
    let isReady = false;
    index.ready.then(() => { isReady = true; named(""); });

    /** The sentence that holds most of the words, rare ones first. */
    function saying(text, terms) {
      const worth = new Map(terms.map(([word, often]) => [word, 1 / Math.sqrt(often)]));
      const sum = (one) => [...new Set(split(one).flatMap(spelt).map(root))].reduce((all, word) => all + (worth.get(word) ?? 0), 0);
      return text.split(/(?<=[.;!?])\s+/).map((one) => [sum(one), one]).reduce((best, one) => (one[0] > best[0] ? one : best))[1];
    }

    /** The rule that comes last before a number that is none. */
    function nearest(number) {
      let [near, most] = [null, -1];
      for (const wanted of [labels(number), labels(number.replace(/^\p{L}+ +/u, ""))]) {
        for (const thing of all) {
          const own = thing.parts;
          if (!own || own.length > wanted.length) continue;
          let same = 0;
          while (same < own.length && own[same] === wanted[same]) same += 1;
          if (same > most || (same === most && order.compare(own[same] ?? "", wanted[same] ?? "") < 0)) [near, most] = [thing, same];
        }
        if (most > 0) break;
      }
      return near ? [near] : [];
    }

    let last = {}; // the same is asked for more than once a key
    function find(typed, here) {
      if (last.typed !== typed || last.here !== here || last.isReady !== isReady || index.isLate) last = { typed, here, isReady, told: sought(typed, here) };
      return last.told;
    }

    function sought(typed, here) {
      const written = fold(typed).replace(cue, "").trim();
      const number = written.replace(/^\p{L}{3,}\.? +(?=.?\d[^\s]*$)/u, ""); // behind a word that is no cue here
      const asked = forms(number, labels(number));
      asked[2] = asked[1];
      if (!/^[^\p{L}\p{N}]*[\p{L}\p{N} ]+$/u.test(number)) asked[3] = null; // 1.4 is never 14
      const isOdds = /[:+/%&#]|^-|\d-\d|^\d*d\d+$/.test(number); // 7:1 and 2d6 may look like numbers, and are none
      const isNumber = /\d/.test(number) && number.split(/\s+/).every((one) => (/\d/.test(one) ? !/\p{L}{5}/u.test(one) : /^[^\p{L}]*\p{L}{1,2}[^\p{L}]*$|^[([]\p{L}{1,5}[)\]]$/u.test(one)));
      const exact = [];
      const begin = [];
      for (const thing of asked[0] ? all : []) {
        if (!thing.forms) continue;
        const at = thing.forms.findIndex((form, nth) => form && form === asked[nth] && nth < 3 && !(isOdds && nth));
        if (at >= 0) exact.push([at + (thing.page === here ? 0 : 0.1) + (thing.sort === "former") / 20, thing]);
        else if (/\d/.test(number)) {
          const like = thing.forms.findIndex((form, nth) => form && asked[nth] && form.startsWith(asked[nth]));
          if (like >= 0) begin.push([like - (thing.forms[like] === asked[like]) / 2, thing]);
        }
      }
      for (const some of [exact, begin]) some.sort(([one], [other]) => one - other);
      const { meant, found, best } = isReady && typed ? index.ask(typed) : NOTHING;
      const called = (named(typed) ?? named(meant) ?? []).toSorted((one, other) => SORTS[other.sort] - SORTS[one.sort] || (one.level ?? 9) - (other.level ?? 9));
      // What several rules are called leads to the chapter and the table of that name first.
      const whole = called.filter(({ sort }) => sort === "rule").length === 1 ? "" : phrase(meant || typed);
      const main = whole ? all.filter((thing) => isMain(thing) && `${phrase(thing.title)} `.startsWith(`${whole} `)).toSorted((one, other) => (one.level ?? 9) - (other.level ?? 9)).slice(0, 2) : [];
      const passages = best.map(([id, terms]) => ({ ...all[id], words: terms.map(([word]) => word), get says() { return all[id].text && saying(all[id].text, terms); } }));
      const isSame = ([rank]) => rank % 1 > 0; // but for what parts its labels
      const isFound = number === written && (exact.length > 0 || begin.some(isSame));
      const near = isNumber && !isOdds && !exact.length ? nearest(number) : [];
      const like = begin.map(([, thing]) => thing);
      // What stands so in a text, 1L, 88's, comes before the rule next to a number that there is not.
      const said = isNumber && !like.length && written ? passages.filter(({ text }) => fold(text ?? "").includes(written)) : [];
      const groups = isNumber && !isOdds ? [like, said, near, passages] : [said, passages, like];
      const seen = new Set();
      const things = [exact.map(([, thing]) => thing), main, called, ...groups].flatMap((group, rank) => group.map((thing) => [rank, thing]))
        .filter(([, { page, anchor, now, short }]) => { const at = `${page}#${anchor}${now ? short : ""}`; return !seen.has(at) && seen.add(at); });
      const first = all.filter(({ sort, level }) => level === 0 || sort === "page").map((thing) => [0, thing]);
      return { things: typed ? things : first, found: typed ? things.filter(([, thing]) => !near.includes(thing)).length + found - best.length : 0, exact: isFound, number: isNumber && !isOdds, ready: isReady };
    }

    const words = (text) => [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.:&/-]*/gu)].map(({ 0: word, index: at }) => [at, at + word.length, split(word).flatMap(spelt).map(root)]);
    return { find, words, ready: index.ready };
  };
})();
