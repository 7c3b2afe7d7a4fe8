// What is packed in the file, as events. The order of the columns is that of `columns.rs`.

/**
 * @typedef {{ name: string, kind: string, player?: number, move_ms: number | null, base_ms: number | null, increment_ms: number | null }} Player
 * @typedef {{ title: string, field: string, pieces: string, cells: [number, number, string][], groups: number[][],
 *   homes: { corners: [number, number][], seat: number | null }[], labels: [number, number, string][], named: boolean,
 *   piles: boolean, turns: boolean, score: string | null, signs: string[], letters: string[] }} Scene
 * @typedef {[number, number, number[], number[], number, number | null, string, number | null, number, number]} Row
 * @typedef {{ file: string, title: string, game: string, seats: number, max_errors: number, players: Player[],
 *   scene: Scene | null, moves: [string, number[]][], texts: string[], starts: { cells: number[][], groups: number[] }[],
 *   games: Row[], left_out: number, block: number, ahead: number }} Index
 * @typedef {{ text: string, path: number[] }} Move
 * @typedef {{ depth: number, nodes: number | null, value: number | null, line: Move[], more: number, text: string }} Search
 * @typedef {{ cell: number, pile: number[] }} Change
 * @typedef {{ group: number, state: number }} GroupChange
 * @typedef {{ kind: string, sentence: string, again: string | null }} Fault
 * @typedef {{ ev: "start", game: number, round: number, max_errors: number, scene: Scene, piles: number[][],
 *   groups: number[], seats: Player[], score: number[] | "cells" | null, note?: string }} Start
 * @typedef {{ ev: "move" | "pass", seat: number, by: number, move: Move, ms: number | null, search: Search | null,
 *   changes: Change[], groups: GroupChange[], score: number[] | null, note: string, fallen: [number, number][] }} Played
 * @typedef {{ ev: "refused", seat: number, answer: string, code: string, sentence: string }} Refused
 * @typedef {{ ev: "out", seat: number, fault: Fault, changes: Change[], groups: GroupChange[] }} Out
 * @typedef {{ ev: "end", sentence: string, ranks: number[], loser: number | null, fault: Fault | null, winning: number[] }} End
 * @typedef {Start | Played | Refused | Out | End} Event
 */

const COLUMNS = ["seat", "move", "by", "timePower", "timeDigits", "depth", "nodesPower", "nodesDigits", "value", "lineLength", "line", "text", "changes", "cell", "pile", "group", "score", "note"];

/** What `pack` in `columns.rs` has packed. @param {string} text @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What is known of the games of a report. @param {string} packed @returns {Promise<Index>} */
export async function readIndex(packed) {
  return JSON.parse(new TextDecoder().decode(await unpacked(packed)));
}

/** Numbers of one kind, read one after the other. */
class Numbers {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** @returns {number} */
  next() {
    let [number, factor] = [0, 1];
    for (;;) {
      const byte = this.bytes[this.at++] ?? 0;
      number += (byte & 0x7f) * factor;
      if (byte < 0x80) return number;
      factor *= 128;
    }
  }

  /** @returns {number} */
  signed() {
    return unzigzag(this.next());
  }
}

/** The games of a report, read a block at a time. */
export class Games {
  /** @param {Index} index @param {(number: number) => string} packed a block by its number */
  constructor(index, packed) {
    this.index = index;
    this.packed = packed;
    this.block = -1;
    /** @type {Event[][]} */
    this.read = [];
  }

  /** The events of a game by its place in the list, from its start on; of one that cannot be shown, its end alone.
   * @param {number} place @returns {Promise<Event[]>} */
  async events(place) {
    const number = Math.floor(place / this.index.block);
    if (number !== this.block) {
      const bytes = await unpacked(this.packed(number));
      this.read = readBlock(bytes, this.index, number * this.index.block);
      this.block = number;
    }
    return this.read[place % this.index.block];
  }
}

