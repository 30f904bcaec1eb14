/* The page of what a reader keeps: bookmarks and the sheet made of them, notes, house rules, what has lost its
   place, and files of all that. `layer` keeps it and finds its places. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const LARGEST = 8e6; // bytes of a file that is taken in
  const FORMAT = "rulewright-own-rules";

  function mine(page) {
    const { all, keep, drop, told, placed, known, make, button, ask, SIGNS } = rw.own;
    const names = JSON.parse(page.dataset.editions);
    const body = make("div", { className: "own-list" });
    const sheet = make("section", { className: "own-sheet", hidden: true });
    const nameOf = (edition) => (Object.hasOwn(names, edition) ? names[edition] : edition);
    const tools = (...parts) => make("p", { className: "tools" }, ...parts);
    const linkTo = async (edition, key) => {
      const page = await rw.own.pageOf(edition, key);
      return page && new URL(`${page}/#${encodeURIComponent(key)}`, rw.root).href;
    };

    /** The editions in which things are shown: that which each was made in, or the newest of its book there is. */
    async function found() {
      const things = all();
      const editions = new Set(things.map((one) => (Object.hasOwn(names, one.edition) ? one.edition : Object.keys(names).find((name) => rw.own.book(name) === rw.own.book(one.edition)) ?? one.edition)));
      const rows = new Map();
      for (const edition of editions) {
        const here = Object.hasOwn(names, edition) ? await placed(edition) : [];
        for (const thing of here) {
          const before = rows.get(thing.one.id);
          if (!before || (!before.key && thing.key) || (thing.one.edition === edition && thing.key)) rows.set(thing.one.id, { ...thing, edition });
        }
      }
      return things.map((one) => rows.get(one.id) ?? { one, key: "", near: "", changed: false, edition: one.edition });
    }

    /** A rule by its number and title today, as a link. */
    async function rule({ one, key, edition }) {
      const href = key && (await linkTo(edition, key));
      const shown = href && (await rw.preview(href).catch(() => undefined));
      const words = shown?.title ?? [key || one.number, one.title].filter(Boolean).join(" ");
      return href ? make("a", { href, textContent: words }) : make("b", { textContent: words });
    }

    function said({ one, changed }) {
      const [sign, name] = SIGNS[one.sign] ?? [];
      const parts = one.text.split(/\n\s*\n/).filter(Boolean).map((text) => make("p", { className: "own-words", textContent: text }));
      if (sign) parts.unshift(make("p", {}, make("b", { className: "own-sign", textContent: `${sign} ${name}` })));
      if (one.kind === "house") parts.unshift(make("p", { className: "label" }, ["House rule", one.group, rw.own.HOWS[one.how]].filter(Boolean).join(" · ")));
      if (changed) parts.push(make("p", { className: "own-changed", textContent: "The words of this rule have changed since you wrote this." }));
      return parts;
    }

    /** A row of a list with a rule, what the reader wrote, and what can be done with it. */
    async function row(thing, ...acts) {
      const li = make("li", { className: `own-row sign-${thing.one.sign}` }, await rule(thing), ...said(thing), tools(...acts));
      li.dataset.own = thing.one.id;
      return li;
    }

    function swap(one, other) {
      const [a, b] = [one.rank, other.rank];
      const last = Math.max(a, b, 1);
      const ok = keep({ ...one, rank: a === b ? Math.max(last - 1, 0) : b }) && keep({ ...other, rank: a === b ? last : a });
      if (!ok) told("This device keeps nothing more, so the order stays as it was.");
    }

    async function bookmarks(things) {
      const parts = [make("h2", { id: "bookmarks", textContent: "Bookmarks" })];
      if (!things.length) parts.push(make("p", { className: "hint", textContent: "Press Keep at the number of a rule, and it stands here. From your bookmarks a quick sheet is made, to print." }));
      for (const [edition, rows] of grouped(things)) {
        parts.push(make("h3", { textContent: nameOf(edition) }));
        const list = make("ol", { className: "own-rows" });
        for (const [at, thing] of rows.entries()) {
          const { one } = thing;
          const name = `${thing.key || one.number} ${one.title}`.trim();
          const box = make("input", { type: "checkbox", checked: !one.off, onchange: () => keep({ ...one, off: !box.checked }) });
          const move = (by, sign, words) => button(sign, () => { swap(one, rows[at + by].one); again = [one.id, words]; }, { ariaLabel: `${name} ${words}`, disabled: !rows[at + by], className: "small" });
          list.append(await row(thing, make("label", {}, box, " On the sheet"), move(-1, "↑", "up"), move(1, "↓", "down"), button("Take out", () => drop(one.id, `${name} is no longer among your rules.`), { ariaLabel: `Take out ${name}` })));
        }
        parts.push(list, tools(button("Quick sheet", () => lay(edition, rows), { className: "main" })));
      }
      const pins = rw.stored("cards", (one) => Array.isArray(one) && typeof one[0] === "string");
      if (pins.length) parts.push(tools(button("Add the rules that are pinned", () => pinned(pins))));
      return parts;
    }

    function grouped(things) {
      const groups = new Map();
      for (const one of things) groups.get(one.edition)?.push(one) ?? groups.set(one.edition, [one]);
      return groups;
    }

    async function pinned(pins) {
      for (const [href] of pins) {
        const [page, number] = rw.place(href);
        const edition = page?.match(/^[^/]+\/[^/]+(?=\/)/)?.[0];
        const data = edition && number && (await known(edition));
        if (!data || !Object.hasOwn(data.rules, number)) continue;
        if ((await placed(edition)).some(({ one, key }) => one.kind === "star" && key === number)) continue;
        await rw.own.star({ edition, number, title: (await rw.preview(href).catch(() => undefined))?.title.replace(number, "").trim() ?? "", href });
      }
    }

    async function written(things, title, id, empty) {
      const list = make("ul", { className: "own-rows" });
      for (const thing of things) {
        const words = thing.one.kind === "house" ? "The house rule is deleted." : "The note is deleted.";
        list.append(await row(thing, button("Change", () => rw.own.write(thing.one, thing.key)), button("Delete", () => drop(thing.one.id, words))));
      }
      return [make("h2", { id, textContent: title }), things.length ? list : make("p", { className: "hint", textContent: empty })];
    }

    async function houses(things) {
      const parts = await written(things, "House rules", "house-rules", "A house rule is written at the rule that it changes: Note, then House rule.");
      const box = make("input", { type: "checkbox", checked: rw.own.isOn(), onchange: () => rw.own.house(box.checked) });
      parts.push(make("p", { className: "rw-switch" }, make("label", {}, box, " Show house rules at the rules that they change")));
      if (things.length) parts.push(tools(button("Save the house rules to a file", () => share(things))));
      return parts;
    }

    /** Give all house rules the name of a group and save them. */
    function share(things) {
      const name = make("input", { maxLength: 80, value: things.map(({ one }) => one.group).find(Boolean) ?? "" });
      const dialog = ask("Share your house rules", [make("label", {}, "Name of your group", name)], button("Save", () => {
        save("house-rules.json", packed(things.map(({ one }) => ({ ...one, group: name.value.trim() || one.group }))));
        dialog.close();
      }, { className: "main" }), button("Cancel", () => dialog.close()));
    }

    /** What no rule is found for is never lost: its number, its words and what is nearest stand here. */
    async function lost(things) {
      if (!things.length) return [];
      const list = make("ul", { className: "own-rows" });
      for (const thing of things) {
        const { one, near, edition } = thing;
        const number = make("input", { size: 8, maxLength: 60, ariaLabel: `Number of the rule for ${one.number}`, value: near });
        const put = async () => {
          const data = await known(edition);
          const key = number.value.trim();
          if (!data || !Object.hasOwn(data.rules, key)) return told(`There is no rule ${key} in ${nameOf(edition)}.`);
          keep({ ...one, ...(await rw.own.anchored({ edition, number: key, title: one.title })) }, JSON.stringify(one));
        };
        const line = make("li", { className: "own-row" }, make("b", { textContent: `${one.number} ${one.title}`.trim() }), ` in ${nameOf(one.edition)}`, ...said(thing));
        if (near) line.append(make("p", {}, "Nearest today: ", await rule({ one: { ...one, number: near, title: "" }, key: near, edition })));
        line.append(tools(make("label", {}, "Put it at ", number), button("Put it there", put), button("Delete", () => drop(one.id, "It is deleted."))));
        list.append(line);
      }
      return [make("h2", { id: "without-a-place", textContent: "Without a place" }), make("p", { className: "hint", textContent: "The rules of these are not found any more. What you wrote stays here until you delete it." }), list];
    }

    /* Files */

    const packed = (things) => JSON.stringify({ format: FORMAT, version: 1, things }, null, 1);

    function save(name, text, type = "application/json") {
      const href = URL.createObjectURL(new Blob([text], { type }));
      make("a", { href, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(href), 1000);
    }

    async function asText() {
      const lines = ["# My rules", ""];
      const escaped = (text) => text.replace(/[\\`*_{}[\]<>#|]/g, "\\$&");
      for (const { one, key, edition, changed } of await found()) {
        const kind = { star: "Bookmark", note: "Note", house: `House rule, ${rw.own.HOWS[one.how]}${one.group ? `, ${one.group}` : ""}` }[one.kind];
        lines.push(`## ${escaped(`${key || `${one.number} (without a place)`} ${one.title}`.trim())}`, "", `${kind}, ${escaped(nameOf(edition))}${one.sign ? `, ${SIGNS[one.sign][1]}` : ""}${changed ? ". The words of the rule have changed since." : ""}`, "");
        if (one.text) lines.push(escaped(one.text), "");
      }
      save("my-rules.md", lines.join("\n"), "text/markdown");
    }

    /** What a file holds, or why it cannot be taken in. */
    function read(text) {
      let given;
      try {
        given = JSON.parse(text);
      } catch {
        return { fault: "This is no file of ours, or it is damaged." };
      }
      if (given?.format !== FORMAT || !Array.isArray(given.things)) return { fault: "This is no file of notes and house rules." };
      if (given.version !== 1) return { fault: "This file was saved by a newer version of the site. Open the site anew and try again." };
      if (given.things.length > rw.own.MOST) return { fault: `The file holds more than ${rw.own.MOST} notes and rules.` };
      const sound = given.things.filter(rw.own.isSound).map((one) => Object.fromEntries(Object.keys(rw.own.whole({ edition: "", number: "" })).map((name) => [name, one[name]])));
      return { sound, odd: given.things.length - sound.length };
    }

    async function take(file) {
      if (file.size > LARGEST) return told("The file is larger than 8 MB, so it was not read.");
      const { fault, sound, odd } = read(await file.text());
      if (fault) return told(fault);
      const added = [];
      let [there, full] = [0, 0];
      const here = new Set(all().map(content));
      const ids = new Set(rw.own.ids());
      for (const one of sound) {
        if (here.has(content(one))) { there += 1; continue; }
        const id = ids.has(one.id) ? rw.own.whole({}).id : one.id;
        const text = JSON.stringify({ ...one, id });
        if (ids.size >= rw.own.MOST || rw.kept(rw.own.PREFIX + id, text) !== text) { full += 1; continue; }
        added.push(id);
        ids.add(id);
        here.add(content(one));
      }
      rw.own.changed();
      const parts = [`${added.length} taken in`, there && `${there} already here`, odd && `${odd} not understood`, full && `${full} not kept, since this device keeps nothing more`].filter(Boolean);
      told(`${parts.join(", ")}.`, added.length ? "Undo" : "", () => { for (const id of added) remove(id); rw.own.changed(); });
    }

    /** A thing without its name and place in the order: what makes two of them the same. */
    const content = ({ kind, edition, number, text, sign, how, group }) => JSON.stringify(kind === "star" ? [kind, edition, number] : [kind, edition, number, text, sign, kind === "house" ? [how, group] : ""]);

    function remove(id) {
      try {
        localStorage.removeItem(`rulewright.${rw.own.PREFIX}${id}`);
      } catch { /* then it was not kept */ }
    }

    function forget(rows, words) {
      for (const id of rows.keys()) remove(id);
      rw.own.changed();
      told(words, "Undo", () => { for (const [id, text] of rows) rw.kept(rw.own.PREFIX + id, text); rw.own.changed(); });
    }

    function files() {
      const input = make("input", { type: "file", accept: ".json,application/json", ariaLabel: "Take in a file", onchange: () => { if (input.files[0]) take(input.files[0]).catch(() => told("The file could not be read.")); input.value = ""; } });
      const odd = rw.own.damaged();
      const parts = [make("h2", { id: "files", textContent: "Files" }), make("p", { className: "hint", textContent: "All of this is on this device alone. Save it to a file now and then, or to take it to another device." }),
        tools(button("Save all to a file", () => save("my-rules.json", packed(all()))), button("Save as text", () => asText()), button("Take in a file", () => input.click()), button("Delete all", () => forget(rw.own.raw(), "All of it is deleted."))), make("div", { hidden: true }, input)];
      if (odd.length) parts.push(make("p", { className: "notice", role: "note" }, `${odd.length} of what is kept here cannot be read: it is damaged, or a newer version of the site wrote it. It stays as it is.`), tools(button("Save a copy of it", () => save("damaged.json", JSON.stringify(Object.fromEntries(odd), null, 1))), button("Delete it", () => forget(new Map(odd), "It is deleted."))));
      return parts;
    }

    /* The quick sheet */

    /** A rule with its text and that of the rules in it. */
    async function full(href, depth, into, around = "") {
      const shown = await rw.preview(href).catch(() => undefined);
      if (!shown) return;
      const [, number, title] = shown.title.match(/^(\S+) ?(.*)$/s);
      const part = make("section", { className: "own-entry" }, make(depth ? "h4" : "h3", { textContent: title === around ? number : shown.title }));
      const text = make("div", { className: "said" });
      text.innerHTML = shown.html; // of the site's own making
      const inner = depth < 3 ? [...text.querySelectorAll(":scope > .inner > li > a[href]:first-child")].map((link) => link.href) : [];
      if (inner.length) text.querySelector(":scope > .inner").remove();
      part.append(text);
      // A table that is too wide for a column of the sheet stands across both.
      part.classList.toggle("wide", [...text.querySelectorAll("tr")].some((line) => line.cells.length > 6));
      const [page, anchor] = rw.place(href);
      const edition = page.split("/").slice(0, 2).join("/");
      rw.own.show(text, (await placed(edition)).filter(({ key }) => key === anchor), edition, true);
      into.append(part);
      for (const one of inner) await full(one, depth + 1, part, title);
    }

    const foot = new CSSStyleSheet();
    const quoted = (text) => `"${[...text].map((sign) => (/[\w .,:·-]/.test(sign) ? sign : `\\${sign.codePointAt(0).toString(16)} `)).join("")}"`;

    async function lay(edition, rows) {
      const data = await known(edition);
      const name = data?.name ?? nameOf(edition);
      const line = `${name} · ${new Date().toLocaleDateString(document.documentElement.lang || undefined, { dateStyle: "long" })}`;
      const entries = make("div", { className: "own-entries" });
      for (const { one, key } of rows) {
        const href = !one.off && key && (await linkTo(edition, key));
        if (href) await full(href, 0, entries);
      }
      if (!entries.children.length) return told("Nothing is chosen for the sheet.");
      sheet.replaceChildren(make("h2", { id: "own-sheet", textContent: `Quick sheet: ${name}`, tabIndex: -1 }), tools(button("Print", () => print(), { className: "main" }), button("Close the sheet", () => { sheet.hidden = true; page.querySelector("h1").scrollIntoView(); })), entries, make("p", { className: "own-foot", textContent: line }));
      sheet.setAttribute("aria-labelledby", "own-sheet");
      sheet.hidden = false;
      sheet.firstElementChild.focus();
      // What stands at the foot of each page of paper, in browsers that know it; else it stands at the end.
      foot.replaceSync(`@page { margin: 12mm 12mm 15mm; @bottom-left { content: ${quoted(line)}; font: 8pt sans-serif } @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif } }`);
      sheet.classList.toggle("footed", "CSSMarginRule" in window);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((one) => one !== foot), foot];
    }

    let again = null; // what is to have the focus once the list is drawn anew
    let turn = 0;
    async function draw() {
      const own = ++turn;
      const things = await found();
      const at = things.filter(({ key }) => key);
      const parts = [...(await bookmarks(at.filter(({ one }) => one.kind === "star"))), ...(await written(at.filter(({ one }) => one.kind === "note"), "Notes", "notes", "Press Note at the number of a rule to write one.")), ...(await houses(at.filter(({ one }) => one.kind === "house"))), ...(await lost(things.filter(({ key }) => !key))), ...files()];
      if (own !== turn || !page.isConnected) return;
      body.replaceChildren(...parts);
      const [id, words] = again ?? [];
      again = null;
      if (id) [...body.querySelectorAll(`[data-own="${id}"] button:not(:disabled)`)].sort((a, b) => b.ariaLabel?.endsWith(words) - a.ariaLabel?.endsWith(words))[0]?.focus();
    }

    page.querySelector(".notice").remove();
    page.querySelector(".own-how").before(sheet, body);
    rw.own.hear.add(draw);
    draw();
  }

  async function start() {
    const page = document.querySelector(".rw.mine:not(.live)");
    if (!page) return;
    page.classList.add("live");
    await rw.load("layer");
    mine(page);
  }

  if (window.document$) window.document$.subscribe(() => start().catch(() => {}));
  else start().catch(() => {});
})();
