/* The dice beside a table: choose modifiers, roll, and the row that holds lights up. The table is whole without
   them. What they work from is the table's own data, which stands beside it; nothing is fetched. */
(() => {
  "use strict";

  const WORDS = ["", "one", "two", "three", "four", "five", "six"];
  const PIPS = ["", "5", "19", "159", "1379", "13579", "134679"]; // places on a face, by rows from 1 to 9

  /** An element with its class and what is in it. */
  function make(tag, name, ...inside) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...inside);
    return made;
  }

  /** A whole number from 1 to `sides`, each as likely as any other. */
  function thrown(sides) {
    const most = Math.floor(2 ** 32 / sides) * sides;
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    return number < most ? (number % sides) + 1 : thrown(sides);
  }

  /** A die as it lies on the table: pips up to six, a figure beyond. */
  function face(value, sides) {
    if (sides > 6) return make("span", "face figure", String(value));
    const pips = [..."123456789"].map((place) => make("i", PIPS[value].includes(place) ? "" : "blank"));
    return make("span", "face", ...pips);
  }

  const signed = (number) => (number < 0 ? `− ${-number}` : `+ ${number}`);
  const value = (text) => Number(text.replace("−", "-").replace("±", "+") + (/\d/.test(text) ? "" : "1"));
  const holds = (ranges, total) => ranges.some(([low, high]) => (low ?? -Infinity) <= total && total <= (high ?? Infinity));

  /** The total, or the nearest that these cells hold: a modified roll beyond the table is its end row. */
  function within(cells, total) {
    const ends = cells.flat().flatMap(([low, high]) => [low ?? -Infinity, high ?? Infinity]);
    return Math.max(Math.min(...ends), Math.min(Math.max(...ends), total));
  }

  /** The control of each modifier, in its line: a box to tick, or an amount where it is something's rating. */
  function controls(list) {
    return [...list.children].map((item) => {
      const input = item.querySelector("input");
      input.setAttribute("aria-label", item.textContent.trim());
      item.querySelector(".why").addEventListener("click", (event) => {
        if (event.target.closest("a")) return;
        if (input.type === "number") input.focus();
        else input.click();
      });
      return input;
    });
  }

  const columns = ({ value: text }) => (/L|left|←|^[-−]/i.test(text) ? -1 : 1) * Number(/\d+/.exec(text)?.[0] ?? 1);

  /** How much the modifiers that are chosen add to the roll, or move its column to the right. */
  function added(inputs, modifiers, isShift = false) {
    return inputs.reduce((sum, input, at) => {
      if (Boolean(modifiers[at].shift) !== isShift) return sum;
      const amount = input.type === "checkbox" ? Number(input.checked) : Math.trunc(Number(input.value)) || 0;
      return sum + (isShift ? columns(modifiers[at]) : value(modifiers[at].value)) * amount;
    }, 0);
  }

  /** The column that is read: the chosen one, or as far beside it as columns are shifted. */
  function shifted(select, shift) {
    const option = select?.selectedOptions[0];
    const row = option?.value ? [...option.parentElement.children] : [option];
    return row[Math.max(0, Math.min(row.length - 1, row.indexOf(option) + shift))];
  }

  /** The rows that have each result, those with the fewest first; of the last it is enough that they are the others. */
  function fewest(rows) {
    const found = [...rows].filter(([, those]) => those.length).sort(([, one], [, other]) => one.length - other.length);
    return found.map(([column, those], at) => {
      if (those.length > 1 && at === found.length - 1) return `${column}: ${at ? "all others" : "every row"}`;
      return `${column}: ${those.join("; ")}`;
    });
  }

  /** The columns of results. */
  function results(data) {
    return data.columns.filter((name) => !data.row_groups?.includes(name) && !(name in (data.holds?.[0] ?? {})));
  }

  /** A list to choose a column from, by each row of heads, or where there are many. Heads without a word stand for no column. */
  function choice(data) {
    if (data.rolls !== "row") return [];
    const names = results(data);
    const rows = Object.entries(data.head_rows ?? (names.length > 4 || data.modifiers?.some(({ shift }) => shift) ? { Column: names } : {}));
    const select = make("select", "", new Option("All columns", ""));
    for (const [label, heads] of rows) {
      const group = make("optgroup");
      group.label = label;
      heads.forEach((head, at) => {
        const isAgain = heads.indexOf(head) !== heads.lastIndexOf(head);
        if (/[\p{L}\p{N}]/u.test(head)) group.append(new Option(`${head} ${label}${isAgain ? `, column ${at + 1}` : ""}`, names.at(at - heads.length)));
      });
      if (group.children.length) select.append(group);
    }
    if (select.options.length === 1) return [];
    select.setAttribute("aria-label", "Column");
    return [select];
  }

  /** Mark the cells outside the chosen column, which a phone leaves out; row headings stay. */
  function narrow(grid, column) {
    grid.classList.toggle("narrowed", Boolean(column));
    const covered = []; // by row: positions that cells of rows above reach into
    let chosen = -1;
    const cells = [...grid.querySelectorAll("tr")].flatMap((row, at) => {
      let position = 0;
      return [...row.children].map((cell) => {
        while (covered[at]?.has(position)) position += 1;
        const span = [position, (position += cell.colSpan)];
        for (let below = at; below < at + cell.rowSpan; below += 1) {
          covered[below] ??= new Set();
          for (let one = span[0]; one < span[1]; one += 1) covered[below].add(one);
        }
        if (cell.dataset.column === column) [chosen] = span;
        return [cell, ...span];
      });
    });
    const keys = new Set(cells.filter(([cell]) => cell.matches("tbody th, tbody .rolls, tbody .first")).map(([, from]) => from));
    for (const [cell, from, to] of cells) {
      const isShown = !column || (from <= chosen && chosen < to) || [...keys].some((key) => key < chosen && from <= key && key < to);
      cell.classList.toggle("unchosen", !isShown);
    }
  }

  function dim(grid) {
    for (const lit of grid.querySelectorAll(".lit")) lit.classList.remove("lit");
  }

  /** Light what holds for a total, and return what stands there: the result in words. */
  function light(grid, data, total, chosen) {
    if (!data.holds) return []; // dice that are rolled on no table
    dim(grid);
    const row = (at) => grid.querySelector(`tr[data-row="${at}"]`);
    const cell = (at, column) => [...row(at).children].find((one) => one.dataset.column === column);
    const groups = data.row_groups ?? [];
    const group = (at) => groups.map((name) => data.rows[at][name]).join(", ");
    const others = chosen ? [chosen] : results(data);
    const told = (at) => others.map((name) => (others.length > 1 ? `${name} ${data.rows[at][name]}` : data.rows[at][name])).join("; ");
    const columns = Object.keys(data.holds[0]);
    const lines = [];
    if (data.rolls === "across") {
      const rows = new Map(columns.map((column) => [column, []]));
      data.holds.forEach((cells, at) => {
        const inside = within(Object.values(cells), total);
        const column = columns.find((name) => holds(cells[name] ?? [], inside));
        if (!column) return;
        cell(at, column)?.classList.add("lit");
        rows.get(column).push([group(at), told(at)].filter(Boolean).join(", "));
      });
      return fewest(rows);
    }
    for (const key of [...new Set(data.rows.map((_, at) => group(at)))]) {
      const rows = data.rows.map((_, at) => at).filter((at) => group(at) === key);
      for (const column of columns) {
        const inside = within(rows.map((at) => data.holds[at][column] ?? []), total);
        const at = rows.find((one) => holds(data.holds[one][column] ?? [], inside));
        if (at === undefined) continue;
        if (data.rolls === "down") cell(at, column)?.classList.add("lit");
        else row(at).classList.add("lit");
        if (chosen) cell(at, chosen)?.classList.add("lit");
        const before = [key, data.rolls === "down" ? column : ""].filter(Boolean).join(", ");
        lines.push(others.length > 4 ? `${before ? `${before}: ` : ""}the row ${row(at).querySelector(".rolls").textContent.replace(/.( to )/, "$1")}` : `${before ? `${before}: ` : ""}${told(at)}`);
      }
    }
    return lines;
  }

  /** The dice of one table. */
  function equip(room, data) {
    const grid = room.closest("[data-grid]");
    const { count, sides, digits, plus } = data.dice;
    const modifiers = data.modifiers ?? [];
    const list = grid.querySelector(".modifiers");
    const inputs = list ? controls(list) : [];
    const button = make("button", "", `Roll ${data.roll}`);
    button.type = "button";
    const faces = make("span", "faces");
    faces.setAttribute("aria-hidden", "true");
    const said = make("output");
    said.setAttribute("aria-live", "polite");
    const chooser = choice(data);
    const [least, most] = digits ? [Number("1".repeat(count)), Number(String(sides).repeat(count))] : [count + plus, count * sides + plus];
    const field = make("input");
    Object.assign(field, { type: "number", inputMode: "numeric", min: least, max: most, step: 1 });
    const byHand = make("label", "by-hand", "or your own dice ", field);
    let result = null; // the dice, or what was rolled by hand

    const isPossible = (number) => Number.isInteger(number) && least <= number && number <= most && !(digits && [...String(number)].some((one) => one < 1 || one > sides));

    function show(fresh) {
      if (result === null) return;
      const isHand = !Array.isArray(result);
      const rolled = isHand ? result : digits ? Number(result.join("")) : result.reduce((sum, one) => sum + one, 0) + plus;
      const more = added(inputs, modifiers);
      const names = isHand ? [`rolled by hand: ${rolled}`] : result.map((one) => (sides > 6 ? one : WORDS[one]));
      const sum = isHand ? "" : digits ? ` read as ${rolled}` : count > 1 || plus ? `, together ${rolled}` : "";
      const total = more ? `; ${rolled} ${signed(more)} is ${rolled + more}` : "";
      const shift = added(inputs, modifiers, true);
      const column = shifted(chooser[0], shift);
      const moved = !shift || !chooser.length ? "" : column.value ? `; ${Math.abs(shift)} to the ${shift < 0 ? "left" : "right"}: ${column.textContent}` : "; choose the column that is shifted";
      const dice = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : String(names[0]);
      said.replaceChildren(make("span", "", `${dice[0].toUpperCase()}${dice.slice(1)}${sum}${total}${moved}. `));
      for (const line of light(grid, data, rolled + more, column?.value)) said.append(make("b", "", `${line} `));
      faces.classList.toggle("rolled", fresh);
      said.dispatchEvent(new CustomEvent("rolled", { bubbles: true, detail: { fresh, said: said.textContent.trim() } }));
    }

    button.addEventListener("click", () => {
      result = Array.from({ length: count }, () => thrown(sides));
      field.value = "";
      faces.classList.remove("rolled");
      faces.replaceChildren(...result.map((one) => face(one, sides)));
      void faces.offsetWidth; // so that the dice tumble again
      show(true);
    });
    field.addEventListener("change", () => {
      if (field.value === "") return;
      result = isPossible(Number(field.value)) ? Number(field.value) : null;
      faces.replaceChildren();
      dim(grid);
      if (result === null) said.replaceChildren(`${data.roll} gives ${digits ? `${least} to ${most}, each figure from 1 to ${sides}` : `${least} to ${most}`}.`);
      else show(true);
    });
    for (const one of [list, ...chooser]) one?.addEventListener("input", () => show(false));
    for (const one of chooser) one.addEventListener("input", () => narrow(grid, one.value));
    room.replaceChildren(make("div", "act", ...chooser, button, byHand, faces, said));
  }

  function start() {
    for (const table of document.querySelectorAll("[data-table]")) {
      const script = table.querySelector("script[type='application/json']");
      if (!script || table.dataset.table === "ready") continue;
      table.dataset.table = "ready";
      const data = JSON.parse(script.textContent);
      for (const grid of table.querySelectorAll("[data-grid]")) {
        const own = grid.dataset.grid === "then" ? data.then : data;
        const room = grid.querySelector("[data-roller]");
        if (room && own?.dice) equip(room, own);
      }
    }
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
