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
})
