// The program with pages for browsers, the browser that opens them, and who plays and looks there. ARBITER is the program, FOLDER
// where it may write.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";

const quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Chromium, by the first of its names that is there. */
export function launch(...names) {
  const places = process.env.PATH.split(delimiter);
  const executablePath = names.flatMap((name) => places.map((of) => join(of, name))).find(existsSync);
  return chromium.launch({ executablePath, args: quiet });
}

/** Programs that may still run. */
const children = new Set();

/** What opens pages for the tests of a file. Chromium ends with them, and so does every program that a test that failed has left. */
export async function forTests() {
  // The one without windows opens a page for a third of the work.
  const browser = await launch("chromium-headless-shell", "chromium");
  after(() => {
    children.forEach((child) => child.kill("SIGKILL"));
    return browser.close();
  });
  /** Opens a page in a browser of its own, and keeps what it says on the console and what it asks of the network. */
  return async (address, options = {}) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    page.setDefaultTimeout(20_000);
    const heard = [];
    page.on("console", (message) => heard.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => heard.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    const [own] = address.match(/^file:|^http:\/\/127[^/]*\//);
    page.on("request", (request) => request.url().startsWith(own) || heard.push(`request: ${request.url()}`));
    await page.goto(address);
    if (options.javaScriptEnabled !== false) await page.locator("html.scripted").waitFor();
    return { page, heard, close: () => page.close() };
  };
}

/** Starts the program; its links come once it has printed the last of them. */
export function serve(...args) {
  const child = spawn(process.env.ARBITER, args, { cwd: process.env.FOLDER, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  const links = new Promise((done, fail) => {
    child.stderr.on("data", (data) => {
      said += data;
      if (/to watch +http:\S+.*\n/.test(said)) done([...said.matchAll(/http:\S+/g)].map(([link]) => link));
    });
    child.on("exit", () => fail(new Error(said)));
  });
  links.catch(() => {});
  const ended = new Promise((done) => child.on("exit", (code) => done(code)));
  return { child, links, ended, said: () => said, stop: () => child.kill("SIGKILL") };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What bars somebody from an open page or a part of it, a line each. */
export async function barriers(page, where, part = "html") {
  if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ content: axe });
  // Of what is no barrier axe would name every element.
  const { violations } = await page.evaluate((part) => window.axe.run(part, { resultTypes: ["violations"] }), part);
  return violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
}

/** What somebody sees at a page: whether it is their turn, what finishes or goes on with the move, and where an open cell is. */
const seen = (page) => page.evaluate(() => {
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const finish = [...document.querySelectorAll(".buttons .primary:not([disabled])")].find((button) => button.checkVisibility());
  const action = document.querySelector(".actions button");
  const open = document.querySelectorAll(".cell.open");
  const isOver = /broken off|wins|drawn/.test(document.querySelector(".result")?.textContent ?? "");
  const cell = open[Math.floor(open.length / 2)];
  return { isMine: document.querySelector(".turnpanel.mine") !== null, isOver, finish: finish && middle(finish), action: action && middle(action), key: action?.title.at(-2), cell: cell && middle(cell) };
});

/** Goes on with a move, with the mouse alone. */
async function byMouse(page, { finish, action, cell }) {
  await page.mouse.click(...(finish ?? action ?? cell));
}

/** Goes on with a move, with keys alone. */
async function byKeys(page, { finish, key }) {
  if (!finish && !key) await page.keyboard.press("n");
  await page.keyboard.press(key ?? "Enter");
}

/** Plays at some pages until the game is over: at every other one by keys. */
export async function playOn(pages) {
  for (let idle = 0; idle < 400; idle++) {
    for (const [seat, page] of pages.entries()) {
      const now = await seen(page);
      if (now.isOver) return;
      if (!now.isMine) continue;
      await (seat % 2 === 0 ? byMouse : byKeys)(page, now);
      idle = 0;
    }
    await new Promise((done) => setTimeout(done, 5));
  }
  assert.fail("nobody can go on");
}
