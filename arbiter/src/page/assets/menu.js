// The menu: which game, who sits where, with which options and times. Its lines, their words and what fits together are the
// program's, the same as on a terminal.
import { Board } from "./board.js";
import { el } from "./dom.js";
import { Story } from "./story.js";

/**
 * A line: one of some values, or a text that is typed.
 * @typedef {{ id: string, name: string, range: string, about: string, values: string[] | null, here: number | null, text: string, value: string }} Line
 * @typedef {{ rows: Line[], alert: string, game: string, rules: string, start: (import("./unpack.js").Start & { ev: "start" }) | null }} Choice
 * @typedef {HTMLSelectElement | HTMLInputElement} Control
 */

/** The menu on the page. */
export class Menu {
  /** @param {(what: Record<string, any>) => Promise<import("./connection.js").Answer>} say */
  constructor(say) {
    this.say = say;
    /** @type {Map<string, { line: Line, element: HTMLElement, control: Control, range: HTMLElement }>} */
    this.lines = new Map();
    this.fields = el("div", { class: "lines" });
    this.why = el("p", { class: "why", role: "alert" });
    this.begin = el("button", { type: "submit", class: "primary" }, "Start");
    this.form = el("form", { class: "card", autocomplete: "off" }, this.fields, this.why, this.begin);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.start();
    });
    this.preview = el("div", { class: "preview", "aria-hidden": "true" });
    this.element = el("section", { class: "menu", "aria-labelledby": "menu-title" }, el("h1", { id: "menu-title" }, "What shall be played?"), this.form, this.preview);
    this.seen = "";
    /** Lines that the program has been told of and has not answered yet. @type {string[]} */
    this.told = [];
  }

  /** @param {Choice} choice */
  show(choice) {
    this.why.replaceChildren(choice.alert);
    this.begin.disabled = false;
    // Of whom or what a line says more, when its own name does not: the last one that stands alone.
    let owner = "";
    const rows = choice.rows.filter(({ id }) => id !== "start");
    let told = "";
    rows.forEach((line, place) => {
      const isMore = line.name.startsWith(" ");
      if (!isMore) owner = line.name.replace(/ is$/, "");
      const about = line.about === told ? "" : line.about;
      told = line.about || told;
      this.line({ ...line, about }, isMore ? `${owner}:${line.name}` : line.name.trim(), place);
    });
    for (const [id, { element }] of this.lines) {
      if (rows.some((line) => line.id === id)) continue;
      element.remove();
      this.lines.delete(id);
    }
    this.draw(choice);
  }

  /** Writes a line, anew only where it has changed: whoever is in it stays there. @param {Line} line @param {string} label @param {number} place */
  line(line, label, place) {
    let here = this.lines.get(line.id);
    if (!here || JSON.stringify(here.line.values) !== JSON.stringify(line.values)) {
      const hadFocus = here?.control === document.activeElement;
      here?.element.remove();
      here = this.made(line);
      this.lines.set(line.id, here);
      if (hadFocus) window.setTimeout(() => this.lines.get(line.id)?.control.focus(), 0);
    }
    here.line = line;
    here.control.setAttribute("aria-label", label);
    // What is on its way to the program is newer than what comes from there.
    const isNew = !this.told.includes(line.id);
    if (isNew && here.control instanceof HTMLSelectElement) here.control.selectedIndex = line.here ?? 0;
    else if (isNew && here.control !== document.activeElement) here.control.value = line.text;
    here.range.replaceChildren(line.about || (line.values ? "" : line.range));
    here.range.classList.toggle("about", line.about !== "");
    if (this.fields.children[place] !== here.element) this.fields.insertBefore(here.element, this.fields.children[place] ?? null);
  }

  /** @param {Line} line */
  made(line) {
    const control = line.values
      ? el("select", {}, ...line.values.map((value) => el("option", {}, value)))
      : el("input", { type: "text", placeholder: line.value, spellcheck: "false", maxlength: 40, inputmode: line.id === "games" ? "numeric" : "text" });
    control.addEventListener("change", () => void this.set(line.id, control.value));
    control.addEventListener("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Enter") return;
      event.preventDefault();
      control.blur();
      control.focus();
      this.form.requestSubmit();
    });
    const range = el("span", { class: "quiet" });
    const element = el("div", { class: line.name.startsWith(" ") ? "line sub" : "line" }, el("span", { class: "what", "aria-hidden": "true" }, line.name.trim()), control, range);
    return { line, element, control, range };
  }

  /** @param {string} row @param {string} text */
  async set(row, text) {
    this.told.push(row);
    const answer = await this.say({ act: "set", row, text });
    this.told.splice(this.told.indexOf(row), 1);
    if (answer.ok) return;
    this.why.replaceChildren(answer.why ?? "");
    const line = this.lines.get(row);
    if (line && !line.line.values) line.control.value = line.line.text;
  }

  async start() {
    this.begin.disabled = true;
    const answer = await this.say({ act: "start" });
    if (answer.ok) return;
    this.begin.disabled = false;
    this.why.replaceChildren(answer.why ?? "");
  }

  /** Draws where the game starts. @param {Choice} choice */
  draw({ start }) {
    const seen = JSON.stringify(start);
    if (seen === this.seen) return;
    this.seen = seen;
    if (!start) return this.preview.replaceChildren();
    const story = new Story(start);
    const board = new Board(start.scene, 1);
    board.show(story.frames[0]);
    this.preview.replaceChildren(board.element);
  }
}
