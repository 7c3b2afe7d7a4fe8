// What a person can touch on a board, by mouse, by finger and by keys. It knows what it has been told of the turn, and no game.
import { CELL, seatClass } from "./board.js";
import { svg } from "./dom.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./story.js").Draft} Draft */

/** The cells of a board as buttons, and the marks of an unfinished move. */
export class Hand {
  /** Without an owner nothing can be touched: what could be is marked all the same.
   * @param {Board} board @param {{ pick: (cell: number) => void, finish: (cell: number) => void } | null} owner */
  constructor(board, owner) {
    this.board = board;
    this.owner = owner;
    /** The turn that is open for whoever sits here. @type {Draft | null} */
    this.draft = null;
    /** Which cell the keys are at. */
    this.cursor = 0;
    /** The cell that is pointed at. @type {number | null} */
    this.over = null;
    /** Where the keys wish to be, across. @type {number | null} */
    this.wished = null;
    this.isMarking = true;
    /** The cell that Tab leads to. @type {SVGElement | undefined} */
    this.reached = undefined;
    /** @type {SVGElement[]} */
    this.cells = [];
    this.marks = svg("g", { class: "handmarks", "aria-hidden": "true" });
    board.wear(this);
  }

  /** What lies over the board, drawn anew. @returns {SVGElement} */
  layer() {
    const { board, owner } = this;
    const had = this.hasFocus();
    this.marks = svg("g", { class: "handmarks", "aria-hidden": "true" });
    this.cells = !owner ? [] : board.scene.cells.map((_, cell) => {
      const shape = board.shape(cell);
      for (const [name, value] of Object.entries({ class: "cell", role: "button", tabindex: "-1" })) shape.setAttribute(name, value);
      shape.addEventListener("click", () => this.pick(cell));
      shape.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        owner.finish(cell);
      });
      shape.addEventListener("pointerenter", () => this.point(cell));
      shape.addEventListener("pointerleave", () => this.point(null));
      shape.addEventListener("focus", () => ((this.cursor = cell), this.point(cell)));
      shape.addEventListener("blur", () => this.point(null));
      return shape;
    });
    const layer = svg("g", { class: "hand" }, this.marks, ...this.cells);
    if (had) queueMicrotask(() => this.focus());
    return layer;
  }

  /** @param {number} cell */
  pick(cell) {
    this.cursor = cell;
    this.roam();
    this.owner?.pick(cell);
  }

  /** @param {number | null} cell */
  point(cell) {
    this.over = cell;
    this.mark();
  }

  /** Shows an open turn, or that there is none here. @param {Draft | null} draft */
  turn(draft) {
    const isNew = draft && (this.draft?.ply !== draft.ply || this.draft?.seat !== draft.seat);
    this.draft = draft;
    if (isNew && !this.hasFocus() && draft.targets.length > 0 && !draft.targets.includes(this.cursor)) this.cursor = this.inOrder(draft.targets)[0];
    this.show();
  }

  /** Says of every cell what it holds and what can be done with it. */
  show() {
    const { draft, board } = this;
    this.cells.forEach((shape, cell) => {
      const name = `${board.scene.cells[cell][2]} ${board.holds(cell)}`;
      const isTarget = draft?.targets.includes(cell) ?? false;
      shape.setAttribute("aria-label", `${name}${draft?.draft.includes(cell) ? ", chosen" : ""}${draft?.must.includes(cell) ? ", must be moved" : ""}${isTarget ? ", can be chosen" : ""}`);
      shape.classList.toggle("open", isTarget);
    });
    this.roam();
    this.mark();
  }

  /** One cell can be reached with Tab: the one that the keys are at. */
  roam() {
    const now = this.cells[this.cursor];
    if (now === this.reached) return;
    // Browsers take their time for this, so that no other cell is touched.
    this.reached?.setAttribute("tabindex", "-1");
    now?.setAttribute("tabindex", "0");
    this.reached = now;
  }

  /** Draws the marks of the unfinished move. */
  mark() {
    const { draft, board, marks } = this;
    marks.replaceChildren();
    if (!draft) return;
    const seat = seatClass(draft.seat);
    const reach = CELL * Math.min(1, board.scale);
    if (this.isMarking) {
      for (const cell of draft.targets) {
        const at = board.top(cell);
        const isEmpty = (board.frame?.piles[cell].length ?? 0) === 0;
        // Where pieces lie on each other, every cell can be chosen, and rings would only hide them.
        if (!isEmpty && board.scene.piles) continue;
        marks.append(svg("circle", { class: `target ${seat} ${isEmpty ? "" : "taken"}`, cx: at.x, cy: at.y, r: (isEmpty ? 0.11 : 0.43) * reach }));
      }
    }
    for (const cell of draft.must) {
      const at = board.top(cell);
      marks.append(svg("g", { class: "must" }, svg("circle", { cx: at.x + 0.28 * CELL, cy: at.y - 0.28 * CELL, r: 0.17 * CELL }), svg("text", { x: at.x + 0.28 * CELL, y: at.y - 0.28 * CELL }, "!")));
    }
    const road = draft.draft.map((cell) => board.top(cell));
    if (road.length > 1) marks.append(svg("polyline", { class: `draft ${seat}`, points: road.map(({ x, y }) => `${x},${y}`).join(" ") }));
    road.forEach(({ x, y }, step) => marks.append(svg("circle", { class: `chosen ${seat} ${step === road.length - 1 ? "end" : ""}`, cx: x, cy: y, r: 0.44 * reach })));
    if (road.length > 1) board.ghost(marks, draft.draft[draft.draft.length - 1], draft.seat);
    this.markPointed(draft);
  }

  /** What the move would change that is pointed at. @param {Draft} draft */
  markPointed(draft) {
    const { board, marks } = this;
    if (this.over === null) return;
    const cell = draft.lands[this.over] ?? this.over;
    if (!draft.targets.includes(cell)) return;
    const reach = CELL * Math.min(1, board.scale);
    if ((board.frame?.piles[cell].length ?? 0) === 0) board.ghost(marks, cell, draft.seat);
    for (const turned of draft.turns[cell] ?? []) {
      const at = board.top(turned);
      marks.append(svg("circle", { class: `would ${seatClass(draft.seat)}`, cx: at.x, cy: at.y, r: 0.26 * reach }));
    }
  }

  /** @returns {boolean} */
  hasFocus() {
    return this.cells.some((cell) => cell === document.activeElement);
  }

  /** Puts the keys on the board. */
  focus() {
    this.cells[this.cursor]?.focus({ preventScroll: true });
  }

  /** @param {number} cell */
  go(cell) {
    this.cursor = cell;
    this.roam();
    this.focus();
  }

  /** Cells in the order in which one reads. @param {number[]} cells @returns {number[]} */
  inOrder(cells) {
    const places = new Map(cells.map((cell) => [cell, this.board.cell(cell)]));
    const place = (/** @type {number} */ cell) => places.get(cell) ?? { x: 0, y: 0 };
    return [...cells].sort((a, b) => (Math.abs(place(a).y - place(b).y) > 1 ? place(a).y - place(b).y : place(a).x - place(b).x));
  }

  /** Goes to the next cell that can be chosen, or the last one. @param {number} by */
  next(by) {
    const targets = this.inOrder(this.draft?.targets ?? []);
    if (targets.length === 0) return;
    const here = targets.indexOf(this.cursor);
    this.go(targets[here < 0 ? (by > 0 ? 0 : targets.length - 1) : (here + by + targets.length) % targets.length]);
  }

  /** Goes to the cell beside: left and right in the row, up and down to the nearest row, where it keeps the column that was
   * wished for. @param {string} key */
  step(key) {
    const { board } = this;
    const here = board.cell(this.cursor);
    const others = board.scene.cells.map((_, cell) => ({ cell, at: board.cell(cell) })).filter(({ cell }) => cell !== this.cursor);
    const isAcross = key === "ArrowLeft" || key === "ArrowRight";
    if (isAcross) {
      const row = others.filter(({ at }) => Math.abs(at.y - here.y) < 0.3 * CELL && (key === "ArrowLeft" ? at.x < here.x : at.x > here.x));
      row.sort((a, b) => Math.abs(a.at.x - here.x) - Math.abs(b.at.x - here.x));
      this.wished = null;
      if (row[0]) this.go(row[0].cell);
      return;
    }
    const beyond = others.filter(({ at }) => (key === "ArrowUp" ? at.y < here.y - 0.3 * CELL * board.scale : at.y > here.y + 0.3 * CELL * board.scale));
    if (beyond.length === 0) return;
    const nearest = Math.min(...beyond.map(({ at }) => Math.abs(at.y - here.y)));
    const row = beyond.filter(({ at }) => Math.abs(at.y - here.y) < nearest + 0.3 * CELL * board.scale);
    const wished = this.wished ?? here.x;
    row.sort((a, b) => Math.abs(a.at.x - wished) - Math.abs(b.at.x - wished));
    this.go(row[0].cell);
    this.wished = wished;
  }
}
