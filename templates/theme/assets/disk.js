/* For a site that is opened from a disk, where browsers refuse to start a worker: the search's runs in a frame. */
(() => {
  "use strict";
  if (location.protocol !== "file:") return;

  const load = (into, url) => new Promise((done, failed) => {
    const script = into.createElement("script");
    Object.assign(script, { src: url, onload: done, onerror: failed });
    into.head.append(script);
  });

  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "Search";
      frame.srcdoc = "<!doctype html><html lang=en><title>Search</title>";
      this.inside = new Promise((ready) => {
        frame.onload = async () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          inside.importScripts = (...urls) => Promise.all(urls.map((one) => load(inside.document, one)));
          await load(inside.document, url);
          ready(inside);
        };
      });
      document.documentElement.append(frame);
    }

    postMessage(data) {
      this.inside.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {}
  };
})();
