/* Reading without a network: has the worker keep the edition that is read, and says when a newer one is there. */
(() => {
  "use strict";
  const link = document.querySelector("link[data-worker]");
  if (!link || !navigator.serviceWorker || location.protocol === "file:") return;
  const workers = navigator.serviceWorker;
  const line = (name) => document.querySelector(`[data-offline="${name}"]`) ?? {};
  const read = (worker) => worker?.postMessage({ read: location.href });

  /** On the page for what is missing: the editions that can be read, and their player aids. */
  function list(editions) {
    const [item, root] = [document.querySelector("[data-kept]"), window.rulewright.root];
    if (!item || !editions.length) return;
    const names = new Map([...document.querySelectorAll("#jump option")].map((option) => [option.value, option.textContent.trim()]));
    item.querySelector("ul").replaceChildren(...editions.map(([edition, hasAids]) => {
      const row = item.querySelector("template").content.cloneNode(true);
      const [front, aids] = row.querySelectorAll("a");
      Object.assign(front, { href: new URL(`${edition}/`, root), textContent: names.get(edition) ?? edition });
      if (hasAids) aids.href = new URL(`${edition}/aids/`, root);
      else { aids.previousSibling.remove(); aids.remove(); }
      return row;
    }));
    item.hidden = false;
  }

  workers.addEventListener("message", ({ data, source }) => {
    if (data?.kept) return list(data.kept);
    // Of another edition that is read in another tab, or from another site of this host.
    if (!data?.keeping || data.keeping !== window.rulewright.edition() || source?.scriptURL !== new URL(link.dataset.worker, location).href) return;
    const whole = data.done === data.all;
    line("failed").hidden = !data.failed;
    line("kept").hidden = data.failed || !whole;
    line("keeping").hidden = data.failed || whole;
    const counted = line("keeping").querySelector?.("output");
    if (counted) counted.textContent = `${data.done} / ${data.all}`;
  });

  let renewed = false;
  workers.addEventListener("controllerchange", () => {
    if (renewed) location.reload();
    else read(workers.controller); // the first that was there may be of a site in the folder above
  });
  document.addEventListener("click", async (event) => {
    if (!event.target.closest?.("[data-renew]")) return;
    renewed = true;
    const waiting = (await workers.getRegistration())?.waiting;
    if (waiting) waiting.postMessage("renew");
    else location.reload(); // another tab has taken it
  });

  // Nothing is fetched for later where the reader saves data, until he asks for it.
  const saves = navigator.connection?.saveData && !workers.controller;
  async function start() {
    const registration = await workers.register(link.dataset.worker).catch(() => {});
    if (!registration) return; // a browser that keeps nothing
    const waits = () => { line("newer").hidden = !(workers.controller && registration.waiting); };
    const watch = () => registration.installing?.addEventListener("statechange", waits);
    waits();
    watch();
    registration.addEventListener("updatefound", watch);
    const begin = () => workers.ready.then(({ active }) => read(active));
    if (window.document$) window.document$.subscribe(begin);
    else begin();
    if (document.querySelector("[data-missing]")) workers.ready.then(({ active }) => active.postMessage("kept"));
  }
  addEventListener("load", () => {
    if (!saves) return void start();
    line("offered").hidden = !window.rulewright.edition();
    document.querySelector("[data-keep]")?.addEventListener("click", () => { line("offered").hidden = true; start(); });
  });
})();
