/* The dice of a table: choose modifiers and roll; the result is highlighted. The table is complete without them. They use
   the data of the table in the page; nothing is fetched. */
(() => {
  "use strict";

  const WORDS = ["", "one", "two", "three", "four", "five", "six"];
  const PIPS = ["", "5", "19", "159", "1379", "13579", "134679"]; // positions of the pips on a face, from 1 to 9

  /** Return an element with a class and children. */
  function element(tag, name, ...children) {
    const node = document.createElement(tag);
    if (name) node.className = name;
    node.append(...children);
    return node;
  }

  /** Return a random number from 1 to `sides`, all equally likely. */
  function rollDie(sides) {
    const maximum = Math.floor(2 ** 32 / sides) * sides;
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    return number < maximum ? (number % sides) + 1 : rollDie(sides);
  }

  /** Return a drawn die: pips up to six sides, else a number. */
  function dieFace(value, sides) {
    if (sides > 6) return element("span", "face figure", String(value));
    const pips = [..."123456789"].map((place) => element("i", PIPS[value].includes(place) ? "" : "blank"));
    return element("span", "face", ...pips);
  }

  const withSign = (number) => (number < 0 ? `− ${-number}` : `+ ${number}`);
  const modifierValue = (text) => Number(text.replace("−", "-").replace("±", "+") + (/\d/.test(text) ? "" : "1"));
  const containsRoll = (ranges, total) => ranges.some(([low, high]) => (low ?? -Infinity) <= total && total <= (high ?? Infinity));

  /** Return the total, or the nearest number in the table: a modified roll beyond the table counts as its last row. */
  function nearestTotal(cells, total) {
    const ends = cells.flat().flatMap(([low, high]) => [low ?? -Infinity, high ?? Infinity]);
    return Math.max(Math.min(...ends), Math.min(Math.max(...ends), total));
  }

  /** Return the input of each modifier: a checkbox, or a number. */
  function modifierInputs(list) {
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

  const columnShift = ({ value: text }) => (/L|left|←|^[-−]/i.test(text) ? -1 : 1) * Number(/\d+/.exec(text)?.[0] ?? 1);

  /** Return the sum of the chosen modifiers, or the number of columns that they shift to the right. */
  function modifierTotal(inputs, modifiers, isShift = false) {
    return inputs.reduce((sum, input, index) => {
      if (Boolean(modifiers[index].shift) !== isShift) return sum;
      const amount = input.type === "checkbox" ? Number(input.checked) : Math.trunc(Number(input.value)) || 0;
      return sum + (isShift ? columnShift(modifiers[index]) : modifierValue(modifiers[index].value)) * amount;
    }, 0);
  }

  /** Return the option of the column that counts after shifts. */
  function shiftedColumn(select, shift) {
    const option = select?.selectedOptions[0];
    const row = option?.value ? [...option.parentElement.children] : [option];
    return row[Math.max(0, Math.min(row.length - 1, row.indexOf(option) + shift))];
  }

  /** Return a line for each result with its rows, the fewest first; the last line is "all others". */
  function resultLines(rows) {
    const found = [...rows].filter(([, those]) => those.length).sort(([, item], [, other]) => item.length - other.length);
    return found.map(([column, those], index) => {
      if (those.length > 1 && index === found.length - 1) return `${column}: ${index ? "all others" : "every row"}`;
      return `${column}: ${those.join("; ")}`;
    });
  }

  /** Return the names of the columns with results. */
  function resultColumns(data) {
    return data.columns.filter((name) => !data.row_groups?.includes(name) && !(name in (data.holds?.[0] ?? {})));
  }

  /** Return a select of columns for a table with rows of heads, many columns or shifts, else none. */
  function columnSelect(data) {
    if (data.rolls !== "row") return [];
    const names = resultColumns(data);
    const rows = Object.entries(data.head_rows ?? (names.length > 4 || data.modifiers?.some(({ shift }) => shift) ? { Column: names } : {}));
    const select = element("select", "", new Option("All columns", ""));
    for (const [label, heads] of rows) {
      const group = element("optgroup");
      group.label = label;
      heads.forEach((head, index) => {
        const isAgain = heads.indexOf(head) !== heads.lastIndexOf(head);
        if (/[\p{L}\p{N}]/u.test(head)) group.append(new Option(`${head} ${label}${isAgain ? `, column ${index + 1}` : ""}`, names.at(index - heads.length)));
      });
      if (group.children.length) select.append(group);
    }
    if (select.options.length === 1) return [];
    select.setAttribute("aria-label", "Column");
    return [select];
  }

  /** Mark the cells outside the chosen column; phones hide them. */
  function showOnlyColumn(grid, column) {
    grid.classList.toggle("narrowed", Boolean(column));
    const covered = []; // by row: the positions covered by cells of rows above
    let chosen = -1;
    const cells = [...grid.querySelectorAll("tr")].flatMap((row, index) => {
      let position = 0;
      return [...row.children].map((cell) => {
        while (covered[index]?.has(position)) position += 1;
        const span = [position, (position += cell.colSpan)];
        for (let rowBelow = index; rowBelow < index + cell.rowSpan; rowBelow += 1) {
          covered[rowBelow] ??= new Set();
          for (let item = span[0]; item < span[1]; item += 1) covered[rowBelow].add(item);
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

  function clearHighlight(grid) {
    for (const cell of grid.querySelectorAll(".lit")) cell.classList.remove("lit");
  }

  /** Highlight the result of a total; return it as lines of text. */
  function highlightResult(grid, data, total, chosen) {
    if (!data.holds) return []; // dice without a table
    clearHighlight(grid);
    const row = (index) => grid.querySelector(`tr[data-row="${index}"]`);
    const cell = (index, column) => [...row(index).children].find((item) => item.dataset.column === column);
    const groups = data.row_groups ?? [];
    const group = (index) => groups.map((name) => data.rows[index][name]).join(", ");
    const others = chosen ? [chosen] : resultColumns(data);
    const resultOf = (index) => others.map((name) => (others.length > 1 ? `${name} ${data.rows[index][name]}` : data.rows[index][name])).join("; ");
    const columns = Object.keys(data.holds[0]);
    const lines = [];
    if (data.rolls === "across") {
      const rows = new Map(columns.map((column) => [column, []]));
      data.holds.forEach((cells, index) => {
        const counted = nearestTotal(Object.values(cells), total);
        const column = columns.find((name) => containsRoll(cells[name] ?? [], counted));
        if (!column) return;
        cell(index, column)?.classList.add("lit");
        rows.get(column).push([group(index), resultOf(index)].filter(Boolean).join(", "));
      });
      return resultLines(rows);
    }
    for (const key of [...new Set(data.rows.map((_, index) => group(index)))]) {
      const rows = data.rows.map((_, index) => index).filter((index) => group(index) === key);
      for (const column of columns) {
        const counted = nearestTotal(rows.map((index) => data.holds[index][column] ?? []), total);
        const index = rows.find((row) => containsRoll(data.holds[row][column] ?? [], counted));
        if (index === undefined) continue;
        if (data.rolls === "down") cell(index, column)?.classList.add("lit");
        else row(index).classList.add("lit");
        if (chosen) cell(index, chosen)?.classList.add("lit");
        const before = [key, data.rolls === "down" ? column : ""].filter(Boolean).join(", ");
        lines.push(others.length > 4 ? `${before ? `${before}: ` : ""}the row ${row(index).querySelector(".rolls").textContent.replace(/.( to )/, "$1")}` : `${before ? `${before}: ` : ""}${resultOf(index)}`);
      }
    }
    return lines;
  }

  /** Add the dice to a table. */
  function addDice(container, data) {
    const grid = container.closest("[data-grid]");
    const { count, sides, digits, plus } = data.dice;
    const modifiers = data.modifiers ?? [];
    const list = grid.querySelector(".modifiers");
    const inputs = list ? modifierInputs(list) : [];
    const button = element("button", "", `Roll ${data.roll}`);
    button.type = "button";
    const faces = element("span", "faces");
    faces.setAttribute("aria-hidden", "true");
    const output = element("output");
    output.setAttribute("aria-live", "polite");
    const selects = columnSelect(data);
    const [minimum, maximum] = digits ? [Number("1".repeat(count)), Number(String(sides).repeat(count))] : [count + plus, count * sides + plus];
    const field = element("input");
    Object.assign(field, { type: "number", inputMode: "numeric", min: minimum, max: maximum, step: 1 });
    const manualInput = element("label", "by-hand", "or your own dice ", field);
    let result = null; // the rolled dice, or the number that was entered

    const isPossible = (number) => Number.isInteger(number) && minimum <= number && number <= maximum && !(digits && [...String(number)].some((item) => item < 1 || item > sides));

    function show(isNewRoll) {
      if (result === null) return;
      const isManual = !Array.isArray(result);
      const rolled = isManual ? result : digits ? Number(result.join("")) : result.reduce((sum, item) => sum + item, 0) + plus;
      const more = modifierTotal(inputs, modifiers);
      const names = isManual ? [`rolled by hand: ${rolled}`] : result.map((item) => (sides > 6 ? item : WORDS[item]));
      const sum = isManual ? "" : digits ? ` read as ${rolled}` : count > 1 || plus ? `, together ${rolled}` : "";
      const total = more ? `; ${rolled} ${withSign(more)} is ${rolled + more}` : "";
      const shift = modifierTotal(inputs, modifiers, true);
      const column = shiftedColumn(selects[0], shift);
      const moved = !shift || !selects.length ? "" : column.value ? `; ${Math.abs(shift)} to the ${shift < 0 ? "left" : "right"}: ${column.textContent}` : "; choose the column that is shifted";
      const dice = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : String(names[0]);
      output.replaceChildren(element("span", "", `${dice[0].toUpperCase()}${dice.slice(1)}${sum}${total}${moved}. `));
      for (const line of highlightResult(grid, data, rolled + more, column?.value)) output.append(element("b", "", `${line} `));
      faces.classList.toggle("rolled", isNewRoll);
      output.dispatchEvent(new CustomEvent("rolled", { bubbles: true, detail: { isNewRoll, result: output.textContent.trim() } }));
    }

    button.addEventListener("click", () => {
      result = Array.from({ length: count }, () => rollDie(sides));
      field.value = "";
      faces.classList.remove("rolled");
      faces.replaceChildren(...result.map((item) => dieFace(item, sides)));
      void faces.offsetWidth; // restarts the animation
      show(true);
    });
    field.addEventListener("change", () => {
      if (field.value === "") return;
      result = isPossible(Number(field.value)) ? Number(field.value) : null;
      faces.replaceChildren();
      clearHighlight(grid);
      if (result === null) output.replaceChildren(`${data.roll} gives ${digits ? `${minimum} to ${maximum}, each figure from 1 to ${sides}` : `${minimum} to ${maximum}`}.`);
      else show(true);
    });
    for (const item of [list, ...selects]) item?.addEventListener("input", () => show(false));
    for (const item of selects) item.addEventListener("input", () => showOnlyColumn(grid, item.value));
    grid.querySelector(".chooser")?.append(...selects);
    container.replaceChildren(element("div", "act", button, manualInput, faces, output));
  }

  function start() {
    for (const table of document.querySelectorAll("[data-table]")) {
      const script = table.querySelector("script[type='application/json']");
      if (!script || table.dataset.table === "ready") continue;
      table.dataset.table = "ready";
      const data = JSON.parse(script.textContent);
      for (const grid of table.querySelectorAll("[data-grid]")) {
        const gridData = grid.dataset.grid === "then" ? data.then : data;
        const container = grid.querySelector("[data-roller]");
        if (container && gridData?.dice) addDice(container, gridData);
      }
    }
  }

  if (window.document$) window.document$.subscribe(start);
  else start();
})();
