/* A report to the publisher about a rule: its edition, number, title and URL, with the words of the reader. */
(() => {
  "use strict";

  const rw = window.rulewright;
  const element = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const button = (words, onclick, properties) => element("button", { type: "button", textContent: words, onclick, ...properties });

  /** Open a dialog with a message about a rule, to copy or to send. The page itself sends nothing. */
  rw.openReport = ({ edition, title, href }) => {
    const game = edition === rw.edition() ? document.title.split(" · ").at(-1) : edition;
    const heading = `${game}, rule ${title}`;
    const link = rw.shareUrl(href, true);
    const words = element("textarea", { rows: 5, maxLength: 2000 });
    const message = element("textarea", { rows: 6, readOnly: true });
    const mail = element("a", { textContent: "Write a mail" });
    const issue = element("a", { textContent: "Open a new issue", target: "_blank", rel: "noopener" });
    const setting = document.querySelector("[data-report]")?.dataset.report ?? "";
    const address = setting.includes("@") && !setting.includes("/") ? setting.replace(/^mailto:/, "") : "";
    const issueTracker = /^https?:\/\//.test(setting) && URL.canParse(setting) ? setting : "";
    const fill = () => {
      message.value = [heading, link, "", words.value].join("\n").trimEnd();
      mail.href = `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}?subject=${encodeURIComponent(heading)}&body=${encodeURIComponent(message.value.replaceAll("\n", "\r\n"))}`;
      if (!issueTracker) return;
      const to = new URL(issueTracker);
      const isGitLab = to.pathname.includes("/-/");
      to.searchParams.set(isGitLab ? "issue[title]" : "title", heading);
      to.searchParams.set(isGitLab ? "issue[description]" : "body", message.value);
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
    const tools = element("p", { className: "tools" }, button("Copy", copy, { className: "main" }), mail, ...(issueTracker ? [issue] : []), button("Close", () => dialog.close()));
    const labels = [element("label", {}, "What is wrong or unclear", words), element("label", {}, "The message; nothing is sent by itself", message)];
    const dialog = element("dialog", { className: "rw rw-report md-typeset", ariaLabel: `Report ${title}`, onclose: () => { dialog.remove(); closed(); } }, element("h2", { textContent: `Report ${title}` }), ...labels, tools);
    document.body.append(dialog);
    dialog.showModal();
    const closed = rw.openLayer(() => dialog.close());
    words.focus();
  };
})();
