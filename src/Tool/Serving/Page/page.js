// The page: which view is shown, its events, keys, and changes.

import { el, get, set, visible } from "./elements.js";
import { CacheView, CachesView } from "./caches.js";
import { Overview } from "./overview.js";
import { QueueView } from "./queue.js";

const byId = id => document.getElementById(id);
const tokenName = "bufferedmessages-changes";

class Page {
  main = byId("main");
  start = { folders: [], allowsChanges: false, samples: 300 };
  view = null;
  source = null;
  abort = new AbortController();

  // Requests of a view end with it.
  get signal() {
    return this.abort.signal;
  }

  async open() {
    this.takeToken();
    addEventListener("hashchange", () => this.move());
    addEventListener("keydown", event => this.key(event));
    document.addEventListener("visibilitychange", () => document.hidden ? this.disconnect() : this.connect(this.events));
    byId("skip").addEventListener("click", event => {
      event.preventDefault();
      this.main.focus();
    });
    byId("keys-button").addEventListener("click", () => byId("keys").showModal());
    byId("keys-close").addEventListener("click", () => byId("keys").close());
    byId("change-cancel").addEventListener("click", () => byId("change").close());
    await this.loadStart();
    this.show();
  }

  // The address that the command printed has the token after its #, which browsers do not send.
  takeToken() {
    const found = /^#changes=([0-9a-f]+)$/.exec(location.hash);
    if (found) {
      sessionStorage.setItem(tokenName, found[1]);
      history.replaceState(null, "", "#/");
    }
    return found !== null;
  }

  // A tab that has the page already does not load it again for the printed address.
  move() {
    if (this.takeToken()) {
      this.loadStart();
    }
    this.show();
  }

  async loadStart() {
    try {
      this.start = await get("/api/start");
      set(byId("folders"), this.start.folders.join(", "));
      set(byId("mode"), !this.start.allowsChanges ? "" : sessionStorage.getItem(tokenName) ? "changes allowed" : "changes: open the printed address");
    } catch (fault) {
      this.lost();
    }
  }

  mayChange() {
    return this.start.allowsChanges && sessionStorage.getItem(tokenName) !== null;
  }

  show() {
    const [route, query] = location.hash.slice(1).split("?");
    const path = new URLSearchParams(query).get("path") ?? "";
    this.disconnect();
    this.abort.abort();
    this.abort = new AbortController();
    this.main.replaceChildren();
    const ofCaches = route === "/cache" || route === "/caches";
    byId("to-queues").setAttribute("aria-current", ofCaches ? "false" : "page");
    byId("to-caches").setAttribute("aria-current", ofCaches ? "page" : "false");
    this.view = route === "/queue" ? new QueueView(this, path)
      : route === "/caches" ? new CachesView(this)
        : route === "/cache" ? new CacheView(this, path) : new Overview(this);
    document.title = visible(`${this.view.title} – bufferedmessages`);
    this.connect(this.view.events);
    if (this.isOpened) {
      this.main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    this.isOpened = true;
  }

  // A page has one stream: browsers allow few for each server. A hidden page has none.
  connect(events) {
    this.disconnect();
    this.events = events;
    if (document.hidden) {
      return;
    }
    const view = this.view;
    const source = new EventSource(`/api/events?${new URLSearchParams(events ?? { idle: "" })}`);
    const on = (kind, act) => source.addEventListener(kind, event => this.source === source && act(JSON.parse(event.data)));
    source.addEventListener("open", () => this.source === source && this.found());
    source.addEventListener("error", () => this.source === source && this.lost());
    if (events) {
      on("history", samples => view.history(samples));
      on("sample", samples => view.sample(samples));
      on("records", news => view.records(news));
      on("fault", fault => view.followFault(fault));
    }
    this.source = source;
  }

  disconnect() {
    this.source?.close();
    this.source = null;
  }

  found() {
    set(byId("state"), "live");
    byId("state").dataset.state = "live";
    byId("alert").hidden = true;
    if (this.isLost) {
      this.isLost = false;
      this.loadStart();
    }
  }

  // The browser would try again with the same address. A page that follows a queue goes on at the last message that it has.
  lost() {
    this.isLost = true;
    set(byId("state"), "not connected");
    byId("state").dataset.state = "lost";
    const source = this.source;
    const isRefused = source?.readyState === EventSource.CLOSED;
    set(byId("alert"), `${isRefused ? "The queue is not there any more, or cannot be read." : "The server does not answer: it was stopped."} The page shows the last state, and tries again.`);
    byId("alert").hidden = false;
    source?.close();
    setTimeout(() => this.source === source && !document.hidden && this.connect(this.events), 2000);
  }

  // Shows why a request failed, unless its view is gone.
  fail(fault, show) {
    if (fault.name !== "AbortError") {
      show(fault.message);
    }
  }

  // Builds the content of an element anew only if its version has changed.
  fill(element, version, build) {
    if (element.version !== version) {
      element.version = version;
      element.replaceChildren(...build());
    }
  }

  change({ title, text, field, verb, body, done }) {
    const dialog = byId("change");
    const value = byId("change-value");
    set(byId("change-title"), title);
    set(byId("change-text"), text);
    set(byId("change-fault"), "");
    set(byId("change-label"), field ?? "");
    set(byId("change-do"), verb);
    byId("change-field").hidden = !field;
    value.value = "";
    byId("change-do").onclick = async () => {
      try {
        const response = await fetch("/api/change", {
          method: "POST",
          headers: { "Content-Type": "application/json", "X-BufferedMessages-Changes": sessionStorage.getItem(tokenName) },
          body: JSON.stringify(field ? { ...body, to: value.value } : body),
        });
        if (!response.ok) {
          throw new Error((await response.json()).error);
        }
        dialog.close();
        done();
      } catch (fault) {
        set(byId("change-fault"), fault.message, "fault");
      }
    };
    dialog.showModal();
    (field ? value : byId("change-cancel")).focus();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) {
      return;
    }
    if (event.target instanceof HTMLInputElement) {
      if (event.key === "Escape") {
        event.target.blur();
      }
      return;
    }
    const isOnRow = document.activeElement?.hasAttribute("data-step");
    if (event.key === "j" || (event.key === "ArrowDown" && isOnRow)) {
      this.step(1);
    } else if (event.key === "k" || (event.key === "ArrowUp" && isOnRow)) {
      this.step(-1);
    } else if (event.key === "?") {
      byId("keys").showModal();
    } else if (event.key === "u") {
      location.hash = this.view.up ?? "#/";
    } else if (!this.view.key(event.key)) {
      return;
    }
    event.preventDefault();
  }

  step(by) {
    const rows = [...this.main.querySelectorAll("[data-step]")].filter(row => row.checkVisibility());
    const at = rows.indexOf(document.activeElement);
    const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }
}

new Page().open();
