/* The search of an edition: rules by number, items by name, and texts, which MiniSearch ranks. The data comes from
   `ocs/4.3/find.js`, written by search_index.py. The script also runs as a worker.

   rulewright.loadFinder(edition)  return the finder of an edition. find(typed, currentPage) returns the best results
                                   first, {results, count, number, exact, ready}: each result with its rank, the number
                                   of results, whether a number is typed, whether it exists, and whether texts are
                                   included. words(text) returns the positions and roots of words; ready: a promise for
                                   the texts
   rulewright.fold(text)           return a text for comparison: no accents, lower case, one kind of dash */
(() => {
  "use strict";

  const rw = (globalThis.rulewright ??= {});
  const MAX_RESULTS = 40;
  const MIN_FOR_WORKER = 5000; // number of texts from which on a worker indexes them
  const DELAY = 60; // milliseconds before indexing, so that numbers and names are shown first
  const CHUNK = 60; // texts that are indexed without a pause for key presses
  const NO_RESULT = { corrected: "", count: 0, best: [] };
  const MIN_SCORE = 0.12; // minimum score, relative to the best result
  const [SYNONYM_WEIGHT, QUESTION_WEIGHT] = [0.5, 0.05]; // weights of synonyms and of question words
  const QUESTION_WORDS = new Set("a am an are as at be by can could did do does for from had has have he how i if in is it its just me may mine must my of on or shall she should so than that the their them then there these they this those to us was we were what when where which who whose why will with would you your".split(" "));
  // Synonyms in English rules; a phrase may be one of them.
  const SYNONYMS = [
    "railroad; railway; rail line", "swamp; marsh", "plane; aircraft; air unit", "airfield; airbase; air base",
    "paratroops; paratroopers; airborne; air drop; airdrop", "dogfight; air combat", "boat; ship; fleet; navy; flotilla",
    "harbour; port", "headquarters; hq", "cavalry; horse; riders", "tank; armour; panzer", "arty; artillery; battery; gun",
    "bombard; bombardment; barrage; shelling", "spotter; observer; spotting; sight", "entrench; dig in; dug in",
    "fort; fortification; fortress", "disrupted; disordered; shaken", "merge; combine; consolidate", "repair; rebuild; restore",
    "stacking; how many units", "casualties; losses", "take back; undo", "drm; modifier",
  ];
  const NESTED_WEIGHT = 0.05; // weight of the texts inside a section for that section
  const ALL_WORDS_BONUS = 0.5; // bonus for a text with all searched words
  const TITLE_BONUS = 0.1; // bonus for a title with some of the searched words
  const SORT_WEIGHTS = { rule: 1, table: 1, glossary: 0.9, former: 0.9, removed: 0.9, text: 0.9, page: 0.8, step: 0.8 };
  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu; // scripts without spaces: each character is a word
  // A number keeps its sign and what joins it: +1, 7:1, 12.5c, 3-1, 1/2.
  const WORD = /(?:(?<![\p{L}\p{N}])[+-](?=\p{N}))?[\p{L}\p{N}]+(?:[.:/&-][\p{L}\p{N}]+)*%?/gu;

  const fold = (rw.fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]/g, "").replace(/[‐-―−]/g, "-").replace(/⁄/g, "/").replace(UNSPACED, " $& "));
  const split = (text) => fold(text).match(WORD) ?? [];
  const labels = (text) => fold(text).match(/\d+|\p{L}+/gu) ?? [];
  /** Return a word and its other spellings: half-strength, A.T., 2d6. */
  const spellings = (word) => [word, ...(/[:/&-]/.test(word.slice(1)) ? word.split(/[:/&-]/).filter(Boolean) : []), ...(/^\p{L}(\.\p{L})+$/u.test(word) ? [word.replaceAll(".", "")] : []), ...(word.match(/d\d+$/) ?? [])];
  const order = new Intl.Collator(undefined, { numeric: true });

  /** Return the spellings of a number, the surest first: as it is, plain, without its first letters, joined. */
  function numberForms(text, parts, isLoose) {
    const bare = parts.join(".").replace(/\.(?=\p{L})|(?<=\p{L})\./gu, "");
    return [fold(text).replace(/\s/g, ""), bare, isLoose && bare.replace(/^\p{L}+/u, ""), parts.join("")];
  }

  /** Return all items that the search can find in an edition. */
  function searchItems(edition, { loose: isLoose, chapters, former, removed, others }) {
    const items = [];
    const rules = {};
    const addItem = (sort, short, title, page, anchor = "", also = "", around = "", text = "") => items[items.push({ edition, sort, short, title, page, anchor, also, around, text }) - 1];
    for (const [page, label, rules_] of chapters) {
      const ancestors = [];
      let section;
      for (const [number, title, level, also, text] of rules_) {
        if (level > 1 && section) section.below += ` ${title} ${text ?? ""}`;
        ancestors.length = level;
        const parts = labels(level ? number : label);
        rules[number] = Object.assign(addItem("rule", number, title, page, number, also, ancestors.join(" › "), text), { level, parts, forms: numberForms(number, parts, isLoose) });
        if (level === 1) section = Object.assign(rules[number], { below: "" });
        ancestors[level] = `${number} ${title}`.trim();
      }
    }
    for (const [old, now] of former) Object.assign(addItem("former", old, rules[now].title, rules[now].page, now, "", rules[now].around), { now, forms: numberForms(old, labels(old), isLoose) });
    for (const [old, title, page, anchor, where] of removed) Object.assign(addItem("removed", old, title, page, anchor, "", where), { forms: numberForms(old, labels(old), isLoose) });
    for (const other of others) addItem(...other);
    return items;
  }

  /** Return the index of texts, rows of [title, aliases, path, text, weight, whether it is a chapter or a table, text of inner
      rules]; ask(typed) returns [row number, matched roots]. `root` stems a word; `small`: question words, if not English. */
  rw.rankedIndex = (rows, root, small) => {
    const questionWords = small ? new Set(split(small)) : QUESTION_WORDS;
    const frequency = new Map(); // number of texts with each root
    const words = new globalThis.MiniSearch({ fields: ["word"], tokenize: (text) => [text], processTerm: (text) => text });
    const index = new globalThis.MiniSearch({
      fields: ["title", "also", "around", "text", "below"],
      tokenize: split,
      processTerm: (word) => spellings(word).map((item) => {
        if (!words.has(item)) words.add({ id: item, word: item });
        frequency.set(root(item), (frequency.get(root(item)) ?? 0) + 1);
        return root(item);
      }),
    });
    const isSynonym = new Set(small ? [] : SYNONYMS.flatMap(split).map(root));
    /** Split an unknown compound into two known words: airdrop into air drop. */
    function splitCompound(word) {
      for (let index = 3; index <= word.length - 3; index += 1) {
        const parts = [word.slice(0, index), word.slice(index)];
        if (parts.every((part) => frequency.has(root(part)))) return parts;
      }
      return [word];
    }
    /** Return the edit distance; two swapped letters count as one edit. */
    function distance(word, other) {
      let [before, last] = [[], [...Array(other.length + 1).keys()]];
      for (let index = 1; index <= word.length; index += 1) {
        const row = [index];
        for (let to = 1; to <= other.length; to += 1) {
          const isSwapped = index > 1 && to > 1 && word[index - 1] === other[to - 2] && word[index - 2] === other[to - 1];
          row[to] = Math.min(last[to] + 1, row[to - 1] + 1, last[to - 1] + (word[index - 1] !== other[to - 1]), isSwapped ? before[to - 2] + 1 : Infinity);
        }
        [before, last] = [last, row];
      }
      return last[other.length];
    }
    const isKnownWord = (word, isOpen = true) => isSynonym.has(root(word)) || frequency.has(root(word)) || (isOpen && [...frequency.keys()].some((item) => item.startsWith(word) || item.startsWith(root(word))));
    /** Correct an unknown word by one or two letters; an open word may be the beginning of a known one. */
    function corrected(word, isOpen) {
      if (word.length < 4 || /\d/.test(word) || isKnownWord(word, isOpen)) return word;
      // The nearest word; of several, the most frequent one.
      const nearby = words.search(word, { fuzzy: word.length < 5 ? 1 : 2 }).map(({ id }) => [distance(word, id) + questionWords.has(id), -frequency.get(root(id)), id]);
      return nearby.sort((item, other) => item[0] - other[0] || item[1] - other[1])[0]?.[2] ?? word;
    }
    const phrase = (text) => split(text).map(root);
    const lists = [...rows.map(([, also]) => also), ...(small ? [] : SYNONYMS)].map((names) => names.split("; ").map(phrase).filter((name) => name.length)).filter((list) => list.length > 1);
    const titles = rows.map(([title]) => new Set(split(title).filter((word) => !questionWords.has(word)).map(root)));
    /** Return the factor for searched words in a title: highest for a whole title; chapters and tables come first. */
    function titleBonus(id, roots) {
      const title = titles[id];
      const shared = roots.filter((word) => title.has(word)).length;
      if (!shared || !roots.length) return 1;
      const isWhole = shared === roots.length;
      return isWhole ? 1.2 + (rows[id][5] ? 0.8 : 0.3) * (shared / title.size) : 1 + (TITLE_BONUS * shared) / Math.max(title.size, roots.length);
    }
    function synonymsOf(roots) {
      const typed = ` ${roots.join(" ")} `;
      const same = lists.filter((list) => list.some((name) => typed.includes(` ${name.join(" ")} `)));
      return [...new Set(same.flat(2))].filter((word) => !roots.includes(word));
    }
    const delay = new Promise((resolve) => setTimeout(resolve, DELAY));
    const ready = delay.then(() => index.addAllAsync(rows.map(([title, also, around, text, , , below], id) => ({ id, title, also, around, text, below })), { chunkSize: CHUNK }));

    /** Replace ae, oe, ue in an unknown German word: groesse. */
    function restoreUmlaut(word) {
      const short = frequency.has(root(word)) ? word : corrected(word.replace(/(?<=[aou])e/g, ""));
      return frequency.has(root(short)) ? short : word;
    }

    function ask(typed) {
      const knownWords = (word) => (frequency.has(root(word)) ? [word] : spellings(word).slice(-2).flatMap((item) => (isKnownWord(item) ? [item] : splitCompound(item))));
      const spelled = split(typed).flatMap(knownWords);
      const openWord = /\s$/.test(typed) ? -1 : spelled.length - 1; // the last word may be incomplete
      const typedWords = spelled.map((word, index) => restoreUmlaut(corrected(word, index === openWord)));
      const roots = typedWords.map(root);
      const keyRoots = [...new Set(roots.filter((word, index) => !questionWords.has(typedWords[index])))];
      const joinedPairs = typedWords.slice(1).map((word, index) => root(typedWords[index] + word)).filter((pair) => frequency.has(pair) && !roots.includes(pair));
      const found = index.search([...roots, ...new Set([...joinedPairs, ...synonymsOf(roots)])].join(" "), {
        tokenize: (text) => text.split(" ").filter(Boolean),
        processTerm: (word) => word,
        boost: { title: 1.8, also: 1.8, around: 0.6, below: NESTED_WEIGHT },
        boostTerm: (word, index) => (index >= typedWords.length ? (joinedPairs.includes(word) ? 1 : SYNONYM_WEIGHT) : questionWords.has(typedWords[index]) ? QUESTION_WEIGHT : 1),
        boostDocument: (id) => rows[id][4],
        prefix: (word, index) => index === openWord && word.length > 1 && !/^\d+$/.test(word),
        weights: { prefix: 0.6, fuzzy: 0.6 },
        bm25: { k: 1.2, b: 0.6, d: 0.5 },
      });
      // A text with more of the searched words comes first.
      for (const item of found) item.score *= titleBonus(item.id, keyRoots) * (1 + (ALL_WORDS_BONUS * keyRoots.filter((word) => item.queryTerms.includes(word)).length) / (keyRoots.length || 1));
      found.sort((item, other) => other.score - item.score);
      const goodResults = found.filter(({ score }) => score > found[0].score * MIN_SCORE);
      return { corrected: typedWords.join(" "), count: goodResults.length, best: goodResults.slice(0, MAX_RESULTS).map(({ id, terms }) => [id, terms.map((item) => [item, frequency.get(item)])]) };
    }
    return { ask, ready };
  };

  /** Return the same index in a worker, so that the page stays responsive. */
  function workerIndex(rows, language) {
    const worker = new Worker(new URL("assets/find.js", rw.root));
    const request = (data) => new Promise((resolve) => { worker.onmessage = (event) => resolve(event.data); worker.postMessage(data); });
    let asked = "";
    let lastAnswer = NO_RESULT;
    const ready = request({ rows, language });
    // A pending answer is returned when the caller asks again.
    const ask = (typed) => { if (asked !== typed) { asked = typed; request({ typed }).then((answer) => { if (asked === typed) { lastAnswer = answer; rw.showAgain?.(); } }); } return lastAnswer; };
    return { ask, ready, isLate: true };
  }
  if (globalThis.importScripts) {
    let index;
    rw.receiveData = (path, stemmer) => { rw.stemmer = stemmer; };
    globalThis.onmessage = async ({ data: { rows, language, typed } }) => {
      if (rows) {
        importScripts("minisearch.js", `stem-${language}.js`);
        await (index = rw.rankedIndex(rows, cachedStemmer(rw.stemmer), rw.stemmer.small)).ready;
        postMessage("ready");
      } else postMessage(index.ask(typed));
    };
  }

  function cachedStemmer(stemmer) {
    const knownWords = new Map();
    return (word) => knownWords.get(word) ?? knownWords.set(word, /[\d&]/.test(word) ? word : stemmer.stemWord(word)).get(word);
  }

  rw.loadFinder = async (edition) => {
    const data = await rw.loadData(`${edition || "search"}/find.js`);
    const [stemmer] = await Promise.all([rw.loadData(`assets/stem-${data.language}.js`), rw.loadScript("minisearch")]);
    const root = cachedStemmer(stemmer);
    const items = searchItems(edition, data);
    const phrase = (text) => split(text).map(root).join(" ");
    const cuePattern = new RegExp(`^((${[...data.cues, ..."see rule rules section chapter".split(" ")].map((item) => fold(item).replace(/\W/g, "\\$&")).join("|")})\\.? +)+`);
    const joined = (text) => phrase(text).replaceAll(" ", ""); // airdrop is the name of Air Drop
    let names; // items by name
    function itemsNamed(name) {
      if (!names) {
        names = new Map();
        for (const item of items) {
          for (const name of new Set([item.title, item.sort === "rule" ? "" : item.short, ...item.also.split("; ")].map(joined))) if (name) (names.get(name) ?? names.set(name, []).get(name)).push(item);
        }
      }
      return names.get(joined(name));
    }
    const weight = ({ sort, short, level }) => (level === 0 ? 0.7 : 1) * SORT_WEIGHTS[sort] * (sort === "rule" && /^\p{L}/u.test(short) && data.chapters.some(([, label]) => /^\d/.test(label)) ? 0.6 : 1);
    const isMain = ({ sort, level, title }) => sort === "table" || level === 0 || / (Table|Chart|Schedule)$/.test(title);
    const rows = items.map((item) => [item.sort === "rule" ? item.title : `${item.title} ${item.short}`, item.also, item.around, item.text, weight(item), isMain(item), item.below ?? ""]);
    const index = items.length > MIN_FOR_WORKER && location.protocol !== "file:" && globalThis.Worker ? workerIndex(rows, data.language) : rw.rankedIndex(rows, root, stemmer.small);
    let isReady = false;
    index.ready.then(() => { isReady = true; itemsNamed(""); });

    /** Return the sentence with most of the words; rare words count more. */
    function bestSentence(text, terms) {
      const weights = new Map(terms.map(([word, frequency]) => [word, 1 / Math.sqrt(frequency)]));
      const sum = (item) => [...new Set(split(item).flatMap(spellings).map(root))].reduce((total, word) => total + (weights.get(word) ?? 0), 0);
      return text.split(/(?<=[.;!?])\s+/).map((item) => [sum(item), item]).reduce((best, item) => (item[0] > best[0] ? item : best))[1];
    }

    /** Return the last rule before a number that does not exist. */
    function nearestRule(number) {
      let [nearby, mostLabels] = [null, -1];
      for (const wanted of [labels(number), labels(number.replace(/^\p{L}+ +/u, ""))]) {
        for (const item of items) {
          const own = item.parts;
          if (!own || own.length > wanted.length) continue;
          let same = 0;
          while (same < own.length && own[same] === wanted[same]) same += 1;
          if (same > mostLabels || (same === mostLabels && order.compare(own[same] ?? "", wanted[same] ?? "") < 0)) [nearby, mostLabels] = [item, same];
        }
        if (mostLabels > 0) break;
      }
      return nearby ? [nearby] : [];
    }

    let lastSearch = {}; // each key press asks several times
    function find(typed, currentPage) {
      if (lastSearch.typed !== typed || lastSearch.currentPage !== currentPage || lastSearch.isReady !== isReady || index.isLate) lastSearch = { typed, currentPage, isReady, found: search(typed, currentPage) };
      return lastSearch.found;
    }

    function search(typed, currentPage) {
      const normalized = fold(typed).replace(cuePattern, "").trim();
      const number = normalized.replace(/^\p{L}{3,}\.? +(?=.?\d[^\s]*$)/u, ""); // after a word that is not a cue
      const wanted = numberForms(number, labels(number));
      wanted[2] = wanted[1];
      if (!/^[^\p{L}\p{N}]*[\p{L}\p{N} ]+$/u.test(number)) wanted[3] = null; // 1.4 is never 14
      const isOdds = /[:+/%&#]|^-|\d-\d|^\d*d\d+$/.test(number); // 7:1 and 2d6 look like numbers but are not
      const isNumber = /\d/.test(number) && number.split(/\s+/).every((item) => (/\d/.test(item) ? !/\p{L}{5}/u.test(item) : /^[^\p{L}]*\p{L}{1,2}[^\p{L}]*$|^[([]\p{L}{1,5}[)\]]$/u.test(item)));
      const exact = [];
      const partial = [];
      for (const item of wanted[0] ? items : []) {
        if (!item.forms) continue;
        const form = item.forms.findIndex((own, position) => own && own === wanted[position] && position < 3 && !(isOdds && position));
        if (form >= 0) exact.push([form + (item.page === currentPage ? 0 : 0.1) + (item.sort === "former") / 20, item]);
        else if (/\d/.test(number)) {
          const start = item.forms.findIndex((own, position) => own && wanted[position] && own.startsWith(wanted[position]));
          if (start >= 0) partial.push([start - (item.forms[start] === wanted[start]) / 2, item]);
        }
      }
      for (const some of [exact, partial]) some.sort(([first], [second]) => first - second);
      const { corrected, count, best } = isReady && typed ? index.ask(typed) : NO_RESULT;
      const sameName = (itemsNamed(typed) ?? itemsNamed(corrected) ?? []).toSorted((first, second) => SORT_WEIGHTS[second.sort] - SORT_WEIGHTS[first.sort] || (first.level ?? 9) - (second.level ?? 9));
      // A name of several rules leads to the chapter and the table of that name first.
      const commonName = sameName.filter(({ sort }) => sort === "rule").length === 1 ? "" : phrase(corrected || typed);
      const mainItems = commonName ? items.filter((item) => isMain(item) && `${phrase(item.title)} `.startsWith(`${commonName} `)).toSorted((first, second) => (first.level ?? 9) - (second.level ?? 9)).slice(0, 2) : [];
      const passages = best.map(([id, terms]) => ({ ...items[id], words: terms.map(([word]) => word), get says() { return items[id].text && bestSentence(items[id].text, terms); } }));
      const isSame = ([rank]) => rank % 1 > 0; // the same labels with other separators
      const isFound = number === normalized && (exact.length > 0 || partial.some(isSame));
      const nearby = isNumber && !isOdds && !exact.length ? nearestRule(number) : [];
      const beginsWith = partial.map(([, item]) => item);
      // A literal match in a text, such as 1L or 88's, comes before the rule next to a missing number.
      const verbatim = isNumber && !beginsWith.length && normalized ? passages.filter(({ text }) => fold(text ?? "").includes(normalized)) : [];
      const groups = isNumber && !isOdds ? [beginsWith, verbatim, nearby, passages] : [verbatim, passages, beginsWith];
      const seen = new Set();
      const results = [exact.map(([, item]) => item), mainItems, sameName, ...groups].flatMap((group, rank) => group.map((item) => [rank, item]))
        .filter(([, { page, anchor, now, short }]) => { const key = `${page}#${anchor}${now ? short : ""}`; return !seen.has(key) && seen.add(key); });
      const contents = items.filter(({ sort, level }) => level === 0 || sort === "page").map((item) => [0, item]);
      return { results: typed ? results : contents, count: typed ? results.filter(([, item]) => !nearby.includes(item)).length + count - best.length : 0, exact: isFound, number: isNumber && !isOdds, ready: isReady };
    }

    const words = (text) => [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’.:&/-]*/gu)].map(({ 0: word, index }) => [index, index + word.length, split(word).flatMap(spellings).map(root)]);
    return { find, words, ready: index.ready };
  };
})();
