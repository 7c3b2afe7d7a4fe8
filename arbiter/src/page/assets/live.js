// The page of a match: its games as they are played, the connection to the program, and what the address says.
import { button, el } from "./dom.js";
import { Connection } from "./connection.js";
import { Menu } from "./menu.js";
import { Play } from "./play.js";
import { rulesOf } from "./rules.js";
import { Story } from "./story.js";
import { token } from "./token.js";
import { isFree, offerTextMode } from "./tools.js";

/** @typedef {import("./connection.js").Told} Told */

const root = document.documentElement;
const stage = /** @type {HTMLElement} */ (document.getElementById("main"));
const games = /** @type {HTMLElement} */ (document.getElementById("places"));
const status = /** @type {HTMLElement} */ (document.getElementById("connection"));
/** @type {Map<number, Story>} */
const stories = new Map();
/** What is shown. @type {{ game: number, play: Play } | null} */
let shown = null;
/** The game that the address asks for; none follows the match. @type {number | null} */
let wanted = null;
let plays = /** @type {number[]} */ ([]);
let asksAfterPass = false;
let run = "";
/** Whether this page chooses what is played. */
let chooses = false;
/** @type {Menu | null} */
let menu = null;
/** When the game that is shown ended, for those who only watch. @type {number | undefined} */
let moving;

/** Takes in what has happened, in whatever game. @param {Told[]} events */
function hear(events) {
  /** @type {Map<number, Told[]>} */
  const byGame = new Map();
  for (const event of events) {
    if (event.ev === "start") {
      stories.set(event.game, new Story(event));
    } else if (stories.has(event.game)) {
      const some = byGame.get(event.game) ?? [];
      some.push(event);
      byGame.set(event.game, some);
    }
  }
  for (const [game, some] of byGame) {
    if (shown?.game === game) shown.play.hear(some);
    else for (const event of some) stories.get(game)?.hear(event);
  }
  if (events.some(({ ev }) => ev === "start" || ev === "end")) listGames();
  choose();
}

/** Shows the game that is wanted, or follows the match. */
function choose() {
  if (stories.size === 0) return;
  const newest = Math.max(...stories.keys());
  if (!shown) {
    const running = [...stories].filter(([, story]) => !story.end).map(([game]) => game);
    return show(wanted !== null && stories.has(wanted) ? wanted : running[0] ?? newest);
  }
  const { play, game } = shown;
  const isDone = play.story.end !== null && play.isLive && play.seats.length === 0 && wanted === null;
  if (isDone && game < newest && moving === undefined) moving = window.setTimeout(() => ((moving = undefined), follow()), 1500);
  play.show();
}

/** Goes on to the next game that is played, if nobody looks back. */
function follow() {
  if (!shown || !shown.play.isLive || wanted !== null) return;
  const running = [...stories].filter(([game, story]) => !story.end && game !== shown?.game).map(([game]) => game);
  const next = running.length > 0 ? Math.min(...running) : Math.max(...stories.keys());
  if (next !== shown.game) show(next);
}

/** @param {number} game */
function show(game) {
  const story = stories.get(game);
  if (!story) return;
  shown?.play.leave();
  const play = new Play(story, {
    connection, plays, asksAfterPass, moved: note,
    other: (by) => other(by), hasNext: () => [...stories.keys()].some((other) => other > game),
  });
  shown = { game, play };
  stage.replaceChildren(next, play.element, guests, rules);
  play.show();
  root.classList.add("playing");
  listGames();
}

/** To the next game, or the one before. @param {number} by */
function other(by) {
  const numbers = [...stories.keys()].sort((a, b) => a - b);
  const next = numbers[numbers.indexOf(shown?.game ?? 0) + by];
  if (next === undefined) return;
  wanted = by < 0 ? next : null;
  show(next);
}

/** Says in the address where one is, when one looks back. */
function note() {
  if (!shown) return;
  const { game, play } = shown;
  const hash = play.isLive ? (wanted === null ? "" : `#game=${game}`) : `#game=${game}&ply=${play.replay.ply}`;
  if (location.hash !== hash) history.replaceState(null, "", `${location.pathname}${location.search}${hash}`);
}

/** Goes where the address says. */
function route() {
  const said = new URLSearchParams(location.hash.slice(1));
  wanted = said.has("game") ? Number(said.get("game")) : null;
  if (wanted !== null && shown?.game !== wanted && stories.has(wanted)) show(wanted);
  if (shown && said.has("ply")) shown.play.replay.go(Number(said.get("ply")));
}

