/* Offline reading: asks the service worker to store the current edition, and shows when a new version is available. */
(() => {
  "use strict";
  const link = document.querySelector("link[data-worker]");
  if (!link || !navigator.serviceWorker || location.protocol === "file:") return;
  const workers = navigator.serviceWorker;
  const statusLine = (name) => document.querySelector(`[data-offline="${name}"]`) ?? {};
  let mayStore = !navigator.connection?.saveData; // with data saving, only what the reader asks for
  const reportPage = (worker) => mayStore && worker?.postMessage({ read: location.href });

  /** On the "not found" page, list the stored editions and their player aids. */
  function listEditions(editions) {
    const [item, root] = [document.querySelector("[data-stored]"), window.rulewright.root];
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
    if (data?.stored) {
      if (data.stored.some(([edition]) => edition === window.rulewright.edition())) statusLine("offered").hidden = true;
      return listEditions(data.stored);
    }
    // A message about another edition or from another site of this host.
    if (!data?.storing || data.storing !== window.rulewright.edition() || source?.scriptURL !== new URL(link.dataset.worker, location).href) return;
    const isComplete = data.done === data.all;
    statusLine("failed").hidden = !data.failed;
    statusLine("stored").hidden = data.failed || !isComplete;
    statusLine("storing").hidden = data.failed || isComplete;
    const counter = statusLine("storing").querySelector?.("output");
    if (counter) counter.textContent = `${data.done} / ${data.all}`;
  });

  let isReloading = false;
  workers.addEventListener("controllerchange", () => {
    if (isReloading) location.reload();
    else reportPage(workers.controller); // the earlier worker may belong to a site in a parent folder
  });
  document.addEventListener("click", async (event) => {
    if (!event.target.closest?.("[data-renew]")) return;
    isReloading = true;
    const waiting = (await workers.getRegistration())?.waiting;
    if (waiting) waiting.postMessage("renew");
    else location.reload(); // another tab has activated it
  });

  async function start() {
    const registration = await workers.register(link.dataset.worker).catch(() => {});
    if (!registration) return; // no storage
    const showNewVersion = () => { statusLine("newer").hidden = !(workers.controller && registration.waiting); };
    const watchInstallation = () => registration.installing?.addEventListener("statechange", showNewVersion);
    showNewVersion();
    watchInstallation();
    registration.addEventListener("updatefound", watchInstallation);
    const reportCurrentPage = () => workers.ready.then(({ active }) => reportPage(active));
    if (window.document$) window.document$.subscribe(reportCurrentPage);
    else reportCurrentPage();
    if (!mayStore || document.querySelector("[data-missing]")) workers.ready.then(({ active }) => active.postMessage("kept"));
  }
  addEventListener("load", () => {
    if (mayStore || workers.controller) start();
    if (mayStore) return;
    statusLine("offered").hidden = !window.rulewright.edition();
    document.querySelector("[data-keep]")?.addEventListener("click", () => { mayStore = statusLine("offered").hidden = true; start(); });
  });
})();
