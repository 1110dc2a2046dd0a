// Elements, texts and numbers. Everything that others wrote becomes text here, and never markup.

const svgNamespace = "http://www.w3.org/2000/svg";
const units = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

// Control characters, and those that hide text or turn its direction, are shown as \u001B.
const escape = unit => "\\u" + unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
export const visible = text => String(text).replace(unsafe, found => found.split("").map(escape).join(""));
export const visibleLines = text => String(text).split("\n").map(visible).join("\n");

export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  for (const child of children) {
    element.append(child instanceof Node ? child : visible(child));
  }
  return element;
}

// Changes an element only if it is different: the browser then has nothing to draw, and a screen reader nothing to say.
export function set(element, text, className) {
  const shown = visible(text);
  if (element.textContent !== shown) {
    element.textContent = shown;
  }
  if (className !== undefined && element.className !== className) {
    element.className = className;
  }
}

export const count = number => whole.format(number);
export const rate = number => number >= 10 || number === 0 ? whole.format(number) : tenth.format(number);
export const plural = (number, noun) => `${whole.format(number)} ${noun}${number === 1 ? "" : "s"}`;
export function bytes(number) {
  let unit = 0;
  while (Math.abs(number) >= 1024 && unit < units.length - 1) {
    number /= 1024;
    unit++;
  }
  return `${tenth.format(number)} ${units[unit]}`;
}
export function span(seconds) {
  return seconds < 0.001 ? `${tenth.format(seconds * 1e6)} us`
    : seconds < 1 ? `${tenth.format(seconds * 1000)} ms`
      : seconds < 120 ? `${tenth.format(seconds)} s`
        : seconds < 7200 ? `${whole.format(seconds / 60)} min`
          : seconds < 172800 ? `${whole.format(seconds / 3600)} h` : `${whole.format(seconds / 86400)} d`;
}

export const queueAddress = path => `#/queue?path=${encodeURIComponent(path)}`;
export const cacheAddress = path => `#/cache?path=${encodeURIComponent(path)}`;

// A line over the last minutes. Its height is the largest number in it.
export class Plot {
  constructor(length, label, form) {
    this.length = length;
    this.values = [];
    this.label = label;
    this.form = form;
    this.element = document.createElementNS(svgNamespace, "svg");
    this.element.setAttribute("class", "plot");
    this.element.setAttribute("viewBox", "0 0 100 26");
    this.element.setAttribute("preserveAspectRatio", "none");
    this.element.setAttribute("role", "img");
    this.area = document.createElementNS(svgNamespace, "polygon");
    this.line = document.createElementNS(svgNamespace, "polyline");
    this.element.append(this.area, this.line);
  }

  reset(values) {
    this.values = values.slice(-this.length);
    this.draw();
  }

  add(value) {
    this.values.push(value);
    if (this.values.length > this.length) {
      this.values.shift();
    }
    this.draw();
  }

  draw() {
    const largest = this.values.reduce((most, value) => Math.max(most, value), 0);
    const bins = 100;
    const points = [];
    const first = this.length - this.values.length;
    for (let bin = Math.floor(first * bins / this.length); bin < bins; bin++) {
      const from = Math.max(Math.floor(bin * this.length / bins) - first, 0);
      const to = Math.max(Math.floor((bin + 1) * this.length / bins) - first, from + 1);
      const value = this.values.slice(from, to).reduce((most, next) => Math.max(most, next), 0);
      points.push(`${bin + 0.5},${(24.5 - (largest === 0 ? 0 : value / largest) * 22).toFixed(1)}`);
    }
    this.line.setAttribute("points", points.join(" "));
    this.area.setAttribute("points", points.length === 0 ? "" : `${parseFloat(points[0])},26 ${points.join(" ")} ${bins - 0.5},26`);
    this.element.setAttribute("aria-label", `${this.label} over the last ${span(this.values.length)}, at most ${this.form(largest)}`);
  }
}

// JSON as lines with colors. Numbers stay texts: a script would round the large ones. The letters of texts are as they are, also those that a command escapes for programs.
export function jsonBlock(text) {
  const block = el("pre", { class: "json" });
  if (text.length > 200000) {
    block.append(visible(text));
    return block;
  }
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const next = tokens[i + 1];
    if (token === "{" || token === "[") {
      const closes = next === (token === "{" ? "}" : "]");
      depth += closes ? 0 : 1;
      block.append(token, closes ? "" : "\n" + "  ".repeat(depth));
    } else if (token === "}" || token === "]") {
      const opened = tokens[i - 1] === (token === "}" ? "{" : "[");
      depth -= opened ? 0 : 1;
      block.append(opened ? token : "\n" + "  ".repeat(depth) + token);
    } else if (token === ",") {
      block.append(",\n" + "  ".repeat(depth));
    } else if (token === ":") {
      block.append(": ");
    } else {
      const isText = token[0] === '"';
      block.append(el("span", { class: next === ":" ? "key" : isText ? "word" : "number" }, isText ? JSON.stringify(JSON.parse(token)) : token));
    }
  }
  return block;
}

export function table(headings) {
  const head = el("tr", null, ...headings.map(([text, className]) => el("th", { scope: "col", class: className ?? "" }, text)));
  return el("table", null, el("thead", null, head));
}

export async function get(address, parameters, signal) {
  const query = new URLSearchParams(parameters).toString();
  const response = await fetch(query ? `${address}?${query}` : address, { signal });
  const answer = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
  if (!response.ok) {
    throw new Error(answer.error);
  }
  return answer;
}

export const lines = async (address, parameters, signal) => {
  const answer = await get(address, parameters, signal);
  return { rows: answer.lines.map(text => ({ text, ...JSON.parse(text) })), more: answer.more, remarks: answer.remarks };
};