/** The games that there are, where there are several. */
function listGames() {
  const numbers = [...stories.keys()].sort((a, b) => b - a).slice(0, 60);
  if (numbers.length < 2) return games.replaceChildren();
  const select = el("select", { "aria-label": "Game", onchange: () => {
    const game = Number(select.value);
    wanted = stories.get(game)?.end ? game : null;
    show(game);
  } }, ...numbers.map((game) => el("option", { value: game, selected: game === shown?.game }, `Game ${game}${stories.get(game)?.end ? "" : " – being played"}`)));
  games.replaceChildren(select);
}

/** Forgets what was played: something else is, or is being chosen. */
function clear() {
  stories.clear();
  shown?.play.leave();
  shown = wanted = menu = null;
  next.hidden = true;
  root.classList.remove("playing");
  games.replaceChildren();
  document.title = "arbiter";
}

/** Shows the menu, or to whoever may not choose that somebody does. @param {import("./menu.js").Choice | null} choice */
function choosing(choice) {
  if (!menu) {
    clear();
    menu = new Menu((what) => connection.say(what));
    stage.replaceChildren(...(choice ? [menu.element, rules] : [el("h1", { class: "lead" }, "What is played next is being chosen."), el("p", {}, "It begins here by itself.")]));
  }
  if (!choice) return;
  menu.show(choice);
  tellRules(choice.rules);
}

/** @param {string} text */
function tellRules(text) {
  rules.querySelector("div")?.replaceChildren(...rulesOf(text));
  rules.hidden = text === "";
}

/** What may be played after a match, by its key, its words and what the program calls it. */
const NEXT = [["a", "Again", "again"], ["w", "Swap seats", "swap"], ["n", "Another game", "another"], ["q", "End", "quit"]];

/** Asks what is played next. */
function askForMore() {
  if (!chooses) return void next.replaceChildren(el("p", {}, "What is played next is being chosen."));
  const press = (/** @type {string} */ text) => () => void connection.say({ act: "next", text });
  next.replaceChildren(el("h2", {}, "What shall be played next?"), el("div", { class: "buttons" }, ...NEXT.map(([key, words, word], place) => button(`${words} (${key})`, words, press(word), { class: place === 0 ? "primary" : "", "aria-label": null }))));
  next.hidden = false;
}

/** The links of those who play each with one of their own. @param {{ whom: string, token: string }[]} links */
function invite(links) {
  guests.hidden = links.length === 0;
  const line = ({ whom = "", token = "" }) => el("li", {}, `${whom}: `, el("code", {}, `${location.origin}/#t=${token}`));
  guests.replaceChildren(el("summary", {}, "Links for the others"), el("ul", {}, ...links.map(line)));
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (!shown) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === "Escape" && target.matches("input")) return void target.blur();
  if (!isFree(event)) return;
  const chosen = next.hidden || !chooses ? undefined : NEXT.find(([key]) => key === event.key);
  if (chosen) return void connection.say({ act: "next", text: chosen[2] });
  if (shown.play.key(event)) event.preventDefault();
}

const rules = el("details", { class: "rules card" }, el("summary", {}, "Rules of this game"), el("div"));
const next = el("section", { class: "next card", "aria-label": "Next game", hidden: true });
const guests = el("details", { class: "rules card", hidden: true });
offerTextMode(() => shown?.play.replay.go(shown.play.replay.ply));
window.addEventListener("keydown", pressed);
window.addEventListener("hashchange", route);
document.addEventListener("visibilitychange", () => shown?.play.show());
route();
const own = await token();
/** @type {Connection} */
let connection;
if (own === null) {
  stage.replaceChildren(el("h1", { class: "lead" }, "This page opens with a link that arbiter has printed."), el("p", {}, "It is in the terminal in which arbiter was started, and holds for as long as the match lasts."));
} else {
  connection = new Connection(own, {
    hello: (hello) => {
      if (run !== hello.hello) clear();
      [run, plays, chooses, asksAfterPass] = [hello.hello, hello.plays, hello.chooses, hello.asks_after_pass];
      tellRules(hello.rules);
      invite(hello.links);
      if (!shown) stage.replaceChildren(el("h1", { class: "lead" }, hello.title), el("p", {}, "The first game has not begun yet."));
    },
    menu: choosing,
    events: hear,
    next: askForMore,
    state: (state, text) => {
      const isTurnedAway = state === "refused" && !shown;
      if (isTurnedAway) stage.replaceChildren(el("h1", { class: "lead" }, text));
      status.replaceChildren(isTurnedAway ? "" : text);
      status.className = `connection ${state}`;
      if (state !== "over" && state !== "refused") return;
      // Nobody chooses or plays any more.
      next.hidden = true;
      shown?.play.show();
    },
  });
}
root.classList.add("scripted");
