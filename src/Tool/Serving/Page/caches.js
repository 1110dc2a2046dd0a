// Caches, by their files.

import { bytes, cacheAddress, count, el, get, lines, plural, set, table } from "./elements.js";

export class CachesView {
  constructor(page) {
    this.title = "Caches";
    this.events = null;
    this.page = page;
    this.content = el("div", null, el("p", { class: "empty" }, "Looking for caches."));
    page.main.append(el("div", { class: "bar" }, el("h1", null, "Caches")), this.content);
    this.load();
  }

  async load() {
    try {
      const { caches } = await get("/api/caches", {}, this.page.signal);
      if (caches.length === 0) {
        this.content.replaceChildren(el("p", { class: "empty" }, `No cache was found in ${this.page.start.folders.join(", ")} or the folders below.`));
        return;
      }
      const rows = table([["Cache"], ["Disk", "number"]]);
      rows.append(el("tbody", null, ...caches.map(cache => el("tr", null,
        el("td", null, el("a", { href: cacheAddress(cache.path), "data-step": true }, cache.name), el("span", { class: "about fault" }, cache.details)),
        el("td", { class: "number" }, cache.diskBytes === undefined ? "" : bytes(cache.diskBytes))))));
      this.content.replaceChildren(rows);
    } catch (fault) {
      this.page.fail(fault, message => this.content.replaceChildren(el("p", { class: "fault" }, message)));
    }
  }

  key() {
    return false;
  }
}

export class CacheView {
  constructor(page, path) {
    this.title = path;
    this.events = null;
    this.up = "#/caches";
    this.page = page;
    this.path = path;
    this.fault = el("p", { class: "fault", role: "alert" });
    this.content = el("div", null, el("p", { class: "empty" }, "The files of the cache are being read."));
    page.main.append(
      el("p", { class: "note" }, el("a", { href: "#/caches" }, "All caches")),
      el("div", { class: "bar" }, el("h1", null, path.slice(path.lastIndexOf("/") + 1)), el("button", { type: "button", id: "again", onclick: () => this.load() }, "Read again")),
      el("p", { class: "note" }, path), this.fault, this.content);
    this.load();
  }

  async load() {
    try {
      const info = await get("/api/cache", { path: this.path }, this.page.signal);
      const { rows, more, remarks } = await lines("/api/cache/entries", { path: this.path }, this.page.signal);
      set(this.fault, remarks);
      this.content.replaceChildren(tiles(info), facts(info), el("h2", null, "Entries"), ...entries(rows, more));
    } catch (fault) {
      this.page.fail(fault, message => set(this.fault, message));
    }
  }

  key() {
    return false;
  }
}

const tile = (label, value, about) => el("li", null, el("p", { class: "label" }, label), el("p", { class: "value" }, value), el("p", { class: "about" }, about));

const tiles = info => el("ul", { class: "tiles" },
  tile("Entries", count(info.entries), `and ${count(info.expired)} expired`),
  tile("Records", count(info.records), bytes(info.valueBytes)),
  tile("Disk", bytes(info.diskBytes), `${plural(info.segments, "segment")} of ${bytes(info.segmentBytes)}`),
  tile("Damaged", count(info.damaged), info.damaged ? "`bufferedmessages cache verify` names them" : "every checksum is right"));

function facts(info) {
  const rows = [
    ["Keys", info.keys], ["Schemas", info.schemas.join(", ") || "none"], ["Writer", info.writerProcess ? `pid ${info.writerProcess}, or it died` : "none"],
    ["Hits and memory", "Metrics of the process that uses the cache, bufferedmessages.cache.*: the files do not have them."]];
  return el("div", null, el("h2", null, "Facts"), el("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [el("dt", null, name), el("dd", null, value)])));
}

function entries(rows, more) {
  if (rows.length === 0) {
    return [el("p", { class: "empty" }, "The cache is empty.")];
  }
  const list = table([["Key"], ["Bytes", "number"], ["Expires", "wide-only"], ["Value"]]);
  list.append(el("tbody", null, ...rows.map(entry => el("tr", null,
    el("td", null, entry.key), el("td", { class: "number" }, count(entry.bytes)), el("td", { class: "wide-only" }, entry.expires ?? "never"), el("td", null, entry.schema ?? "bytes")))));
  return [list, ...more ? [el("p", { class: "note" }, "There are more: `bufferedmessages cache ls` lists all.")] : []];
}