/** @param {Uint8Array} bytes @param {Index} index @param {number} first @returns {Event[][]} */
function readBlock(bytes, index, first) {
  const head = new Numbers(bytes);
  /** @type {Record<string, Numbers>} */
  const columns = {};
  for (const name of COLUMNS) {
    const length = head.next();
    columns[name] = new Numbers(bytes.subarray(head.at, head.at + length));
    head.at += length;
  }
  /** @type {any[]} */
  const extras = JSON.parse(new TextDecoder().decode(bytes.subarray(head.at)));
  return extras.map((extra, i) => readGame(columns, index, index.games[first + i], extra));
}

/** Moves of a game in the order in which they came up last, as `Recent` in `columns.rs` has them. */
class Recent {
  constructor() {
    this.order = Array.from({ length: 256 }, (_, number) => number);
  }

  /** The number of a move by its place, or by what it is behind all places. From now on it is the last. @param {number} told @returns {number} */
  take(told) {
    const { order } = this;
    const number = told < order.length ? order.splice(told, 1)[0] : told - order.length;
    order.push(number);
    return number;
  }

  /** Those that were taken last are expected next. @param {number} last */
  expect(last) {
    this.order.unshift(...this.order.splice(this.order.length - last, last));
  }
}

/** @param {number} number @returns {number} */
function unzigzag(number) {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}

/** The value of a search by its steps, as `steps` in `columns.rs` counts them: 100 is about one piece. @param {number} steps @returns {number} */
function valueOf(steps) {
  const tens = Math.max(0, Math.floor((Math.abs(steps) - 10) / 90));
  return Math.sign(steps) * (Math.abs(steps) - 90 * tens) * 10 ** (tens + 1);
}

/** @param {Numbers} power @param {Numbers} digits @returns {number | null} */
function rounded(power, digits) {
  const tens = power.next();
  return tens === 0 ? null : digits.next() * 10 ** (tens - 1);
}

/** Steps to the cells around one. */
const AROUND = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/** What lies on the board after most moves, as `usual` in `replays.rs` has it: the piece has gone along its path or was put at
 * its end, and where pieces turn over, those have that it encloses.
 * @param {Scene} scene @param {number[][]} before @param {number} mover @param {number[]} path @returns {number[][]} */
function usual({ cells, turns }, before, mover, path) {
  const next = before.slice();
  const last = path.at(-1);
  if (last === undefined) return next;
  if (path.length > 1) next[path[0]] = next[path[0]].slice(0, -1);
  next[last] = [...next[last], mover];
  if (!turns) return next;
  const width = cells.findIndex(([, y]) => y !== cells[0][1]);
  const unit = cells[1][0] - cells[0][0];
  for (const [across, down] of AROUND) {
    const enclosed = [];
    for (let cell = last; ;) {
      const [x, y] = cells[cell];
      cell += down * width + across;
      const isBeside = cells[cell]?.[0] === x + across * unit && cells[cell][1] === y + down * unit;
      const owner = isBeside ? before[cell].at(-1) : undefined;
      if (owner === undefined) break;
      if (owner === mover) {
        for (const turned of enclosed) next[turned] = [mover];
        break;
      }
      enclosed.push(cell);
    }
  }
  return next;
}

