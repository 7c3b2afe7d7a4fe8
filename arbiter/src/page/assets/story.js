// One game so far: a picture for every move, made from events, whether they come from a file or as they happen.
import { counted, valueText } from "./words.js";

/** @typedef {import("./unpack.js").Event} Event */
/**
 * What comes only while a game is played: whose turn it is, what a person can touch, and sentences.
 * @typedef {{ ev: "turn", t: number, seat: number, ply: number, attempt: number, clocks: (number | null)[] }} Turn
 * @typedef {{ ev: "draft", t: number, seat: number, ply: number, draft: number[], pending: string | null, targets: number[],
 *   actions: { id: string, label: string }[], can_finish: boolean, must: number[], turns: Record<number, number[]>,
 *   lands: Record<number, number>, may_take_back: boolean, hard: number | null, gone: number | null, is_stopped: boolean }} Draft
 * @typedef {{ ev: "back", seat: number, plies: number }} Back
 * @typedef {{ ev: "note", text: string }} Note
 * @typedef {{ ev: "over", text: string, more: boolean }} Over
 * @typedef {Event | Turn | Draft | Back | Note | Over} LiveEvent
 */
/** @typedef {import("./unpack.js").Played} Played */
/** @typedef {import("./unpack.js").Start} Start */
/**
 * @typedef {"fault" | "refused" | "pass" | "fall" | "capture" | "long" | "short"} MarkKind
 * @typedef {{ kind: MarkKind, text: string }} Mark
 * @typedef {{ ply: number, seat: number | null, played: Played | null, piles: number[][], groups: number[], changed: number[],
 *   fallen: number[], scores: number[] | null, left: (number | null)[], used: number[], sentences: string[], marks: Mark[],
 *   note: string, winning: number[], out: boolean[] }} Frame
 */

/** The sign of each kind of mark on the timeline, and what it is called. @type {Record<MarkKind, [string, string]>} */
export const MARKS = {
  fault: ["✕", "Fault"],
  refused: ["!", "Refused answer"],
  pass: ["○", "Pass"],
  fall: ["≈", "Earthquake"],
  capture: ["✦", "Big capture"],
  long: ["◆", "Long thought"],
  short: ["▼", "Time short"],
};

/** A capture of so many pieces is worth stopping at. */
const BIG_CAPTURE = 6;

/** A game, picture by picture. */
export class Story {
  /** @param {Start} start */
  constructor(start) {
    this.start = start;
    this.seats = start.seats;
    /** @type {Frame[]} */
    this.frames = [{
      ply: 0, seat: null, played: null, piles: start.piles, groups: start.groups, changed: [], fallen: [],
      scores: start.score,
      left: start.seats.map((player) => player.base_ms), used: start.seats.map(() => 0),
      sentences: [], marks: [], note: start.note ?? "", winning: [], out: start.seats.map(() => false),
    }];
    /** @type {import("./unpack.js").End | null} */
    this.end = null;
    /** Pictures after moves that used up the time. @type {number[]} */
    this.shorts = [];
    /** Whose turn it is, while the game is played. @type {Turn | null} */
    this.asked = null;
    /** The unfinished move of a person. @type {Draft | null} */
    this.draft = null;
    /** Whether what bots say of their moves waits until the game is over, or until somebody asks for it. */
    this.isSilent = false;
    this.hasSpoken = false;
    /** What waits. @type {[Played, Played["search"]][]} */
    this.unsaid = [];
  }

  /** A game that is over. @param {Start} start @param {Event[]} events @returns {Story} */
  static of(start, events) {
    const story = new Story(start);
    for (const event of events) story.hear(event);
    story.markThoughts();
    return story;
  }

  /** How many pieces lie on each other at most. @returns {number} */
  get highest() {
    return Math.max(1, ...this.frames.flatMap((frame) => frame.piles.map((pile) => pile.length)));
  }

  /** @param {number} seat @returns {string} */
  name(seat) {
    return this.seats[seat]?.name ?? `player ${seat + 1}`;
  }

