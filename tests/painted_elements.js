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

  /** What is chosen, current or reached, and looks as its like that is not but for its colours. */
  chosen() {
    const states = [
      "[aria-pressed=true]", "[aria-selected=true]", "[aria-current]:not([aria-current=false])", ".now > .line",
      ".lit", "a.ref[aria-expanded=true]", ":target > :first-child",
    ];
    const looks = [
      "outlineStyle", "outlineWidth", "fontWeight", "fontStyle", "textDecorationLine", "borderLeftWidth", "borderTopWidth",
    ];
    const look = (one) => looks.map((name) => getComputedStyle(one)[name]).join();
    const shared = (one, other) => [...one.classList].every((name) => other.classList.contains(name));
    return states.flatMap((state) => [...document.querySelectorAll(state)].filter((one) => one.checkVisibility()).filter((one) => {
      const like = [...document.querySelectorAll(one.tagName)].find((other) => !other.matches(state) && other.checkVisibility()
        && other.parentElement.tagName === one.parentElement.tagName && shared(one, other) && shared(other, one));
      return like && look(like) === look(one);
    })).map((one) => one.outerHTML.slice(0, 160));
  },

  /** What lies over a page without an edge of its own. */
  layers() {
    const edged = (one) => {
      const style = getComputedStyle(one);
      return style.outlineStyle !== "none"
        || ["Top", "Right", "Bottom", "Left"].some((side) => parseFloat(style[`border${side}Width`]));
    };
    return [...document.querySelectorAll("body *")].filter((one) => {
      const style = getComputedStyle(one);
      if (style.position !== "fixed" || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      const box = one.getBoundingClientRect();
      const words = one.innerText?.trim() && style.pointerEvents !== "none";
      const inside = box.bottom > 0 && box.right > 0 && box.left < innerWidth && box.top < innerHeight;
      return words && inside && ![one, ...one.querySelectorAll(":scope > *, :scope > * > *")].some(edged);
    }).map((one) => one.outerHTML.slice(0, 160));
  },

  /** Targets below 24 by 24 pixels with another within 12 of their middle, but in a sentence (WCAG 2.5.8). */
  small() {
    const targets = "a[href]:not([tabindex='-1']), button, summary, input:not([type=hidden]), select, [tabindex='0']";
    const boxes = [...document.querySelectorAll(targets)]
      .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((one) => [one, [one, one.closest("label") ?? one].map((part) => part.getBoundingClientRect())
        .sort((a, b) => b.height * b.width - a.height * a.width)[0]])
      .filter(([, box]) => box.width > 1 && box.height > 1);
    const said = (one) => /[\p{L}\d,]/u.test(one.data ?? "");
    const isInWords = (one) => one.matches("a, summary") && getComputedStyle(one).display === "inline"
      && [...one.parentElement.childNodes].some(said);
    return boxes.filter(([one, box]) => Math.min(box.width, box.height) < 23.9 && !isInWords(one)).filter(([one, box]) => {
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      return boxes.some(([other, its]) => other !== one && !other.contains(one) && !one.contains(other)
        && Math.hypot(Math.max(its.left - x, 0, x - its.right), Math.max(its.top - y, 0, y - its.bottom)) < 11.9);
    }).map(([one, box]) => `${one.outerHTML.slice(0, 160)} ${box.width.toFixed()}x${box.height.toFixed()}`);
  },
})
