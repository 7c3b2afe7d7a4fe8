// Charts of one game: where something happened, what the bots thought of it, and what their moves took.
import { el, svg, table } from "./dom.js";
import { MARKS } from "./story.js";
import { countText, timeText, valueText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {{ element: HTMLElement, show: (ply: number) => void }} Chart */

/** @param {Story} story @param {number} ply @returns {number} in percent */
function across(story, ply) {
  return (100 * ply) / Math.max(1, story.frames.length - 1);
}

/** The same on a chart, which keeps clear of its edges. @param {Story} story @param {number} ply @returns {number} in percent */
function along(story, ply) {
  return 2.5 + 0.95 * across(story, ply);
}

/** A slider over all moves, with signs above it. @param {Story} story @param {(ply: number) => void} go @returns {Chart} */
export function timeline(story, go) {
  const last = story.frames.length - 1;
  const range = el("input", { type: "range", min: 0, max: last, value: 0, step: 1, "aria-label": "Move", oninput: () => go(Number(range.value)) });
  const marks = svg("svg", { class: "marks", "aria-hidden": "true", width: "100%", height: 18 });
  for (const frame of story.frames) {
    for (const { kind, text } of frame.marks.slice(0, 1)) {
      const mark = svg("text", { class: `mark ${kind}`, x: `${across(story, frame.ply)}%`, y: 13 }, MARKS[kind][0], svg("title", {}, `${frame.ply}: ${text}`));
      mark.addEventListener("click", () => go(frame.ply));
      marks.append(mark);
    }
  }
  const show = (/** @type {number} */ ply) => {
    range.value = String(ply);
    range.setAttribute("aria-valuetext", `after move ${ply} of ${last}`);
  };
  return { element: el("div", { class: "timeline" }, el("div", { class: "inset" }, marks), range), show };
}

/** What is known of a move, on a line. @param {Story} story @param {number} ply @returns {string} */
function told(story, ply) {
  const { seat, played } = story.frames[ply];
  if (!played) return "";
  const search = played.search;
  const value = search && search.value !== null ? `, ${valueText(search.value)}` : "";
  const line = search && search.line.length > 0 ? `, expected ${search.line.map(({ text }) => text).join(" ")}${search.more > 0 ? ` and ${search.more} more` : ""}` : "";
  return `${ply}. ${story.name(seat ?? 0)} ${played.ev === "pass" ? "pass" : played.move.text}${played.ms ? `, ${timeText(played.ms)}` : ""}${value}${line}`;
}

/** A frame with a scale on its left, a cursor, and lines in percent of its width. @param {Story} story @param {string} title
 * @param {[number, string][]} ticks from the top in percent @param {SVGElement[]} shapes @param {(ply: number) => void} go @returns {Chart} */
function framed(story, title, ticks, shapes, go) {
  const cursor = svg("line", { class: "cursor", x1: 0, x2: 0, y1: 0, y2: 100 });
  const drawing = svg("svg", { class: "chart", "aria-hidden": "true", viewBox: "0 0 100 100", preserveAspectRatio: "none" },
    ...ticks.map(([y]) => svg("line", { class: "grid", x1: 0, x2: 100, y1: y, y2: y })), ...shapes, cursor);
  const labels = svg("svg", { class: "scale", "aria-hidden": "true", width: 52, height: "100%" },
    ...ticks.map(([y, text]) => svg("text", { x: 48, y: `${y}%`, dy: y < 10 ? 10 : y > 90 ? -2 : 4, "text-anchor": "end" }, text)));
  const pointed = el("p", { class: "pointed quiet", "aria-hidden": "true" });
  const at = (/** @type {MouseEvent} */ event) => {
    const { left, width } = drawing.getBoundingClientRect();
    const ply = Math.round((((event.clientX - left) / width - 0.025) / 0.95) * (story.frames.length - 1));
    return Math.max(0, Math.min(story.frames.length - 1, ply));
  };
  drawing.addEventListener("click", (event) => go(at(/** @type {MouseEvent} */ (event))));
  drawing.addEventListener("pointermove", (event) => pointed.replaceChildren(told(story, at(/** @type {MouseEvent} */ (event)))));
  drawing.addEventListener("pointerleave", () => pointed.replaceChildren());
  const show = (/** @type {number} */ ply) => {
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, String(along(story, ply)));
  };
  const keys = story.seats.map((player, seat) => shapes.some((shape) => shape.classList.contains(`s${seat}`)) && el("span", { class: `s${seat} ${seat % 2 ? "dashed" : ""}` }, el("i"), player.name));
  return { element: el("figure", {}, el("figcaption", {}, title), el("p", { class: "key quiet" }, ...keys), el("div", { class: "framed" }, labels, drawing), pointed), show };
}

