({
  /** Return whether an element without words or picture is visible, such as a bar, a pip or a cut-out icon. */
  painted() {
    const clear = (colour) => /^rgba.*, 0\)$/.test(colour);
    const edges = (style) => ["Top", "Right", "Bottom", "Left"].some((side) =>
      parseFloat(style[`border${side}Width`]) && !clear(style[`border${side}Color`]));
    const background = (one) => {
      for (let at = one; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (!clear(colour)) return colour;
      }
      return "rgb(255, 255, 255)";
    };
    const filled = "input, img, select, textarea, iframe, br, hr, col, meter, progress, canvas";
    const seen = [];
    for (const one of document.querySelectorAll("body *:not(svg *, template *)")) {
      if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      for (const pseudo of ["", "::before", "::after"]) {
        const style = getComputedStyle(one, pseudo || undefined);
        const empty = pseudo ? /^["']{2}/.test(style.content) : !one.childNodes.length && !one.matches(filled);
        if (!empty || style.display === "none" || style.visibility === "hidden" || style.opacity === "0") continue;
        const box = pseudo ? { width: parseFloat(style.width), height: parseFloat(style.height) } : one.getBoundingClientRect();
        const other = style.backgroundColor !== background(pseudo ? one : one.parentElement);
        const ground = !clear(style.backgroundColor) && other && box.width >= 1 && box.height >= 1;
        const named = `${one.tagName.toLowerCase()}.${[...one.classList].join(".")}${pseudo}`;
        seen.push([named, ground || edges(style) || style.outlineStyle !== "none"]);
      }
    }
    return seen;
  },

  /** The name of the focused element, and what keeps it from being seen; null at the end of the page. */
  focused() {
    const focused = document.activeElement;
    if (focused === document.body) return null;
    const visible = focused.matches(".md-option") ? focused.nextElementSibling : focused;
    const box = [...visible.getClientRects()].find((r) => r.width && r.bottom > 0 && r.right > 0
      && r.top < innerHeight && r.left < innerWidth);
    const within = (value, limit) => Math.min(Math.max(value, 1), limit - 1);
    const top = box && document.elementFromPoint(within((box.left + box.right) / 2, innerWidth),
      within((box.top + box.bottom) / 2, innerHeight));
    const faults = [];
    const isSeen = visible.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!box || !isSeen) faults.push("is not seen");
    else if (!visible.contains(top) && !top.contains(visible)) faults.push(`is covered by ${top.className}`);
    if (getComputedStyle(visible).outlineStyle === "none" && !focused.matches("[name=query]"))
      faults.push("has no frame");
    return { faults: faults.join(", "), name: visible.outerHTML.slice(0, 120) };
  },

  /** Highlighted words whose contrast is below 4.5: those that were searched for, and opened references. */
  async contrasts() {
    const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = (colour) => parts(colour).slice(0, 3).map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
      .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
    const contrast = (one, other) => {
      const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
      return (bright + 0.05) / (dark + 0.05);
    };
    const opened = "a.ref:not(.away), a.named, a.to-table, .cited a";
    for (const link of document.querySelectorAll(opened)) link.setAttribute("aria-expanded", "true");
    await new Promise((done) => setTimeout(done, 300)); // colours change slowly
    const hasWords = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return [...document.querySelectorAll("article .rw *")].flatMap((one) => {
      if (!one.checkVisibility() || !hasWords(one)) return [];
      const styles = [getComputedStyle(one, "::highlight(sought)")];
      if (one.matches(opened)) styles.push(getComputedStyle(one));
      const found = styles.map(({ color, backgroundColor }) => [color, backgroundColor]);
      return found.filter((pair) => contrast(...pair) < 4.5).map((pair) => [one.outerHTML, ...pair]);
    });
  },
})
