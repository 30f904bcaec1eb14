/* At the front door, and on the front page of a book: where the reader stopped, as this device keeps it. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const link = (page, anchor) => rw.opened(`${page.split("/").map(encodeURIComponent).join("/")}/#${encodeURIComponent(anchor)}`, rw.root);
  const parted = (name) => [name.match(/^\S+/)[0], name.replace(/^\S+\s*/, "")];

  /** Where the last game of an edition stands, as play.js keeps it: "turn 3 · Weather Segment", or nothing. */
  function played(edition) {
    try {
      const { games, last } = JSON.parse(rw.kept(`turns/${edition}`));
      const { turn, step = "" } = Object.hasOwn(games, last) ? games[last] : {};
      if (!Number.isInteger(turn) || turn < 1 || turn > 999 || typeof step !== "string") return "";
      return [`turn ${turn}`, step.slice(0, 80)].filter(Boolean).join(" · ");
    } catch {
      return "";
    }
  }
  const begun = (said) => said[0].toUpperCase() + said.slice(1);

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
    const read = rw.places().reverse();
    const [last] = read;
    if (last) row("read", link(last[1], last[2]), parted(last[3])[0], [last[4], parted(last[3])[1]].filter(Boolean).join(" · "));
    for (const [edition, page, anchor, name] of read) tell(books.get(edition), "read", link(page, anchor), name);
    const games = [...new Set([...read.map(([edition]) => edition), ...books.keys()])].filter((one) => played(one) && books.get(one)?.querySelector("[data-way=play]"));
    for (const one of games) tell(books.get(one), "play", "", begun(played(one)));
    if (games[0]) row("play", books.get(games[0]).querySelector("[data-way=play]").href, "", `${books.get(games[0]).dataset.title} · ${played(games[0])}`);
    if (books.has(last?.[0])) home.querySelector(".shelf").prepend(books.get(last[0]));
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
    const place = rw.places().find(([edition]) => edition === rw.edition());
    if (!page) return;
    if (played(rw.edition())) tell(page, "play", "", begun(played(rw.edition())));
    if (!place) return;
    const [number] = parted(place[3]);
    tell(page, "read", link(place[1], place[2]), `on at ${number}`);
    const chapter = all(".chapters a").find((one) => rw.place(one.href)[0] === place[1]);
    if (!chapter) return;
    chapter.classList.add("read");
    chapter.querySelector("small")?.remove();
    chapter.append(Object.assign(document.createElement("small"), { textContent: `you read ${number}` }));
  }

  welcome();
  reopen();
})();
