/* The toolbar of rules, the message after copying, and the button that goes back to an earlier place. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const MAX_PLACES = 30; // maximum number of remembered places
  const NUMBER = ".rule > * > a.number[href^='#']";
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isValidPlace = (place) => rw.locate(place?.href)[1] !== undefined && [place.name, place.folds].every((element) => typeof element === "string");
  const readPlaces = () => rw.storedList("back", isValidPlace);
  const writePlaces = (places) => rw.stored("back", JSON.stringify(places.slice(-MAX_PLACES)), "sessionStorage");
  let resumed = null; // the place to restore on this page
  let shownAt = 0; // scroll position when the button was shown; reading on hides it

  rw.tools = [];
  rw.addTool = (name, label, icon, act, fits) => { rw.tools.push({ name, label, icon, act, fits }); };

  rw.shareUrl = (href, isRule) => {
    if (location.protocol === "file:") return href; // a short URL would show a folder
    const [page, anchor] = rw.locate(href);
    const short = isRule && `${page.split("/", 2).join("/")}/#${encodeURIComponent(anchor)}`;
    return new URL(short || `${page}/${new URL(href).hash}`, rw.root).href;
  };

  /** Copy the text of a field; return whether that worked. */
  async function copied(input) {
    try {
      await navigator.clipboard.writeText(input.value);
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve)); // after the browser has scrolled to the rule
      input.focus();
      input.select();
      return document.execCommand("copy");
    }
  }

  rw.copy = async (label, name, text) => {
    const message = rw.dock().querySelector(".message");
    message.replaceChildren(document.getElementById("rw-copied").content.cloneNode(true));
    const input = message.querySelector("input");
    input.value = text;
    input.ariaLabel = label;
    message.querySelector("b").textContent = `${name} ${label}`;
    message.querySelector("[data-do='share']").hidden = !navigator.share;
    message.classList.toggle("failed", !(await copied(input)));
  };

  /** Open the toolbar of a rule; its script is loaded on first use. */
  const tools = (number, enter) => rw.loadScript("toolbar").then(() => rw.openToolbar(number, enter)).catch(() => location.assign(number.href));

  /** Return the rule, step, term or table around a link, or the last one that begins above the middle of the screen. */
  function itemAt(link, places = ".rule[id], .rw li[id], .term[id], .table-entry[id]") {
    return link?.closest(places) ?? all(places).findLast((element) => element.getBoundingClientRect().top < innerHeight / 2);
  }

  function nameOf(found) {
    const name = found?.querySelector(".number") ?? found?.querySelector(".title, dfn") ?? document.querySelector("h1");
    return name?.textContent.trim() ?? document.title;
  }

  /** Remember the place of the reader before he follows a link; lists of pages are not remembered. */
  rw.rememberPlace = (link) => {
    if (document.querySelector(".home, .edition")) return;
    const folds = all("details").map((element) => Number(element.open)).join("");
    const index = all("article a").indexOf(link);
    writePlaces([...readPlaces(), { href: location.href, y: scrollY, name: nameOf(itemAt(link)), folds, index }]);
  };

  /** Show the button that goes back, unless the reader is there already. */
  function showWayBack() {
    const places = readPlaces();
    if (resumed?.href === location.href) resume(resumed);
    while (places.at(-1)?.href === location.href) places.pop();
    writePlaces(places);
    const back = rw.dock().querySelector(".back");
    back.hidden = !places.length;
    if (!places.length) return;
    shownAt = scrollY;
    back.querySelector("b").textContent = places.at(-1).name;
    back.querySelector("a").href = places.at(-1).href;
  }

  function resume({ folds, y, index }) {
    const details = all("details");
    if (folds.length === details.length) details.forEach((element, n) => { element.open = folds[n] === "1"; });
    scrollTo({ top: Number(y) || 0, behavior: "instant" });
    all("article a")[index]?.focus({ preventScroll: true });
  }

  /** Go back to the last place, to the line. */
  function back() {
    resumed = readPlaces().pop();
    rw.stored("resumed", JSON.stringify([resumed]), "sessionStorage");
    location.assign(resumed.href);
  }

  const actions = {
    hush: (message) => message.replaceChildren(),
    share: (message) => navigator.share({ title: document.title, url: message.querySelector("input").value }).catch(() => {}),
    forget() {
      writePlaces([]);
      showWayBack();
    },
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const act = event.target.closest?.(".rw-dock [data-do]")?.dataset.do;
    if (act) return actions[act]?.(event.target.closest(".message"));
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.matches(NUMBER)) {
      event.preventDefault();
      return void tools(link, !event.detail);
    }
    if (link.matches(".permalink")) return void rw.copy("Link", link.getAttribute("aria-label").replace("Link to ", ""), rw.shareUrl(link.href));
    if (link.matches(".rw-dock .back a")) {
      event.preventDefault();
      return back();
    }
    const leavesPage = link.matches("article a, .rw-card a, .md-search-result__link") && !link.matches(".headerlink, .bullet, [download]");
    if (leavesPage && rw.locate(link.href)[1] && link.href !== location.href) rw.rememberPlace(link);
  });
  addEventListener("click", ({ target }) => { // before the click shows a new message
    if (!target.closest?.(".message")) actions.hush(rw.dock().querySelector(".message"));
  }, true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "t" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea, select, [contenteditable]")) return;
    const number = itemAt(event.target, ".rule[id]")?.querySelector("a.number");
    if (number) tools(number, true);
  });
  addEventListener("hashchange", showWayBack);
  addEventListener("scroll", () => {
    if (Math.abs(scrollY - shownAt) > 1.5 * innerHeight) rw.dock().querySelector(".back").hidden = true;
  }, { passive: true });
  addEventListener("pageshow", (event) => event.persisted && showWayBack());
  addEventListener("load", () => {
    if (resumed?.href === location.href) scrollTo({ top: Number(resumed.y) || 0, behavior: "instant" });
    resumed = null;
  });

  function start() {
    for (const element of all(NUMBER)) element.tabIndex = -1; // "t" opens the toolbar; Tab goes to the references
    resumed ??= rw.storedList("resumed", isValidPlace)[0] ?? null;
    rw.stored("resumed", "[]", "sessionStorage");
    showWayBack();
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
