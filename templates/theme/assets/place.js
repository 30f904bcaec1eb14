/* Where the reader is: the bar names the rule, and the device keeps the last place of each edition, which the front
   pages show (door.js). Another program may have written there too, so that none of it is believed. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MOST = 50; // editions whose last place is kept
  const LONGEST = 200;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isWord = (one) => typeof one === "string" && /^\S/.test(one) && one.length <= LONGEST;
  const isPlace = (one) => Array.isArray(one) && one.length === 5 && one.every(isWord) && one[1].startsWith(`${one[0]}/`);
  let chapters = []; // each with the headings of its rules
  let kept = null;

  /** The last place in each edition, [edition, page, anchor, name, book], the latest last. */
  rw.places = () => {
    try {
      const found = JSON.parse(rw.kept("read"));
      return Array.isArray(found) ? found.filter(isPlace).slice(-MOST) : [];
    } catch {
      return [];
    }
  };

  const words = (heading) => [".number", ".title"].map((part) => heading.querySelector(part)?.textContent.trim()).filter(Boolean).join(" ");

  /** Name the rule in the bar whose text is at its edge, and keep it. */
  function follow() {
    const bar = document.querySelector(".rw-at .running");
    const edge = (document.querySelector(".md-header")?.offsetHeight ?? 0) + 24;
    const isAbove = (one) => one.getBoundingClientRect().top < edge;
    // Of a whole book only the chapter at the edge is laid out for this.
    const { rules } = chapters.findLast(({ outer }) => isAbove(outer)) ?? chapters[0] ?? { rules: [] };
    const found = rules.findLast(isAbove) ?? rules[0];
    if (!bar || !found) return;
    bar.textContent = scrollY > 40 ? words(found) : "";
    if (found === kept) return;
    kept = found;
    const place = [rw.edition(), rw.place(location.href)[0], found.parentElement.id, words(found), document.querySelector(".rw-at a").textContent];
    if (isPlace(place)) rw.kept("read", JSON.stringify([...rw.places().filter(([edition]) => edition !== place[0]), place].slice(-MOST)));
  }

  let asked = false;
  addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; follow(); });
  }, { passive: true });

  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));

  /** Lay out a section of a long page, seen or not, so that the page has its true height. */
  function layOut(heading) {
    heading.parentElement.style.contentVisibility = "visible";
    heading.getBoundingClientRect();
  }

  function layOutAll([heading, ...others]) {
    layOut(heading);
    if (others.length && heading.isConnected) idle(() => layOutAll(others));
  }

  function start() {
    chapters = all(".chapter").map((one) => ({ outer: one.closest(".whole") ?? one, rules: [...one.querySelectorAll(".rule[id] > :is(h1, h2)")] }));
    kept = null;
    follow();
    const unseen = all(".whole .rule[id] > :is(h1, h2)");
    // Who was led here by a link stays at its rule.
    if (location.hash) unseen.forEach(layOut);
    else if (unseen.length) idle(() => layOutAll(unseen));
  }
  if (window.document$) window.document$.subscribe(start);
  else start();
})();
