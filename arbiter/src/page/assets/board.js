// A board, drawn from the scene that the rules describe. Nothing here knows a game.
import { el, svg, table } from "./dom.js";

/** @typedef {import("./unpack.js").Scene} Scene */
/** @typedef {import("./story.js").Frame} Frame */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ turn: number, names: boolean, slanted: boolean, bar: boolean }} View */

/** The distance between two cells. */
export const CELL = 100;
/** The height of a token on a slanted drawing. */
const TOKEN = 17;

/** The class that gives a seat its colour. @param {number} seat @returns {string} */
export function seatClass(seat) {
  return `s${seat % 6}`;
}

/** A drawing of a scene, which can be shown with one picture after the other. */
export class Board {
  /** @param {Scene} scene @param {number} highest how many pieces lie on each other at most */
  constructor(scene, highest) {
    this.scene = scene;
    this.highest = highest;
    /** @type {View} */
    this.view = { turn: 0, names: true, slanted: false, bar: false };
    /** @type {Point} */
    this.middle = { x: 0, y: 0 };
    /** @type {Point} */
    this.low = this.middle;
    /** @type {Point} */
    this.high = this.middle;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {{ cells: number[], seat: number }[]} */
    this.ahead = [];
    /** How full the bar is, and whose. @type {{ share: number, seat: number } | null} */
    this.judged = null;
    /** What a person can touch. @type {import("./hand.js").Hand | null} */
    this.hand = null;
    this.svg = svg("svg", { class: `board ${scene.field}`, role: "img" });
    this.marks = svg("g", {});
    this.pieces = svg("g", { class: `pieces ${scene.pieces}` });
    this.over = svg("g", {});
    this.bar = svg("g", { class: "evaluation" });
    /** The boards within the board. @type {{ frame: SVGElement, lines: SVGElement, low: Point, high: Point }[]} */
    this.frames = [];
    this.text = el("div", { class: "boardtext textonly", role: "group", tabindex: 0, "aria-label": "Board in words" });
    this.element = el("div", { class: "boardbox" }, this.svg, this.text);
    this.build();
  }

  /** How far a turn goes: a star has six sides, a rack stands upright. @returns {number} */
  get step() {
    return this.scene.field === "holes" ? 60 : this.scene.field === "rack" ? 0 : 180;
  }

  /** Turns the board a step on. */
  turnOn() {
    this.look({ turn: (this.view.turn + this.step) % 360 });
  }

  /** Shows a part of it, or no more. @param {"names" | "slanted"} part */
  flip(part) {
    this.look({ ...this.view, [part]: !this.view[part] });
  }

  /** Changes how the board is seen. @param {Partial<View>} change */
  look(change) {
    Object.assign(this.view, change);
    this.build();
  }

  /** A point of the layout on the drawing. @param {number} x @param {number} y @returns {Point} */
  at(x, y) {
    const [dx, dy] = [(x - this.middle.x) / 10, (y - this.middle.y) / 10];
    if (this.view.slanted) return { x: (dx - dy) * 0.78, y: (dx + dy) * 0.42 };
    const angle = (this.view.turn * Math.PI) / 180;
    return { x: dx * Math.cos(angle) - dy * Math.sin(angle), y: dx * Math.sin(angle) + dy * Math.cos(angle) };
  }

  /** @param {number} cell @returns {Point} */
  cell(cell) {
    const [x, y] = this.scene.cells[cell];
    return this.at(x, y);
  }

