/* Keeps the site on the device: the common parts on the first visit, and each edition that is read, whole.

   A file is kept under its address and the digest of what it holds, so that a new version of the site fetches
   only what changed, and the version that is being read stays complete until the reader takes the new one. */
"use strict";

const GROUPS = {{ groups | tojson }}; // "" for what every page needs, then each edition: address from the root → digest
const STORE = `rulewright ${registration.scope}`;
const HERE = new URL(registration.scope);
const DIGESTS = Object.assign({}, ...Object.values(GROUPS));

const place = (path, digest) => new URL(`${path}?kept=${digest}`, HERE).href;
const mark = (group) => new URL(`?group=${encodeURIComponent(group)}`, HERE).href;
const store = () => caches.open(STORE);

async function tell(message) {
  for (const page of await clients.matchAll({ includeUncontrolled: true })) page.postMessage(message);
}

/** Fetch what a group lacks, four files at a time; `told` hears how many are there. */
async function keep(group, told = () => {}) {
  const kept = await store();
  const files = Object.entries(GROUPS[group]);
  const missing = [];
  for (const [path, digest] of files) if (!(await kept.match(place(path, digest)))) missing.push([path, digest]);
  let done = files.length - missing.length;
  const fetching = async () => {
    for (let next; (next = missing.shift()); told(++done, files.length)) {
      const answer = await fetch(new Request(new URL(next[0], HERE), { cache: "no-cache" }));
      if (!answer.ok) throw new Error(`${next[0]}: ${answer.status}`);
      await kept.put(place(...next), answer);
    }
  };
  await Promise.all([fetching(), fetching(), fetching(), fetching()]);
  await kept.put(mark(group), new Response());
  told(files.length, files.length);
}

/** The groups that this device keeps and the site still has. */
async function chosen() {
  const kept = await store();
  const all = await Promise.all(Object.keys(GROUPS).map(async (group) => (await kept.match(mark(group))) && group));
  return all.filter((group) => group !== undefined);
}

async function tidy() {
  const kept = await store();
  for (const { url } of await kept.keys()) {
    const [path, query] = [decodeURI(url.slice(HERE.href.length).split("?")[0]), new URL(url).searchParams];
    const stays = query.has("group") ? query.get("group") in GROUPS : query.get("kept") === DIGESTS[path] || query.get("kept") === "seen";
    if (!stays) await kept.delete(url);
  }
}

async function answer(request) {
  const url = new URL(request.url);
  const path = decodeURI(url.pathname.slice(HERE.pathname.length)).replace(/(^|\/)index\.html$/, "$1");
  const kept = await store();
  const whole = await kept.match(place(path, DIGESTS[path]));
  if (whole) return whole;
  if (!(path in DIGESTS) && `${path}/` in DIGESTS) return Response.redirect(new URL(`${path}/${url.search}`, HERE));
  try {
    const fresh = await fetch(request);
    // Sheets to print and pictures that a page shows stay, from when they were first seen.
    if (fresh.status === 200 && fresh.type === "basic" && !(path in DIGESTS) && !path.startsWith("r/")) await kept.put(place(path, "seen"), fresh.clone());
    return fresh;
  } catch (error) {
    const seen = await kept.match(place(path, "seen"));
    if (seen) return seen;
    if (request.mode !== "navigate") throw error;
    return (await kept.match(place("404.html", DIGESTS["404.html"]))) ?? Response.error();
  }
}

addEventListener("install", (event) => {
  event.waitUntil((async () => { for (const group of new Set(["", ...(await chosen())])) await keep(group); })());
});
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(HERE.href)) event.respondWith(answer(request));
});
addEventListener("message", (event) => {
  if (event.data === "renew") skipWaiting();
  const path = event.data?.read && decodeURI(event.data.read.slice(HERE.href.length));
  const group = Object.keys(GROUPS).find((one) => one && path?.startsWith(`${one}/`));
  if (group === undefined) return;
  const told = (done, all) => tell({ keeping: group, done, all });
  event.waitUntil(keep(group, told).catch(() => tell({ keeping: group, failed: true })));
});
