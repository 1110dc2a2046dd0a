// One queue: rates, names, producers, messages, dead letters, schema, options.

import { Plot, bytes, count, el, get, jsonBlock, lines, plural, rate, set, span, table, visibleLines } from "./elements.js";
import { Messages } from "./messages.js";
import { oldest, retention } from "./overview.js";

export class QueueView {
  constructor(page, path) {
    this.page = page;
    this.path = path;
    this.title = path;
    this.events = { path };
    this.up = "#/";
    this.heading = el("h1", null, path.slice(path.lastIndexOf("/") + 1));
    this.fault = el("p", { class: "fault", role: "alert" });
    this.tiles = el("ul", { class: "tiles" });
    this.plots = [new Plot(page.start.samples, "Messages a second", rate), new Plot(page.start.samples, "Unread bytes", bytes)];
    this.tile = {};
    for (const [key, label, plot] of [["rate", "Messages/s", 0], ["unread", "Unread", 1], ["size", "Size"], ["position", "Published position"], ["waits", "Waits for space"]]) {
      const tile = { value: el("p", { class: "value" }, "–"), about: el("p", { class: "about" }) };
      this.tile[key] = tile;
      this.tiles.append(el("li", { id: `tile-${key}` }, el("p", { class: "label" }, label), tile.value, tile.about, ...plot === undefined ? [] : [this.plots[plot].element]));
    }
    this.names = el("section", { id: "names" });
    this.producers = el("section", { id: "producers" });
    this.options = el("section", { id: "options" });
    this.schema = el("section", { id: "schema" });
    this.dead = el("section", { id: "dead" });
    this.messages = new Messages(page, path);
    page.main.append(
      el("p", { class: "note" }, el("a", { href: "#/" }, "All queues")), this.heading, el("p", { class: "note" }, path), this.fault, this.tiles,
      el("h2", null, "Consumer names"), this.names, el("h2", null, "Producers"), this.producers, this.messages.element,
      el("h2", null, "Dead letters"), this.dead, el("h2", null, "Schema"), this.schema, el("h2", null, "Options"), this.options);
    this.load();
  }

  async load() {
    try {
      // A queue that has no sample yet is shown too.
      this.showFacts(await get("/api/queue", { path: this.path }, this.page.signal), null);
      if (!this.messages.isFollowed) {
        await this.messages.load({});
      }
      await this.loadSchema();
      await this.loadDead();
    } catch (fault) {
      this.page.fail(fault, message => {
        this.isMissing = true;
        set(this.fault, message);
      });
    }
  }

  history(samples) {
    const [queue] = samples.queues;
    if (queue) {
      this.plots[0].reset(queue.messages.slice(0, -1));
      this.plots[1].reset(queue.unread.slice(0, -1));
    }
  }

  sample(samples) {
    const [queue] = samples.queues;
    if (!queue || queue.error) {
      set(this.fault, queue?.error ?? "The queue was deleted, or moved. The page shows its last state.");
      return;
    }
    set(this.fault, "");
    if (this.isMissing) {
      // It was made, or can be read again, since the page asked for it.
      this.isMissing = false;
      this.load();
    }
    set(this.heading, queue.name);
    this.plots[0].add(queue.rates.messagesPerSecond);
    this.plots[1].add(queue.facts.unreadBytes);
    this.showFacts(queue.facts, queue.rates);
  }

  showFacts(facts, rates) {
    this.facts = facts;
    if (rates) {
      set(this.tile.rate.value, rate(rates.messagesPerSecond));
      set(this.tile.rate.about, `${bytes(rates.bytesPerSecond)}/s`);
    }
    const age = oldest(facts.names);
    set(this.tile.unread.value, bytes(facts.unreadBytes));
    set(this.tile.unread.about, age < 0 ? "" : `oldest ${span(age)}`);
    set(this.tile.size.value, bytes(facts.bytes));
    set(this.tile.size.about, facts.mode === "bounded" ? `${plural(facts.slots, "slot")} of ${bytes(facts.segmentBytes)}` : `${plural(facts.segments, "segment")} of ${bytes(facts.segmentBytes)}`);
    set(this.tile.position.value, count(facts.publishedPosition));
    set(this.tile.position.about, `first ${count(facts.firstPosition)}${facts.mode === "durable" ? `, durable ${count(facts.durablePosition)}` : ""}`);
    set(this.tile.waits.value, count(facts.spaceWaits));
    set(this.tile.waits.about, `${count(facts.wakes)} wakes`);
    this.showNames(facts.names, rates?.names ?? []);
    this.showProducers(facts.producers);
    this.showOptions(facts);
    this.messages.end(facts);
  }

