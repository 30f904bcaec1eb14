/* Preview cards: the target of a reference, shown beside it. Hovering over a reference opens its card, as do the first
   tap and the first Enter; the second goes to the target. A card can be pinned. Without this script, or with previews
   switched off, references are plain links. */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const TAPPED = "a.ref:not(.away), a.named, a.to-table, .cited a";
  const LINKS = `${TAPPED}, .history a, .numbers li:not(.listed) a`;
  const WAIT = 350; // ms of hovering before a card opens
  const GRACE = 300; // ms to move from a reference to its card
  const isNarrow = matchMedia("(max-width: 44.99em)");
  const cloneTemplate = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);
  const isOn = () => rw.stored("previews") !== "off";
  let open = null; // the open card that is not pinned, with its link
  let pendingLink = null; // the link whose card will open
  let pointer = "mouse"; // the type of the last pointer
  let [waiting, leaving, count] = [0, 0, 0];

  /** Return the reference around an element of the article; none inside a card. */
  function reference(target) {
    const link = target.closest?.(LINKS);
    return link && link.closest("article") ? link : null;
  }

  /** Return the area at the edge of the screen for pinned cards and messages. */
  rw.dock = () => {
    let dock = document.querySelector(".rw-dock");
    if (!dock) document.body.append((dock = cloneTemplate("rw-dock")));
    dock.classList.toggle("left", rw.stored("side") === "left");
    return dock;
  };

  /** Show a preview in a card; Back returns to the one before. */
  function fill(card, preview) {
    if (card.shown) card.trail.push(card.shown);
    card.shown = preview;
    card.setAttribute("aria-label", preview.title);
    card.querySelector(".at b").textContent = preview.number;
    card.querySelector(".at span").textContent = preview.title.slice(preview.number.length).trim();
    for (const element of card.querySelectorAll(".at, .onto")) element.href = preview.href;
    card.querySelector(".onto b").textContent = preview.number;
    for (const element of card.querySelectorAll("[data-use]")) element.hidden = !preview.number;
    const from = preview.from ? ` · from ${preview.from}` : "";
    card.querySelector(".path").textContent = preview.path.replace(preview.edition === rw.edition() ? /^[^›]* › / : "", "") + from;
    card.querySelector(".rule-text").innerHTML = preview.html;
    // Ids must stay unique: the page may show the same table.
    count += 1;
    for (const element of card.querySelectorAll("[id]")) element.id += `-card-${count}`;
    for (const element of card.querySelectorAll("[aria-labelledby]")) element.setAttribute("aria-labelledby", `${element.getAttribute("aria-labelledby")}-card-${count}`);
    card.querySelector("[data-do='back']").hidden = !card.trail.length;
    card.querySelector(".inside").scrollTop = 0;
  }

  function newCard(preview) {
    const card = cloneTemplate("rw-card");
    card.trail = [];
    card.style.cssText = document.querySelector("article .rw")?.style.cssText ?? ""; // the colours of the sides
    fill(card, preview);
    updateSwitches(card);
    return card;
  }

  /** Position a card so that it covers neither its reference nor the text before it. */
  function position(card, link, x) {
    const lines = [...link.getClientRects()];
    const line = lines.find((element) => element.left <= x && x <= element.right) ?? lines[0];
    if (!line) return;
    const top = document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0;
    const [roomAbove, roomBelow] = [line.top - Math.max(top, 0) - 12, innerHeight - line.bottom - 12];
    const over = roomBelow < roomAbove && roomBelow < (isNarrow.matches ? innerHeight / 2 : card.offsetHeight);
    card.style.maxHeight = `${Math.max(over ? roomAbove : roomBelow, 96)}px`;
    card.classList.toggle("over", over);
    if (isNarrow.matches) return;
    card.style.left = `${Math.max(8, Math.min(line.left, document.documentElement.clientWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${scrollY + (over ? line.top - card.offsetHeight - 6 : line.bottom + 6)}px`;
  }

  /** Return the number of the rule, or the name of the step, that contains a reference. */
  const source = (link) => link.closest(".rule[id], .rw li[id]")?.querySelector(".number, .title")?.textContent.trim();

  /** Open the card of a reference. `x`: position of the pointer; `cause`: "tap" or "key", else hovering. */
  async function show(link, x, cause) {
    pendingLink = link;
    const preview = await rw.preview(link.href).catch(() => undefined);
    if (!preview && cause) return rw.open(link.href, link);
    if (!preview || pendingLink !== link || open?.link === link) return;
    close();
    const card = newCard({ ...preview, from: source(link) });
    card.querySelector(`[data-how="${cause ?? "mouse"}"]`).hidden = false;
    card.querySelector(".hint").hidden = rw.stored("carded");
    rw.stored("carded", "1");
    document.body.append(card);
    position(card, link, x);
    open = { card, link, title: link.title, closed: cause && rw.openLayer(() => close()) };
    link.title = ""; // the tooltip of the browser would cover the card
    link.setAttribute("aria-expanded", "true");
    if (cause === "key") card.querySelector(".at").focus({ preventScroll: true });
  }

  /** Close the card and cancel a pending one. */
  function cancel(back) {
    clearTimeout(waiting);
    pendingLink = null;
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

  function scheduleCard(link, x) {
    clearTimeout(waiting);
    if (!isOn()) return;
    rw.preview(link.href).catch(() => {}); // preload
    waiting = setTimeout(show, WAIT, link, x);
  }

  /** Pin a card: it stays on this page and the next ones until it is closed. */
  function pin(card, folded) {
    if (open?.card === card) close();
    card.removeAttribute("style");
    card.classList.remove("over");
    rw.dock().append(card);
    for (const element of card.querySelectorAll("[data-do='fold'], [data-do='side']")) element.hidden = false;
    fold(card, folded);
  }

  rw.pinCard = async (href) => {
    const preview = await rw.preview(href).catch(() => undefined);
    if (!preview) return rw.open(href);
    pin(newCard(preview), isNarrow.matches);
  };

  function fold(card, folded) {
    card.querySelector(".inside").hidden = folded;
    card.querySelector("[data-do='fold']").setAttribute("aria-expanded", String(!folded));
    save();
  }

  function save() {
    const cards = [...rw.dock().querySelectorAll(".rw-card")];
    rw.stored("cards", JSON.stringify(cards.map((card) => [card.shown.href, card.querySelector(".inside").hidden])), "sessionStorage");
  }

  const actions = {
    back(card) {
      const preview = card.trail.pop();
      card.shown = null;
      fill(card, preview);
      card.querySelector(".at").focus();
    },
    pin(card) {
      pin(card, isNarrow.matches);
      card.querySelector("[data-do='fold']").focus();
    },
    fold: (card) => fold(card, !card.querySelector(".inside").hidden),
    side() {
      rw.stored("side", rw.stored("side") === "left" ? "right" : "left");
      rw.dock();
    },
    close(card) {
      if (open?.card === card) return close(true);
      card.remove();
      save();
    },
  };

  /** Update the switches for previews. */
  function updateSwitches(within) {
    for (const element of within.querySelectorAll("[data-previews]")) element.checked = isOn();
  }

  async function showInCard(card, link) {
    const preview = await rw.preview(link.href).catch(() => undefined);
    if (!preview) return rw.open(link.href);
    fill(card, preview);
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
    if (link) scheduleCard(link, event.clientX);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (open && !open.card.contains(target) && target !== open.link) cancel();
  });
  document.addEventListener("pointerdown", ({ pointerType }) => { pointer = pointerType; }, true);
  document.addEventListener("click", (event) => {
    const card = event.target.closest?.(".rw-card");
    const { do: act, use } = event.target.closest?.("[data-do], [data-use]")?.dataset ?? {};
    const link = event.target.closest?.(LINKS);
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (card) {
      if (act) return actions[act]?.(card);
      if (use) return void rw.loadScript("toolbar").then(() => rw.useTool(use, card)).catch(() => {});
      if (!link || !plain) return;
      event.preventDefault();
      return void showInCard(card, link);
    }
    const cause = event.detail ? pointer !== "mouse" && "tap" : "key";
    const opens = cause && plain && isOn() && reference(event.target)?.matches(TAPPED) && open?.link !== link;
    if (!opens) return cancel();
    event.preventDefault();
    show(link, event.clientX, cause);
  }, true);
  document.addEventListener("keydown", (event) => {
    const pinnedCard = event.target.closest?.(".rw-dock .rw-card");
    if (event.key === "Escape") {
      if (open || !pinnedCard) return cancel(true);
      return actions.close(pinnedCard);
    }
    if (event.key !== "Tab" || !open) return;
    const stops = [...open.card.querySelectorAll("a[href], button, input, [tabindex]")].filter((element) => element.checkVisibility());
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
    rw.stored("previews", event.target.checked ? "on" : "off");
    updateSwitches(document);
  });

  async function equip() {
    cancel();
    document.querySelector(".rw-switch")?.removeAttribute("hidden");
    updateSwitches(document);
    const cards = rw.storedList("cards", (element) => Array.isArray(element) && typeof element[0] === "string");
    if (document.querySelector(".rw-dock .rw-card")) return;
    for (const [href, folded] of cards) {
      const preview = await rw.preview(href).catch(() => undefined);
      if (preview) pin(newCard(preview), Boolean(folded));
    }
  }

  if (window.document$) window.document$.subscribe(equip);
  else equip();
})();
