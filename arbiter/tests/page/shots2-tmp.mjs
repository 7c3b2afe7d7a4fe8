import { launch, serve, visit } from "./served.js";
const out = "/tmp/page-work/shots";
process.env.ARBITER = "/work/wt/page/target/debug/arbiter"; process.env.FOLDER = "/tmp/page-work/work";
const browser = await launch();
const sizes = [[390, 844, "light"], [1280, 800, "light"], [1280, 800, "dark"], [1920, 1080, "dark"]];
async function shoot(name, link, prepare, full = true) {
  for (const [width, height, colorScheme] of sizes) {
    const { page, heard, close } = await visit(browser, link, { viewport: { width, height }, colorScheme });
    try { await prepare(page, width); } catch (error) { console.log(name, width, String(error).slice(0, 200)); }
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${out}/${name}-${width}-${colorScheme}.png`, fullPage: full });
    if (heard.length) console.log(name, width, heard);
    await close();
  }
}
let p = serve("--web"); await shoot("menu", (await p.links)[0], (page) => page.locator(".menu").first().waitFor()); p.stop();
p = serve("demo", "--web", "chinese-checkers"); await shoot("demo", (await p.links)[0], (page) => page.locator(".board").first().waitFor()); p.stop();
for (const [game, n] of [["othello", 3], ["chinese-checkers", 2], ["stacks", 4], ["ultimate", 3], ["connect-four", 4]]) {
  p = serve("human:Ana", "human:Bob", "--game", game, "--web", "--openings", "none", "--seed", "x", "--output", `${game}.json`);
  const [link] = await p.links;
  { const { page, close } = await visit(browser, link); await page.locator(".turnpanel.mine").waitFor();
    for (let i = 0; i < 2 * n; i++) { const finish = page.locator(".buttons .primary:enabled:visible"); const next = (await finish.count()) > 0 ? finish : page.locator(".cell.open").first(); await next.click({ force: true, timeout: 4000 }).catch(() => {}); await page.waitForTimeout(150); }
    await close(); }
  await shoot(`play-${game}`, link, async (page) => { await page.locator(".board").waitFor(); const open = page.locator(".cell.open").first(); await open.hover({ force: true, timeout: 3000 }); });
  p.stop();
}
p = serve("serve", "/tmp/page-work/wall"); await shoot("wall", (await p.links)[0], (page) => page.locator("#wall svg.board").first().waitFor({ timeout: 60000 })); p.stop();
await browser.close();
