// The program with pages for browsers, and the browsers that open them. ARBITER is the program, FOLDER where it may write.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Chromium. */
export function launch() {
  const executablePath = process.env.PATH.split(delimiter).map((of) => join(of, "chromium")).find(existsSync);
  return chromium.launch({ executablePath, args: quiet });
}

/** Programs that may still run. */
const children = new Set();

/** Ends every program that a test that failed has left. */
export const endAll = () => children.forEach((child) => child.kill("SIGKILL"));

/** Starts the program; its links come once it has printed the last of them. */
export function serve(...args) {
  const child = spawn(process.env.ARBITER, args, { cwd: process.env.FOLDER, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  const links = new Promise((done, fail) => {
    child.stderr.on("data", (data) => {
      said += data;
      if (/(to watch|hangs at) +http:\S+.*\n/.test(said)) done([...said.matchAll(/http:\S+/g)].map(([link]) => link));
    });
    child.on("exit", () => fail(new Error(said)));
  });
  links.catch(() => {});
  const ended = new Promise((done) => child.on("exit", (code) => done(code)));
  return { child, links, ended, said: () => said, stop: () => child.kill("SIGKILL") };
}

/** Opens a link in a browser of its own, and keeps what the page says on the console. */
export async function visit(browser, link, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const heard = [];
  page.on("console", (message) => heard.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("request", (request) => /^(http:\/\/127|data:)/.test(request.url()) || heard.push(`request: ${request.url()}`));
  await page.goto(link);
  await page.locator("html.scripted").waitFor();
  return { page, heard, close: () => context.close() };
}
