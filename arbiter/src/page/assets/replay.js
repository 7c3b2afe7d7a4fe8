// One game to step through: the board, who plays, every move, and what the bots said.
import { Board, seatClass } from "./board.js";
import { numbers, timeline, times, values } from "./charts.js";
import { button, el, icon } from "./dom.js";
import { MARKS } from "./story.js";
import { countText, counted, placeText, timeText, valueText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./charts.js").Chart} Chart */

const SPEEDS = [0.5, 1, 2, 4, 8, 16];

/** What can be typed, in text mode. */
const COMMANDS = "next, back, first, last, move 12, board, clock, score, evaluation, events, play, pause, game next, game back, report, help";

/** Whether what the strongest bot thinks is shown beside boards: from game to game the same. */
let isJudged = false;

/** The keys of a replay, as they are told. @type {[string, string][]} */
const KEYS = [
  ["← →", "one move back, one on"],
  ["Home End", "first and last move"],
  ["↑ ↓", "previous and next game"],
  ["Space or p", "play and pause"],
  ["+ −", "faster and slower"],
  ["n N", "to the next and previous fault, pass, big capture or earthquake"],
  ["t", "type the number of a move"],
  ["d", "the expected line on the board"],
  ["b", "a bar of what the strongest bot thinks"],
  ["c", "names of cells"],
  ["f", "turn the board"],
  ["s", "slanted board, where pieces lie on each other"],
];

/**
 * Who shows a replay: it hears where the replay is, and is asked for other games. While a game is still played, it has a
 * panel for the turn, keys of its own, and clocks that run.
 * @typedef {{ moved: (ply: number) => void, other: (by: number) => void, leave: () => void,
 *   panel?: HTMLElement, keys?: [string, string][], clock?: (seat: number) => string | null, isOwn?: (seat: number) => boolean, file?: string }} Owner
 */

/** A replay. */
export class Replay {
  /** @param {Story} story @param {Owner} owner */
  constructor(story, owner) {
    this.story = story;
    this.owner = owner;
    this.ply = 0;
    this.speed = 1;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.isAhead = false;
    const { start } = story;
    this.board = new Board(start.scene, story.highest);
    /** @type {Chart[]} */
    this.charts = [];
    this.time = el("div", {});
    this.plots = el("div", { class: "plots" });
    this.notable = el("div", { class: "wide" });
    this.figures = el("div", { class: "wide" });
    this.result = el("p", { class: "result" });
    this.players = el("ol", { class: "players" });
    this.status = el("p", { class: "status", role: "status" });
    this.judged = el("p", { class: "judged" });
    this.judging = story.seats.some(({ kind }) => kind === "bot") && button("A bar of what the strongest bot thinks (b)", icon("bar"), () => this.judge(!isJudged), { "aria-pressed": false });
    this.said = el("div", { class: "said" });
    this.played = button("Play (Space)", icon("play"), () => this.toggle(), { class: "play" });
    this.speedText = el("span", { class: "speed" });
    this.count = el("span", { class: "count" });
    const group = (/** @type {import("./dom.js").Child[]} */ ...children) => el("div", { class: "group" }, ...children);
    const tools = el("div", { class: "controls", role: "group", "aria-label": "Replay" },
      group(button("First move (Home)", icon("first"), () => this.choose(0)), button("One move back (←)", icon("back"), () => this.choose(this.ply - 1)), this.played,
        button("One move on (→)", icon("on"), () => this.choose(this.ply + 1)), button("Last move (End)", icon("last"), () => this.choose(this.last))),
      this.count,
      group(button("Slower (−)", icon("less"), () => this.faster(-1)), this.speedText, button("Faster (+)", icon("more"), () => this.faster(1))),
      group(this.board.step > 0 && button("Turn the board (f)", icon("turn"), () => this.board.turnOn()),
        this.judging,
        button("a1: names of cells (c)", "a1", () => this.board.flip("names")),
        start.scene.piles && button("Slanted board (s)", icon("slant"), () => this.board.flip("slanted"))));
    this.moves = el("div", { class: "moves", tabindex: 0, role: "group", "aria-label": "Moves" });
    this.command = el("form", { class: "command textonly" }, el("label", {}, "Command ", el("input", { name: "command", autocomplete: "off" })), button("Do it", "Do it", () => this.command.requestSubmit()),
      el("p", { class: "legend" }, COMMANDS));
    this.command.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const input = /** @type {HTMLInputElement} */ (this.command.elements.namedItem("command"));
      this.order(input.value.trim().toLowerCase());
      input.value = "";
    });
    this.log = el("div", { class: "log textonly", role: "log", "aria-label": "Answers" });
    const head = el("header", { class: "gamehead" },
      el("h1", { id: "replay-title", tabindex: -1 }, `Game ${start.game}`, start.round > 0 && el("small", {}, `round ${start.round}`)),
      this.result);
    this.element = el("section", { class: "replay", "aria-label": `Game ${start.game}` }, head,
      el("div", { class: "stage" },
        el("div", { class: "left" }, this.board.element, this.judged, this.time, tools, this.status),
        el("div", { class: "right" }, this.players, this.owner.panel, this.said, this.moves)),
      el("div", { class: "below" }, this.command, this.log, this.plots, this.notable, this.figures, this.keys()));
    this.judge(isJudged);
    this.grow();
    this.go(0);
  }

  /** Shows what the strongest bot thinks, or no more. @param {boolean} isShown */
  judge(isShown) {
    if (!this.judging) return;
    if (isShown && this.story.isSilent) this.listen();
    isJudged = isShown;
    this.judging.setAttribute("aria-pressed", String(isShown));
    this.board.look({ bar: isShown });
    this.showJudged();
  }

  /** Shows what the bots have said of their moves, to somebody who plays and did not want to wait for it. */
  listen() {
    this.story.speak();
    this.grow();
    this.go(this.ply);
  }

  showJudged() {
    const judged = this.story.judged(this.ply);
    if (this.board.view.bar) this.board.weigh(judged);
    this.judged.replaceChildren(this.board.view.bar ? judged?.text ?? "No bot has said what it thinks." : "");
  }

  /** Takes in what has happened since. */
  grow() {
    const { story } = this;
    const choose = (/** @type {number} */ ply) => this.choose(ply);
    const line = timeline(story, choose);
    const others = [values(story, choose), times(story, choose)].filter((chart) => chart !== null);
    this.charts = [line, ...others];
    this.time.replaceChildren(line.element);
    this.plots.replaceChildren(...others.map((chart) => chart.element));
    this.notable.replaceChildren(this.events());
    this.figures.replaceChildren(numbers(story));
    this.moves.replaceChildren(this.moveList());
    this.result.replaceChildren(story.end?.sentence ?? "");
    for (const chart of this.charts) chart.show(this.ply);
    this.showMove();
    this.showCount();
  }

  showCount() {
    if (!this.count.contains(document.activeElement)) this.count.replaceChildren(`${this.ply} / ${this.last}`);
  }

  /** @returns {number} */
  get last() {
    return this.story.frames.length - 1;
  }

  /** Shows the picture after so many moves. @param {number} ply */
  go(ply) {
    this.ply = Math.max(0, Math.min(this.last, Math.floor(ply) || 0));
    const frame = this.story.frames[this.ply];
    this.board.show(frame, this.ahead());
    for (const chart of this.charts) chart.show(this.ply);
    this.showJudged();
    this.showPlayers();
    this.showSaid();
    const sentences = frame.sentences.length > 0 ? frame.sentences : ["The game begins."];
    this.status.replaceChildren(...sentences.map((sentence, index) => el("span", { class: index > 0 ? "more" : "" }, `${sentence} `)), frame.note && el("span", { class: "note" }, frame.note));
    this.showCount();
    this.speedText.replaceChildren(`${this.speed}×`);
    this.showMove();
    this.owner.moved(this.ply);
  }

  /** Stops playing and shows the picture after so many moves. @param {number} ply */
  choose(ply) {
    this.pause();
    this.go(ply);
  }

  showMove() {
    const { moves } = this;
    moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = moves.querySelector(`[data-ply="${this.ply}"]`);
    now?.setAttribute("aria-current", "true");
    // Where it stands is known once the picture is laid out, which nobody shall wait for.
    requestAnimationFrame(() => (moves.scrollTop = now instanceof HTMLElement ? now.offsetTop - moves.clientHeight / 2 : 0));
  }

  showPlayers() {
    const { story } = this;
    const frame = story.frames[this.ply];
    const turn = story.toMove(this.ply);
    const { scene } = story.start;
    const isOver = this.ply === this.last;
    this.players.replaceChildren(...story.seats.map((player, seat) => {
      const place = story.end?.ranks[seat];
      const tied = (story.end?.ranks ?? []).filter((other) => other === place).length > 1;
      const state = frame.out[seat] ? "out" : isOver && place ? (tied && place === 1 ? "drawn" : story.seats.length === 2 ? (place === 1 ? "won" : "lost") : placeText(place)) : turn === seat ? "to move" : "";
      const left = frame.left[seat];
      const running = isOver ? this.owner.clock?.(seat) ?? null : null;
      const clock = running !== null ? running : left !== null ? `${timeText(left)} left` : frame.used[seat] > 0 ? timeText(frame.used[seat]) : "";
      return el("li", { class: `${turn === seat ? "turn" : ""} ${state === "won" ? "winner" : ""}` },
        el("span", { class: `swatch ${scene.pieces} ${seatClass(seat)} stone${seat}`, "aria-hidden": "true" }, scene.pieces === "stones" ? "" : scene.letters[seat] ?? ""),
        el("span", { class: "who" }, el("span", { class: "called", title: player.name }, player.name), this.owner.isOwn?.(seat) && el("span", { class: "own" }, " (you)"), el("small", {}, state)),
        frame.scores && el("span", { class: "score" }, String(frame.scores[seat]), el("small", {}, scene.score ?? "")),
        el("span", { class: "clock", title: running !== null || left !== null ? "time left" : "time used so far" }, clock));
    }));
  }

  /** What the bot said of the move that is shown. */
  showSaid() {
    const { played, seat } = this.story.frames[this.ply];
    const search = played?.search;
    const facts = [];
    if (played?.ms) facts.push(["Time", timeText(played.ms)]);
    if (search?.depth) facts.push(["Depth", String(search.depth)]);
    if (search?.nodes) facts.push(["Positions", countText(search.nodes)]);
    if (search && search.value !== null) facts.push(["Value", valueText(search.value)]);
    const line = search && search.line.length > 0 && el("p", { class: "line" },
      button(`${this.isAhead ? "Hide line" : "Show line"} on the board (d)`, this.isAhead ? "Hide line" : "Show line", () => this.toggleAhead(), { class: "small", "aria-pressed": String(this.isAhead) }),
      " expected ", ...search.line.map(({ text }, index) => el("span", { class: `step s${((seat ?? 0) + index) % this.story.seats.length}` }, `${text} `)),
      search.more > 0 && el("span", { class: "quiet" }, `and ${search.more} more${this.owner.file ? `, which ${this.owner.file} tells` : ""}`));
    const unsaid = this.story.unsaid.some(([move]) => move === played) &&
      button("What the bot thinks (d)", "What the bot thinks", () => this.listen(), { class: "small" });
    // A name that is written from right to left turns nothing else round.
    const title = played ? [el("bdi", {}, this.story.name(seat ?? 0)), `: ${played.ev === "pass" ? "pass" : played.move.text}`] : ["No move yet"];
    this.said.replaceChildren(el("h2", {}, ...title),
      el("dl", {}, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      unsaid || "", line || "", search?.text ? el("p", { class: "quiet" }, `“${search.text}”`) : "");
  }

  /** The moves that a bot expected, as marks. @returns {{ cells: number[], seat: number }[]} */
  ahead() {
    const { played, seat } = this.story.frames[this.ply];
    if (!this.isAhead || !played?.search) return [];
    return played.search.line.map(({ path }, index) => ({ cells: path, seat: ((seat ?? 0) + index) % this.story.seats.length }));
  }

  toggleAhead() {
    if (this.story.isSilent) return this.listen();
    this.isAhead = !this.isAhead;
    this.go(this.ply);
  }

  /** Every move as a button: a row for each time round the table. @returns {HTMLElement} */
  moveList() {
    const { story } = this;
    const seats = story.seats.length;
    const list = el("ol", { class: `movelist of${seats}` });
    /** @type {HTMLElement | null} */
    let row = null;
    let before = seats;
    let number = 0;
    for (const frame of story.frames.slice(1)) {
      const seat = frame.seat ?? 0;
      if (!row || seat <= before) {
        number += 1;
        row = el("li", {}, el("span", { class: "no" }, `${number}.`));
        list.append(row);
        before = -1;
      }
      for (let gap = before + 1; gap < seat; gap++) row.append(el("span", { class: "gap" }));
      before = seat;
      const mark = frame.marks[0];
      const text = frame.played?.ev === "pass" ? "pass" : frame.played?.move.text ?? "";
      row.append(el("button", { type: "button", class: `${seatClass(seat)} ${frame.played?.by === 1 ? "opening" : ""}`, "data-ply": frame.ply, title: mark?.text ?? "", onclick: () => this.choose(frame.ply) },
        text, mark && el("i", { class: mark.kind }, MARKS[mark.kind][0])));
    }
    return list;
  }

  /** What is worth seeing, as a list. @returns {HTMLElement | string} */
  events() {
    const { notable } = this.story;
    if (notable.length === 0) return "";
    const items = notable.flatMap((frame) => frame.marks.map(({ kind, text }) => el("li", {}, el("button", { type: "button", onclick: () => this.choose(frame.ply) },
      el("i", { class: kind, title: MARKS[kind][1] }, MARKS[kind][0]), el("b", {}, String(frame.ply)), ` ${text}`))));
    const again = this.story.end?.fault?.again;
    return el("section", { class: "events" }, el("h2", {}, "Worth seeing"), el("ul", {}, ...items.slice(0, 60)),
      items.length > 60 && el("p", { class: "quiet" }, `and ${counted(items.length - 60, "more event")}`),
      again && el("p", { class: "again" }, el("span", {}, "The last moment again: "), el("code", {}, again)));
  }

  keys() {
    const own = this.owner.keys;
    const keys = own ? own.concat(KEYS.filter(([key]) => own.every(([taken]) => taken !== key))) : KEYS.concat([["Esc", "back to the report"]]);
    return el("details", { class: "keys" }, el("summary", {}, "Keys"),
      el("dl", {}, ...keys.map(([key, what]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)))));
  }

  toggle() {
    if (this.timer === undefined) this.play();
    else this.pause();
  }

  play() {
    if (this.ply === this.last) this.go(0);
    const step = () => {
      this.go(this.ply + 1);
      if (this.ply === this.last) return this.pause();
      this.timer = window.setTimeout(step, 900 / this.speed);
    };
    this.timer = window.setTimeout(step, 450 / this.speed);
    this.played.replaceChildren(icon("pause"));
    this.played.setAttribute("aria-label", "Pause (Space)");
  }

  pause() {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.played.replaceChildren(icon("play"));
    this.played.setAttribute("aria-label", "Play (Space)");
  }

  /** @param {number} by */
  faster(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
    this.speedText.replaceChildren(`${this.speed}×`);
  }

  /** Goes to the next event worth seeing, or the last one. @param {number} by */
  event(by) {
    const { notable } = this.story;
    const next = by > 0 ? notable.find(({ ply }) => ply > this.ply) : notable.reverse().find(({ ply }) => ply < this.ply);
    if (next) this.go(next.ply);
  }

  /** Asks for the number of a move. */
  ask() {
    const input = el("input", { type: "number", min: 0, max: this.last, "aria-label": "Move number", class: "goto" });
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      input.remove();
      this.showCount();
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") this.go(Number(input.value));
      if (event.key === "Enter" || event.key === "Escape") done();
    });
    input.addEventListener("blur", done);
    this.count.replaceChildren(input);
    input.focus();
  }

  /** Does what a key says. @param {string} key @returns {boolean} whether it means something */
  key(key) {
    const steps = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1), Home: () => this.go(0), End: () => this.go(this.last),
      n: () => this.event(1), N: () => this.event(-1), t: () => this.ask(),
    });
    const others = /** @type {Record<string, () => void>} */ ({
      ArrowUp: () => this.owner.other(-1), ArrowDown: () => this.owner.other(1), " ": () => this.toggle(), p: () => this.toggle(),
      "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1), "−": () => this.faster(-1),
      d: () => this.toggleAhead(), b: () => this.judge(!isJudged), c: () => this.board.flip("names"), f: () => this.board.step > 0 && this.board.turnOn(),
      s: () => this.board.scene.piles && this.board.flip("slanted"), Escape: () => this.owner.leave(),
    });
    if (key in steps) this.pause();
    const act = steps[key] ?? others[key];
    act?.();
    return act !== undefined;
  }

  /** Does what somebody typed, and answers. @param {string} command */
  order(command) {
    const [word, ...rest] = command.split(/\s+/);
    const { story } = this;
    const frame = () => story.frames[this.ply];
    const said = () => `Move ${this.ply} of ${this.last}. ${frame().sentences.join(" ")} ${frame().note}`;
    const move = (/** @type {number} */ ply) => {
      this.choose(ply);
      return said();
    };
    /** @type {Record<string, () => string>} */
    const orders = {
      next: () => move(this.ply + 1), back: () => move(this.ply - 1), first: () => move(0), last: () => move(this.last), move: () => move(Number(rest[0])),
      board: () => this.board.spoken(),
      clock: () => story.seats.map((player, seat) => `${player.name}: ${frame().left[seat] === null ? `${timeText(frame().used[seat])} used` : `${timeText(frame().left[seat] ?? 0)} left`}`).join("; "),
      score: () => (frame().scores ? story.seats.map((player, seat) => `${player.name}: ${frame().scores?.[seat]}`).join("; ") : "This game has no score."),
      evaluation: () => {
        if (story.isSilent) this.listen();
        return story.judged(this.ply)?.text ?? "No bot has said what it thinks.";
      },
      events: () => story.frames.flatMap((of) => of.marks.map(({ text }) => `${of.ply}: ${text}`)).join(". ") || "Nothing out of the ordinary happened.",
      play: () => (this.play(), "Playing."), pause: () => (this.pause(), "Paused."),
      game: () => (this.owner.other(rest[0] === "back" ? -1 : 1), ""), report: () => (this.owner.leave(), ""),
      help: () => COMMANDS,
    };
    const answer = Object.hasOwn(orders, word) ? orders[word]() : `'${command}' is no command: help lists them.`;
    if (answer) this.log.append(el("p", {}, answer));
  }
}