  /** Draws what does not change. */
  build() {
    const { scene, view } = this;
    const [xs, ys] = [scene.cells.map((cell) => cell[0]), scene.cells.map((cell) => cell[1])];
    this.middle = { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2 };
    const ground = svg("g", { class: "ground" });
    this.low = { x: Infinity, y: Infinity };
    this.high = { x: -Infinity, y: -Infinity };
    for (let cell = 0; cell < scene.cells.length; cell++) this.stretch(this.cell(cell), view.slanted ? 0.8 * CELL : CELL / 2);
    const [low, high] = [{ ...this.low }, { ...this.high }];
    if (view.slanted) this.slantedGround(ground);
    else {
      if (scene.field === "ruled") this.ruled(ground);
      else if (scene.field === "holes") this.holes(ground);
      else if (scene.field === "hexagons") this.hexagons(ground);
      else this.squares(ground, low, high);
      if (view.names) {
        for (const [x, y, text] of scene.labels) {
          const at = this.at(x, y);
          this.stretch(at, 0.18 * CELL);
          ground.append(svg("text", { class: "label", x: at.x, y: at.y }, text));
        }
      }
    }
    const margin = 0.12 * CELL;
    if (view.bar) this.low = { x: this.low.x - 0.36 * CELL, y: this.low.y };
    const [x, y] = [this.low.x - margin, this.low.y - margin];
    this.svg.setAttribute("viewBox", [x, y, this.high.x + margin - x, this.high.y + margin - y].map((number) => number.toFixed(1)).join(" "));
    const defs = svg("defs", {}, gradient("stone-0", ["hi", "mid", "lo"]), gradient("stone-1", ["hi", "mid", "lo"]));
    this.svg.replaceChildren(defs, ground, this.marks, this.pieces, this.over, this.bar);
    if (this.hand) this.svg.append(this.hand.layer());
    if (this.frame) this.show(this.frame, this.ahead);
    this.weigh(this.judged);
  }

  /** Lets a person touch the board. @param {import("./hand.js").Hand} hand */
  wear(hand) {
    this.hand = hand;
    this.svg.setAttribute("role", "group");
    this.build();
  }

  /** The shape of a cell, for whoever points at it. @param {number} cell @returns {SVGElement} */
  shape(cell) {
    if (this.view.slanted) return svg("polygon", { points: this.slab(cell) });
    const at = this.cell(cell);
    if (["holes", "hexagons"].includes(this.scene.field)) return svg("circle", { cx: at.x, cy: at.y, r: 0.49 * CELL });
    return tile("", at, CELL * this.scale, CELL * this.scale, 6);
  }

  /** Where the uppermost piece of a cell lies. @param {number} cell @returns {Point} */
  top(cell) {
    const at = this.cell(cell);
    if (!this.view.slanted) return at;
    return { x: at.x, y: at.y - (this.frame?.piles[cell].length ?? 0) * TOKEN };
  }

  /** A piece that is not there yet. @param {SVGElement} layer @param {number} cell @param {number} seat */
  ghost(layer, cell, seat) {
    const isPile = this.scene.piles && !this.view.slanted;
    const { x, y } = this.top(cell);
    const [at, reach] = isPile ? [{ x: x - 0.1 * CELL, y: y + 0.05 * CELL }, 0.31] : [{ x, y }, 0.39 * Math.min(1, this.scale)];
    layer.append(svg("g", { class: `ghost pieces ${this.scene.pieces}` }, this.token(seat, at, reach * CELL)));
  }

  /** Makes room. @param {Point} at @param {number} by */
  stretch(at, by) {
    this.low = { x: Math.min(this.low.x, at.x - by), y: Math.min(this.low.y, at.y - by) };
    this.high = { x: Math.max(this.high.x, at.x + by), y: Math.max(this.high.y, at.y + by) };
  }

  /** @param {SVGElement} ground @param {Point} low @param {Point} high */
  squares(ground, low, high) {
    const rim = 0.12 * CELL;
    ground.append(tile("panel", { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 }, high.x - low.x + 2 * rim, high.y - low.y + 2 * rim, 14));
    this.stretch({ x: low.x, y: low.y }, rim);
    this.stretch({ x: high.x, y: high.y }, rim);
    for (let cell = 0; cell < this.scene.cells.length; cell++) {
      const at = this.cell(cell);
      if (this.scene.field === "rack") ground.append(svg("circle", { class: "opening", cx: at.x, cy: at.y, r: 0.41 * CELL }));
      else if (this.scene.field === "cloth") ground.append(tile("square", at, CELL, CELL, 0));
      else ground.append(tile("square", at, 0.95 * CELL, 0.95 * CELL, 8));
    }
  }

