// What pages cost those who look: node arbiter/benches/pages.js [REPORT.html ...], with ARBITER naming the program.
// Chromium opens a game that people play, and reports from disk; medians and the longest are told, in milliseconds.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, serve } from "../tests/page/served.js";

process.env.FOLDER ??= mkdtempSync(join(tmpdir(), "pages-"));
process.env.ARBITER = resolve(process.env.ARBITER ?? "target/release/arbiter");

/** @param {string} what @param {number[]} all */
function tell(what, all) {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
  console.log(`${what}: median ${at(0.5)}, nine of ten ${at(0.9)}, longest ${at(1)} ms, of ${sorted.length}`);
}

/** Keeps when the last click came, when the board was another one after it, and when that was painted. */
const watchClicks = (page) => page.evaluate(() => {
  window.clicks = [];
  let clicked = null;
  addEventListener("click", ({ timeStamp }) => (clicked = timeStamp), true);
  new MutationObserver(() => {
    if (clicked === null) return;
    const click = { changed: performance.now() - clicked };
    const from = clicked;
    clicked = null;
    requestAnimationFrame(() => setTimeout(() => window.clicks.push({ ...click, painted: performance.now() - from })));
  }).observe(document.querySelector("svg.board"), { childList: true, subtree: true });
});

const browser = await launch("chromium");

/** How long a page takes until something is painted, and until what is looked for is there. */
async function opened(address, selector, what, times) {
  const [paints, ready] = [[], []];
  for (let time = 0; time < times; time++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript((wanted) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(wanted)) return;
        observer.disconnect();
        window.ready = performance.now();
      });
      observer.observe(document, { childList: true, subtree: true, attributes: true });
    }, selector);
    await page.goto(address);
    await page.waitForFunction(() => window.ready && performance.getEntriesByName("first-contentful-paint").length > 0);
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    ready.push(await page.evaluate(() => window.ready));
    await context.close();
  }
  tell(`${what}, first paint`, paints);
  tell(`${what}, until ${selector} is there`, ready);
}

await opened("data:text/html,<h1>Nothing</h1>", "h1", "an empty page", 11);
for (const file of process.argv.slice(2)) await opened(pathToFileURL(resolve(file)).href, "html.scripted", file, 7);
for (const game of ["othello", "chinese-checkers"]) {
  const match = serve("human:Ana", "human:Bob", "--game", game, "--web", "--openings", "none", "--seed", "pages");
  const [link] = await match.links;
  await opened(link, ".turnpanel.mine", game, 11);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(link);
  await page.locator(".turnpanel.mine").waitFor();
  await watchClicks(page);
  for (let done = 0; done < 40; ) {
    const finish = page.locator(".buttons .primary:enabled:visible");
    const next = (await finish.count()) > 0 ? finish : page.locator(".cell.open").first();
    // As people do: the cell is pointed at and pressed before it is let go.
    await next.hover({ timeout: 5000, force: true });
    await page.waitForTimeout(60);
    await page.mouse.down();
    await page.waitForTimeout(60);
    await page.mouse.up();
    done += 1;
    await page.waitForFunction((count) => window.clicks.length >= count, done, { timeout: 5000 });
  }
  const clicks = await page.evaluate(() => window.clicks);
  tell(`${game}, from click to changed picture`, clicks.map(({ changed }) => changed));
  tell(`${game}, from click to paint`, clicks.map(({ painted }) => painted));
  await page.close();
  match.stop();
}
await browser.close();