/** What the bots thought: with two seats, all seen by the first. Nothing where nobody said anything. @param {Story} story @param {(ply: number) => void} go @returns {Chart | null} */
export function values(story, go) {
  const isTwo = story.seats.length === 2;
  /** @type {[number, number][][]} */
  const lines = story.seats.map(() => []);
  for (const { ply, seat, played } of story.frames) {
    const value = played?.search?.value;
    if (seat === null || value === null || value === undefined) continue;
    lines[seat].push([ply, isTwo && seat === 1 ? -value : value]);
  }
  const all = lines.flat().map(([, value]) => Math.abs(value));
  if (all.length === 0) return null;
  const steps = [1, 2, 3, 4, 5, 6].flatMap((power) => [10 ** power * 10, 10 ** power * 20, 10 ** power * 50]);
  const highest = Math.max(...all);
  const most = steps.find((step) => step >= highest) ?? highest;
  const scaled = (/** @type {number} */ value) => 50 - (47 * Math.asinh(value / 100)) / Math.asinh(most / 100);
  /** @type {[number, string][]} */
  const ticks = [[50, "0"]];
  for (const value of steps.filter((value) => value <= most).reverse()) {
    if (ticks.some(([y]) => Math.abs(y - scaled(value)) < 14)) continue;
    ticks.push([scaled(value), `+${value / 100}`], [scaled(-value), `−${value / 100}`]);
  }
  const shapes = lines.flatMap((line, seat) => (line.length === 0 ? [] : svg("polyline", { class: `value s${seat} ${seat % 2 ? "dashed" : ""}`, points: line.map(([ply, value]) => `${along(story, ply).toFixed(2)},${scaled(value).toFixed(1)}`).join(" ") })));
  const title = isTwo ? `What the bots thought: above 0 is good for ${story.name(0)}` : "What each bot thought of its own position";
  return framed(story, title, ticks, shapes, go);
}

/** The time of every move, on a scale of logarithms, with the limit. @param {Story} story @param {(ply: number) => void} go @returns {Chart | null} */
export function times(story, go) {
  const timed = story.frames.filter(({ played }) => (played?.ms ?? 0) > 0 && played?.by === 0);
  if (timed.length === 0) return null;
  const limits = story.seats.map((player) => player.move_ms).filter((limit) => limit !== null);
  const all = timed.map(({ played }) => played?.ms ?? 0).concat(limits);
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)) + 0.02)];
  const scaled = (/** @type {number} */ ms) => 97 - (94 * (Math.log10(ms) - low)) / Math.max(1, high - low);
  /** @type {[number, string][]} */
  const ticks = [];
  const every = Math.ceil((high - low) / 4);
  for (let power = low; power <= high; power += every) ticks.push([scaled(10 ** power), timeText(10 ** power)]);
  const width = Math.min(2.2, Math.max(0.25, 70 / story.frames.length));
  const bars = timed.map(({ ply, seat, played }) => {
    const y = scaled(played?.ms ?? 0);
    return svg("rect", { class: `time s${seat}`, x: (along(story, ply) - width / 2).toFixed(2), width: width.toFixed(2), y: y.toFixed(1), height: (98.5 - y).toFixed(1) });
  });
  const drawn = [...new Set(limits)];
  const told = drawn.length === 0 ? "" : drawn.length === 1 ? `; the red line is the limit of ${timeText(drawn[0])}` : "; the red lines are the limits";
  const lines = drawn.map((limit) => svg("line", { class: "limit", x1: 0, x2: 100, y1: scaled(limit), y2: scaled(limit) }));
  return framed(story, `Time a move${told}`, ticks, [...bars, ...lines], go);
}

/** The same in numbers. @param {Story} story @returns {HTMLElement} */
export function numbers(story) {
  const details = el("details", { class: "numbers" }, el("summary", {}, "All moves in numbers"));
  const fill = () => {
    if (details.childElementCount > 1) return;
    const rows = story.frames.slice(1).map(({ ply, seat, played }) => {
      const search = played?.search;
      return [
        ply, story.name(seat ?? 0), played?.ev === "pass" ? "pass" : played?.move.text, played?.ms ? timeText(played.ms) : "", search?.depth || "",
        search?.nodes ? countText(search.nodes) : "", search?.value === null || search?.value === undefined ? "" : valueText(search.value),
      ];
    });
    const all = table(["Ply", "Player", "Move", "Time", "Depth", "Positions", "Value"], rows, "Every move with what the bot said of it");
    details.append(el("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": "All moves, table" }, all));
  };
  details.addEventListener("toggle", fill);
  if (document.documentElement.classList.contains("textmode")) {
    fill();
    details.open = true;
  }
  return details;
}
