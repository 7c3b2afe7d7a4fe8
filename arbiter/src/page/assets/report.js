// The page: which report, which game, which move, as its address says.
import { el } from "./dom.js";
import { Games, readIndex } from "./unpack.js";
import { Story } from "./story.js";
import { Replay } from "./replay.js";
import { gameList } from "./games.js";
import { isFree, offerTextMode } from "./tools.js";

/** @typedef {{ index: import("./unpack.js").Index, games: Games }} Report */

const overview = /** @type {HTMLElement} */ (document.getElementById("overview"));
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const stage = el("div", { id: "stage", hidden: true });
/** @type {Map<number, Promise<Report>>} */
const reports = new Map();
/** What is shown: the replay, its report from 0, and the place of its game in the list. @type {{ replay: Replay, report: number, place: number } | null} */
let shown = null;

/** What is packed in the file. @param {string} id @returns {string} */
function held(id) {
  return document.getElementById(id)?.textContent ?? "";
}

/** @param {number} number @returns {Promise<Report>} */
function report(number) {
  let known = reports.get(number);
  if (!known) {
    known = readIndex(held(`index-${number}`)).then((index) => ({ index, games: new Games(index, (block) => held(`games-${number}-${block}`)) }));
    reports.set(number, known);
  }
  return known;
}

/** @param {number} number @param {number} game @param {number | null} ply @returns {string} */
function address(number, game, ply) {
  const of = number > 0 ? `report=${number + 1}&` : "";
  return `#${of}game=${game}${ply === null ? "" : `&ply=${ply}`}`;
}

/** Puts the address of what is shown into the bar, without a step in the history. @param {string} hash */
function note(hash) {
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

/** Shows what the address says. */
async function route() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const game = Number(wanted.get("game") ?? NaN);
  if (Number.isNaN(game)) return leave();
  const number = Math.max(0, Number(wanted.get("report") ?? 1) - 1);
  if (!document.getElementById(`index-${number}`)) return leave();
  const { index, games } = await report(number);
  const place = index.games.findIndex((row) => row[0] === game);
  if (place < 0) return missing(`There is no game ${game} in this file.`);
  if (shown?.report !== number || shown.place !== place) {
    const [start, ...events] = await games.events(place);
    shown?.replay.pause();
    if (start.ev !== "start") return missing(start.ev === "end" ? start.sentence : "", navigation(index, number, place));
    const replay = new Replay(Story.of(start, events), {
      moved: (ply) => shown && note(address(number, game, ply)),
      other: (by) => {
        const row = index.games[place + by];
        if (row) location.hash = address(number, row[0], null);
      },
      leave: () => (location.hash = `#r${number}-games`),
      file: index.file,
    });
    shown = { replay, report: number, place };
    stage.replaceChildren(navigation(index, number, place), replay.element);
    overview.hidden = true;
    stage.hidden = false;
    window.scrollTo(0, 0);
    document.title = `Game ${game} – ${index.title}`;
    document.getElementById("replay-title")?.focus({ preventScroll: true });
  }
  shown.replay.go(wanted.has("ply") ? Number(wanted.get("ply")) : 0);
}

/** The way back, and to the games beside this one. @param {import("./unpack.js").Index} index @param {number} number @param {number} place */
function navigation(index, number, place) {
  const to = (/** @type {number} */ by, /** @type {string} */ text) => {
    const row = index.games[place + by];
    return row ? el("a", { href: address(number, row[0], null) }, text) : el("span", { class: "quiet" }, text);
  };
  return el("nav", { class: "crumbs", "aria-label": "Games" }, el("a", { href: `#r${number}-games` }, "← Report"), el("span", { class: "quiet" }, index.title), el("span", { class: "push" }), to(-1, "↑ previous game"), to(1, "next game ↓"));
}

/** @param {string} why @param {HTMLElement} way where one can go from here */
function missing(why, way = el("p", {}, el("a", { href: "#" }, "← Report"))) {
  stage.replaceChildren(el("h1", { class: "lead" }, why), way);
  [overview.hidden, stage.hidden, shown, document.title] = [true, false, null, title];
}

/** Shows the report. */
function leave() {
  shown?.replay.pause();
  shown = null;
  stage.replaceChildren();
  [overview.hidden, stage.hidden] = [false, true];
  document.title = title;
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (shown && isFree(event) && shown.replay.key(event.key)) event.preventDefault();
}

const title = document.title;
main.append(stage);
document.documentElement.classList.add("scripted");
offerTextMode((isOn) => {
  for (const details of document.querySelectorAll("details")) details.open = isOn;
  shown?.replay.go(shown.replay.ply);
});
window.addEventListener("hashchange", () => void route());
window.addEventListener("keydown", pressed);
void route();

for (const list of document.querySelectorAll("[data-games]")) {
  const number = Number(/** @type {HTMLElement} */ (list).dataset.games);
  void report(number).then(({ index }) => {
    if (index.games.length > 0) list.replaceChildren(gameList(index, (place) => address(number, index.games[place][0], null)));
  });
}
