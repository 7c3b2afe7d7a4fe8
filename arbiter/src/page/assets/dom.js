// Elements. Texts become text nodes and nothing else, whoever wrote them.

/** @typedef {string | number | Node | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/** @template {Element} E @param {E} element @param {Record<string, any>} attributes @param {Child[]} children @returns {E} */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} attributes @param {Child[]} children @returns {HTMLElementTagNameMap[T]} */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** @param {string} tag @param {Record<string, any>} attributes @param {Child[]} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, tag), attributes, children));
}

/** The shapes of the signs on buttons, on a square of 24. @type {Record<string, string>} */
const ICONS = {
  first: "M6 5v14M19 5l-10 7 10 7z", back: "M16 5l-10 7 10 7z", play: "M7 4l13 8-13 8z", pause: "M7 5h3v14H7zM14 5h3v14h-3z", on: "M8 5l10 7-10 7z", last: "M18 5v14M5 5l10 7-10 7z",
  less: "M5 12h14", more: "M5 12h14M12 5v14", turn: "M19 12a7 7 0 1 1-2.2-5.1M17.5 3v4.5H13", slant: "M12 5l8 4.5-8 4.5-8-4.5zM4 14.5l8 4.5 8-4.5",
  bar: "M8 3h8v18H8zM8 14h8v7H8z",
};

/** @param {string} name @returns {SVGElement} */
export function icon(name) {
  const isLine = ["less", "more", "turn", "slant", "bar"].includes(name);
  return svg("svg", { class: isLine ? "icon outline" : "icon", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/** @param {string} label @param {Child} sign @param {() => void} press @param {Record<string, any>} more @returns {HTMLButtonElement} */
export function button(label, sign, press, more = {}) {
  return el("button", { type: "button", title: label, "aria-label": label, onclick: press, ...more }, sign);
}

/** @param {string[]} heads @param {(Child)[][]} rows @param {string} caption @returns {HTMLTableElement} */
export function table(heads, rows, caption) {
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell))))),
  );
}
