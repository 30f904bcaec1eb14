/* The place in a game, to be scanned from this screen, sent or copied. Loaded when somebody shares it; the code is
   drawn by qrcode.js.

   rulewright.share(address, told)  opens what shows it; `told`: lines that say what stands there */
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
  function drawn(address) {
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

  rw.share = async (address, told) => {
    document.getElementById("share")?.remove();
    const close = make("button", { type: "button", ariaLabel: "Close", textContent: "×", className: "close" });
    const copy = make("button", { type: "button", textContent: "Copy link" });
    const send = make("button", { type: "button", textContent: "Send", hidden: !navigator.share });
    const said = make("output", { className: "spoken" });
    const link = make("input", { value: address, readOnly: true, ariaLabel: "Address to share" });
    const box = make("dialog", { id: "share", className: "rw rw-share", ariaLabel: "Share this game" }, close, make("h2", { textContent: "Share this game" }), make("p", { textContent: "Scan it to stand at the same step." }));
    const code = await rw.load("qrcode").then(() => drawn(address), () => make("p", { textContent: "The code could not be drawn; copy the link." }));
    box.append(code, ...told.map((line, at) => make(at ? "p" : "b", { textContent: line })), link, make("p", { className: "tools" }, copy, " ", send), said);
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
    close.addEventListener("click", () => box.close());
    box.addEventListener("click", ({ target }) => { if (target === box) box.close(); });
    box.addEventListener("close", () => box.remove());
    document.body.append(box);
    box.showModal();
  };
})();
