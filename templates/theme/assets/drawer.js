// The list of pages on a small screen: it opens at the page that is read. For the keyboard, it takes the focus when
// it is opened by a key, gives it back when Escape closes it, and closes when the focus goes on.
(() => {
  const toggle = document.getElementById("__drawer");
  const opener = document.querySelector(".md-header [for=__drawer]");
  const list = document.querySelector(".md-sidebar--primary");
  if (!toggle || !opener || !list) return;
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  toggle.addEventListener("change", () => {
    const here = list.querySelector("[aria-current]");
    if (toggle.checked) here?.scrollIntoView({ block: "center", behavior: "instant" });
    if (toggle.checked && opener === document.activeElement)
      (here ?? [...list.querySelectorAll("a")].find(seen))?.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !toggle.checked) return;
    toggle.click();
    opener.focus();
  });
  list.addEventListener("focusout", ({ relatedTarget }) => {
    if (toggle.checked && relatedTarget && !list.contains(relatedTarget)) toggle.click();
  });
})();
