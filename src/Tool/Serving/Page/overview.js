// All queues: a row for each, and below it a row for each consumer name.

import { Plot, bytes, count, el, queueAddress, rate, set, span, table } from "./elements.js";

const wide = "number wide-only";
const headings = [
  ["Queue"], ["Messages/s", "number"], ["", "wide-only"], ["Bytes/s", wide], ["Size", wide], ["Unread", "number"], ["Oldest unread", "number"],
  ["Alive", wide], ["Dead", "number"], ["Segments", wide], ["Retention", "wide-only small"],
];
const isDead = participant => !participant.alive;
const alive = participants => participants.filter(participant => participant.alive).length;
export const oldest = names => Math.max(-1, ...names.map(name => name.oldestUnreadSeconds ?? -1));

export class Overview {
  constructor(page) {
    this.page = page;
    this.rows = new Map();
    this.title = "Queues";
    this.events = {};
    this.filter = el("input", { id: "filter", type: "search", placeholder: "Filter", "aria-label": "Filter queues by their names", autocomplete: "off", oninput: () => this.applyFilter() });
    this.sum = el("span", { class: "faint" });
    this.empty = el("p", { class: "empty" }, "Looking for queues.");
    this.table = table(headings);
    this.table.hidden = true;
    page.main.append(el("div", { class: "bar" }, el("h1", null, "Queues"), this.sum, this.filter), this.empty, this.table);
  }

  history(samples) {
    for (const queue of samples.queues) {
      this.rowOf(queue).plot.reset(queue.messages.slice(0, -1));
    }
  }

  sample(samples) {
    const present = new Set();
    for (const queue of samples.queues) {
      present.add(queue.path);
      this.rowOf(queue).show(queue);
    }
    for (const [path, row] of this.rows) {
      if (!present.has(path)) {
        row.body.remove();
        this.rows.delete(path);
      }
    }
    this.applyFilter();
    this.table.hidden = this.rows.size === 0;
    this.empty.hidden = this.rows.size > 0;
    this.filter.hidden = this.rows.size === 0;
    set(this.empty, `No queue was found in ${this.page.start.folders.join(", ")} or the folders below. A queue appears here when a program opens it.`);
    const messages = samples.queues.reduce((sum, queue) => sum + (queue.rates?.messagesPerSecond ?? 0), 0);
    set(this.sum, this.rows.size === 0 ? "" : `${count(this.rows.size)} ${this.rows.size === 1 ? "queue" : "queues"}, ${rate(messages)} messages/s`);
  }

  rowOf(queue) {
    let row = this.rows.get(queue.path);
    if (!row) {
      row = new Row(queue, this.page.start.samples);
      this.rows.set(queue.path, row);
      const after = [...this.rows.values()].filter(other => other.path > queue.path).reduce((first, other) => !first || other.path < first.path ? other : first, null);
      this.table.insertBefore(row.body, after?.body ?? null);
    }
    return row;
  }

  applyFilter() {
    const text = this.filter.value.toLowerCase();
    for (const row of this.rows.values()) {
      row.body.hidden = !row.name.toLowerCase().includes(text);
    }
  }

  key(key) {
    if (key === "/") {
      this.filter.focus();
      return true;
    }
    return false;
  }
}

class Row {
  constructor(queue, length) {
    this.path = queue.path;
    this.name = ""; // The first sample has it.
    this.plot = new Plot(length, "Messages a second", rate);
    this.cells = headings.map(([, className]) => el("td", { class: className ?? "" }));
    this.link = el("a", { href: queueAddress(queue.path), "data-step": true });
    this.about = el("span", { class: "about" });
    this.cells[0].append(this.link, this.about);
    this.cells[2].classList.add("plot");
    this.cells[2].append(this.plot.element);
    this.head = el("tr", null, ...this.cells);
    this.body = el("tbody", null, this.head);
    this.names = [];
  }

  show(queue) {
    this.name = queue.name;
    set(this.link, queue.name);
    if (queue.error) {
      set(this.about, queue.error, "about fault");
      this.cells.forEach((cell, i) => i !== 0 && i !== 2 && set(cell, ""));
      this.showNames([], []);
      return;
    }
    const { facts, rates } = queue;
    this.plot.add(rates.messagesPerSecond);
    set(this.about, `${facts.mode}, ${facts.schemas.at(-1)?.name ?? "no schema"}`, "about");
    const dead = facts.producers.filter(isDead).length;
    const age = oldest(facts.names);
    const texts = [
      null, rate(rates.messagesPerSecond), null, bytes(rates.bytesPerSecond), bytes(facts.bytes), bytes(facts.unreadBytes), age < 0 ? "" : span(age),
      count(alive(facts.producers)), dead ? count(dead) : "", count(facts.segments), retention(facts),
    ];
    texts.forEach((text, i) => text !== null && set(this.cells[i], text));
    this.cells[8].classList.toggle("dead", dead > 0);
    this.showNames(facts.names, rates.names);
  }

  showNames(names, rates) {
    while (this.names.length > names.length) {
      this.names.pop()[0].parentNode.remove();
    }
    while (this.names.length < names.length) {
      const cells = headings.map(([, className]) => el("td", { class: className ?? "" }));
      this.names.push(cells);
      this.body.append(el("tr", { class: "name" }, ...cells));
    }
    names.forEach((name, i) => {
      const cells = this.names[i];
      const dead = name.members.filter(isDead).length;
      const texts = [
        name.name, rate(rates[i]?.messagesPerSecond ?? 0), "", "", "", bytes(name.lagBytes), name.oldestUnreadSeconds === undefined ? "" : span(name.oldestUnreadSeconds),
        count(alive(name.members)), dead ? count(dead) : "", "", "",
      ];
      texts.forEach((text, cell) => set(cells[cell], text));
      cells[8].classList.toggle("dead", dead > 0);
    });
  }
}

export function retention(facts) {
  if (facts.mode === "bounded") {
    return "bounded";
  }
  const rules = facts.retention;
  if (!rules) {
    return "keeps all";
  }
  return [
    rules.maxBytes === undefined ? null : `above ${bytes(rules.maxBytes)}`,
    rules.maxAgeSeconds === undefined ? null : `older than ${span(rules.maxAgeSeconds)}`,
    rules.deleteRead ? "read by every name" : null,
    rules.hardLimitBytes === undefined ? null : `hard limit ${bytes(rules.hardLimitBytes)}${rules.dropOldestAtHardLimit ? ", drops the oldest there" : ", producers wait there"}`,
    rules.keepUnread ? "keeps unread" : "unread too",
  ].filter(rule => rule !== null).join(", ");
}
