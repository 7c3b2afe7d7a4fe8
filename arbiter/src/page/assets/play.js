// A game that is being played: it is watched, looked back at, and played by whoever sits at this page.
import { Hand } from "./hand.js";
import { button, el } from "./dom.js";
import { Replay } from "./replay.js";
import { clockText } from "./words.js";

/** @typedef {import("./story.js").Story} Story */
/** @typedef {import("./story.js").Draft} Draft */
/** @typedef {import("./connection.js").Connection} Connection */
/**
 * The page around a game.
 * @typedef {{ connection: Connection, plays: number[], asksAfterPass: boolean, moved: (ply: number) => void,
 *   other: (by: number) => void, hasNext: () => boolean }} Page
 */

/** The keys of somebody who plays, as they are told. @type {[string, string][]} */
const PLAY_KEYS = [
  ["arrows", "on the board: move to another cell"],
  ["Space", "on the board: choose the cell"],
  ["Enter", "finish the move, or choose the cell"],
  ["u or Backspace", "take back the last part of the unfinished move, or where that was agreed on the last move"],
  ["Esc", "put the piece down"],
  ["n N", "to the next and previous cell that can be chosen; while others move, fault, pass, big capture or earthquake"],
  ["t", "type a move"],
  ["1 – 9", "choose a column, where columns have numbers"],
  ["h", "marks of what can be chosen"],
  ["d", "what the bots think, then the line that they expect on the board"],
];
/** How long the picture of a pass stays. */
const PASS_SHOWN = 1500;
/** A second click on the cell that has finished a move belongs to the first one. */
const DOUBLE = 500;

