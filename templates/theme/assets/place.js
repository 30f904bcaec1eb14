/* Where the reader is: the bar names the rule, and the device keeps the last place of each edition, for the front
   door and the book's own page. Another program may have written there too, so that none of it is believed. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MOST = 50; // editions whose last place is kept
  const LONGEST = 200;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isWord = (one) => typeof one === "string" && one.length > 0 && one.length <= LONGEST;
  const isPlace = (one) => Array.isArray(one) && one.length === 4 && one.every(isWord) && one[1].startsWith(`${one[0]}/`);
  const link = (page, anchor) => new URL(`${page.split("/").map(encodeURIComponent).join("/")}/#${encodeURIComponent(anchor)}`, rw.root).href;
  let running = null;

  /** The last place in each edition, [edition, page, anchor, name], the latest last. */
  function places() {
    try {
      const found = JSON.parse(rw.kept("read"));
      return Array.isArray(found) ? found.filter(isPlace).slice(-MOST) : [];
    } catch {
      return [];
    }
  }

  /** The games that are played, as play.js keeps them: the turn of the last one of an edition, or 0. */
  function turn(edition) {
    try {
      const { games, last } = JSON.parse(rw.kept(`play/${edition}`));
      const found = Object.hasOwn(games, last) ? games[last].turn : 0;
      return Number.isInteger(found) && found > 0 && found < 1000 ? found : 0;
    } catch {
      return 0;
    }
  }

  const words = (heading) => [".number", ".title"].map((part) => heading.querySelector(part)?.textContent.trim()).filter(Boolean).join(" ");

  /** Name the rule in the bar whose text is at its edge, and keep it. */
  function follow() {
    const bar = document.querySelector(".rw-at .running");
    const rules = all(".chapter .rule[id] > :is(h1, h2)");
    const edge = (document.querySelector(".md-header")?.offsetHeight ?? 0) + 24;
    const found = rules.findLast((one) => one.getBoundingClientRect().top < edge) ?? rules[0];
    if (!bar || !found || found === running) return;
    running = found;
    bar.textContent = scrollY > 40 ? words(found) : "";
    const place = [rw.edition(), rw.place(location.href)[0], found.parentElement.id, words(found)];
    if (isPlace(place)) rw.kept("read", JSON.stringify([...places().filter(([edition]) => edition !== place[0]), place].slice(-MOST)));
  }

  const parted = (name) => [name.match(/^\S+/)[0], name.replace(/^\S+\s*/, "")];

  function row(name, href, tab, said) {
    const li = document.querySelector(`[data-again=${name}]`);
    li.hidden = false;
    li.querySelector("a").href = href;
    if (tab) li.querySelector(".number").textContent = tab;
    li.querySelector("small").textContent = said;
  }

  /** At the front door: where one stopped, the last read book first. */
  function welcome() {
    const home = document.querySelector(".rw.home");
    if (!home) return;
    const books = new Map(all("[data-book]").map((li) => [li.dataset.book, li]));
    const read = places().reverse();
    const named = (edition) => books.get(edition)?.dataset.title ?? edition;
    if (read[0]) row("read", link(read[0][1], read[0][2]), parted(read[0][3])[0], [named(read[0][0]), parted(read[0][3])[1]].filter(Boolean).join(" · "));
    for (const [edition, page, anchor, name] of read) tell(books.get(edition), "read", link(page, anchor), name);
    const played = [...new Set([...read.map(([edition]) => edition), ...books.keys()])].filter((one) => turn(one) && books.get(one)?.querySelector("[data-way=play]"));
    for (const one of played) tell(books.get(one), "play", "", `Turn ${turn(one)}`);
    if (played[0]) row("play", books.get(played[0]).querySelector("[data-way=play]").href, "", `${named(played[0])} · turn ${turn(played[0])}`);
    if (books.has(read[0]?.[0])) home.querySelector(".shelf").prepend(books.get(read[0][0]));
    home.classList.add("set");
  }

  function tell(around, name, href, said) {
    const way = around?.querySelector(`[data-way=${name}]`);
    if (!way) return;
    if (href) way.href = href;
    way.querySelector("small").textContent = said;
  }

  /** On the page of a book: the chapter that one was in, and the turn that is played. */
  function reopen() {
    const page = document.querySelector(".rw.edition");
    const place = places().find(([edition]) => edition === rw.edition());
    if (!page) return;
    if (turn(rw.edition())) tell(page, "play", "", `Turn ${turn(rw.edition())}`);
    if (!place) return;
    const [number] = parted(place[3]);
    tell(page, "read", link(place[1], place[2]), `on at ${number}`);
    const chapter = all(".chapters a").find((one) => rw.place(one.href)[0] === place[1]);
    if (!chapter) return;
    chapter.classList.add("read");
    chapter.querySelector("small")?.remove();
    chapter.append(Object.assign(document.createElement("small"), { textContent: `you read ${number}` }));
  }

  let asked = false;
  addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; follow(); });
  }, { passive: true });

  function start() {
    running = null;
    welcome();
    reopen();
    follow();
  }
  if (window.document$) window.document$.subscribe(start);
  else start();
})();
