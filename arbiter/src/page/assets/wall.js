// The wall: a card for every report of a folder, those that are being played first, with their boards. It renews itself.
import { Board } from "./board.js";
import { el, svg } from "./dom.js";
import { Story } from "./story.js";
import { ask, token } from "./token.js";
import { Games, readIndex } from "./unpack.js";
import { counted } from "./words.js";

/**
 * @typedef {{ place: number, name: string, points: string, percent: string, rating: number | null, low: number | null, high: number | null, games: number, faults: number }} Line
 * @typedef {{ number: number, state: "running" | "waiting" | "stopped" | "over", file: string, title: string, summary: string, ended: number, asked: number, players: number,
 *   standings: Line[], faults: { game: number, player: string, sentence: string }[], index: string, blocks: string[],
 *   live: { game: number, plies: number, index: string, blocks: string[] } | null }} Card
 */

const head = el("h1", {}, "Reading what is in this folder…");
const wall = el("div", { id: "wall" });
const status = /** @type {HTMLElement} */ (document.getElementById("connection"));
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
/** How often the program is asked, and how long each picture stays. */
const [EVERY, PICTURE] = [1000, 700];
/** Cards with a board; of older ones one line says what they were. */
const BOARDS = 6;

/** What hangs there, by the number of the report. @type {Map<number, { card: Card, element: HTMLElement, screen: Screen | null }>} */
const hung = new Map();
let known = 0;

/** The board of a card: the game that is being played, or where there is none the last games, played again and again. */
class Screen {
  /** @param {Card} card */
  constructor(card) {
    this.caption = el("p", { class: "quiet" });
    this.place = el("div");
    this.element = el("div", { class: "screen" }, this.place, this.caption, watching(card));
    this.isLive = false;
    /** @type {Story[]} */
    this.stories = [];
    this.game = 0;
    this.ply = 0;
    /** How many pictures the last one stays. */
    this.rest = 0;
    /** @type {Board | null} */
    this.board = null;
    void this.take(card);
  }

  /** Takes in the games of a card. @param {Card} card */
  async take(card) {
    const live = card.state === "running" ? card.live : null;
    const { index: packed, blocks } = live ?? card;
    const index = await readIndex(packed);
    const games = new Games(index, (number) => blocks[number]);
    /** @type {Story[]} */
    const stories = [];
    for (let place = 0; place < index.games.length; place++) {
      const [start, ...events] = await games.events(place);
      if (start.ev === "start") stories.unshift(Story.of(start, events));
    }
    const before = this.isLive ? this.stories[0]?.start.game : undefined;
    const wasLive = this.isLive;
    this.isLive = live !== null;
    this.stories = stories;
    const goesOn = live ? wasLive && before === live.game : !wasLive && this.game < this.stories.length;
    if (!this.board || !goesOn) this.begin(0);
    else if (live && isStill.matches) this.show(this.last);
  }

  /** The last picture of the game that is shown. */
  get last() {
    return (this.stories[this.game]?.frames.length ?? 1) - 1;
  }

  /** @param {number} game */
  begin(game) {
    const story = this.stories[game];
    if (!story) {
      this.board = null;
      this.place.replaceChildren();
      return this.caption.replaceChildren();
    }
    [this.game, this.rest] = [game, 4];
    this.board = new Board(story.start.scene, story.highest);
    this.board.look({ names: false });
    this.place.replaceChildren(this.board.element);
    this.show(this.isLive || isStill.matches ? this.last : 0);
  }

  /** @param {number} ply */
  show(ply) {
    const story = this.stories[this.game];
    this.ply = ply;
    this.board?.show(story.frames[ply]);
    const names = story.seats.map(({ name }, seat) => `${story.start.scene.signs[seat]} ${name}`).join(" – ");
    const how = this.isLive ? `, move ${ply}` : ply === this.last && this.rest < 4 ? `. ${story.end?.sentence ?? ""}` : "";
    this.caption.replaceChildren(`Game ${story.start.game}: ${names}${how}`);
  }

  /** The next picture. */
  step() {
    if (!this.board || this.stories.length === 0 || isStill.matches) return;
    // Who watches a game sees its moves one by one, and is never far behind.
    if (this.ply < this.last) this.show(this.isLive ? Math.max(this.ply + 1, this.last - 2) : this.ply + 1);
    else if (!this.isLive && this.rest-- > 0) this.show(this.last);
    else if (!this.isLive) this.begin((this.game + 1) % this.stories.length);
  }
}

/** Leads to the board alone, and back. @param {Card} card @returns {HTMLElement} */
function watching(card) {
  return el("p", { class: "watching" }, el("a", { href: `#watch=${card.number}`, "aria-label": `Watch ${card.title}` }, "Watch"), el("a", { href: "#" }, "← Wall"));
}