/** @param {Record<string, Numbers>} columns @param {Index} index @param {Row} row @param {any} extra @returns {Event[]} */
function readGame(columns, index, row, extra) {
  const [number, round, players, ranks, plies] = row;
  const scene = /** @type {Scene} */ (index.scene);
  const seats = players.map((player) => index.players[player] ?? { name: "?", kind: "bot", move_ms: null, base_ms: null, increment_ms: null });
  if (extra.problem || !scene) {
    const sentence = `This game cannot be shown: ${extra.problem}`;
    return [{ ev: "end", sentence, ranks, loser: null, fault: null, winning: [] }];
  }
  const begin = index.starts[extra.start ?? 0];
  const mode = columns.score.next();
  const score = mode === 2 ? seats.map(() => columns.score.signed()) : null;
  let piles = begin.cells;

  /** @param {number} mover @param {number[]} path @returns {{ changes: Change[], groups: GroupChange[] }} */
  const readChanges = (mover, path) => {
    const count = columns.changes.next();
    const next = count === 0 ? usual(scene, piles, mover, path) : piles.slice();
    for (let left = count - 1; left > 0; left--) {
      next[columns.cell.next()] = Array.from({ length: columns.pile.next() }, () => columns.pile.next());
    }
    const before = piles;
    const changes = next.flatMap((pile, cell) => (pile === before[cell] || String(pile) === String(before[cell]) ? [] : [{ cell, pile }]));
    piles = next;
    /** @type {GroupChange[]} */
    const groups = [];
    if (scene.groups.length > 0) {
      for (let left = columns.group.next(); left > 0; left--) groups.push({ group: columns.group.next(), state: columns.group.next() });
    }
    return { changes, groups };
  };

  const recent = new Recent();

  /** @param {Numbers} column @returns {Move} */
  const readMove = (column) => {
    const [text, path] = index.moves[recent.take(column.next())];
    return { text, path };
  };

  /** What every seat said last of the value of its position. */
  const values = seats.map(() => 0);

  /** @param {Move} own @param {number} seat @returns {Search | null} */
  const readSearch = (own, seat) => {
    const depth = columns.depth.next();
    if (depth === 0) return null;
    const nodes = rounded(columns.nodesPower, columns.nodesDigits);
    const code = columns.value.next();
    if (code > 0) values[seat] += unzigzag(code - 1);
    const value = code > 0 ? valueOf(values[seat]) : null;
    const short = columns.lineLength.next();
    const length = depth - 1 - unzigzag(Math.floor(short / 2));
    const begin = short % 2 === 0 ? [own] : [];
    const rest = Array.from({ length: Math.min(length, index.ahead) - begin.length }, () => readMove(columns.line));
    recent.expect(rest.length);
    const text = columns.text.next();
    return { depth: depth - 1, nodes, value, line: [...begin, ...rest], more: Math.max(0, length - index.ahead), text: text === 0 ? "" : index.texts[text - 1] };
  };

  /** @type {Event[]} */
  const events = [{
    ev: "start", game: number, round, max_errors: index.max_errors, scene, piles, groups: begin.groups, seats,
    score: mode === 0 ? null : mode === 1 ? "cells" : [.../** @type {number[]} */ (score)],
  }];
  let expected = 0;
  for (let ply = 0; ply <= plies; ply++) {
    for (const [at, seat, answer, code, sentence] of extra.errors ?? []) {
      if (at === ply) events.push({ ev: "refused", seat, answer, code, sentence });
    }
    for (const [at, seat, fault] of extra.outs ?? []) {
      if (at === ply) events.push({ ev: "out", seat, fault, ...readChanges(seat + 1, []) });
    }
    if (ply === plies) break;
    const seat = (expected + columns.seat.next()) % seats.length;
    expected = (seat + 1) % seats.length;
    const by = columns.by.next();
    const move = readMove(columns.move);
    const ns = rounded(columns.timePower, columns.timeDigits);
    const search = readSearch(move, seat);
    const changed = readChanges(seat + 1, move.path);
    const note = columns.note.next();
    if (score) seats.forEach((_, of) => (score[of] += columns.score.signed()));
    events.push({
      ev: by === 2 ? "pass" : "move", seat, by, move, ms: ns === null ? null : ns / 1e6, search, ...changed,
      score: score ? [...score] : null, note: note === 0 ? "" : index.texts[note - 1],
      fallen: (extra.falls ?? []).find((/** @type {any} */ fall) => fall[0] === ply)?.[1] ?? [],
    });
  }
  events.push({ ev: "end", sentence: extra.end ?? "", ranks, loser: row[7], fault: extra.fault ?? null, winning: extra.winning ?? [] });
  return events;
}
