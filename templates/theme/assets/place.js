/* The place of the reader: the bar shows the current rule, and the device stores the last place in each edition, which
   the front pages show (door.js). Stored data is checked, since other programs can write it. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MAX_EDITIONS = 50; // maximum number of editions whose last place is stored
  const MAX_LENGTH = 200;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isShortText = (item) => typeof item === "string" && /^\S/.test(item) && item.length <= MAX_LENGTH;
  const isPlace = (item) => Array.isArray(item) && item.length === 5 && item.every(isShortText) && item[1].startsWith(`${item[0]}/`);
  let chapters = []; // each with the headings of its rules
  let savedHeading = null;

  /** Return the last place in each edition, [edition, page, anchor, name, book], the latest last. */
  rw.readingPlaces = () => {
    try {
      const places = JSON.parse(rw.stored("read"));
      return Array.isArray(places) ? places.filter(isPlace).slice(-MAX_EDITIONS) : [];
    } catch {
      return [];
    }
  };

  const words = (heading) => [".number", ".title"].map((part) => heading.querySelector(part)?.textContent.trim()).filter(Boolean).join(" ");

  /** Show the current rule in the bar and store it as the last place. */
  function savePlace() {
    const bar = document.querySelector(".rw-at .running");
    const edge = (document.querySelector(".md-header")?.offsetHeight ?? 0) + 24;
    const isAbove = (element) => element.getBoundingClientRect().top < edge;
    // On the whole-book page only the current chapter is laid out for this.
    const { rules } = chapters.findLast(({ outer }) => isAbove(outer)) ?? chapters[0] ?? { rules: [] };
    const heading = rules.findLast(isAbove) ?? rules[0];
    if (!bar || !heading) return;
    bar.textContent = scrollY > 40 ? words(heading) : "";
    if (heading === savedHeading) return;
    savedHeading = heading;
    const place = [rw.edition(), rw.locate(location.href)[0], heading.parentElement.id, words(heading), document.querySelector(".rw-at a").textContent];
    if (isPlace(place)) rw.stored("read", JSON.stringify([...rw.readingPlaces().filter(([edition]) => edition !== place[0]), place].slice(-MAX_EDITIONS)));
  }

  let isScheduled = false;
  addEventListener("scroll", () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => { isScheduled = false; savePlace(); });
  }, { passive: true });

  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));

  /** Lay out a section of the whole-book page and its chapter, so that the page gets its exact height. */
  function layOut(heading) {
    for (const element of [heading.closest(".whole"), heading.parentElement]) element.style.contentVisibility = "visible";
    heading.getBoundingClientRect();
  }

  function layOutAll([heading, ...others]) {
    layOut(heading);
    if (others.length && heading.isConnected) idle(() => layOutAll(others));
  }

  function start() {
    chapters = all(".chapter").map((chapter) => ({ outer: chapter.closest(".whole") ?? chapter, rules: [...chapter.querySelectorAll(".rule[id] > :is(h1, h2)")] }));
    savedHeading = null;
    savePlace();
    const sections = all(".whole .rule[id] > :is(h1, h2)");
    // The target of the URL must not move.
    if (location.hash) sections.forEach(layOut);
    else if (sections.length) idle(() => layOutAll(sections));
  }
  if (window.document$) window.document$.subscribe(start);
  else start();
})();
