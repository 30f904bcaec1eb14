/* Reading without a network: has the worker keep the edition that is read, and says when a newer one is there. */
(() => {
  "use strict";
  const link = document.querySelector("link[data-worker]");
  if (!link || !navigator.serviceWorker || location.protocol === "file:") return;
  const workers = navigator.serviceWorker;
  const line = (name) => document.querySelector(`[data-offline="${name}"]`) ?? {};
  const read = () => workers.ready.then(({ active }) => active.postMessage({ read: location.href }));

  workers.addEventListener("message", ({ data }) => {
    const whole = data.done === data.all;
    line("failed").hidden = !data.failed;
    line("kept").hidden = data.failed || !whole;
    line("keeping").hidden = data.failed || whole;
    const counted = line("keeping").querySelector?.("output");
    if (counted) counted.textContent = `${data.done} / ${data.all}`;
  });

  let renewed = false;
  workers.addEventListener("controllerchange", () => renewed && location.reload());
  document.addEventListener("click", async (event) => {
    if (!event.target.closest?.("[data-renew]")) return;
    renewed = true;
    (await workers.getRegistration())?.waiting?.postMessage("renew");
  });

  addEventListener("load", async () => {
    const registration = await workers.register(link.dataset.worker);
    const waits = () => { line("newer").hidden = !(workers.controller && registration.waiting); };
    waits();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", waits));
    if (window.document$) window.document$.subscribe(read);
    else read();
  });
})();
