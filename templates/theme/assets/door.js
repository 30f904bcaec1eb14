/* The home page and the front pages of books: where the reader stopped, as stored on this device. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const findAll = (selector) => [...document.querySelectorAll(selector)];
  const link = (page, anchor) => rw.openableUrl(`${page.split("/").map(encodeURIComponent).join("/")}/#${encodeURIComponent(anchor)}`, rw.root);
  const splitName = (name) => [name.match(/^\S+/)[0], name.replace(/^\S+\s*/, "")];

  /** Return the state of the last game of an edition, as play.js stores it: "turn 3 · Weather Segment", or "". */
  function gameState(edition) {
    try {
      const { games, last } = JSON.parse(rw.stored(`turns/${edition}`));
      const { turn, step = "" } = Object.hasOwn(games, last) ? games[last] : {};
      if (!Number.isInteger(turn) || turn < 1 || turn > 999 || typeof step !== "string") return "";
      return [`turn ${turn}`, step.slice(0, 80)].filter(Boolean).join(" · ");
    } catch {
      return "";
    }
  }
  const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

  function showRow(name, href, tab, text) {
    const li = document.querySelector(`[data-again=${name}]`);
    li.hidden = false;
    li.querySelector("a").href = href;
    if (tab) li.querySelector(".number").textContent = tab;
    li.querySelector("small").textContent = text;
  }

  /** On the home page, show where the reader stopped; the last book comes first. */
  function fillHomePage() {
    const home = document.querySelector(".rw.home");
    if (!home) return;
    const books = new Map(findAll("[data-book]").map((li) => [li.dataset.book, li]));
    const read = rw.readingPlaces().reverse();
    const [last] = read;
    if (last) showRow("read", link(last[1], last[2]), splitName(last[3])[0], [last[4], splitName(last[3])[1]].filter(Boolean).join(" · "));
    for (const [edition, page, anchor, name] of read) setText(books.get(edition), "read", link(page, anchor), name);
    const games = [...new Set([...read.map(([edition]) => edition), ...books.keys()])].filter((edition) => gameState(edition) && books.get(edition)?.querySelector("[data-way=play]"));
    for (const edition of games) setText(books.get(edition), "play", "", capitalized(gameState(edition)));
    if (games[0]) showRow("play", books.get(games[0]).querySelector("[data-way=play]").href, "", `${books.get(games[0]).dataset.title} · ${gameState(games[0])}`);
    if (books.has(last?.[0])) home.querySelector(".shelf").prepend(books.get(last[0]));
    home.classList.add("set");
  }

  function setText(container, name, href, text) {
    const target = container?.querySelector(`[data-way=${name}]`);
    if (!target) return;
    if (href) target.href = href;
    target.querySelector("small").textContent = text;
  }

  /** On the front page of a book, show the last chapter and the current game turn. */
  function fillEditionPage() {
    const page = document.querySelector(".rw.edition");
    const place = rw.readingPlaces().find(([edition]) => edition === rw.edition());
    if (!page) return;
    if (gameState(rw.edition())) setText(page, "play", "", capitalized(gameState(rw.edition())));
    if (!place) return;
    const [number] = splitName(place[3]);
    setText(page, "read", link(place[1], place[2]), `on at ${number}`);
    const chapter = findAll(".chapters a").find((other) => rw.locate(other.href)[0] === place[1]);
    if (!chapter) return;
    chapter.classList.add("read");
    chapter.querySelector("small")?.remove();
    chapter.append(Object.assign(document.createElement("small"), { textContent: `you read ${number}` }));
  }

  fillHomePage();
  fillEditionPage();
})();