  showNames(names, rates) {
    const changes = this.page.mayChange();
    this.page.fill(this.names, `${changes}${names.map(name => name.name).join("\n")}`, () => {
      if (names.length === 0) {
        return [el("p", { class: "empty" }, "No name reads this queue.")];
      }
      const rows = table([["Name"], ["Kind", "wide-only"], ["Committed/s", "number"], ["Position", "number wide-only"], ["Lag", "number"], ["Oldest unread", "number"], ["Members"], ...changes ? [["", "number"]] : []]);
      const body = el("tbody");
      this.nameCells = names.map(name => {
        const cells = ["", "wide-only", "number", "number wide-only", "number", "number", ""].map(className => el("td", { class: className }));
        const buttons = changes ? [el("td", { class: "number" },
          el("button", { type: "button", onclick: () => this.move(name.name) }, "Move…"), " ", el("button", { type: "button", onclick: () => this.remove(name.name) }, "Delete…"))] : [];
        body.append(el("tr", null, ...cells, ...buttons));
        return cells;
      });
      rows.append(body);
      return [el("div", { class: "scroll" }, rows)];
    });
    names.forEach((name, i) => {
      const texts = [
        name.name, name.kind, rate(rates[i]?.messagesPerSecond ?? 0), count(name.position), bytes(name.lagBytes),
        name.oldestUnreadSeconds === undefined ? "" : span(name.oldestUnreadSeconds), members(name.members)];
      texts.forEach((text, cell) => set(this.nameCells[i][cell], text));
      this.nameCells[i][6].classList.toggle("dead", name.members.some(member => !member.alive));
    });
  }

  showProducers(producers) {
    this.page.fill(this.producers, producers.map(producer => producer.slot).join(), () => {
      if (producers.length === 0) {
        return [el("p", { class: "empty" }, "No producer now.")];
      }
      const rows = table([["Process"], [""], ["Messages", "number"], ["Bytes", "number"], ["Claimed", "number wide-only"]]);
      const body = el("tbody");
      this.producerCells = producers.map(() => {
        const cells = ["", "", "number", "number", "number wide-only"].map(className => el("td", { class: className }));
        body.append(el("tr", null, ...cells));
        return cells;
      });
      rows.append(body);
      return [rows];
    });
    producers.forEach((producer, i) => {
      const cells = this.producerCells[i];
      set(cells[0], `pid ${producer.processId}`);
      set(cells[1], producer.alive ? "alive" : "DEAD", producer.alive ? "alive" : "dead");
      set(cells[2], count(producer.messages));
      set(cells[3], bytes(producer.bytes));
      set(cells[4], producer.position === undefined ? "" : count(producer.position));
    });
  }

