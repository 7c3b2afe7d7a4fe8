// What `replays.rs` has packed in the file, as events.

/**
 * @typedef {{ name: string, kind: string, player?: number, move_ms: number | null, base_ms: number | null, increment_ms: number | null }} Player
 * @typedef {{ title: string, field: string, pieces: string, cells: [number, number, string][], groups: number[][],
 *   homes: { corners: [number, number][], seat: number | null }[], labels: [number, number, string][], named: boolean,
 *   piles: boolean, turns: boolean, score: string | null, signs: string[], letters: string[] }} Scene
 * @typedef {[number, number, number[], number[], number, number | null, string, number | null, number, number]} Row
 * @typedef {{ file: string, title: string, game: string, seats: number, max_errors: number, players: Player[],
 *   scene: Scene | null, moves: [string, number[]][], texts: string[], starts: { cells: number[][], groups: number[] }[],
 *   games: Row[], left_out: number, block: number }} Index
 * @typedef {{ text: string, path: number[] }} Move
 * @typedef {{ depth: number, nodes: number | null, value: number | null, line: Move[], more: number, text: string }} Search
 * @typedef {{ cell: number, pile: number[] }} Change
 * @typedef {{ group: number, state: number }} GroupChange
 * @typedef {{ kind: string, sentence: string, again: string | null }} Fault
 * @typedef {{ ev: "start", game: number, round: number, max_errors: number, scene: Scene, piles: number[][],
 *   groups: number[], seats: Player[], score: number[] | null, note?: string }} Start
 * @typedef {{ ev: "move" | "pass", seat: number, by: number, move: Move, ms: number | null, search: Search | null,
 *   changes: Change[], groups: GroupChange[], score: number[] | null, note: string, fallen: [number, number][] }} Played
 * @typedef {{ ev: "refused", seat: number, answer: string, code: string, sentence: string }} Refused
 * @typedef {{ ev: "out", seat: number, fault: Fault, changes: Change[], groups: GroupChange[] }} Out
 * @typedef {{ ev: "end", sentence: string, ranks: number[], loser: number | null, fault: Fault | null, winning: number[] }} End
 * @typedef {Start | Played | Refused | Out | End} Event
 */

/** What `pack` has packed. @param {string} packed @returns {Promise<any>} */
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

/** What is known of the games of a report. @param {string} packed @returns {Promise<Index>} */
export const readIndex = (packed) => unpacked(packed);

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
      /** @type {any[]} */
      const games = await unpacked(this.packed(number));
      this.read = games.map((game, i) => readGame(this.index, this.index.games[number * this.index.block + i], game));
      this.block = number;
    }
    return this.read[place % this.index.block];
  }
}

/** @param {Index} index @param {Row} row @param {any} game @returns {Event[]} */
function readGame(index, row, game) {
  const [number, round, players, ranks] = row;
  const scene = /** @type {Scene} */ (index.scene);
  const seats = players.map((player) => index.players[player] ?? { name: "?", kind: "bot", move_ms: null, base_ms: null, increment_ms: null });
  if (game.problem || !scene) {
    const sentence = `This game cannot be shown: ${game.problem}`;
    return [{ ev: "end", sentence, ranks, loser: null, fault: null, winning: [] }];
  }
  const { plies } = game;
  const { cells: piles, groups } = index.starts[game.start];

  /** @param {number} move @returns {Move} */
  const moveOf = (move) => ({ text: index.moves[move][0], path: index.moves[move][1] });

  /** @param {number} text */
  const textOf = (text) => (text === 0 ? "" : index.texts[text - 1]);

  /** @param {[number, number[]][]} cells @param {[number, number][]} groups */
  const changed = (cells, groups) => ({
    changes: cells.map(([cell, pile]) => ({ cell, pile })),
    groups: groups.map(([group, state]) => ({ group, state })),
  });

  /** @param {number} ply @returns {Search | null} */
  const searchOf = (ply) => {
    if (plies.depths[ply] === null) return null;
    const line = plies.lines[ply].map(moveOf);
    return {
      depth: plies.depths[ply], nodes: plies.nodes[ply] || null, value: plies.values[ply], line,
      more: plies.lengths[ply] - line.length, text: textOf(plies.texts[ply]),
    };
  };

  /** @type {Event[]} */
  const events = [{ ev: "start", game: number, round, max_errors: index.max_errors, scene, piles, groups, seats, score: game.score }];
  for (let ply = 0; ply <= plies.moves.length; ply++) {
    for (const [at, seat, answer, code, sentence] of game.errors) {
      if (at === ply) events.push({ ev: "refused", seat, answer, code, sentence });
    }
    for (const [at, seat, fault, cells, groups] of game.outs) {
      if (at === ply) events.push({ ev: "out", seat, fault, ...changed(cells, groups) });
    }
    if (ply === plies.moves.length) break;
    const by = plies.by[ply];
    events.push({
      ev: by === 2 ? "pass" : "move", seat: plies.seats[ply], by, move: moveOf(plies.moves[ply]), ms: plies.ms[ply], search: searchOf(ply),
      ...changed(plies.cells[ply], plies.groups[ply]), score: plies.scores[ply], note: textOf(plies.notes[ply]), fallen: plies.fallen[ply],
    });
  }
  events.push({ ev: "end", sentence: game.end, ranks, loser: row[7], fault: game.fault, winning: game.winning });
  return events;
}
