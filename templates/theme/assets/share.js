/* The place in a game, to be scanned from this screen, sent or copied. Loaded when somebody shares it; the code is
   drawn by qrcode.js.

   rulewright.share(address, told, connect)  opens what shows it; `told`: lines that say what stands there,
                                             `connect`: what plays along on another device
   rulewright.share.drawn(address)           the code alone, and rulewright.share.copier(address, box) what copies it */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const QUIET = 4; // modules around the code, as its standard asks
  const make = (tag, given, ...inside) => {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  };

  /** The code as one path, of a version as small as holds the address. */
  function code(address) {
    const code = window.qrcode(0, "L");
    code.addData(address, "Byte");
    code.make();
    const count = code.getModuleCount();
    let path = "";
    for (let row = 0; row < count; row += 1) {
      for (let column = 0; column < count; column += 1) {
        if (code.isDark(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
      }
    }
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const size = count + 2 * QUIET;
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the address", "shape-rendering": "crispEdges" })) svg.setAttribute(name, value);
    const dark = document.createElementNS(svg.namespaceURI, "path");
    dark.setAttribute("d", path);
    svg.append(dark);
    return svg;
  }

  const drawn = (address) => rw.load("qrcode").then(() => code(address)).catch(() => make("p", { textContent: "The code could not be drawn; copy the link." }));

  /** An address to be copied: the field that has it, and the buttons. */
  function copier(address, told = []) {
    const copy = make("button", { type: "button", textContent: "Copy link" });
    const send = make("button", { type: "button", textContent: "Send", hidden: !navigator.share });
    const said = make("output", { className: "spoken" });
    const link = make("input", { value: address, readOnly: true, ariaLabel: "Address to share" });
    copy.addEventListener("click", async () => {
      link.select();
      try {
        await navigator.clipboard.writeText(address);
        copy.textContent = said.textContent = "Copied";
      } catch {
        said.textContent = "Copy the address by hand"; // it stands there, chosen
      }
    });
    send.addEventListener("click", () => navigator.share({ title: document.title, text: told.join(": "), url: address }).catch(() => {}));
    return [link, make("p", { className: "tools" }, copy, " ", send), said];
  }

  /** An empty dialog with its title; it is gone once it is closed. */
  function dialog(title) {
    document.getElementById("share")?.remove();
    const close = make("button", { type: "button", ariaLabel: "Close", textContent: "×", className: "close" });
    const box = make("dialog", { id: "share", className: "rw rw-share", ariaLabel: title }, close, make("h2", { textContent: title }));
    close.addEventListener("click", () => box.close());
    box.addEventListener("click", ({ target }) => { if (target === box) box.close(); });
    box.addEventListener("close", () => box.remove());
    document.body.append(box);
    box.showModal();
    return box;
  }

  rw.share = async (address, told, connect) => {
    const svg = await drawn(address);
    const box = dialog("Share this game");
    const along = make("button", { type: "button", textContent: "Play along on another device", onclick: connect, hidden: location.protocol === "file:" });
    box.append(make("p", { textContent: "Scan it to stand at the same step." }), svg, ...told.map((line, at) => make(at ? "p" : "b", { textContent: line })), ...copier(address, told), make("p", { className: "tools" }, along));
  };
  Object.assign(rw.share, { drawn, copier, dialog });
})();