/** The standings, with ratings as dots in their ranges. @param {Card} card @returns {HTMLElement} */
function standings(card) {
  const bounds = card.standings.flatMap(({ low, high }) => [Math.max(low ?? 0, -1500), Math.min(high ?? 0, 1500)]);
  const [least, most] = [Math.min(-25, ...bounds), Math.max(25, ...bounds)];
  const at = (/** @type {number} */ elo) => `${(4 + (92 * (Math.max(least, Math.min(most, elo)) - least)) / (most - least)).toFixed(1)}%`;
  const faults = card.standings.some((line) => line.faults > 0);
  const rows = card.standings.map((line) => {
    const plot = svg("svg", { class: "plot", width: "100%", height: 18, "aria-hidden": "true" }, svg("line", { class: "zero", x1: at(0), x2: at(0), y1: 0, y2: 18 }));
    if (line.rating !== null && line.low !== null && line.high !== null) {
      plot.append(svg("line", { class: "span", x1: at(line.low), x2: at(line.high), y1: 9, y2: 9 }), svg("circle", { class: "point", cx: at(line.rating), cy: 9 }));
    }
    const range = line.rating === null ? "" : `${Math.round(line.rating) > 0 ? "+" : ""}${Math.round(line.rating)}`.replace("-", "−");
    return el("tr", {}, el("td", { class: "n" }, line.place), el("th", { scope: "row", class: "name" }, line.name), el("td", { class: "n strong" }, line.points), el("td", { class: "n" }, line.percent),
      el("td", { class: "plotted" }, plot), el("td", { class: "n" }, range), faults && el("td", { class: `n ${line.faults > 0 ? "bad" : "quiet"}` }, line.faults));
  });
  const heads = [["n", "#"], ["name", "Player"], ["n", "Points"], ["n", "%"], ["plotted", "Rating, 95 %"], ["n", "Elo"], ...(faults ? [["n", "Faults"]] : [])].map(([name, text]) => el("th", { scope: "col", class: name }, text));
  const more = card.players - card.standings.length;
  return el("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": `Standings of ${card.title}` },
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)), more > 0 && el("p", { class: "quiet" }, `and ${counted(more, "more player")}`));
}

/** @param {Card} card @param {Screen | null} screen @returns {HTMLElement} */
function drawn(card, screen) {
  const state = { running: "being played", waiting: "waits for bots", stopped: "stopped", over: "over" }[card.state];
  const broken = card.state === "stopped" && card.live ? `Stopped in game ${card.live.game}, after ${counted(card.live.plies, "move")}.` : "";
  const share = card.asked > 0 ? card.ended / card.asked : 1;
  return el("article", { class: `card walled ${card.state}`, id: `report-${card.number}` },
    el("header", {}, el("h2", {}, el("a", { href: `/report/${card.number}` }, card.title)), el("span", { class: `tag ${card.state}` }, state)),
    (card.state === "running" || card.state === "stopped") && el("div", { class: "progress" }, el("progress", { max: 1, value: share, "aria-label": `Games of ${card.title}` }), el("span", {}, `${card.ended} of ${counted(card.asked, "game")}`)),
    (card.state === "over" || card.state === "waiting") && el("p", {}, card.summary),
    broken && el("p", {}, broken),
    el("div", { class: "inside" }, screen?.element, el("div", { class: "figures" }, standings(card),
      card.faults.length > 0 && el("ul", { class: "newest" }, ...card.faults.map((fault) => el("li", {}, el("b", {}, fault.player), ` ${fault.sentence.replace(/\.$/, "")}, `, el("span", { class: "quiet" }, `game ${fault.game}`)))))),
    el("p", { class: "quiet file" }, card.file));
}

/** Hangs the cards. @param {Card[]} cards */
function hang(cards) {
  const places = cards.map((card, place) => {
    const before = hung.get(card.number);
    if (before && JSON.stringify(before.card) === JSON.stringify(card)) return before.element;
    const screen = place >= BOARDS ? null : before?.screen ?? new Screen(card);
    if (before && screen === before.screen) void screen?.take(card);
    const element = drawn(card, screen);
    hung.set(card.number, { card, element, screen });
    return element;
  });
  for (const number of hung.keys()) if (!cards.some((card) => card.number === number)) hung.delete(number);
  const playing = cards.filter(({ state }) => state === "running").length;
  const waiting = cards.filter(({ state }) => state === "waiting").length;
  const title = playing > 0 ? `${counted(playing, "event")} being played` : waiting > 0 ? `${counted(waiting, "league")} waiting for bots` : "Nothing is being played now";
  head.textContent = title;
  if (wall.children.length !== places.length || places.some((place, at) => wall.children[at] !== place)) wall.replaceChildren(...places);
  watch();
  if (cards.length === 0) wall.replaceChildren(el("p", { class: "lead" }, "There is no report in this folder yet: what is played into it will hang here."));
}

/** Leaves one sentence. @param {string} why */
function takeDown(why) {
  head.className = "lead";
  head.replaceChildren(why);
  wall.replaceChildren();
}

/** Shows one board alone, if the address says so. */
function watch() {
  const wanted = new URLSearchParams(location.hash.slice(1)).get("watch");
  const card = wanted === null ? null : hung.get(Number(wanted));
  wall.classList.toggle("one", card?.screen != null);
  for (const { element, card: { number } } of hung.values()) element.classList.toggle("watched", number === card?.card.number);
}

/** Asks what has changed, for ever. @param {string} own */
async function renew(own) {
  try {
    const answer = await ask(`/api/wall/${known}`, own);
    if (answer.status === 401) return takeDown("This link is of a wall that has been taken down.");
    status.className = "connection";
    status.replaceChildren();
    if (answer.status === 200) {
      const { number, cards } = await answer.json();
      hang(cards);
      known = number;
    }
  } catch {
    status.className = "connection lost";
    status.replaceChildren("arbiter does not answer, trying again…");
  }
  window.setTimeout(() => void renew(own), EVERY);
}

const own = await token();
document.getElementById("main")?.replaceChildren(head, wall);
if (own === null) takeDown("This page opens with the link that arbiter has printed.");
else void renew(own);
window.addEventListener("hashchange", watch);
window.setInterval(() => hung.forEach(({ screen }) => screen?.step()), PICTURE);
document.documentElement.classList.add("scripted");
