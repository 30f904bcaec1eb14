/* The service worker stores the site on the device: the common files on the first visit, and each edition that is read.

   A file is stored by its URL and the digest of its content, so that a new version of the site fetches only changed files,
   and the current version stays complete until the reader activates the new one. */
"use strict";

const GROUPS = {{ groups | tojson }}; // "" for the files of all pages, then each edition: path → digest
const STORE = `rulewright ${registration.scope}`;
const ROOT = new URL(registration.scope);
const pending = {}; // groups that are being stored
const DIGESTS = Object.assign(Object.create(null), ...Object.values(GROUPS));

const encodedPath = (path) => path.split("/").map(encodeURIComponent).join("/");
const cacheUrl = (path, digest) => new URL(`${encodedPath(path)}?kept=${digest}`, ROOT).href;
const groupMark = (group) => new URL(`?group=${encodeURIComponent(group)}`, ROOT).href;
const openStore = () => caches.open(STORE);

/** Return the path of a URL of this site; undefined for other sites. */
function pathOf(address) {
  if (!URL.canParse(address) || !address.startsWith(ROOT.href)) return undefined;
  const path = new URL(address).pathname.slice(ROOT.pathname.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function notifyPages(message) {
  for (const page of await clients.matchAll({ includeUncontrolled: true })) page.postMessage(message);
}

/** Return the digest as the build computes it: the first digits of SHA-256. */
async function digestOf(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((item) => item.toString(16).padStart(2, "0")).join("").slice(0, 12);
}

/** Fetch a file and store it if it has the digest; return whether it has. A response with other content, such as an older
    version from a cache, is used only without a network. */
async function fetchFile(store, path, digest) {
  for (const [url, cache] of [[new URL(encodedPath(path), ROOT), "no-cache"], [cacheUrl(path, digest), "reload"]]) {
    const response = await fetch(new Request(url, { cache }));
    if (response.status !== 200 || response.redirected) continue;
    const isRight = (await digestOf(await response.clone().arrayBuffer())) === digest;
    await store.put(cacheUrl(path, isRight ? digest : "seen"), response);
    if (isRight) return true;
  }
  return false;
}

/** Fetch the missing files of a group, four at a time; `onProgress` gets the count. Return whether all are stored. */
async function storeGroup(group, onProgress = () => {}) {
  const store = await openStore();
  const files = Object.entries(GROUPS[group]);
  const missing = [];
  for (const [path, digest] of files) if (!(await store.match(cacheUrl(path, digest)))) missing.push([path, digest]);
  let done = files.length - missing.length;
  const fetchMissing = async () => {
    for (let next; (next = missing.shift()); ) if (await fetchFile(store, ...next)) onProgress(++done, files.length);
  };
  await Promise.all([fetchMissing(), fetchMissing(), fetchMissing(), fetchMissing()]);
  await store.put(groupMark(group), new Response());
  if (done === files.length) onProgress(done, files.length);
  return done === files.length;
}

/** Return the stored groups that the site still has. */
async function storedGroups() {
  const store = await openStore();
  const all = await Promise.all(Object.keys(GROUPS).map(async (group) => (await store.match(groupMark(group))) && group));
  return all.filter((group) => group !== undefined);
}

async function deleteOldFiles() {
  const store = await openStore();
  for (const { url } of await store.keys()) {
    const [path, query] = [pathOf(url), new URL(url).searchParams];
    const isCurrent = query.has("group") ? Object.hasOwn(GROUPS, query.get("group")) : query.get("kept") === DIGESTS[path] || query.get("kept") === "seen";
    if (!isCurrent) await store.delete(url);
  }
}

/** Return a redirect for the short URL of a rule, if its edition is stored; short URLs are not stored as files. */
async function shortUrlTarget(store, path) {
  const edition = Object.keys(GROUPS).find((item) => item && path.startsWith(`r/${item}/`));
  const index = `${edition}/numbers.js`;
  const script = await (await store.match(cacheUrl(index, DIGESTS[index])))?.text();
  if (!script) return undefined;
  const pages = JSON.parse(script.slice(script.indexOf(",{") + 1, script.lastIndexOf("}") + 1));
  const number = path.slice(edition.length + 3).replace(/\/$|\.html$/, "");
  let known = number;
  while (known && !Object.hasOwn(pages, known)) known = known.slice(0, -1);
  return known ? Response.redirect(new URL(`${encodedPath(`${edition}/${pages[known]}`)}/#${encodeURIComponent(number)}`, ROOT)) : undefined;
}

async function respond(event) {
  const { request } = event;
  const path = pathOf(request.url).replace(/(^|\/)index\.html$/, "$1");
  const store = await openStore();
  const stored = await store.match(cacheUrl(path, DIGESTS[path]));
  if (stored) return stored;
  if (!(path in DIGESTS) && `${path}/` in DIGESTS) return Response.redirect(new URL(`${encodedPath(path)}/${new URL(request.url).search}`, ROOT));
  try {
    const fetched = await fetch(request);
    // PDFs and pictures are stored when they are first opened.
    const sort = fetched.headers.get("Content-Type") ?? "";
    if (fetched.status === 200 && !fetched.redirected && fetched.type === "basic" && !(path in DIGESTS) && /^(image\/|application\/pdf)/.test(sort)) {
      event.waitUntil(store.put(cacheUrl(path, "seen"), fetched.clone()).catch(() => {})); // no space
    }
    return fetched;
  } catch (error) {
    const oldResponse = await store.match(cacheUrl(path, "seen"));
    if (oldResponse) return oldResponse;
    if (request.mode !== "navigate") throw error;
    return (await shortUrlTarget(store, path).catch(() => undefined)) ?? (await store.match(cacheUrl("404.html", DIGESTS["404.html"]))) ?? Response.error();
  }
}

// A file that the host refuses does not stop the installation: it comes from the network.
addEventListener("install", (event) => {
  event.waitUntil((async () => { for (const group of new Set(["", ...(await storedGroups())])) await storeGroup(group); })());
});
addEventListener("activate", (event) => event.waitUntil(deleteOldFiles().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  // If the cache fails, use the network.
  if (request.method === "GET" && request.url.startsWith(ROOT.href)) event.respondWith(respond(event).catch(() => fetch(request)));
});
addEventListener("message", (event) => {
  if (event.data === "renew") skipWaiting();
  if (event.data === "kept") {
    const own = (groups) => groups.filter(Boolean).map((group) => [group, `${group}/aids/` in GROUPS[group]]);
    return void event.waitUntil(storedGroups().then((groups) => event.source.postMessage({ stored: own(groups) })));
  }
  const path = pathOf(event.data?.read);
  const group = Object.keys(GROUPS).find((item) => item && path?.startsWith(`${item}/`));
  if (group === undefined) return;
  const onProgress = (done, all) => notifyPages({ storing: group, done, all });
  // The next page does not start it again.
  // The common files are tried again, since the host may have refused some at first.
  const failed = () => notifyPages({ storing: group, failed: true });
  pending[group] ??= storeGroup("").then(() => storeGroup(group, onProgress)).then((isWhole) => isWhole || failed()).catch(failed).finally(() => delete pending[group]);
  event.waitUntil(pending[group]);
});
