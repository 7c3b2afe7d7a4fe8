// Numbers and events in words.

/** @param {number} ms milliseconds @returns {string} `85 µs`, `1.2 ms`, `3.4 s` */
export function timeText(ms) {
  if (ms === 0) return "0";
  const [value, unit] = ms >= 1000 ? [ms / 1000, "s"] : ms >= 1 ? [ms, "ms"] : [ms * 1000, "µs"];
  return `${value >= 9.95 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${unit}`;
}

/** @param {number} number @returns {string} `950`, `12 thousand`, `3.4 million` */
export function countText(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} million`;
  if (number >= 1e4) return `${Math.round(number / 1e3)} thousand`;
  return String(number);
}

/** A value of a search in pieces, of which 100 is about one: `+0.3`, `−12`. @param {number} value @returns {string} */
export function valueText(value) {
  const pieces = Math.abs(value / 100);
  const text = pieces.toFixed(pieces < 9.95 ? 1 : 0);
  return Number(text) === 0 ? text : `${value > 0 ? "+" : "−"}${text}`;
}

/** @param {number} number @param {string} noun @returns {string} */
export function counted(number, noun) {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

/** @param {number} place from 1 @returns {string} */
export function placeText(place) {
  return `${place}${place === 1 ? "st" : place === 2 ? "nd" : place === 3 ? "rd" : "th"}`;
}

/** What a clock shows: `4:05`, below ten seconds tenths, and to people while it runs that time is short. @param {number} ms @param {boolean} isRunning @param {boolean} isPerson @returns {string} */
export function clockText(ms, isRunning, isPerson) {
  if (ms < 10_000) return `${isRunning && isPerson ? "Time short: " : ""}${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), String(seconds % 60).padStart(2, "0")];
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