  /** @param {number} cell @returns {string} */
  cellName(cell) {
    return this.start.scene.cells[cell]?.[2] ?? String(cell);
  }

  /** Hears of what happened next. @param {LiveEvent} event */
  hear(event) {
    if (event.ev === "start" || event.ev === "over") return;
    if (event.ev === "turn") return void (this.asked = event);
    if (event.ev === "draft") return void (this.draft = event);
    const now = this.frames[this.frames.length - 1];
    if (event.ev === "note") return void now.sentences.push(event.text);
    if (event.ev !== "refused") this.asked = this.draft = null;
    if (event.ev === "back") {
      this.takeBack(event);
    } else if (event.ev === "end") {
      this.end = event;
      this.speak();
      now.winning = event.winning;
      now.sentences.push(event.sentence);
      if (event.fault) now.marks.push({ kind: "fault", text: `${this.name(event.loser ?? 0)} ${event.fault.sentence}` });
    } else if (event.ev === "refused") {
      const text = `${this.name(event.seat)} answered ${event.answer}: ${event.sentence}`;
      now.marks.push({ kind: "refused", text });
      now.sentences.push(text);
    } else if (event.ev === "out") {
      const text = `${this.name(event.seat)} ${event.fault.sentence} and is out of the game.`;
      Object.assign(now, this.changed(now, event));
      now.out = now.out.map((is, seat) => is || seat === event.seat);
      now.marks.push({ kind: "fault", text });
      now.sentences.push(text);
    } else {
      this.played(now, event);
    }
  }

  /** Somebody takes a move back, and what was played since. @param {Back} event */
  takeBack({ seat, plies }) {
    this.frames.length = Math.max(1, this.frames.length - plies);
    this.shorts = this.shorts.filter((frame) => frame < this.frames.length);
    const now = this.frames[this.frames.length - 1];
    now.marks = now.marks.filter(({ kind }) => kind !== "refused");
    now.sentences = [`${this.name(seat)} takes back the last move.`];
  }

  /** Whoever plays is told what the bots think when the game is over, or before that when they ask. */
  silence() {
    if (this.end || this.hasSpoken) return;
    this.isSilent = true;
    for (const { played } of this.frames) if (played) this.keep(played);
  }

  /** @param {Played} played */
  keep(played) {
    if (!played.search) return;
    this.unsaid.push([played, played.search]);
    played.search = null;
  }

  /** Tells what has waited, and waits no more. */
  speak() {
    [this.isSilent, this.hasSpoken] = [false, true];
    for (const [played, search] of this.unsaid) played.search = search;
    this.unsaid = [];
  }

  /** @param {Frame} before @param {Played} event */
  played(before, event) {
    if (this.isSilent) this.keep(event);
    const { piles, groups } = this.changed(before, event);
    const { seat, move } = event;
    const who = this.name(seat);
    const turned = this.start.scene.turns ? event.changes.filter(({ cell }) => before.piles[cell].length > 0 && !move.path.includes(cell)).sort((a, b) => a.cell - b.cell) : [];
    /** @type {Mark[]} */
    const marks = [];
    const sentences = [];
    if (event.ev === "pass") {
      sentences.push(`${who} has no legal move and passes.`);
      marks.push({ kind: "pass", text: `${who} passes` });
    } else {
      const turning = turned.length > 0 ? `, turning ${turned.map(({ cell }) => this.cellName(cell)).join(" ")}` : "";
      sentences.push(`${who} ${event.by === 1 ? "opens with" : "plays"} ${move.text}${turning}.`);
    }
    if (turned.length >= BIG_CAPTURE) marks.push({ kind: "capture", text: `${who} turns ${counted(turned.length, "piece")}` });
    if (event.fallen.length > 0) {
      const fallen = event.fallen.map(([cell, tokens]) => `${this.cellName(cell)} lost ${counted(tokens, "token")}`).join(", ");
      sentences.push(`Earthquake: ${fallen}.`);
      marks.push({ kind: "fall", text: `Earthquake: ${fallen}` });
    }
    const player = this.seats[seat];
    const left = before.left.slice();
    const of = left[seat];
    if (of !== null && event.ms !== null) left[seat] = Math.max(0, of - event.ms) + (player.increment_ms ?? 0);
    const used = before.used.slice();
    used[seat] += event.ms ?? 0;
    const isShort = player.move_ms !== null ? (event.ms ?? 0) >= 0.9 * player.move_ms : player.base_ms !== null && (left[seat] ?? 0) < 0.1 * player.base_ms;
    this.frames.push({
      ply: before.ply + 1, seat, played: event, piles, groups, changed: turned.map(({ cell }) => cell),
      fallen: event.fallen.map(([cell]) => cell), scores: event.score, left, used, sentences, marks,
      note: event.note, winning: [], out: before.out,
    });
    if (isShort) this.shorts.push(this.frames.length - 1);
  }

