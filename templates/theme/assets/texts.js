/* What stands in the texts of an edition: the index of the site's search, `ocs/4.3/search_index.json`, or from a
   disk the same as a script. Loaded by the box to find with.

   rulewright.texts(edition)  what finds in them; of pages of no edition where that is empty. find(typed) gives
                              {found, count, meant}. `found`: rules and pages that hold every word, titles first,
                              each with a piece of its text; `count`: how many there are; `meant`: what was looked
                              for instead where a word stands nowhere */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MOST = 100;
  const AROUND = 60; // letters of a text in front of the first word that is found
  const LONG = 180;
  const plain = (html) => html.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

  /** The index as data. A page on a disk may fetch nothing, and has it as a script. */
  async function index(edition) {
    const folder = new URL(`${(edition || "search").split("/").map(encodeURIComponent).join("/")}/search_index.js`, rw.root);
    if (location.protocol !== "file:") {
      const answer = await fetch(`${folder}on`);
      if (!answer.ok) throw new Error(`no ${folder}on`);
      return answer.json();
    }
    await new Promise((resolve, reject) => {
      document.head.append(Object.assign(document.createElement("script"), { src: folder, onload: resolve, onerror: reject }));
    });
    return window.__index;
  }

  /** How many letters are missing, too many, wrong or in each other's place; `most` + 1 where that are more. */
  function apart(one, other, most) {
    let [before, last] = [[], [...Array(other.length + 1).keys()]];
    for (let at = 1; at <= one.length; at += 1) {
      const row = [at];
      for (let to = 1; to <= other.length; to += 1) {
        const same = one[at - 1] === other[to - 1];
        row[to] = Math.min(last[to] + 1, row[to - 1] + 1, last[to - 1] + !same);
        if (one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]) row[to] = Math.min(row[to], before[to - 2] + 1);
      }
      if (Math.min(...row) > most) return most + 1;
      [before, last] = [last, row];
    }
    return last[other.length];
  }

  rw.texts = async (edition) => {
    const { docs } = await index(edition);
    const entries = [];
    const vocabulary = new Map();
    const pause = rw.pauses();
    let rest;
    let page = "";
    for (const { location: href, title, text = "", names = "" } of docs) {
      if ((rest = pause())) await rest;
      const [path, hash = ""] = href.split("#");
      const anchor = decodeURIComponent(hash);
      const called = plain(title);
      if (!hash) page = called;
      const isRule = anchor && called.startsWith(anchor);
      const entry = { edition, short: isRule ? anchor : "", title: isRule ? called.slice(anchor.length).trim() : called, page: decodeURIComponent(path).replace(/\/(index\.html)?$/, ""), anchor, around: hash ? page : "", text: plain(text) };
      entry.head = ` ${rw.words(`${called} ${plain(names)}`)} `;
      entry.all = ` ${rw.words(entry.text)} `;
      for (const word of `${entry.head}${entry.all}`.split(" ")) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
      entries.push(entry);
    }
    const known = [...vocabulary.keys()];

    /** The word that is meant by one that begins none here: of those that are nearest the most frequent. */
    function meant(word) {
      if (word.length < 4 || /\d/.test(word) || known.some((one) => one.startsWith(word))) return word;
      let [best, least] = [word, (word.length < 8 ? 1 : 2) + 1];
      for (const one of known) {
        if (Math.abs(one.length - word.length) >= 3 || /\d/.test(one)) continue;
        const far = apart(word, one, least);
        if (far < least || (far === least && best !== word && vocabulary.get(one) > vocabulary.get(best))) [best, least] = [one, far];
      }
      return best;
    }

    let last = {}; // the same is asked for more than once a key
    return { find: (typed) => (last.typed === typed ? last.found : (last = { typed, found: search(typed) }).found) };

    function search(typed) {
      const given = rw.words(typed).split(" ").filter(Boolean);
      const sought = given.map(meant);
      const phrase = ` ${sought.join(" ")}`;
      const each = sought.map((word) => (/\d/.test(word) ? ` ${word} ` : ` ${word}`)); // 12.5 is never 12.55
      const rows = [[], [], [], []];
      for (const entry of each.length ? entries : []) {
        if (!each.every((word) => entry.head.includes(word) || entry.all.includes(word))) continue;
        const inTitle = each.every((word) => entry.head.includes(word));
        rows[inTitle ? +!entry.head.includes(phrase) : 2 + !entry.all.includes(phrase)].push(entry);
      }
      const found = rows.flat();
      const first = sought.map((word) => word.replaceAll(".", "\\.")).join("|");
      const at = new RegExp(`(?<![\\p{L}\\p{N}])(${first})`, "iu");
      const says = (text) => {
        const from = Math.max(0, text.search(at) - AROUND);
        const begin = from && text.indexOf(" ", from) + 1;
        return `${begin ? "… " : ""}${text.slice(begin, begin + LONG)}${text.length > begin + LONG ? " …" : ""}`;
      };
      return {
        found: found.slice(0, MOST).map(({ head, all, text, ...entry }) => ({ ...entry, says: says(text) })),
        count: found.length,
        meant: sought.some((word, at) => word !== given[at]) ? sought.join(" ") : undefined,
      };
    }
  };
})();
