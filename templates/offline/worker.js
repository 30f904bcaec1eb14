/* Keeps the site on the device: the common parts on the first visit, and each edition that is read, whole.

   A file is kept under its address and the digest of what it holds, so that a new version of the site fetches
   only what changed, and the version that is being read stays complete until the reader takes the new one. */
"use strict";

const GROUPS = {{ groups | tojson }}; // "" for what every page needs, then each edition: address from the root → digest
const STORE = `rulewright ${registration.scope}`;
const HERE = new URL(registration.scope);
const running = {}; // the groups that are being kept
const DIGESTS = Object.assign(Object.create(null), ...Object.values(GROUPS));

const spelt = (path) => path.split("/").map(encodeURIComponent).join("/");
const place = (path, digest) => new URL(`${spelt(path)}?kept=${digest}`, HERE).href;
const mark = (group) => new URL(`?group=${encodeURIComponent(group)}`, HERE).href;
const store = () => caches.open(STORE);

/** An address of this site as a path from its root; undefined for any other. */
function plain(address) {
  if (!URL.canParse(address) || !address.startsWith(HERE.href)) return undefined;
  const path = new URL(address).pathname.slice(HERE.pathname.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function tell(message) {
  for (const page of await clients.matchAll({ includeUncontrolled: true })) page.postMessage(message);
}

/** What a digest of the build stands for: the first figures of SHA-256. */
async function digestOf(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((one) => one.toString(16).padStart(2, "0")).join("").slice(0, 12);
}

/** Fetch a file and store it under its digest, if it is the file of this digest. Returns whether it is.
    An answer with other bytes, as from a cache that has the version before, is only for when there is no network. */
async function fetchFile(kept, path, digest) {
  for (const [url, cache] of [[new URL(spelt(path), HERE), "no-cache"], [place(path, digest), "reload"]]) {
    const answer = await fetch(new Request(url, { cache }));
    if (answer.status !== 200 || answer.redirected) continue;
    const isRight = (await digestOf(await answer.clone().arrayBuffer())) === digest;
    await kept.put(place(path, isRight ? digest : "seen"), answer);
    if (isRight) return true;
  }
  return false;
}

/** Fetch what a group lacks, four files at a time; `told` hears how many are there. Returns whether all are. */
async function keep(group, told = () => {}) {
  const kept = await store();
  const files = Object.entries(GROUPS[group]);
  const missing = [];
  for (const [path, digest] of files) if (!(await kept.match(place(path, digest)))) missing.push([path, digest]);
  let done = files.length - missing.length;
  const fetching = async () => {
    for (let next; (next = missing.shift()); ) if (await fetchFile(kept, ...next)) told(++done, files.length);
  };
  await Promise.all([fetching(), fetching(), fetching(), fetching()]);
  await kept.put(mark(group), new Response());
  if (done === files.length) told(done, files.length);
  return done === files.length;
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
    const [path, query] = [plain(url), new URL(url).searchParams];
    const stays = query.has("group") ? Object.hasOwn(GROUPS, query.get("group")) : query.get("kept") === DIGESTS[path] || query.get("kept") === "seen";
    if (!stays) await kept.delete(url);
  }
}

/** Where the short address of a rule leads, if its edition is kept: such an address is no file of its own here. */
async function led(kept, path) {
  const edition = Object.keys(GROUPS).find((one) => one && path.startsWith(`r/${one}/`));
  const index = `${edition}/numbers.js`;
  const script = await (await kept.match(place(index, DIGESTS[index])))?.text();
  if (!script) return undefined;
  const pages = JSON.parse(script.slice(script.indexOf(",{") + 1, script.lastIndexOf("}") + 1));
  const number = path.slice(edition.length + 3).replace(/\/$|\.html$/, "");
  let known = number;
  while (known && !Object.hasOwn(pages, known)) known = known.slice(0, -1);
  return known ? Response.redirect(new URL(`${spelt(`${edition}/${pages[known]}`)}/#${encodeURIComponent(number)}`, HERE)) : undefined;
}

async function answer(event) {
  const { request } = event;
  const path = plain(request.url).replace(/(^|\/)index\.html$/, "$1");
  const kept = await store();
  const whole = await kept.match(place(path, DIGESTS[path]));
  if (whole) return whole;
  if (!(path in DIGESTS) && `${path}/` in DIGESTS) return Response.redirect(new URL(`${spelt(path)}/${new URL(request.url).search}`, HERE));
  try {
    const fresh = await fetch(request);
    // Sheets to print and pictures that a page shows stay, from when they were first seen.
    const sort = fresh.headers.get("Content-Type") ?? "";
    if (fresh.status === 200 && !fresh.redirected && fresh.type === "basic" && !(path in DIGESTS) && /^(image\/|application\/pdf)/.test(sort)) {
      event.waitUntil(kept.put(place(path, "seen"), fresh.clone()).catch(() => {})); // there may be no room
    }
    return fresh;
  } catch (error) {
    const seen = await kept.match(place(path, "seen"));
    if (seen) return seen;
    if (request.mode !== "navigate") throw error;
    return (await led(kept, path).catch(() => undefined)) ?? (await kept.match(place("404.html", DIGESTS["404.html"]))) ?? Response.error();
  }
}

// A file that the host refuses does not stop this: it comes from the network.
addEventListener("install", (event) => {
  event.waitUntil((async () => { for (const group of new Set(["", ...(await chosen())])) await keep(group); })());
});
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  // Where the store fails there is still the network.
  if (request.method === "GET" && request.url.startsWith(HERE.href)) event.respondWith(answer(event).catch(() => fetch(request)));
});
addEventListener("message", (event) => {
  if (event.data === "renew") skipWaiting();
  if (event.data === "kept") {
    const own = (groups) => groups.filter(Boolean).map((group) => [group, `${group}/aids/` in GROUPS[group]]);
    return void event.waitUntil(chosen().then((groups) => event.source.postMessage({ kept: own(groups) })));
  }
  const path = plain(event.data?.read);
  const group = Object.keys(GROUPS).find((one) => one && path?.startsWith(`${one}/`));
  if (group === undefined) return;
  const told = (done, all) => tell({ keeping: group, done, all });
  // A reader who goes on to the next page does not start it again.
  // What all pages need is asked for again as well, since a host may have refused some of it at first.
  const failed = () => tell({ keeping: group, failed: true });
  running[group] ??= keep("").then(() => keep(group, told)).then((isWhole) => isWhole || failed()).catch(failed).finally(() => delete running[group]);
  event.waitUntil(running[group]);
});