/** A game on the page. */
export class Play {
  /** @param {Story} story @param {Page} page */
  constructor(story, page) {
    this.story = story;
    this.page = page;
    /** Whether this page shows what happens, or the past. */
    this.isLive = true;
    /** Whether the page goes on by itself: who is shown a pass on the way does not look at the past. */
    this.isAdvancing = false;
    /** Until when a pass is shown. */
    this.held = 0;
    /** The cell whose click has finished a move, and when. */
    this.finished = { cell: -1, at: -DOUBLE };
    /** The turn that has been said to be on the screen. */
    this.shown = "";
    this.seats = story.seats.flatMap((seat, number) => (seat.player !== undefined && page.plays.includes(seat.player) ? [number] : []));
    this.prompt = el("p", { class: "prompt", role: "status" });
    this.why = el("p", { class: "why", role: "alert" });
    this.finish = button("Finish the move (Enter)", "Finish move ⏎", () => this.act({ act: "finish" }), { class: "primary", disabled: true, "aria-label": null });
    this.undo = button("Take back the last part (u)", "Undo ⌫", () => this.act({ act: "back" }), { disabled: true, "aria-label": null });
    this.actions = el("span", { class: "actions" });
    this.resign = button("Resign: the game is lost then", "Resign", () => this.askToResign(), { class: "resign" });
    this.next = button("Go on (Enter)", "Next game ⏎", () => this.goOn(), { class: "primary", hidden: true, "aria-label": null });
    this.typed = el("form", { class: "typed" }, el("label", {}, "Type a move ", el("input", { name: "command", autocomplete: "off", spellcheck: "false", maxlength: 200 })), button("Play what is typed", "Play", () => this.typed.requestSubmit()));
    this.typed.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.type();
    });
    const isPlayer = this.seats.length > 0;
    if (isPlayer) story.silence();
    this.panel = el("section", { class: "turnpanel", "aria-label": "Turn" }, this.prompt,
      isPlayer && this.why, el("div", { class: "buttons" }, isPlayer && this.finish, isPlayer && this.undo, isPlayer && this.actions, this.next, isPlayer && this.resign), isPlayer && this.typed);
    this.replay = new Replay(story, {
      moved: (ply) => this.moved(ply), other: page.other, leave: () => this.act({ act: "clear" }, true), panel: this.panel,
      keys: isPlayer ? PLAY_KEYS : [], clock: (seat) => this.clock(seat), isOwn: (seat) => this.seats.length === 1 && this.seats[0] === seat,
    });
    this.hand = isPlayer ? new Hand(this.replay.board, { pick: (cell) => void this.pick(cell), finish: (cell) => void this.pickAndFinish(cell) }) : null;
    const { start } = story;
    this.element.querySelector("#replay-title")?.replaceChildren(start.scene.title, el("small", {}, `game ${start.game}`));
    this.turnHome();
    this.timer = window.setInterval(() => this.tick(), 100);
    this.replay.go(this.replay.last);
  }

  /** Lets go of everything that runs. */
  leave() {
    window.clearInterval(this.timer);
    this.replay.pause();
  }

  get element() {
    return this.replay.element;
  }

  /** Turns a board that looks the same all round until the home of whoever sits here is at the bottom. */
  turnHome() {
    const { board } = this.replay;
    if (board.step !== 60 || this.seats.length !== 1) return;
    const own = this.story.frames[0].piles.flatMap((pile, cell) => (pile.at(-1) === this.seats[0] + 1 ? [cell] : []));
    const depth = () => own.reduce((sum, cell) => sum + board.cell(cell).y, 0);
    let [best, deepest] = [0, -Infinity];
    for (let turn = 0; turn < 360; turn += 60) {
      board.view.turn = turn;
      if (depth() > deepest + 1) [best, deepest] = [turn, depth()];
    }
    board.look({ turn: best });
  }

  /** Whether the unfinished move is of somebody who sits here, and can be seen. @returns {Draft | null} */
  get draft() {
    const { draft } = this.story;
    return draft && !this.page.connection.isOver && this.isNow() && this.seats.includes(draft.seat) && draft.ply === this.replay.last ? draft : null;
  }

  /** What a tour of the boards shows that a hand could do. @returns {Draft | null} */
  get posed() {
    const { draft } = this.story;
    return draft && this.isNow() && this.story.seats[draft.seat]?.kind === "bot" ? draft : null;
  }

  /** @returns {boolean} */
  isNow() {
    return this.replay.ply === this.replay.last && performance.now() >= this.held;
  }

  /** Takes in what has happened. @param {import("./connection.js").Told[]} events */
  hear(events) {
    const before = this.replay.last;
    for (const event of events) {
      this.story.hear(event);
      // The turn that is open again is another one than the one that has been seen.
      if (event.ev === "back") this.shown = "";
      if (event.ev === "move" || event.ev === "pass" || event.ev === "out" || event.ev === "end") this.say("");
    }
    const hasGrown = events.some(({ ev }) => ev !== "turn" && ev !== "draft");
    if (hasGrown && this.isLive && this.replay.last > before) this.advance();
    else if (hasGrown && this.replay.ply > this.replay.last) this.replay.go(this.replay.last);
    else if (hasGrown && this.isNow()) this.replay.go(this.replay.ply);
    else if (events.some(({ ev }) => ev === "turn")) this.replay.showPlayers();
    if (hasGrown) window.setTimeout(() => this.replay.grow(), 0);
    this.show();
  }

  /** Goes on to the newest picture, but lets people read that somebody passes. */
  advance() {
    const { story, replay } = this;
    if (performance.now() < this.held) return;
    const isFar = replay.last - replay.ply > 8;
    this.isAdvancing = true;
    while (replay.ply < replay.last) {
      replay.go(isFar ? replay.last : replay.ply + 1);
      if (!isFar && story.frames[replay.ply].played?.ev === "pass") {
        const isAsking = this.page.asksAfterPass && this.seats.length > 0;
        this.held = isAsking ? Infinity : performance.now() + PASS_SHOWN;
        if (!isAsking) window.setTimeout(() => this.release(), PASS_SHOWN);
        break;
      }
    }
    this.isAdvancing = false;
  }

  /** The pass has been read. */
  release() {
    this.held = 0;
    if (this.isLive) this.advance();
    this.show();
  }

  /** The replay has gone somewhere. @param {number} ply */
  moved(ply) {
    if (!this.replay) return;
    this.isLive = this.isAdvancing || ply === this.replay.last;
    this.page.moved(ply);
    this.show();
  }

  /** Shows whose turn it is, and what can be done. */
  show() {
    const { story, draft } = this;
    if (this.posed) this.hand ??= new Hand(this.replay.board, null);
    this.hand?.turn(draft ?? this.posed);
    const { end } = story;
    const isHeld = performance.now() < this.held;
    this.prompt.replaceChildren(this.promptText());
    this.panel.classList.toggle("mine", draft !== null);
    this.finish.disabled = !draft?.can_finish;
    const isTouched = draft !== null && (draft.draft.length > 0 || draft.pending !== null);
    const takesBack = draft !== null && !isTouched && draft.may_take_back;
    this.undo.disabled = !isTouched && !takesBack;
    this.undo.title = takesBack ? "Take back the last move (u)" : "Take back the last part (u)";
    this.undo.replaceChildren(takesBack ? "Take back ⌫" : "Undo ⌫");
    this.actions.replaceChildren(...(draft?.actions ?? []).filter(({ id }) => id !== "finish").map(({ id, label }) => button(`${label} (${id[0]})`, label, () => this.act({ act: "action", text: id }))));
    this.resign.disabled = !draft;
    for (const of of this.typed.querySelectorAll("input, button")) of.toggleAttribute("disabled", end !== null || this.page.connection.isOver);
    this.next.hidden = !((end && this.page.hasNext()) || (isHeld && this.held === Infinity));
    this.next.replaceChildren(isHeld ? "Go on ⏎" : "Next game ⏎");
    this.element.classList.toggle("past", !this.isLive);
    document.title = `${draft ? "● your turn – " : end ? "over – " : ""}${story.start.scene.title}`;
    if (draft) this.tellShown(draft);
    this.tick();
  }

  /** @returns {string} */
  promptText() {
    const { story, replay } = this;
    const { end, asked } = story;
    if (!this.isLive) return end ? "This is how it was." : "This is how it was: the game goes on.";
    if (end) {
      const places = this.seats.map((seat) => end.ranks[seat]);
      const firsts = end.ranks.filter((rank) => rank === 1).length;
      const own = places.length !== 1 || end.ranks.length === 0 ? "" : places[0] !== 1 ? "You lose. " : firsts > 1 ? "A draw. " : "You win. ";
      return `${own}${end.sentence}`;
    }
    const { draft } = this;
    if (draft) {
      const whose = this.seats.length > 1 ? `${story.name(draft.seat)} (${story.start.scene.signs[draft.seat]}): your turn.` : `Your turn (${story.start.scene.signs[draft.seat]}).`;
      const road = draft.pending ?? draft.draft.map((cell) => story.cellName(cell)).join("-");
      const must = draft.must.length > 0 ? ` You must move ${draft.must.map((cell) => story.cellName(cell)).join(" or ")}.` : "";
      const note = story.frames[replay.last].note;
      return `${whose}${road ? ` Your move so far: ${road}.` : note ? ` ${note}` : ""}${must}`;
    }
    if (performance.now() < this.held) return story.frames[replay.ply].sentences.join(" ");
    return asked ? `${story.name(asked.seat)} (${story.start.scene.signs[asked.seat]}) is to move.` : story.frames[replay.ply].sentences.at(-1) ?? "";
  }

  /** The clock of whoever sits here begins when the turn can be seen. @param {Draft} draft */
  tellShown(draft) {
    const turn = `${draft.ply} ${draft.seat}`;
    // What is not on the page yet cannot be seen, nor take the keys.
    if (this.shown === turn || document.hidden || !this.element.isConnected) return;
    this.shown = turn;
    void this.tell({ act: "shown" }, draft);
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || activeElement === document.getElementById("main")) this.hand?.focus();
  }

  /** What a clock shows, of whoever is to move as it runs. @param {number} seat @returns {string | null} */
  clock(seat) {
    const { asked, draft, end } = this.story;
    const left = asked?.clocks[seat];
    if (!asked || left === null || left === undefined || end) return null;
    const isRunning = asked.seat === seat;
    const isPerson = this.story.seats[seat].kind === "human";
    const gone = isRunning ? draft?.gone ?? 0 : 0;
    // A person's clock runs from when the turn was seen.
    const runs = isRunning && (isPerson ? draft && draft.gone !== null && !draft.is_stopped : true);
    const since = runs ? this.page.connection.since((draft ?? asked).t) : 0;
    return clockText(Math.max(0, left - gone - since), isRunning, isPerson);
  }

  /** Lets clocks run, and passes go. */
  tick() {
    const { asked, end } = this.story;
    if (end || !asked || asked.clocks.every((left) => left === null)) return;
    const clocks = this.element.querySelectorAll(".players .clock");
    if (this.replay.ply === this.replay.last) clocks.forEach((clock, seat) => {
      const text = this.clock(seat);
      if (text !== null && clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("short", text?.startsWith("Time short") ?? false);
    });
  }

  /** Says why something did nothing, or nothing more. @param {string} why */
  say(why) {
    if (this.why.textContent !== why) this.why.replaceChildren(why);
  }

  /** @param {Record<string, any>} what @param {Draft} draft */
  tell(what, draft) {
    return this.page.connection.say({ game: this.story.start.game, seat: draft.seat, ply: draft.ply, ...what });
  }

  /** Does something in the open turn, and says why if nothing came of it. @param {Record<string, any>} what @param {boolean} isQuiet @returns {Promise<boolean>} */
  async act(what, isQuiet = false) {
    const { draft } = this;
    if (!draft) {
      if (!isQuiet) this.say(this.whyNot());
      return false;
    }
    this.say("");
    const answer = await this.tell(what, draft);
    if (!answer.ok) this.say(answer.why ?? "");
    return answer.ok;
  }

  /** @returns {string} */
  whyNot() {
    const { end, asked } = this.story;
    if (!this.isLive) return "This is the past: End leads back to the game.";
    if (end) return `The game is over. ${end.sentence}`;
    if (!this.isNow()) return this.held === Infinity ? "Go on (Enter) leads to what came after the pass." : "The pass is still shown.";
    return asked ? `It is ${this.story.name(asked.seat)}'s turn.` : "Nobody is asked for a move now.";
  }

  /** @param {number} cell */
  async pick(cell) {
    const { draft } = this;
    const now = performance.now();
    if (cell === this.finished.cell && now - this.finished.at < DOUBLE) return;
    if (draft) this.finished = { cell, at: now };
    // The chosen stack once more is its first action.
    const action = draft?.draft.length === 1 && draft.draft[0] === cell ? draft.actions.find(({ id }) => id !== "finish") : undefined;
    const isDone = await this.act(action ? { act: "action", text: action.id } : { act: "pick", cell });
    if (!isDone || this.draft === draft || this.story.draft?.draft.length) this.finished.at = -DOUBLE;
  }

  /** Ends the move with a cell: by the right button. @param {number} cell */
  async pickAndFinish(cell) {
    const { draft } = this;
    if (draft?.can_finish && draft.draft.at(-1) === cell) return void this.act({ act: "finish" });
    if (draft?.targets.includes(cell) && (await this.act({ act: "pick", cell })) && this.draft?.can_finish && this.draft.draft.at(-1) === cell) {
      void this.act({ act: "finish" });
    } else if (draft?.can_finish) void this.act({ act: "finish" });
  }

  async type() {
    const input = /** @type {HTMLInputElement} */ (this.typed.elements.namedItem("command"));
    const text = input.value.trim();
    if (text === "") return;
    if (await this.act({ act: "typed", text })) input.value = "";
    else input.select();
  }

  askToResign() {
    if (!this.draft) return void this.say(this.whyNot());
    const sure = button("Yes, resign", "Yes, resign", () => void this.act({ act: "resign" }), { class: "resign" });
    const not = button("No, go on playing", "No", () => this.say(""));
    this.why.replaceChildren("The game is lost then. ", sure, " ", not);
    not.focus();
  }

  /** To the next game, or on after a pass. */
  goOn() {
    if (performance.now() < this.held) this.release();
    else if (this.story.end) this.page.other(1);
  }

  /** Does what a key says. @param {KeyboardEvent} event @returns {boolean} whether it means something */
  key(event) {
    const { key } = event;
    const { hand, draft } = this;
    const isOnBoard = hand?.hasFocus() ?? false;
    if (key === "Enter" && !this.next.hidden) return (this.goOn(), true);
    if (hand && isOnBoard) {
      if (key.startsWith("Arrow")) return (hand.step(key), true);
      if (key === " " || key === "p") return (void this.pick(hand.cursor), true);
      if (key === "Enter") return (void (draft?.can_finish ? this.act({ act: "finish" }) : this.pick(hand.cursor)), true);
    }
    if (hand && draft) {
      const action = draft.actions.find(({ id }) => id !== "finish" && id[0] === key);
      if (action) return (void this.act({ act: "action", text: action.id }), true);
      if (key === "Enter" && draft.can_finish) return (void this.act({ act: "finish" }), true);
      if (key === "u" || key === "Backspace") return (void this.act({ act: "back" }), true);
      if (key === "Escape") return (void this.act({ act: "clear" }), true);
      if (key === "n" || key === "N") return (hand.next(key === "n" ? 1 : -1), true);
      const named = draft.targets.filter((cell) => this.story.cellName(cell) === key);
      const column = this.column(key);
      if (named.length === 1 || column !== undefined) return (void this.act({ act: "pick", cell: named[0] ?? column }), true);
    }
    if (hand && key === "t") return (this.typed.querySelector("input")?.focus(), true);
    if (hand && key === "h") {
      hand.isMarking = !hand.isMarking;
      hand.mark();
      return true;
    }
    return this.replay.key(key);
  }

  /** The cell of a column that bears this number and can be chosen. @param {string} key @returns {number | undefined} */
  column(key) {
    const { scene } = this.story.start;
    if (scene.field !== "rack" || !/^[0-9]$/.test(key)) return undefined;
    const label = scene.labels.find(([, , text]) => text === key);
    return label && this.draft?.targets.find((cell) => scene.cells[cell][0] === label[0]);
  }
}
