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

/** Fetch what a group lacks, four files at a time; `told` hears how many are there. */
async function keep(group, told = () => {}) {
  const kept = await store();
  const files = Object.entries(GROUPS[group]);
  const missing = [];
  for (const [path, digest] of files) if (!(await kept.match(place(path, digest)))) missing.push([path, digest]);
  let done = files.length - missing.length;
  const fetching = async () => {
    for (let next; (next = missing.shift()); told(++done, files.length)) {
      const answer = await fetch(new Request(new URL(spelt(next[0]), HERE), { cache: "no-cache" }));
      if (!answer.ok) throw new Error(`${next[0]}: ${answer.status}`);
      // A browser refuses for a page what came by a redirect, as some hosts send 404.html.
      await kept.put(place(...next), answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer);
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
    const [path, query] = [plain(url), new URL(url).searchParams];
    const stays = query.has("group") ? Object.hasOwn(GROUPS, query.get("group")) : query.get("kept") === DIGESTS[path] || query.get("kept") === "seen";
    if (!stays) await kept.delete(url);
  }
}

/** Where the short address of a rule leads, if its edition is kept: such an address is no file of its own here. */
async function led(kept, path) {
  const edition = Object.keys(GROUPS).find((one) => one && path.startsWith(`r/${one}/`));
  const index = `${edition}/previews/index.js`;
  const script = await (await kept.match(place(index, DIGESTS[index])))?.text();
  if (!script) return undefined;
  const pages = JSON.parse(script.slice(script.indexOf(",{") + 1, script.lastIndexOf("}") + 1));
  const number = path.slice(edition.length + 3).replace(/\/$/, "");
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
    if (fresh.status === 200 && fresh.type === "basic" && !(path in DIGESTS) && /^(image\/|application\/pdf)/.test(sort)) {
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
  const path = plain(event.data?.read);
  const group = Object.keys(GROUPS).find((one) => one && path?.startsWith(`${one}/`));
  if (group === undefined) return;
  const told = (done, all) => tell({ keeping: group, done, all });
  // A reader who goes on to the next page does not start it again.
  running[group] ??= keep(group, told).catch(() => tell({ keeping: group, failed: true })).finally(() => delete running[group]);
  event.waitUntil(running[group]);
});
