// What every page with a game has: text mode, and keys that leave alone whatever has the focus.
import { button } from "./dom.js";

/** Puts the button of text mode into the bar: everything in words, for those who do not look at boards. @param {(isOn: boolean) => void} changed */
export function offerTextMode(changed) {
  const press = () => {
    const isOn = document.documentElement.classList.toggle("textmode");
    tool.setAttribute("aria-pressed", String(isOn));
    changed(isOn);
  };
  const tool = button("Text mode: everything in words, for screen readers", "Text mode", press, { "aria-pressed": "false", "aria-label": null });
  document.getElementById("tools")?.append(tool);
  if (new URLSearchParams(location.search).has("text")) press();
}

/** Whether a key means nothing to what has the focus, so that the page may take it. @param {KeyboardEvent} event @returns {boolean} */
export function isFree(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = /** @type {HTMLElement} */ (event.target);
  const isArrow = event.key.startsWith("Arrow");
  if (target instanceof HTMLInputElement && target.type === "range") return !isArrow;
  if (target.matches("input, select, textarea")) return false;
  if (target.matches("button, a, summary") && (event.key === " " || event.key === "Enter")) return false;
  return !(target.matches(".moves, .scroll") && (event.key === "ArrowUp" || event.key === "ArrowDown"));
}