  /** @param {SVGElement} ground */
  ruled(ground) {
    const { groups, cells } = this.scene;
    this.frames = (groups.length > 0 ? groups : [cells.map((_, cell) => cell)]).map((group) => {
      const [low, high] = this.extent(group);
      const frame = tile("grid", { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 }, high.x - low.x, high.y - low.y, 8);
      ground.append(frame);
      const lines = svg("g", { class: "lines" });
      for (let x = low.x + CELL * this.scale; x < high.x - 1; x += CELL * this.scale) lines.append(svg("line", { x1: x, x2: x, y1: low.y + 6, y2: high.y - 6 }));
      for (let y = low.y + CELL * this.scale; y < high.y - 1; y += CELL * this.scale) lines.append(svg("line", { y1: y, y2: y, x1: low.x + 6, x2: high.x - 6 }));
      ground.append(lines);
      return { frame, lines, low, high };
    });
  }

  /** How far cells of a board within the board are from each other. @returns {number} */
  get scale() {
    const group = this.scene.groups[0];
    if (!group || group.length < 2) return 1;
    const [a, b] = [this.scene.cells[group[0]], this.scene.cells[group[1]]];
    return Math.hypot(a[0] - b[0], a[1] - b[1]) / 1000;
  }

  /** The corners of some cells. @param {number[]} cells @returns {[Point, Point]} */
  extent(cells) {
    const half = (CELL * this.scale) / 2;
    const places = cells.map((cell) => this.cell(cell));
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    return [{ x: Math.min(...xs) - half, y: Math.min(...ys) - half }, { x: Math.max(...xs) + half, y: Math.max(...ys) + half }];
  }

