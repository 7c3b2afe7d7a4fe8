// The list of all games, to filter and to sort.
import { el } from "./dom.js";
import { counted, timeText } from "./words.js";

/** @typedef {import("./unpack.js").Index} Index */
/** @typedef {import("./unpack.js").Row} Row */

const [FAULT, REFUSED, FALL, PASS] = [1, 2, 4, 8];
/** @type {Record<string, number>} */
const BITS = { fault: FAULT, refused: REFUSED, fall: FALL, pass: PASS };
/** Rows that are shown at once. */
const SHOWN = 100;

/** @param {Row} row @param {Index} index @returns {string} */
function winner(row, index) {
  const first = row[2].filter((_, seat) => row[3][seat] === 1);
  if (row[3].length === 0) return "–";
  return first.length === 1 ? index.players[first[0]]?.name ?? "?" : "draw";
}

/** Everything that is listed of a game. @param {Index} index @param {Row} row @param {number} place */
function listed(index, row, place) {
  const names = row[2].map((player) => index.players[player]?.name ?? "?");
  const loser = row[7] === null ? "" : `${names[row[7]]} `;
  const kinds = row[9];
  const signs = [kinds & FAULT && "✕", kinds & REFUSED && "!", kinds & FALL && "≈"].filter(Boolean).join(" ");
  return { place, row, names, winner: winner(row, index), reason: `${loser}${row[6]}`, signs, text: [row[0], ...names, loser, row[6]].join(" ").toLowerCase() };
}

/** @typedef {ReturnType<typeof listed>} Listed */

/** @type {Record<string, [string, (of: Listed) => number | string]>} */
const COLUMNS = {
  number: ["Game", ({ row }) => row[0]], round: ["Round", ({ row }) => row[1]], seats: ["Seats", ({ names }) => names.join()], winner: ["Winner", (of) => of.winner],
  reason: ["Reason", ({ reason }) => reason], plies: ["Moves", ({ row }) => row[4]], time: ["Time", ({ row }) => row[5] ?? -1], errors: ["Refused", ({ row }) => row[8]],
};

/** @param {Index} index @param {(place: number) => string} address @returns {HTMLElement} */
export function gameList(index, address) {
  const all = index.games.map((row, place) => listed(index, row, place));
  const hasRounds = all.some(({ row }) => row[1] > 0);
  const hasErrors = all.some(({ row }) => row[8] > 0);
  const keys = Object.keys(COLUMNS).filter((key) => (key !== "round" || hasRounds) && (key !== "errors" || hasErrors));
  let sorted = { by: "number", down: false };
  let most = SHOWN;
  const search = el("input", { type: "search", placeholder: "name, number, reason", "aria-label": "Find games", oninput: () => show(SHOWN) });
  const player = el("select", { "aria-label": "Player", onchange: () => show(SHOWN) }, el("option", { value: "" }, "all players"),
    ...index.players.map((of, number) => el("option", { value: number }, of.name)));
  const kind = el("select", { "aria-label": "Kind of game", onchange: () => show(SHOWN) },
    ...[["", "all games"], ["won", "won by the player"], ["lost", "lost by the player"], ["draw", "drawn"], ["fault", "with faults ✕"], ["refused", "with refused answers !"], ["fall", "with earthquakes ≈"], ["pass", "with passes"]]
      .filter(([value]) => !(value in BITS) || all.some(({ row }) => row[9] & BITS[value]))
      .map(([value, text]) => el("option", { value }, text)));
  const count = el("p", { class: "legend", role: "status" });
  const body = el("tbody", {});
  const more = el("button", { type: "button", class: "more", onclick: () => show(most + 5 * SHOWN) }, "Show more");
  const heads = keys.map((key) => el("th", { scope: "col", class: key === "seats" || key === "winner" || key === "reason" ? "" : "n" },
    el("button", { type: "button", onclick: () => {
      sorted = { by: key, down: sorted.by === key && !sorted.down };
      show(most);
    } }, COLUMNS[key][0])));

  /** @param {Listed} of @returns {boolean} */
  const isKind = ({ row, ...of }) => {
    const seat = row[2].indexOf(Number(player.value || -1));
    const bit = BITS[kind.value];
    if (bit) return (row[9] & bit) !== 0;
    if (kind.value === "draw") return of.winner === "draw";
    if (kind.value === "won") return player.value === "" ? row[3].length > 0 && of.winner !== "draw" : row[3][seat] === 1 && of.winner !== "draw";
    if (kind.value === "lost") return player.value === "" ? row[3].length > 0 && of.winner !== "draw" : seat >= 0 && row[3][seat] > 1;
    return true;
  };

  /** @param {number} rows */
  const show = (rows) => {
    most = rows;
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const found = all.filter((of) => words.every((word) => of.text.includes(word)) && (player.value === "" || of.row[2].includes(Number(player.value))) && isKind(of));
    const value = COLUMNS[sorted.by][1];
    found.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      const order = typeof x === "string" ? x.localeCompare(String(y)) : x - Number(y);
      return (sorted.down ? -order : order) || a.place - b.place;
    });
    heads.forEach((head, number) => {
      if (keys[number] === sorted.by) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...found.slice(0, most).map((of) => tableRow(of)));
    more.hidden = found.length <= most;
    count.textContent = found.length === all.length ? `${counted(all.length, "game")}. Choose one to replay it.` : `${found.length} of ${counted(all.length, "game")}.`;
  };

  /** @param {Listed} of @returns {HTMLElement} */
  const tableRow = (of) => {
    const { row } = of;
    /** @type {Record<string, HTMLElement>} */
    const cells = {
      number: el("td", { class: "n" }, el("a", { href: address(of.place), class: "game" }, `${row[0]}`)), round: el("td", { class: "n" }, row[1]),
      seats: el("td", {}, ...of.names.flatMap((name, seat) => [seat > 0 && el("span", { class: "quiet" }, " – "), el(row[3][seat] === 1 && of.winner !== "draw" ? "b" : "span", { class: "player", title: name }, name)])),
      winner: el("td", {}, el("span", { class: "player", title: of.winner }, of.winner)), reason: el("td", {}, of.reason, of.signs && el("span", { class: "signs", title: "✕ fault, ! refused answer, ≈ earthquake" }, ` ${of.signs}`)),
      plies: el("td", { class: "n" }, row[4]), time: el("td", { class: "n" }, row[5] === null ? "" : timeText(row[5])), errors: el("td", { class: "n" }, row[8] || ""),
    };
    return el("tr", {}, ...keys.map((key) => cells[key]));
  };

  show(SHOWN);
  return el("div", {}, el("div", { class: "filters" }, search, player, kind), count,
    el("div", { class: "scroll", role: "group", tabindex: 0, "aria-label": "Games, table" }, el("table", { class: "gamelist" }, el("thead", {}, el("tr", {}, ...heads)), body)), more);
}
