import { launch, serve, visit } from "./served.js";
import { pathToFileURL } from "node:url";
const out = "/tmp/page-work/shots";
const browser = await launch();
const S = process.argv[2];
const list = [
  ["report", "/tmp/page-work/new.html", ""], ["replay", "/tmp/page-work/new.html", "#game=3&ply=30"], ["replaytext", "/tmp/page-work/new.html", "?text#game=3&ply=30"],
  ["cup", `${S}/cup.html`, ""], ["hostile", `${S}/hostile.html`, "#game=1&ply=3"], ["embed", "/tmp/page-work/new.html", "?embed#game=3&ply=30"],
];
const want = (process.argv[3] ?? "390,1280,1920").split(",").map(Number);
for (const [name, file, rest] of list) for (const width of want) for (const scheme of width === 1280 ? ["light", "dark"] : width === 390 ? ["light"] : ["dark"]) {
  const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 1080 }, colorScheme: scheme });
  const page = await context.newPage();
  const [f, q] = [pathToFileURL(file).href, rest];
  await page.goto(f + q);
  await page.locator("html.scripted").waitFor();
  if (rest.includes("#")) await page.locator(".replay").waitFor();
  if (name === "replay") await page.keyboard.press("d");
  await page.waitForTimeout(150);
  await page.screenshot({ path: `${out}/${name}-${width}-${scheme}.png`, fullPage: true });
  await context.close();
}
for (const [name, file, rest] of [list[0], list[1], list[3]]) {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(file).href + rest);
  await page.locator("html.scripted").waitFor();
  await page.pdf({ path: `${out}/${name}.pdf`, format: "A4", printBackground: false });
  await page.close();
}
await browser.close();