  /** @param {SVGElement} ground */
  holes(ground) {
    const { cells, homes } = this.scene;
    const corners = homes.flatMap((home) => home.corners).concat(cells.map(([x, y]) => [x, y]));
    const { x, y } = this.middle;
    const reach = Math.max(...corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y))) / 10 + 0.25 * CELL;
    ground.append(svg("circle", { class: "panel", cx: 0, cy: 0, r: reach }));
    this.stretch({ x: 0, y: 0 }, reach);
    for (const home of homes) ground.append(this.area(home.corners, home.seat === null ? "home" : `home ${seatClass(home.seat)}`));
    for (let i = 0; i < cells.length; i++) {
      for (let j = i + 1; j < cells.length; j++) {
        if (Math.hypot(cells[i][0] - cells[j][0], cells[i][1] - cells[j][1]) > 1010) continue;
        const [from, to] = [this.cell(i), this.cell(j)];
        ground.append(svg("line", { class: "road", x1: from.x, y1: from.y, x2: to.x, y2: to.y }));
      }
    }
    for (let cell = 0; cell < cells.length; cell++) {
      const at = this.cell(cell);
      ground.append(svg("circle", { class: "hole", cx: at.x, cy: at.y, r: 0.3 * CELL }));
      if (this.scene.named && this.view.names) ground.append(svg("text", { class: "name", x: at.x, y: at.y }, cells[cell][2]));
    }
  }

  /** @param {SVGElement} ground */
  hexagons(ground) {
    for (const home of this.scene.homes) {
      ground.append(this.area(home.corners, home.seat === null ? "home" : `home ${seatClass(home.seat)}`));
      for (const [x, y] of home.corners) this.stretch(this.at(x, y), 0);
    }
    const [reach, half] = [CELL / Math.sqrt(3), CELL / 2];
    const around = [[0, -reach], [half, -reach / 2], [half, reach / 2], [0, reach], [-half, reach / 2], [-half, -reach / 2]];
    for (let cell = 0; cell < this.scene.cells.length; cell++) {
      const at = this.cell(cell);
      ground.append(svg("polygon", { class: "square", points: around.map(([x, y]) => `${at.x + x},${at.y + y}`).join(" ") }));
    }
  }

  /** @param {[number, number][]} corners @param {string} name @returns {SVGElement} */
  area(corners, name) {
    const points = corners.map(([x, y]) => this.at(x, y));
    return svg("polygon", { class: name, points: points.map(({ x, y }) => `${x},${y}`).join(" ") });
  }

  /** @param {SVGElement} ground */
  slantedGround(ground) {
    for (let cell = 0; cell < this.scene.cells.length; cell++) ground.append(svg("polygon", { class: "square", points: this.slab(cell) }));
    this.low = { x: this.low.x, y: this.low.y - this.highest * TOKEN };
  }

  /** The corners of a slanted cell. @param {number} cell @returns {string} */
  slab(cell) {
    const [x, y] = this.scene.cells[cell];
    const corners = [[-470, -470], [470, -470], [470, 470], [-470, 470]].map(([dx, dy]) => this.at(x + dx, y + dy));
    return corners.map((at) => `${at.x.toFixed(1)},${at.y.toFixed(1)}`).join(" ");
  }

  /** Shows a picture, and over it what a bot expected. @param {Frame} frame @param {{ cells: number[], seat: number }[]} ahead */
  show(frame, ahead = []) {
    this.frame = frame;
    this.ahead = ahead;
    const { scene } = this;
    const last = frame.played?.move.path ?? [];
    const { marks, pieces, over } = this;
    for (const layer of [marks, pieces, over]) layer.replaceChildren();
    if (this.view.slanted) {
      this.slantedPieces(frame, last);
    } else {
      const won = this.groups(frame, marks, over);
      const isSquare = scene.field === "ruled" || scene.field === "tiles" || scene.field === "cloth";
      const whole = new Set(scene.groups.filter((group) => group.every((cell) => frame.winning.includes(cell))).flat());
      const winning = frame.winning.filter((cell) => !whole.has(cell));
      if (isSquare) {
        for (const cell of last) marks.append(tile("last", this.cell(cell), 0.97 * CELL * this.scale, 0.97 * CELL * this.scale, 6));
        for (const cell of winning) marks.append(tile("winning", this.cell(cell), 0.97 * CELL * this.scale, 0.97 * CELL * this.scale, 6));
      }
      if (last.length > 1) {
        const road = last.map((cell) => this.cell(cell));
        marks.append(svg("polyline", { class: "path", points: road.map(({ x, y }) => `${x},${y}`).join(" ") }));
        marks.append(svg("circle", { class: "origin", cx: road[0].x, cy: road[0].y, r: 0.2 * CELL }));
      }
      frame.piles.forEach((pile, cell) => {
        if (pile.length > 0 && !won.has(cell)) this.piece(pieces, cell, pile);
      });
      if (!isSquare) {
        const end = last.at(-1);
        if (end !== undefined) over.append(this.ring("ring", end));
        for (const cell of winning) over.append(this.ring("ring winning", cell));
      }
      for (const cell of frame.changed) {
        const at = this.cell(cell);
        over.append(svg("circle", { class: "turned", cx: at.x, cy: at.y, r: 0.1 * CELL }));
      }
      for (const cell of frame.fallen) over.append(tile("fallen", this.cell(cell), 0.9 * CELL, 0.9 * CELL, 6));
      this.expected(over);
    }
    this.svg.setAttribute("aria-label", this.spoken());
    this.hand?.show();
    this.text.replaceChildren(...(document.documentElement.classList.contains("textmode") ? [this.asTable()] : []));
  }

  /** Fills the bar beside the board: from below with the share of a seat, above it with what is left to the other one.
   * @param {{ share: number, seat: number } | null} judged */
  weigh(judged) {
    const { low, high, scene } = this;
    this.judged = judged;
    const [height, share] = [high.y - low.y, judged?.share ?? 0];
    const part = (/** @type {string} */ name, /** @type {number} */ top, /** @type {number} */ part) => svg("rect", { class: name, x: low.x, y: low.y + top * height, width: 0.22 * CELL, height: part * height });
    const name = (/** @type {number} */ seat) => (scene.pieces === "stones" ? `stone${seat}` : seatClass(seat));
    const other = judged && scene.letters.length === 2 ? name(1 - judged.seat) : "nobody";
    this.bar.replaceChildren(...(this.view.bar ? [part(other, 0, 1 - share), part(judged ? name(judged.seat) : "nobody", 1 - share, share), part("middle", 0.498, 0.004)] : []));
  }

  /** The states of boards within the board, and the cells under a big sign. @param {Frame} frame @param {SVGElement} marks @param {SVGElement} over @returns {Set<number>} */
  groups(frame, marks, over) {
    /** @type {Set<number>} */
    const won = new Set();
    this.scene.groups.forEach((group, index) => {
      const state = frame.groups[index] ?? 0;
      const of = this.frames[index];
      if (!of) return;
      const name = state === 1 ? "grid forced" : state === 2 ? "grid drawn" : state >= 3 ? `grid won ${seatClass(state - 3)}` : "grid";
      of.frame.setAttribute("class", name);
      of.lines.setAttribute("class", state >= 3 ? "lines hidden" : "lines");
      if (state >= 3) {
        group.forEach((cell) => won.add(cell));
        const middle = { x: (of.low.x + of.high.x) / 2, y: (of.low.y + of.high.y) / 2 };
        over.append(...sign(this.scene.letters[state - 3], middle, 0.36 * (of.high.x - of.low.x), 0.1 * (of.high.x - of.low.x), `pen ${seatClass(state - 3)}`));
      }
      if (group.every((cell) => frame.winning.includes(cell))) {
        over.append(tile("ring winning", { x: (of.low.x + of.high.x) / 2, y: (of.low.y + of.high.y) / 2 }, of.high.x - of.low.x + 10, of.high.y - of.low.y + 10, 14));
      }
    });
    return won;
  }

  /** @param {SVGElement} layer @param {number} cell @param {number[]} pile */
  piece(layer, cell, pile) {
    const at = this.cell(cell);
    const seat = pile[pile.length - 1] - 1;
    const radius = 0.39 * CELL * Math.min(1, this.scale);
    if (!this.scene.piles) {
      layer.append(this.token(seat, at, radius));
      return;
    }
    layer.append(this.token(seat, { x: at.x - 0.1 * CELL, y: at.y + 0.05 * CELL }, 0.31 * CELL));
    if (pile.length < 2) return;
    const hidden = Math.max(0, pile.length - 7);
    pile.slice(hidden).forEach((owner, height) => {
      layer.append(tile(`chip ${seatClass(owner - 1)}`, { x: at.x + 0.36 * CELL, y: at.y + (0.35 - 0.105 * height) * CELL }, 0.17 * CELL, 0.085 * CELL, 2));
    });
    layer.append(svg("text", { class: "height", x: at.x - 0.38 * CELL, y: at.y - 0.34 * CELL }, String(pile.length)));
  }

  /** @param {number} seat @param {Point} at @param {number} radius @returns {SVGElement} */
  token(seat, at, radius) {
    const letter = this.scene.letters[seat] ?? String(seat + 1);
    if (this.scene.pieces === "signs") return svg("g", {}, ...sign(letter, at, 0.72 * radius, 0.26 * radius, `pen ${seatClass(seat)}`));
    if (this.scene.pieces === "stones") return svg("circle", { class: `stone stone${seat}`, cx: at.x, cy: at.y, r: radius });
    return svg("g", { class: seatClass(seat) },
      svg("circle", { class: "disc", cx: at.x, cy: at.y, r: radius }),
      ...sign(letter, at, 0.36 * radius, 0.16 * radius, "onseat"));
  }

  /** @param {string} name @param {number} cell @returns {SVGElement} */
  ring(name, cell) {
    const at = this.cell(cell);
    return svg("circle", { class: name, cx: at.x, cy: at.y, r: 0.44 * CELL });
  }

  /** Numbers where a bot expected moves. @param {SVGElement} over */
  expected(over) {
    this.ahead.forEach(({ cells, seat }, index) => {
      if (cells.length === 0) return;
      const places = cells.map((cell) => this.cell(cell));
      const end = places[places.length - 1];
      if (places.length > 1) over.append(svg("polyline", { class: "ahead", points: places.map(({ x, y }) => `${x},${y}`).join(" ") }));
      over.append(svg("g", { class: `ahead ${this.scene.pieces} ${seatClass(seat)}` },
        svg("circle", { cx: end.x, cy: end.y, r: 0.25 * CELL }),
        svg("text", { x: end.x, y: end.y }, String(index + 1))));
    });
  }

  /** @param {Frame} frame @param {number[]} last */
  slantedPieces(frame, last) {
    const { marks, pieces } = this;
    const order = frame.piles.map((_, cell) => cell).sort((a, b) => this.cell(a).y - this.cell(b).y || this.cell(a).x - this.cell(b).x);
    for (const cell of last) marks.append(svg("polygon", { class: "last", points: this.slab(cell) }));
    for (const cell of frame.winning) marks.append(svg("polygon", { class: "winning", points: this.slab(cell) }));
    for (const cell of frame.fallen) marks.append(svg("polygon", { class: "fallen", points: this.slab(cell) }));
    const [rx, ry] = [0.4 * CELL, 0.215 * CELL];
    for (const cell of order) {
      const at = this.cell(cell);
      frame.piles[cell].forEach((owner, height) => {
        const y = at.y - height * TOKEN;
        const side = `M${at.x - rx} ${y}v${-TOKEN}h${2 * rx}v${TOKEN}a${rx} ${ry} 0 0 1 ${-2 * rx} 0Z`;
        pieces.append(svg("g", { class: seatClass(owner - 1) },
          svg("path", { class: "side", d: side }),
          svg("ellipse", { class: "disc", cx: at.x, cy: y - TOKEN, rx, ry })));
      });
      const pile = frame.piles[cell];
      if (pile.length > 0) {
        const seat = pile[pile.length - 1] - 1;
        pieces.append(svg("g", { class: seatClass(seat) }, ...sign(this.scene.letters[seat], { x: at.x, y: at.y - pile.length * TOKEN }, 0.11 * CELL, 6, "onseat")));
      }
    }
  }

  /** What a cell holds, in words. @param {number} cell @returns {string} */
  holds(cell) {
    const pile = this.frame?.piles[cell] ?? [];
    if (pile.length === 0) return "empty";
    return pile.map((owner) => this.scene.signs[owner - 1] ?? String(owner)).join("");
  }

  /** The whole board in a sentence. @returns {string} */
  spoken() {
    const parts = this.scene.signs.map((of, seat) => {
      const cells = (this.frame?.piles ?? []).flatMap((pile, cell) => (pile.at(-1) === seat + 1 ? [this.scene.cells[cell][2]] : []));
      return `${of}: ${cells.length === 0 ? "none" : cells.join(" ")}`;
    });
    return `Board. ${parts.join(". ")}.`;
  }

  /** The board as a table of words, for those who read it instead of looking at it. @returns {HTMLTableElement} */
  asTable() {
    const rows = [...new Set(this.scene.cells.map(([, y]) => y))].sort((a, b) => a - b).map((height) => {
      const cells = this.scene.cells.map((cell, index) => ({ cell, index })).filter(({ cell }) => cell[1] === height);
      return cells.sort((a, b) => a.cell[0] - b.cell[0]).map(({ cell, index }) => `${cell[2]} ${this.holds(index)}`);
    });
    const width = Math.max(...rows.map((row) => row.length));
    return table(Array.from({ length: width }, (_, column) => `${column + 1}`), rows.map((row) => row.concat(Array(width - row.length).fill(""))), "The board, row by row: each cell with what lies on it, from the bottom");
  }
}

