/* Previews: what a reference leads to, shown beside it in a card that can be kept. A pointer that rests on a reference
   opens its card, as the first tap and the first Enter do; the second goes there. References without this script,
   or with previews switched off, are links as ever. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const TAPPED = "a.ref:not(.away), a.named, a.to-table, .cited a";
  const LINKS = `${TAPPED}, .history a, .numbers li:not(.listed) a`;
  const WAIT = 350; // ms that a pointer rests before a card opens
  const GRACE = 300; // ms that it may take from a reference to its card
  const narrow = matchMedia("(max-width: 44.99em)");
  const make = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);
  const isOn = () => rw.kept("previews") !== "off";
  let open = null; // the card that is not kept, with its link
  let wanted = null; // the link whose card is to open
  let pointer = "mouse"; // what was last put down
  let [waiting, leaving, count] = [0, 0, 0];

  /** The reference that something stands in, if it is on the page and no part of a card. */
  function reference(target) {
    const link = target.closest?.(LINKS);
    return link && link.closest("article") ? link : null;
  }

  /** The bar at the edge of the screen that all that is kept stands in. */
  rw.dock = () => {
    let dock = document.querySelector(".rw-dock");
    if (!dock) document.body.append((dock = make("rw-dock")));
    dock.classList.toggle("left", rw.kept("side") === "left");
    return dock;
  };

  /** Put what was found into a card; what it held before is a step back. */
  function fill(card, shown) {
    if (card.shown) card.trail.push(card.shown);
    card.shown = shown;
    card.setAttribute("aria-label", shown.title);
    card.querySelector(".at b").textContent = shown.number;
    card.querySelector(".at span").textContent = shown.title.slice(shown.number.length).trim();
    for (const one of card.querySelectorAll(".at, .onto")) one.href = shown.href;
    card.querySelector(".onto b").textContent = shown.number;
    for (const one of card.querySelectorAll("[data-use]")) one.hidden = !shown.number;
    const from = shown.from ? ` · from ${shown.from}` : "";
    card.querySelector(".path").textContent = shown.path.replace(shown.edition === rw.edition() ? /^[^›]* › / : "", "") + from;
    card.querySelector(".rule-text").innerHTML = shown.html;
    // A table's parts are named by anchors, which stand on its own page as well.
    count += 1;
    for (const one of card.querySelectorAll("[id]")) one.id += `-card-${count}`;
    for (const one of card.querySelectorAll("[aria-labelledby]")) one.setAttribute("aria-labelledby", `${one.getAttribute("aria-labelledby")}-card-${count}`);
    card.querySelector("[data-do='back']").hidden = !card.trail.length;
    card.querySelector(".inside").scrollTop = 0;
  }

  function carded(shown) {
    const card = make("rw-card");
    card.trail = [];
    card.style.cssText = document.querySelector("article .rw")?.style.cssText ?? ""; // the colours of the players
    fill(card, shown);
    switches(card);
    return card;
  }

  /** Put a card where it covers neither its reference nor what stands before it. */
  function place(card, link, x) {
    const lines = [...link.getClientRects()];
    const line = lines.find((one) => one.left <= x && x <= one.right) ?? lines[0];
    if (!line) return;
    const top = document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0;
    const [above, below] = [line.top - Math.max(top, 0) - 12, innerHeight - line.bottom - 12];
    const over = below < above && below < (narrow.matches ? innerHeight / 2 : card.offsetHeight);
    card.style.maxHeight = `${Math.max(over ? above : below, 96)}px`;
    card.classList.toggle("over", over);
    if (narrow.matches) return;
    card.style.left = `${Math.max(8, Math.min(line.left, document.documentElement.clientWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${scrollY + (over ? line.top - card.offsetHeight - 6 : line.bottom + 6)}px`;
  }

  /** Number of the rule, or name of the step, that a reference stands in. */
  const source = (link) => link.closest(".rule[id], .rw li[id]")?.querySelector(".number, .title")?.textContent.trim();

  /** Open the card of a reference. `x`: where it is pointed at; `how`: what else than resting on it did that. */
  async function show(link, x, how) {
    wanted = link;
    const shown = await rw.preview(link.href).catch(() => undefined);
    if (!shown && how) return rw.open(link.href, link);
    if (!shown || wanted !== link || open?.link === link) return;
    close();
    const card = carded({ ...shown, from: source(link) });
    card.querySelector(`[data-how="${how ?? "mouse"}"]`).hidden = false;
    card.querySelector(".hint").hidden = rw.kept("carded");
    rw.kept("carded", "1");
    document.body.append(card);
    place(card, link, x);
    open = { card, link, title: link.title, closed: how && rw.over(() => close()) };
    link.title = ""; // the note of the browser would lie above the card
    link.setAttribute("aria-expanded", "true");
    if (how === "key") card.querySelector(".at").focus({ preventScroll: true });
  }

  /** Neither show a card nor open the one that is waited for. */
  function stop(back) {
    clearTimeout(waiting);
    wanted = null;
    close(back);
  }

  function close(back) {
    clearTimeout(leaving);
    if (!open) return;
    const { card, link, title, closed } = open;
    open = null;
    closed?.();
    link.title = title;
    link.removeAttribute("aria-expanded");
    if (back && card.contains(document.activeElement)) link.focus({ preventScroll: true });
    if (!card.closest(".rw-dock")) card.remove();
  }

  function plan(link, x) {
    clearTimeout(waiting);
    if (!isOn()) return;
    rw.preview(link.href).catch(() => {}); // loads while we wait
    waiting = setTimeout(show, WAIT, link, x);
  }

  /** Keep a card: it stays on this page and those that follow, until it is closed. */
  function keep(card, folded) {
    if (open?.card === card) close();
    card.removeAttribute("style");
    card.classList.remove("over");
    rw.dock().append(card);
    for (const one of card.querySelectorAll("[data-do='fold'], [data-do='side']")) one.hidden = false;
    fold(card, folded);
  }

  rw.pin = async (href) => {
    const shown = await rw.preview(href).catch(() => undefined);
    if (!shown) return rw.open(href);
    keep(carded(shown), narrow.matches);
  };

  function fold(card, folded) {
    card.querySelector(".inside").hidden = folded;
    card.querySelector("[data-do='fold']").setAttribute("aria-expanded", String(!folded));
    save();
  }

  function save() {
    const cards = [...rw.dock().querySelectorAll(".rw-card")];
    rw.kept("cards", JSON.stringify(cards.map((card) => [card.shown.href, card.querySelector(".inside").hidden])), "sessionStorage");
  }

  const does = {
    back(card) {
      const shown = card.trail.pop();
      card.shown = null;
      fill(card, shown);
      card.querySelector(".at").focus();
    },
    pin(card) {
      keep(card, narrow.matches);
      card.querySelector("[data-do='fold']").focus();
    },
    fold: (card) => fold(card, !card.querySelector(".inside").hidden),
    side() {
      rw.kept("side", rw.kept("side") === "left" ? "right" : "left");
      rw.dock();
    },
    close(card) {
      if (open?.card === card) return close(true);
      card.remove();
      save();
    },
  };

  /** Every switch of previews shows how it stands. */
  function switches(within) {
    for (const one of within.querySelectorAll("[data-previews]")) one.checked = isOn();
  }

  async function follow(card, link) {
    const shown = await rw.preview(link.href).catch(() => undefined);
    if (!shown) return rw.open(link.href);
    fill(card, shown);
    card.querySelector(".at").focus();
    if (card.closest(".rw-dock")) save();
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const link = reference(event.target);
    clearTimeout(waiting);
    if (open && (link === open.link || open.card.contains(event.target))) return clearTimeout(leaving);
    if (open && !open.card.contains(document.activeElement) && document.activeElement !== open.link) {
      clearTimeout(leaving);
      leaving = setTimeout(close, GRACE);
    }
    if (link) plan(link, event.clientX);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (open && !open.card.contains(target) && target !== open.link) stop();
  });
  document.addEventListener("pointerdown", ({ pointerType }) => { pointer = pointerType; }, true);
  document.addEventListener("click", (event) => {
    const card = event.target.closest?.(".rw-card");
    const { do: act, use } = event.target.closest?.("[data-do], [data-use]")?.dataset ?? {};
    const link = event.target.closest?.(LINKS);
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (card) {
      if (act) return does[act]?.(card);
      if (use) return void rw.load("toolbar").then(() => rw.use(use, card)).catch(() => {});
      if (!link || !plain) return;
      event.preventDefault();
      return void follow(card, link);
    }
    const how = event.detail ? pointer !== "mouse" && "tap" : "key";
    const opens = how && plain && isOn() && reference(event.target)?.matches(TAPPED) && open?.link !== link;
    if (!opens) return stop();
    event.preventDefault();
    show(link, event.clientX, how);
  }, true);
  document.addEventListener("keydown", (event) => {
    const kept = event.target.closest?.(".rw-dock .rw-card");
    if (event.key === "Escape") {
      if (open || !kept) return stop(true);
      return does.close(kept);
    }
    if (event.key !== "Tab" || !open) return;
    const stops = [...open.card.querySelectorAll("a[href], button, input, [tabindex]")].filter((one) => one.checkVisibility());
    const at = event.shiftKey ? 0 : stops.length - 1;
    if (event.target === open.link && !event.shiftKey) {
      event.preventDefault();
      stops[0].focus();
    } else if (event.target === stops[at]) {
      open.link.focus({ preventScroll: true });
      if (event.shiftKey) event.preventDefault();
    }
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches?.("[data-previews]")) return;
    rw.kept("previews", event.target.checked ? "on" : "off");
    switches(document);
  });

  async function equip() {
    stop();
    document.querySelector(".rw-switch")?.removeAttribute("hidden");
    switches(document);
    const cards = rw.stored("cards", (one) => Array.isArray(one) && typeof one[0] === "string");
    if (document.querySelector(".rw-dock .rw-card")) return;
    for (const [href, folded] of cards) {
      const shown = await rw.preview(href).catch(() => undefined);
      if (shown) keep(carded(shown), Boolean(folded));
    }
  }

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
