/* Two devices on one network that play one game: they exchange its log directly, without any server. One shows a
   code, the other answers with one of its own; each says where it can be reached and by which key it is known.

   rulewright.follow(play, given)  begins, or answers what came in an address. `play` is what the page of play gives:
   page, tell(words, act, label), game(), hash(), choose(id) and join(log, at) */
(() => {
  "use strict";

  const rw = (window.rulewright ??= {});
  const OFTEN = 400; // messages in ten seconds
  const PATIENCE = 30000; // milliseconds
  const REACHED = 8; // addresses of a device
  const SAME = "Both devices must be on the same Wi-Fi. Nothing goes through a server.";
  const FAILED = "The devices did not find each other. Both must be on the same Wi-Fi, and it must let devices talk to each other, which guest networks often do not. Try again, or share the link of the game instead.";

  const NOWHERE = "This device is on no network on which another could reach it. Join the same Wi-Fi with both, and share the game again.";

  const make = (tag, given, ...inside) => {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  };
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const byte = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));

  /* What a device tells of itself: user, password, fingerprint, and where it is; only at home, never elsewhere */

  const HOME = /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
  const CODE = /^([\w-]{4,60})~([\w-]{22,100})~([\w-]{43})((?:~(?:m[0-9a-f]{32}|v[0-9a-f]{8})[0-9a-f]{4}){1,8})$/;
  const NAMED = /^(\w{8})-(\w{4})-(\w{4})-(\w{4})-(\w{12})\.local$/;

  /** A session of the browser as a few letters. */
  function told(sdp) {
    const part = (name) => sdp.match(new RegExp(`^a=${name}:(.*?)\\r?$`, "m"))?.[1] ?? "";
    const places = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ host/gim)].flatMap(([, host, port]) => {
      const name = host.toLowerCase().match(NAMED);
      const at = name ? `m${name.slice(1).join("")}` : HOME.test(host) ? `v${hex(host.split("."))}` : "";
      return at ? [at + Number(port).toString(16).padStart(4, "0")] : [];
    });
    const letters = (text) => text.replace(/\+/g, "-").replace(/\//g, "_");
    const print = rw.games.chars(byte(part("fingerprint").replace(/^\S+ /, "").replace(/:/g, "")));
    return [letters(part("ice-ufrag")), letters(part("ice-pwd")), print, ...new Set(places)].slice(0, 3 + REACHED).join("~");
  }

  /** The session that letters tell of; throws where they are no such code. */
  function session(code, type) {
    const [, user, password, print, places] = CODE.exec(code) ?? [];
    if (!user) throw new Error("no code");
    const letters = (text) => text.replace(/-/g, "+").replace(/_/g, "/");
    const candidates = places.slice(1).split("~").map((one, at) => {
      const digits = one.slice(1, -4);
      const host = one[0] === "m" ? `${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}.local` : byte(digits).join(".");
      if (one[0] === "v" && !HOME.test(host)) throw new Error("an address that is not at home");
      return `a=candidate:${at + 1} 1 udp ${2113937151 - at} ${host} ${parseInt(one.slice(-4), 16)} typ host`;
    });
    const fingerprint = hex(rw.games.bytes(print)).toUpperCase().match(/../g).join(":");
    const lines = ["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0", "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0"];
    lines.push(`a=ice-ufrag:${letters(user)}`, `a=ice-pwd:${letters(password)}`, `a=fingerprint:sha-256 ${fingerprint}`, `a=setup:${type === "offer" ? "actpass" : "active"}`, "a=mid:0", "a=sctp-port:5000", "a=max-message-size:262144", ...candidates);
    return { type, sdp: `${lines.join("\r\n")}\r\n` };
  }

  /** The code of a connection, once it knows where it can be reached: everywhere, or somewhere after a while. */
  async function coded(connection, description) {
    await connection.setLocalDescription(description);
    let late = false;
    await new Promise((done) => {
      const heard = () => {
        if (connection.iceGatheringState === "complete" || (late && CODE.test(told(connection.localDescription.sdp)))) done();
      };
      for (const event of ["icegatheringstatechange", "icecandidate"]) connection.addEventListener(event, heard);
      setTimeout(() => { late = true; heard(); }, 3000);
      heard();
    });
    const code = told(connection.localDescription.sdp);
    if (!CODE.test(code)) throw new Error(NOWHERE);
    return code;
  }

  /* What goes over a channel */

  const named = ({ d, n, k, v }) => `${d}.${n}.${k}.${v}`;

  /** Keep two games alike as long as both pages are open. */
  function exchange(play, connection, channel, id, isFirst) {
    const known = new Set();
    let [at, times, hearing, closed] = [isFirst ? undefined : play.game().at, [], false, false];

    function close(words) {
      if (closed) return;
      closed = true;
      play.page.removeEventListener("kept", send);
      connection.close();
      part.remove();
      count(play, -1);
      play.tell(words);
    }

    function send() {
      const game = play.game();
      if (closed || hearing || channel.readyState !== "open" || game.id !== id || !play.page.isConnected) return;
      const log = game.log.filter((one) => !known.has(named(one)));
      if (!log.length && at === game.at) return;
      const moved = at === game.at ? undefined : game.at; // who has not moved leads nobody
      at = game.at;
      for (let from = 0; from === 0 || from < log.length; from += rw.games.PORTION) {
        channel.send(rw.games.told(id, moved, log.slice(from, from + rw.games.PORTION)));
      }
      for (const one of log) known.add(named(one));
    }

    channel.addEventListener("message", ({ data }) => {
      if (closed) return;
      times = [...times.filter((time) => time > Date.now() - 10000), Date.now()];
      const found = times.length > OFTEN ? undefined : rw.games.heard(data, id);
      if (!found) return close("The other device sent something that is no game. It is not connected any more.");
      for (const one of found.log) known.add(named(one));
      if (play.game().id !== id) return;
      hearing = true; // there is nothing to answer, even where this screen stays at its own step
      play.join(found.log, found.at);
      hearing = false;
      ({ at } = play.game());
      send();
    });
    const gone = () => close("The other device is gone. Share the game again to go on together.");
    channel.addEventListener("close", gone);
    connection.addEventListener("connectionstatechange", () => { if (connection.connectionState === "failed") gone(); });
    play.page.addEventListener("kept", send);
    addEventListener("pagehide", () => connection.close(), { once: true });
    const part = make("button", { type: "button", textContent: "Disconnect", onclick: () => close("Not connected any more.") });
    play.page.querySelector(".follow").after(" ", part);
    count(play, 1);
    play.tell("Connected. Both screens go along.");
    if (isFirst) send(); // whoever joins says something once the place of the game is known
  }

  let connected = 0;
  function count(play, more) {
    connected += more;
    const words = play.page.querySelector(".follow span");
    words.textContent = `Follow other screens${connected ? `, ${connected} connected` : ""}`;
  }

  /* What is shown */

  /** A dialog that says what is asked of both devices. */
  async function dialog(title) {
    await rw.load("share");
    const box = rw.share.dialog(title);
    box.append(make("p", { textContent: SAME }));
    return box;
  }

  /** A code to scan, and the same to copy. */
  async function shown(box, words, address) {
    box.append(make("p", { textContent: words }), await rw.share.drawn(address), ...rw.share.copier(address));
  }

  /** What follows when a connection opens or does not. */
  function awaited(connection, box, said, opened) {
    const late = setTimeout(() => {
      said.textContent = FAILED;
      connection.close();
    }, PATIENCE);
    return (channel) => channel.addEventListener("open", () => {
      clearTimeout(late);
      box.close();
      opened(channel);
    });
  }

  const peer = () => new RTCPeerConnection({ iceServers: [] });
  const address = (hash) => new URL(`#${hash}`, location.href).href;

  async function invite(play) {
    const { id } = play.game();
    const connection = peer();
    const channel = connection.createDataChannel("game", { ordered: true });
    let code;
    try {
      code = await coded(connection, await connection.createOffer());
    } catch {
      connection.close();
      return play.tell(NOWHERE);
    }
    const box = await dialog("Play along on another device");
    const said = make("output");
    await shown(box, "1. Scan this with the other device and join there.", address(`${play.hash()}&join=${code}`));
    const input = make("input", { ariaLabel: "Code of the other device", placeholder: "Code of the other device", autocomplete: "off" });
    const form = make("form", {}, make("p", { textContent: "2. The other device then shows a code. Scan it with this device, or paste it here." }), input, make("p", { className: "tools" }, make("button", { textContent: "Connect" })));
    box.append(form, said);
    async function answered(text) {
      const given = text.trim().replace(/^.*#answer=/, "");
      if (!box.isConnected || connection.signalingState !== "have-local-offer" || !given) return;
      try {
        await connection.setRemoteDescription(session(given, "answer"));
      } catch {
        said.textContent = "This is no code of a device that joined. Copy all of it.";
        return;
      }
      said.textContent = "Connecting …";
      awaited(connection, box, said, (open) => exchange(play, connection, open, id, true))(channel);
      if (channel.readyState === "open") channel.dispatchEvent(new Event("open"));
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answered(input.value.slice(0, 2000));
    });
    const handed = ({ key, newValue }) => { if (key === "rulewright.play/answer" && newValue) answered(newValue.slice(0, 2000)); };
    addEventListener("storage", handed);
    box.addEventListener("close", () => {
      removeEventListener("storage", handed);
      if (channel.readyState !== "open") connection.close();
    });
  }

  async function accept(play, code, id) {
    const box = await dialog("Play along with another device");
    const said = make("output");
    const join = make("button", { type: "button", textContent: "Join" });
    const asked = make("div", {}, make("p", { textContent: "The game of the other device opens here. Your own games stay." }), make("p", { className: "tools" }, join));
    box.append(asked, said);
    join.focus();
    join.addEventListener("click", async () => {
      const connection = peer();
      let joined = false; // a channel may be open before the connection says that it is connected
      box.addEventListener("close", () => { if (!joined) connection.close(); });
      try {
        await connection.setRemoteDescription(session(code, "offer"));
        connection.addEventListener("datachannel", ({ channel }) => {
          const open = () => {
            joined = true;
            box.close();
            play.choose(id);
            exchange(play, connection, channel, id, false);
          };
          if (channel.readyState === "open") open();
          else channel.addEventListener("open", open);
        });
        const answer = await coded(connection, await connection.createAnswer());
        asked.remove();
        await shown(box, "Now scan this with the first device, or copy it and paste it there.", address(`answer=${answer}`));
        connection.addEventListener("connectionstatechange", () => { if (connection.connectionState === "failed") said.textContent = FAILED; });
      } catch ({ message }) {
        said.textContent = message === NOWHERE ? NOWHERE : "This address is damaged. Scan the code of the first device again.";
      }
    });
  }

  /** A code that was scanned belongs to the tab that waits for it. */
  function hand(play, code) {
    rw.kept("play/answer", "");
    rw.kept("play/answer", code.slice(0, 2000));
    play.tell("The code is handed over. Go back to the tab in which you shared the game.");
  }

  rw.follow = (play, given = {}) => {
    if (given.answer) return hand(play, given.answer);
    if (!window.RTCPeerConnection) return play.tell("This browser cannot connect to another device. Share the link of the game instead.");
    return given.join ? accept(play, given.join, given.id) : invite(play);
  };
  rw.follow.session = session;
})();
