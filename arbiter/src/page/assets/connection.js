// The connection to the program: events come, touches go. It connects again by itself, and asks for what it has missed.
import { ask } from "./token.js";

/** @typedef {import("./story.js").LiveEvent & { t: number, game: number }} Told */
/**
 * What a match says of itself, and of what this page may do.
 * @typedef {{ hello: string, from: number, now: number, plays: number[], chooses: boolean, links: { whom: string, token: string }[], games: number, title: string,
 *   rules: string, asks_after_pass: boolean }} Hello
 */
/** @typedef {{ ok: boolean, code?: string, why?: string }} Answer */
/** @typedef {"connecting" | "open" | "lost" | "over" | "refused"} State */
/** @typedef {{ hello: (hello: Hello) => void, menu: (menu: import("./menu.js").Choice | null) => void, events: (events: Told[]) => void, next: () => void,
 *   state: (state: State, text: string) => void }} Listener */

/** How long to wait before connecting again, in milliseconds. */
const WAITS = [500, 1000, 2000, 4000];
/** After so long without an answer the program is taken for gone. */
const GONE = 30_000;
/** A program that has not answered for so long has lost its connection. */
const SILENCE = 5_000;

/** A connection. */
export class Connection {
  /** @param {string} token @param {Listener} listener */
  constructor(token, listener) {
    this.token = token;
    this.listener = listener;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** The match whose events have been seen, and the next of them. */
    this.run = "";
    this.next = 0;
    /** Seconds between this clock and the one of the program. */
    this.skew = 0;
    this.number = 0;
    /** @type {Map<number, (answer: Answer) => void>} */
    this.waiting = new Map();
    this.tries = 0;
    this.lostAt = 0;
    this.isOver = false;
    /** Whether what is connected ends soon because something else begins there. */
    this.isMoving = false;
    this.heardAt = 0;
    this.beat = window.setInterval(() => this.look(), 2000);
    this.connect();
  }

  connect() {
    this.listener.state(this.lostAt ? "lost" : "connecting", this.lostAt ? this.lostText() : "");
    const address = new URL("api/page", location.href);
    address.protocol = "ws:";
    address.hash = "";
    const socket = new WebSocket(address, ["arbiter", this.token]);
    this.socket = socket;
    this.heardAt = performance.now();
    let isIn = false;
    socket.addEventListener("open", () => {
      isIn = true;
      socket.send(JSON.stringify({ act: "hello", run: this.run, from: this.next }));
    });
    socket.addEventListener("message", ({ data }) => this.socket === socket && this.hear(JSON.parse(data)));
    socket.addEventListener("close", () => {
      if (this.socket !== socket) return;
      this.lose();
      if (!isIn) void this.findOut();
    });
  }

  /** Whether this page may come in at all: a socket does not say why it was refused. */
  async findOut() {
    const answer = await ask("/api/page", this.token).catch(() => null);
    if (answer?.status !== 401 && answer?.status !== 404) return;
    this.end("refused", "This link belongs to a match that has ended or was begun again. The new links are in the terminal.");
  }

  /** Nothing comes any more. @param {State} state @param {string} text */
  end(state, text) {
    this.isOver = true;
    window.clearInterval(this.beat);
    this.listener.state(state, text);
  }

  /** Whether the program still answers. */
  look() {
    if (!this.socket || this.isOver) return;
    if (performance.now() - this.heardAt > SILENCE) this.lose();
    else if (this.socket.readyState === WebSocket.OPEN) void this.say({ act: "beat" });
  }

  lose() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    for (const answer of this.waiting.values()) answer({ ok: false, code: "lost", why: "The connection is lost: once it is back, the board shows whether that was played." });
    this.waiting.clear();
    if (this.isOver) return;
    if (this.isMoving) {
      this.isMoving = false;
      this.connect();
      return;
    }
    this.lostAt ||= performance.now();
    this.listener.state("lost", this.lostText());
    window.setTimeout(() => !this.socket && !this.isOver && this.connect(), WAITS[Math.min(this.tries++, WAITS.length - 1)]);
  }

  /** @returns {string} */
  lostText() {
    const isGone = performance.now() - this.lostAt > GONE;
    return isGone ? "arbiter has stopped. What was played is saved; when it goes on, the terminal has a new link." : "Connection lost, trying again…";
  }

  /** @param {any} message */
  hear(message) {
    this.heardAt = performance.now();
    if ("now" in message) this.skew = performance.now() / 1000 - message.now;
    if ("hello" in message) {
      [this.run, this.next, this.tries, this.lostAt] = [message.hello, message.from ?? 0, 0, 0];
      this.isMoving = "menu" in message;
      if (!this.isMoving) this.listener.hello(message);
      this.listener.state("open", "");
    }
    if ("menu" in message) this.listener.menu(message.menu);
    else if ("events" in message) {
      this.next = message.next;
      /** @type {Told[]} */
      const events = message.events;
      this.listener.events(events);
      const over = events.filter(({ ev }) => ev === "over").pop();
      if (over?.ev === "over" && over.more) {
        this.isMoving = true;
        this.listener.state("open", over.text);
        this.listener.next();
      } else if (over?.ev === "over") {
        this.end("over", over.text);
      }
    } else if ("re" in message) {
      this.waiting.get(message.re)?.(message);
      this.waiting.delete(message.re);
    }
  }

  /** Says something to the program. @param {Record<string, any>} what @returns {Promise<Answer>} */
  say(what) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      const why = this.isOver ? "The match is over." : "The connection is lost: that was not played.";
      return Promise.resolve({ ok: false, code: "lost", why });
    }
    const n = ++this.number;
    this.socket.send(JSON.stringify({ n, ...what }));
    return new Promise((done) => this.waiting.set(n, done));
  }

  /** How long ago something happened, in milliseconds. @param {number} t seconds @returns {number} */
  since(t) {
    return Math.max(0, performance.now() - (t + this.skew) * 1000);
  }
}