  /** @param {Frame} before @param {{ changes: import("./unpack.js").Change[], groups: import("./unpack.js").GroupChange[] }} event */
  changed(before, event) {
    const piles = before.piles.slice();
    for (const { cell, pile } of event.changes) piles[cell] = pile;
    const groups = before.groups.slice();
    for (const { group, state } of event.groups) groups[group] = state;
    return { piles, groups };
  }

  /** Marks where time was short, unless it always was, and the thoughts that took far longer than a seat's others. */
  markThoughts() {
    const { shorts } = this;
    if (shorts.length <= Math.max(3, this.frames.length / 5)) {
      for (const frame of shorts) this.frames[frame].marks.push({ kind: "short", text: `${this.name(this.frames[frame].seat ?? 0)} used up its time` });
    }
    for (let seat = 0; seat < this.seats.length; seat++) {
      const own = this.frames.filter((frame) => frame.seat === seat && frame.played?.by === 0 && frame.played.ms);
      const times = own.map((frame) => frame.played?.ms ?? 0).sort((a, b) => a - b);
      const median = times[Math.floor(times.length / 2)] ?? 0;
      const longest = own.find((frame) => frame.played?.ms === times[times.length - 1]);
      if (longest && times.length > 4 && times[times.length - 1] > 5 * median) {
        longest.marks.push({ kind: "long", text: `${this.name(seat)} thought longest` });
      }
    }
  }

  /** Whose turn it is after a picture: the seat of the next one. @param {number} ply @returns {number | null} */
  toMove(ply) {
    return this.frames[ply + 1]?.seat ?? (ply === this.frames.length - 1 ? this.asked?.seat ?? null : null);
  }

  /** What the strongest bot present thinks of a picture: of the bots' last reports the one that looked deepest. The score is
   * that of the first of two seats; among more, the bot's own.
   * @param {number} ply @returns {{ seat: number, score: number, share: number, text: string } | null} */
  judged(ply) {
    /** @type {Map<number, import("./unpack.js").Search>} */
    const last = new Map();
    for (let at = ply; at > 0 && last.size < this.seats.length; at--) {
      const { seat, played } = this.frames[at];
      if (seat !== null && played?.search && !last.has(seat)) last.set(seat, played.search);
    }
    const [deepest] = [...last].filter(([, { value }]) => value !== null).sort(([, a], [, b]) => (b.depth ?? 0) - (a.depth ?? 0));
    if (!deepest) return null;
    const [by, { depth, value }] = deepest;
    const seat = this.seats.length === 2 ? 0 : by;
    const score = seat === by ? value ?? 0 : -(value ?? 0);
    // The same curve as on lichess: a piece ahead is about six tenths.
    const share = 1 / (1 + Math.exp(-0.003682 * score));
    return { seat, score, share, text: `${this.name(seat)}: ${valueText(score)}, says ${this.name(by)} at depth ${depth}` };
  }

  /** The pictures with marks. */
  get notable() {
    return this.frames.filter((frame) => frame.marks.length > 0);
  }
}
