/* Tools of a reader: those of a rule, at its number, what was copied, and the way back to where one was. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MOST = 30; // ways back that are remembered
  const NUMBER = ".rule > * > a.number[href^='#']";
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isWay = (way) => rw.place(way?.href)[1] !== undefined && [way.name, way.folds].every((one) => typeof one === "string");
  const read = () => rw.stored("back", isWay);
  const write = (ways) => rw.kept("back", JSON.stringify(ways.slice(-MOST)), "sessionStorage");
  let resumed = null; // the place that we come back to
  let arrived = 0; // where the page stood when the way back was shown; it goes when the reader has read on

  rw.tools = [];
  rw.tool = (name, label, icon, act, fits) => { rw.tools.push({ name, label, icon, act, fits }); };

  rw.address = (href, isRule) => {
    if (location.protocol === "file:") return href; // there a short one would show the contents of a folder
    const [page, anchor] = rw.place(href);
    const short = isRule && `${page.split("/", 2).join("/")}/#${encodeURIComponent(anchor)}`;
    return new URL(short || `${page}/${new URL(href).hash}`, rw.root).href;
  };

  /** Whether a text could be copied: by a permission, or as it was done before there were any. */
  async function copied(input) {
    try {
      await navigator.clipboard.writeText(input.value);
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve)); // until the browser is at the rule
      input.focus();
      input.select();
      return document.execCommand("copy");
    }
  }

  rw.copy = async (label, name, text) => {
    const told = rw.dock().querySelector(".message");
    told.replaceChildren(document.getElementById("rw-copied").content.cloneNode(true));
    const input = told.querySelector("input");
    input.value = text;
    input.ariaLabel = label;
    told.querySelector("b").textContent = `${name} ${label}`;
    told.querySelector("[data-do='share']").hidden = !navigator.share;
    told.classList.toggle("failed", !(await copied(input)));
  };

  /** Open the tools of a rule. They are loaded when they are first asked for. */
  const tools = (number, enter) => rw.load("toolbar").then(() => rw.toolbar(number, enter)).catch(() => location.assign(number.href));

  /** What a reader is at: the rule or step around something, or the last that begins above the middle of the screen. */
  function around(link, places = ".rule[id], .rw li[id], .term[id], .table-entry[id]") {
    return link?.closest(places) ?? all(places).findLast((one) => one.getBoundingClientRect().top < innerHeight / 2);
  }

  function named(found) {
    const name = found?.querySelector(".number") ?? found?.querySelector(".title, dfn") ?? document.querySelector("h1");
    return name?.textContent.trim() ?? document.title;
  }

  /** Remember where the reader is, before he goes elsewhere; from a list of pages there is nothing to come back to. */
  rw.leave = (link) => {
    if (document.querySelector(".home, .edition")) return;
    const folds = all("details").map((one) => Number(one.open)).join("");
    const at = all("article a").indexOf(link);
    write([...read(), { href: location.href, y: scrollY, name: named(around(link)), folds, at }]);
  };

  /** Show the way back, unless the reader has found it himself. */
  function arrive() {
    const ways = read();
    if (resumed?.href === location.href) resume(resumed);
    while (ways.at(-1)?.href === location.href) ways.pop();
    write(ways);
    const back = rw.dock().querySelector(".back");
    back.hidden = !ways.length;
    if (!ways.length) return;
    arrived = scrollY;
    back.querySelector("b").textContent = ways.at(-1).name;
    back.querySelector("a").href = ways.at(-1).href;
  }

  function resume({ folds, y, at }) {
    const details = all("details");
    if (folds.length === details.length) details.forEach((one, n) => { one.open = folds[n] === "1"; });
    scrollTo({ top: Number(y) || 0, behavior: "instant" });
    all("article a")[at]?.focus({ preventScroll: true });
  }

  /** Go back to the last place, to the line. */
  function back() {
    resumed = read().pop();
    rw.kept("resumed", JSON.stringify([resumed]), "sessionStorage");
    location.assign(resumed.href);
  }

  const does = {
    hush: (told) => told.replaceChildren(),
    share: (told) => navigator.share({ title: document.title, url: told.querySelector("input").value }).catch(() => {}),
    forget() {
      write([]);
      arrive();
    },
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const act = event.target.closest?.(".rw-dock [data-do]")?.dataset.do;
    if (act) return does[act]?.(event.target.closest(".message"));
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.matches(NUMBER)) {
      event.preventDefault();
      return void tools(link, !event.detail);
    }
    if (link.matches(".permalink")) return void rw.copy("Link", link.getAttribute("aria-label").replace("Link to ", ""), rw.address(link.href));
    if (link.matches(".rw-dock .back a")) {
      event.preventDefault();
      return back();
    }
    const goes = link.matches("article a, .rw-card a, .md-search-result__link") && !link.matches(".headerlink, .bullet, [download]");
    if (goes && rw.place(link.href)[1] && link.href !== location.href) rw.leave(link);
  });
  addEventListener("click", ({ target }) => { // before what is clicked says anything new
    if (!target.closest?.(".message")) does.hush(rw.dock().querySelector(".message"));
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "t" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea, select, [contenteditable]")) return;
    const number = around(event.target, ".rule[id]")?.querySelector("a.number");
    if (number) tools(number, true);
  });
  addEventListener("hashchange", arrive);
  addEventListener("scroll", () => {
    if (Math.abs(scrollY - arrived) > 1.5 * innerHeight) rw.dock().querySelector(".back").hidden = true;
  }, { passive: true });
  addEventListener("pageshow", (event) => event.persisted && arrive());
  addEventListener("load", () => {
    if (resumed?.href === location.href) scrollTo({ top: Number(resumed.y) || 0, behavior: "instant" });
    resumed = null;
  });

  function start() {
    for (const one of all(NUMBER)) one.tabIndex = -1; // "t" opens the tools, so that Tab comes to the references
    resumed ??= rw.stored("resumed", isWay)[0] ?? null;
    rw.kept("resumed", "[]", "sessionStorage");
    arrive();
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
