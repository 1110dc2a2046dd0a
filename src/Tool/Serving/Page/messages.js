// The messages of a queue: pages to older and newer ones, places, and new ones as they come.

import { bytes, count, el, get, jsonBlock, set } from "./elements.js";

const mostRows = 200;
const pageRows = 25;

export class Messages {
  constructor(page, path) {
    this.page = page;
    this.path = path;
    this.isFollowed = false;
    this.requests = 0;
    const button = (text, action, id) => el("button", { type: "button", id, onclick: action }, text);
    this.buttons = {
      e: button("Earliest", () => this.load({ from: "earliest" }), "earliest"),
      o: button("Older", () => this.load({ before: this.first }), "older"),
      n: button("Newer", () => this.load({ from: this.next }), "newer"),
      l: button("Latest", () => this.load({}), "latest"),
      f: button("Follow", () => this.toggle(), "follow"),
    };
    this.buttons.f.setAttribute("aria-pressed", "false");
    this.place = el("input", { id: "place", placeholder: "Position or time", "aria-label": "Go to a position, or a time such as 2026-11-23T04:05Z, 04:05 or -10m", autocomplete: "off", spellcheck: "false",
      onkeydown: event => event.key === "Enter" && this.go() });
    this.status = el("p", { class: "note", id: "messages-note", role: "status" });
    // A screen reader does not say it: it changes several times a second.
    this.missed = el("p", { class: "note", id: "messages-missed" });
    this.list = el("ol", { class: "rows", id: "messages" });
    this.element = el("section", { "aria-label": "Messages" },
      el("h2", null, "Messages"), el("div", { class: "bar" }, ...Object.values(this.buttons), this.place, button("Go", () => this.go(), "go")), this.list, this.status, this.missed);
  }

  go() {
    return this.load({ from: this.place.value || "latest" });
  }

  // An answer that comes after another request is not shown.
  async load(where) {
    this.stop();
    const request = ++this.requests;
    try {
      const answer = await get("/api/queue/messages", { path: this.path, ...where }, this.page.signal);
      if (request !== this.requests) {
        return;
      }
      if (answer.records.length === 0 && where.before !== undefined) {
        this.earliest = this.first;
        this.buttons.o.disabled = this.buttons.e.disabled = true;
        set(this.status, "No older messages.", "note");
        return;
      }
      this.list.replaceChildren(...answer.records.map(record => row(record)));
      this.first = answer.records[0]?.position ?? answer.next;
      this.next = answer.next;
      this.earliest = where.from === "earliest" || (where.from === undefined && answer.records.length < pageRows) ? this.first : -1;
      this.end(answer);
      const last = answer.records.at(-1);
      set(this.status, answer.remarks || (last ? `${count(answer.records.length)} messages from ${count(this.first)} on` : "No messages here."), "note");
      this.list.classList.toggle("timeless", !answer.records.some(record => record.properties?.time));
    } catch (fault) {
      if (request === this.requests) {
        this.page.fail(fault, message => this.fault(message));
      }
    }
  }

  // Where the queue ends now: at its end there is nothing newer.
  end(facts) {
    this.buttons.o.disabled = this.isFollowed || this.first === undefined || this.first <= Math.max(facts.firstPosition, this.earliest);
    this.buttons.e.disabled = this.buttons.o.disabled;
    this.buttons.n.disabled = this.isFollowed || this.next === undefined || this.next >= facts.publishedPosition;
  }

  toggle() {
    if (this.isFollowed) {
      this.stop();
      set(this.status, "Stopped.");
      return;
    }
    this.isFollowed = true;
    this.requests++;
    this.skipped = 0;
    this.last = undefined;
    this.buttons.f.setAttribute("aria-pressed", "true");
    this.list.replaceChildren();
    this.list.classList.add("timeless");
    set(this.status, "Waiting for new messages.", "note");
    this.page.connect({ path: this.path, follow: "latest" });
  }

  stop() {
    if (this.isFollowed) {
      this.isFollowed = false;
      this.buttons.f.setAttribute("aria-pressed", "false");
      set(this.missed, "");
      this.page.connect({ path: this.path });
    }
  }

  follow(news) {
    if (!this.isFollowed) {
      return;
    }
    for (const record of news.records.filter(record => record.position !== this.last).slice(-mostRows)) {
      this.list.prepend(row(record));
      if (record.properties?.time) {
        this.list.classList.remove("timeless");
      }
    }
    while (this.list.children.length > mostRows) {
      this.list.lastChild.remove();
    }
    this.skipped += news.skippedBytes;
    this.last = news.records.at(-1)?.position ?? this.last;
    this.next = this.last ?? this.next;
    this.first = this.next;
    if (this.last !== undefined) {
      // A page that was hidden, or lost its server, goes on at the last message that it has.
      this.page.events = { path: this.path, follow: String(this.last) };
    }
    set(this.status, "Following, the newest on top.", "note");
    set(this.missed, this.skipped ? `${bytes(this.skipped)} came too fast to be shown.` : "");
  }

  fault(message) {
    this.stop();
    set(this.status, message, "note fault");
  }

  key(key) {
    if (key === "/") {
      this.place.focus();
      return true;
    }
    const button = this.buttons[key];
    if (button && !button.disabled) {
      button.click();
    }
    return Boolean(button);
  }
}

function row(record) {
  const text = record.text ?? (record.error ? `malformed: ${record.error}` : record.large ? "too large for this page" : "bytes");
  const button = el("button", { type: "button", class: "row", "aria-expanded": "false", "data-step": true },
    el("span", { class: "position" }, count(record.position)), el("span", { class: "time" }, time(record.properties?.time)), el("span", { class: record.error ? "text fault" : "text" }, text.slice(0, 400)));
  const item = el("li", { "data-position": record.position }, button);
  let detail = null;
  button.addEventListener("click", () => {
    detail ??= item.appendChild(details(record));
    const opens = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(opens));
    detail.hidden = !opens;
  });
  return item;
}

function details(record) {
  const hex = el("pre", { class: "hex", tabindex: "0", "aria-label": "Bytes in hex" });
  hex.textContent = record.hex;
  const left = el("div", null, record.text !== undefined ? jsonBlock(record.text)
    : el("p", { class: record.error ? "fault" : "faint" }, record.error ? `It is not as the schema says: ${record.error}`
      : record.large ? `Use \`bufferedmessages tail --from ${record.position} -n 1\`.` : "The queue has no schema: its messages are bytes."));
  if (record.properties) {
    left.append(el("p", { class: "note" }, "Properties"), jsonBlock(JSON.stringify(record.properties)));
  }
  const shown = record.bytes > 4096 ? `, the first ${count(4096)} in hex` : "";
  return el("div", { class: "detail" }, left, el("div", null, el("p", { class: "note" }, `${count(record.bytes)} bytes at ${count(record.position)}${shown}`), hex));
}

// To the millisecond, in UTC as everywhere in the tool.
const time = text => text ? text.replace("T", " ").replace(/(\.\d{3})\d*Z$/, "$1Z") : "";
