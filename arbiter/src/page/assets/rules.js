// The rules of a game: the marks of Markdown that rules are written with, as elements.
import { el } from "./dom.js";

/** A text in which what stands between backticks is code. @param {string} text @returns {(string | HTMLElement)[]} */
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part));
}

/** A table, whose second line divides its head from the rest. @param {string} part @returns {HTMLElement} */
function tableOf(part) {
  const [head, , ...rows] = part.split("\n").map((line) => line.slice(1).split("|").slice(0, -1).map((cell) => withCode(cell.trim())));
  return el("table", {}, el("thead", {}, el("tr", {}, ...head.map((cell) => el("th", { scope: "col" }, ...cell)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, ...cell))))));
}

/** A part between empty lines: a heading, a table, a list, a drawing as it stands, or a paragraph. @param {string} part @returns {HTMLElement} */
function element(part) {
  const [marks] = part.match(/^#*/) ?? [""];
  if (marks !== "") return el(marks === "#" ? "h2" : "h3", {}, ...withCode(part.slice(marks.length).trim()));
  if (part.startsWith("|")) return tableOf(part);
  if (part.startsWith("    ")) return el("pre", {}, part.replace(/^    /gm, ""));
  const [mark] = part.match(/^(- |\d+\. )/) ?? [""];
  if (mark === "") return el("p", {}, ...withCode(part));
  const items = part.split(/^(?:- |\d+\. )/m).slice(1);
  return el(mark === "- " ? "ul" : "ol", {}, ...items.map((item) => el("li", {}, ...withCode(item))));
}

/** @param {string} text @returns {HTMLElement[]} */
export function rulesOf(text) {
  return text.split(/\n{2,}/).map((part) => part.trimEnd()).filter((part) => part !== "").map(element);
}
