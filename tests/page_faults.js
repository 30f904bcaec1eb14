({
  /** What has neither words nor a picture, a bar, a pip, an icon cut out of a ground: is anything of it seen? */
  painted() {
    const clear = (colour) => /^rgba.*, 0\)$/.test(colour);
    const edges = (style) => ["Top", "Right", "Bottom", "Left"].some((side) =>
      parseFloat(style[`border${side}Width`]) && !clear(style[`border${side}Color`]));
    const behind = (one) => {
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
        const other = style.backgroundColor !== behind(pseudo ? one : one.parentElement);
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
})