/** A rounded rectangle about a point. @param {string} name @param {Point} at @param {number} width @param {number} height @param {number} round @returns {SVGElement} */
function tile(name, at, width, height, round) {
  return svg("rect", { class: name, x: at.x - width / 2, y: at.y - height / 2, width, height, rx: round });
}

/** A cross, a ring, or whatever letter or digit it is. @param {string} letter @param {Point} at @param {number} reach @param {number} pen @param {string} name @returns {SVGElement[]} */
function sign(letter, at, reach, pen, name) {
  const { x, y } = at;
  if (letter?.toLowerCase() === "x") {
    return [svg("path", { class: name, "stroke-width": pen, d: `M${x - reach} ${y - reach}L${x + reach} ${y + reach}M${x - reach} ${y + reach}L${x + reach} ${y - reach}` })];
  }
  if (letter?.toLowerCase() === "o") return [svg("circle", { class: name, "stroke-width": pen, cx: x, cy: y, r: reach * 1.08 })];
  return [svg("text", { class: `${name} digit`, x, y, "font-size": reach * 3 }, letter ?? "")];
}

/** @param {string} id @param {string[]} stops @returns {SVGElement} */
function gradient(id, stops) {
  return svg("radialGradient", { id, cx: "38%", cy: "34%", r: "70%" },
    ...stops.map((stop, index) => svg("stop", { class: `${id}-${stop}`, offset: `${(100 * index) / (stops.length - 1)}%` })));
}
