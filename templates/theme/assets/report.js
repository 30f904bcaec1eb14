/* A message to the publisher about a rule: its edition, number, title and address, with the reader's own words. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const make = (tag, given, ...inside) => {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  };
  const button = (words, onclick, given) => make("button", { type: "button", textContent: words, onclick, ...given });

  /** Words about a rule, to copy or to send. Nothing is sent from here. */
  rw.report = ({ edition, title, href }) => {
    const game = edition === rw.edition() ? document.title.split(" · ").at(-1) : edition;
    const heading = `${game}, rule ${title}`;
    const link = rw.address(href, true);
    const words = make("textarea", { rows: 5, maxLength: 2000 });
    const message = make("textarea", { rows: 6, readOnly: true });
    const mail = make("a", { textContent: "Write a mail" });
    const issue = make("a", { textContent: "Open a new issue", target: "_blank", rel: "noopener" });
    const given = document.querySelector("[data-report]")?.dataset.report ?? "";
    const address = given.includes("@") && !given.includes("/") ? given.replace(/^mailto:/, "") : "";
    const tracker = /^https?:\/\//.test(given) && URL.canParse(given) ? given : "";
    const fill = () => {
      message.value = [heading, link, "", words.value].join("\n").trimEnd();
      mail.href = `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}?subject=${encodeURIComponent(heading)}&body=${encodeURIComponent(message.value.replaceAll("\n", "\r\n"))}`;
      if (!tracker) return;
      const to = new URL(tracker);
      const lab = to.pathname.includes("/-/");
      to.searchParams.set(lab ? "issue[title]" : "title", heading);
      to.searchParams.set(lab ? "issue[description]" : "body", message.value);
      issue.href = to.href;
    };
    words.addEventListener("input", fill);
    fill();
    const copy = async (event) => {
      try {
        await navigator.clipboard.writeText(message.value);
      } catch {
        message.select();
        document.execCommand("copy");
      }
      event.target.textContent = "Copied";
    };
    const tools = make("p", { className: "tools" }, button("Copy", copy, { className: "main" }), mail, ...(tracker ? [issue] : []), button("Close", () => dialog.close()));
    const labels = [make("label", {}, "What is wrong or unclear", words), make("label", {}, "The message; nothing is sent by itself", message)];
    const dialog = make("dialog", { className: "rw rw-report md-typeset", ariaLabel: `Report ${title}`, onclose: () => { dialog.remove(); closed(); } }, make("h2", { textContent: `Report ${title}` }), ...labels, tools);
    document.body.append(dialog);
    dialog.showModal();
    const closed = rw.over(() => dialog.close());
    words.focus();
  };
})();