  showOptions(facts) {
    const flush = facts.flush === "everyMessage" ? "every message" : facts.flush === "interval" ? `every ${span(facts.flushSeconds)}, or ${plural(facts.flushMessages, "message")}` : "none";
    const rows = [
      ["Mode", `${facts.mode}, ${facts.producerMode === "single" ? "one producer" : "many producers"}`], ["Retention", retention(facts)], ["Flush", flush],
      ["Id", `${facts.id}, epoch ${facts.epoch}`], ["Schema", facts.schemas.map(schema => `${schema.name} (${schema.fingerprint})`).join(", ") || "none: bytes or values, or not decided yet"]];
    this.page.fill(this.options, JSON.stringify(rows), () => [el("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [el("dt", null, name), el("dd", null, value)]))]);
    const fingerprint = facts.schemas.at(-1)?.fingerprint ?? "none";
    if (this.fingerprint !== fingerprint && this.fingerprint !== undefined) {
      this.loadSchema();
    }
    this.fingerprint = fingerprint;
  }

  loadSchema() {
    return this.fillFrom(this.schema, async () => {
      if (this.facts.schemas.length === 0) {
        return [el("p", { class: "empty" }, "None: messages are bytes or values, or there was no producer yet.")];
      }
      const { rows } = await lines("/api/queue/schema", { path: this.path }, this.page.signal);
      return rows.reverse().map((schema, i) => {
        const text = el("pre");
        text.textContent = visibleLines(schema.text);
        return el("details", { open: i === 0 }, el("summary", null, `Version ${schema.version}, fingerprint ${schema.fingerprint}`), text);
      });
    });
  }

  loadDead() {
    return this.fillFrom(this.dead, async () => {
      const { rows, remarks } = await lines("/api/queue/dead", { path: this.path }, this.page.signal);
      if (rows.length === 0) {
        return [el("p", { class: "empty" }, "No handler or bridge gave a message up.")];
      }
      const faults = remarks ? [el("p", { class: "fault" }, remarks)] : [];
      return faults.concat(rows.map(handler => {
        const list = el("ul", { class: "rows timeless" });
        const details = el("details", { ontoggle: () => details.open && this.loadLetters(handler.name, list) },
          el("summary", null, `${handler.name}: ${plural(handler.messages, "message")}, ${bytes(handler.bytes)}${handler.oldest ? `, the oldest of ${handler.oldest}` : ""}`), list);
        return details;
      }));
    });
  }

  // A section says itself why it has nothing: each sample takes the fault of the queue away.
  async fillFrom(section, build) {
    try {
      section.replaceChildren(...await build());
    } catch (fault) {
      this.page.fail(fault, message => section.replaceChildren(el("p", { class: "fault" }, message)));
    }
  }

  async loadLetters(name, list) {
    try {
      const { rows, more, remarks } = await lines("/api/queue/dead/letters", { path: this.path, name }, this.page.signal);
      const notes = [remarks, more ? "There are more: `bufferedmessages dead show` lists all." : ""].filter(note => note);
      list.replaceChildren(...rows.map(letter => this.letter(name, letter)), ...notes.map(note => el("li", { class: "note" }, note)));
    } catch (fault) {
      this.page.fail(fault, message => list.replaceChildren(el("li", { class: "fault" }, message)));
    }
  }

  letter(name, letter) {
    const detail = el("div", { class: "detail", hidden: true }, jsonBlock(letter.text));
    const button = el("button", { type: "button", class: "row", "aria-expanded": "false", "data-step": true, onclick: () => {
      detail.hidden = !detail.hidden;
      button.setAttribute("aria-expanded", String(!detail.hidden));
    } }, el("span", { class: "position" }, count(letter.position)), el("span", { class: "text" }, letter.properties?.reason ?? ""));
    if (this.page.mayChange()) {
      detail.append(el("p", { class: "wide" },
        el("button", { type: "button", onclick: () => this.letterChange("requeue", name, letter) }, "Publish again…"), " ",
        el("button", { type: "button", onclick: () => this.letterChange("drop", name, letter) }, "Drop…")));
    }
    return el("li", null, button, detail);
  }

  letterChange(action, name, letter) {
    const requeues = action === "requeue";
    this.page.change({
      title: requeues ? "Publish a dead letter again" : "Drop a dead letter",
      text: requeues ? `The message at ${count(letter.position)} of '${name}' becomes a new message, which every consumer name gets.` : `The message at ${count(letter.position)} of '${name}' is dropped for good.`,
      verb: requeues ? "Publish" : "Drop",
      body: { action, path: this.path, name, position: String(letter.position) },
      done: () => this.loadDead(),
    });
  }

  move(name) {
    this.page.change({
      title: `Move '${name}'`,
      text: "It continues at another message. An exclusive name must not have a consumer now.",
      field: "To earliest, latest, a position, or a time such as -10m",
      verb: "Move",
      body: { action: "seek", path: this.path, name },
      done: () => this.load(),
    });
  }

  remove(name) {
    this.page.change({
      title: `Delete '${name}'`,
      text: "The name and its position are deleted. Producers of a bounded queue do not wait for it any more.",
      verb: "Delete",
      body: { action: "remove", path: this.path, name },
      done: () => this.load(),
    });
  }

  records(news) {
    this.messages.follow(news);
  }

  followFault(fault) {
    this.messages.fault(fault.error);
  }

  key(key) {
    return this.messages.key(key);
  }
}

const members = all => all.length === 0 ? "no consumer now"
  : all.map(member => `pid ${member.processId} ${member.alive ? "alive" : `DEAD${member.position === undefined ? "" : `, holds ${count(member.position)}`}`}`).join("; ");
