// Takes the picture of the README of a game in the browser: ARBITER=target/release/arbiter node arbiter/tests/page/picture.js
// BOT, with the folder of the pictures as it lies.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, serve } from "./served.js";

process.env.FOLDER ??= mkdtempSync(join(tmpdir(), "picture-"));
process.env.ARBITER = resolve(process.env.ARBITER ?? "target/release/arbiter");
const browser = await launch("chromium");
const match = serve("human:Ana", resolve(process.argv[2]), "--game", "othello", "--web", "--openings", "none", "--move-time", "300ms");
const [link] = await match.links;
const page = await browser.newPage({ viewport: { width: 1280, height: 880 } });
await page.goto(link);
for (const move of ["f5", "f6", "c4", "f3"]) {
  await page.locator(".turnpanel.mine").waitFor();
  const wanted = page.locator(`.cell.open[aria-label^="${move} "]`);
  await ((await wanted.count()) > 0 ? wanted : page.locator(".cell.open").first()).click();
  await page.locator(".turnpanel:not(.mine)").waitFor();
}
await page.locator(".turnpanel.mine").waitFor();
await page.keyboard.press("b");
await page.locator(".cell.open").last().hover();
await page.screenshot({ path: join(fileURLToPath(new URL("../../pictures", import.meta.url)), "play.png") });
match.stop();
await browser.close();
