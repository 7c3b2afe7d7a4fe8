// Plays and watches in Chromium, as people do with `--web`.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { barriers, forTests, playOn, serve } from "./served.js";

const visit = await forTests();

test("the menu on a page chooses, plays, swaps, chooses again and ends, by the mouse and by keys, and everybody's page follows", async () => {
  const program = serve("--web");
  const [link, watching] = await program.links;
  const { page, heard, close } = await visit(link, { bypassCSP: true });
  const watcher = await visit(watching);
  await page.locator(".menu").waitFor();
  await watcher.page.getByText("being chosen").waitFor();
  const barred = await barriers(page, "menu");
  // What does not fit together is said where it can be mended.
  await page.getByLabel("Let us play").selectOption("Connect four");
  await page.getByLabel("Connect", { exact: true }).fill("15");
  await page.keyboard.press("Enter");
  await page.locator(".menu .why", { hasText: /15/ }).waitFor();
  // By keys alone from here.
  await page.getByLabel("Let us play").focus();
  await page.keyboard.type("Tic");
  await page.getByLabel("First").waitFor();
  for (const [label, who] of [["Player 1", "Ana"], ["Player 2", "Bob"]]) {
    await page.getByLabel(`${label} is`).focus();
    await page.keyboard.press("Home");
    await page.getByLabel(`${label}: called`).focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(who);
  }
  await page.keyboard.press("Enter");
  await page.locator(".turnpanel.mine").waitFor();
  await watcher.page.locator(".players", { hasText: "Ana" }).waitFor();
  const order = async () => (await page.locator(".players .who").first().textContent())?.slice(0, 3);
  assert.equal(await order(), "Ana");
  await playOn([page]);
  await page.locator(".next").waitFor();
  barred.push(...(await barriers(page, "after a game")));
  await page.keyboard.press("w");
  await page.locator(".next").waitFor({ state: "hidden" });
  await page.locator(".turnpanel.mine").waitFor();
  assert.equal(await order(), "Bob", "the seats are swapped");
  await watcher.page.locator(".turnpanel").waitFor();
  await playOn([page]);
  await page.getByRole("button", { name: "Another game" }).click();
  await page.locator(".menu").waitFor();
  await page.getByLabel("Let us play").selectOption("Tic-tac-toe");
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".turnpanel.mine").waitFor();
  await playOn([page]);
  await page.getByRole("button", { name: "End", exact: true }).click();
  assert.equal(await program.ended, 0, program.said());
  await watcher.page.locator("#connection.over").waitFor();
  assert.deepEqual(barred, []);
  assert.deepEqual([...heard, ...watcher.heard], []);
  await close();
  await watcher.close();
});

test("a move that was agreed to be no matter of life and death is taken back, by the mouse and by keys, and everybody sees it", async () => {
  const [greedy] = process.env.BOTS.split(":");
  const match = serve("human:Ana", greedy, "--game", "connect-four", "--web", "--casual", "--output", "casual.json");
  const links = await match.links;
  const { page, heard, close } = await visit(links[0]);
  const watcher = await visit(links.at(-1));
  const takeBack = page.getByRole("button", { name: "Take back" });
  for (const again of [() => takeBack.click(), () => page.keyboard.press("u")]) {
    await page.locator(".turnpanel.mine").waitFor();
    assert.equal(await takeBack.count(), 0, "nothing has been played");
    // Cells are called by the columns that can be typed.
    await page.getByRole("button", { name: "column 4 row 6 empty" }).waitFor();
    await page.keyboard.press("4");
    await takeBack.waitFor();
    await watcher.page.locator(".count", { hasText: "2 / 2" }).waitFor();
    await again();
    for (const seen of [page, watcher.page]) {
      await seen.locator(".count", { hasText: "0 / 0" }).waitFor();
      await seen.locator(".status", { hasText: "Ana takes back the last move." }).waitFor();
      assert.equal(await seen.locator(".movelist button").count(), 0);
    }
  }
  await playOn([page]);
  assert.equal(await match.ended, 0, match.said());
  const report = JSON.parse(readFileSync(join(process.env.FOLDER, "casual.json"), "utf8"));
  assert.deepEqual(report.games[0].taken_back, [{ seat: 0, ply: 0, plies: 2 }, { seat: 0, ply: 0, plies: 2 }]);
  assert.deepEqual([...heard, ...watcher.heard], []);
  await close();
  await watcher.close();
});

test("whoever watches sees every move, looks back meanwhile, and is back by itself after the program stood still", async () => {
  const [greedy, random] = process.env.BOTS.split(":");
  const match = serve(greedy, random, "--game", "connect-four", "--web", "--delay", "250ms", "--games", "2", "-O", "size=4x4", "--output", "watched.json");
  const [link] = await match.links;
  const { page, heard, close } = await visit(link);
  const count = page.locator(".count");
  await page.locator(".count", { hasText: /^[3-9] \/ / }).waitFor();
  match.child.kill("SIGSTOP");
  await page.keyboard.press("Home");
  assert.match(await count.textContent(), /^0 \/ /);
  assert.match(await page.locator(".prompt").textContent(), /This is how it was/);
  await page.locator("#connection.lost").waitFor();
  assert.match(await page.locator("#connection").textContent(), /trying again/);
  match.child.kill("SIGCONT");
  // On a slow machine the match may be over by then.
  await page.locator("#connection.open, #connection.over").waitFor({ state: "attached" });
  assert.match(await count.textContent(), /^0 \/ /, "who looks back is not torn away");
  assert.equal(await match.ended, 0, match.said());
  await page.locator("#connection.over").waitFor();
  const report = JSON.parse(readFileSync(`${process.env.FOLDER}/watched.json`, "utf8"));
  for (const { number, plies } of report.games) {
    await page.locator("#places select").selectOption(String(number));
    await page.keyboard.press("End");
    assert.equal(await count.textContent(), `${plies.length} / ${plies.length}`, `game ${number}`);
  }
  assert.deepEqual(heard, []);
  await close();
});

test("a page whose link no longer holds says so and stops trying, and nobody can choose at a page once the program has ended", async () => {
  const args = ["human:Ana", "human:Bob", "--game", "tic-tac-toe", "--web", "--output", "begun-again.json"];
  const match = serve(...args);
  const [link] = await match.links;
  const { page, close } = await visit(link);
  await page.locator(".turnpanel.mine").waitFor();
  match.stop();
  await match.ended;
  const again = serve(...args, "--resume", "--port", new URL(link).port);
  const [fresh] = await again.links;
  assert.match(again.said(), /The links of before open nothing any more/);
  await page.locator("#connection.refused", { hasText: "The new links are in the terminal." }).waitFor();
  assert.equal(await page.locator(".turnpanel.mine, .resign:enabled").count(), 0, "nobody can play here");
  await page.setViewportSize({ width: 380, height: 760 });
  const why = await page.locator("#connection").boundingBox();
  assert.ok(why && why.width > 340, "what is said has a line of its own on a telephone");
  const { page: stranger, close: leave } = await visit(fresh.replace(/t=.*/, `t=${"0".repeat(32)}`));
  await stranger.locator("h1", { hasText: "The new links are in the terminal." }).waitFor();
  again.stop();
  await close();
  await leave();
  const program = serve("--web");
  const { page: own, heard, close: end } = await visit((await program.links)[0]);
  await own.getByLabel("Let us play").selectOption("Tic-tac-toe");
  await own.getByLabel("First").waitFor();
  for (const player of ["Player 1", "Player 2"]) await own.getByLabel(`${player} is`).selectOption({ index: 0 });
  await own.getByRole("button", { name: "Start" }).click();
  await own.locator(".turnpanel.mine").waitFor();
  await playOn([own]);
  await own.locator(".next").waitFor();
  program.child.kill("SIGINT");
  await own.locator("#connection.over", { hasText: "arbiter has ended." }).waitFor();
  assert.equal(await own.locator(".next").isVisible(), false);
  assert.equal(await program.ended, 130, program.said());
  assert.deepEqual(heard, []);
  await end();
});

test("what a bot thinks is shown to whoever plays against it once they ask, and rules are no raw text", async () => {
  const [greedy] = process.env.BOTS.split(":");
  const match = serve("human:Ana", greedy, "--game", "othello", "--web", "--openings", "none", "--output", "asked.json");
  const [link, watch] = await match.links;
  const { page, heard, close } = await visit(link);
  await page.locator(".turnpanel.mine").waitFor();
  await page.locator(".cell.open").first().click();
  await page.locator(".said h2", { hasText: "Greedy" }).waitFor();
  assert.doesNotMatch((await page.locator(".said").textContent()) ?? "", /Depth|Value/);
  assert.equal(await page.locator(".plots", { hasText: "What the bots thought" }).count(), 0);
  const { page: other, close: leave } = await visit(watch);
  await other.locator(".said", { hasText: "Depth" }).waitFor();
  await page.keyboard.press("d");
  await page.locator(".said", { hasText: "Depth" }).waitFor();
  await page.locator(".plots", { hasText: "What the bots thought" }).waitFor();
  // The page of before has asked, this one has not; words ask as keys do.
  await page.reload();
  await page.locator(".said h2", { hasText: "Greedy" }).waitFor();
  assert.doesNotMatch((await page.locator(".said").textContent()) ?? "", /Depth|Value/);
  await page.getByText("Text mode").click();
  await page.getByLabel("Command").fill("evaluation");
  await page.keyboard.press("Enter");
  await page.locator(".log", { hasText: "says Greedy at depth" }).waitFor();
  await page.getByText("Rules of this game").click();
  assert.equal(await page.locator(".rules h2").textContent(), "Othello");
  assert.doesNotMatch((await page.locator(".rules:not([hidden]) > div").textContent()) ?? "", /^#|`|\|/m);
  assert.deepEqual(heard, []);
  match.stop();
  await close();
  await leave();
});

test("whoever comes in the middle of a turn sees the time that is left, and a click on a program that stands still is not said to be lost", async () => {
  const match = serve("--web", "--game", "tic-tac-toe", "--human-time", "60s", "--output", "timed.json");
  const [all, , , watch] = await match.links;
  const own = await visit(all);
  // Who has no name is called by the seat.
  await own.page.locator(".prompt", { hasText: /^Player 1 \(.\): your turn\./ }).waitFor();
  assert.match(match.said(), /Player 2 alone/);
  const left = async (page) => Number((await page.locator(".players .clock").first().textContent()).split(":")[1]);
  await own.page.waitForFunction(() => /^0:([0-4].|5[0-7])$/.test(document.querySelector(".players .clock")?.textContent ?? ""));
  const late = await visit(watch);
  await late.page.locator(".players .clock", { hasText: "0:" }).first().waitFor();
  await late.page.setViewportSize({ width: 400, height: 800 });
  await late.page.locator(".players .clock", { hasText: "0:" }).first().waitFor();
  assert.ok((await left(late.page)) <= 57, "the turn did not begin when the page was opened");
  match.child.kill("SIGSTOP");
  await own.page.locator(".cell.open").first().click();
  await own.page.locator("#connection.lost").waitFor();
  await own.page.locator(".why", { hasText: "the board shows whether" }).waitFor();
  match.child.kill("SIGCONT");
  await late.page.locator(".count", { hasText: "1 / 1" }).waitFor();
  await own.page.locator(".count", { hasText: "1 / 1" }).waitFor();
  // Whoever comes again plays on by keys.
  await own.page.reload();
  await own.page.locator(".turnpanel.mine").waitFor();
  await own.page.keyboard.press("Enter");
  await late.page.locator(".count", { hasText: "2 / 2" }).waitFor();
  assert.deepEqual(own.heard, []);
  // A clock that stands still is seen to.
  await own.close();
  await late.page.getByText("No page of Player 1 is open: the clock stands still.").waitFor();
  const stood = await left(late.page);
  await late.page.waitForTimeout(2500);
  assert.equal(await left(late.page), stood);
  assert.deepEqual(late.heard, []);
  match.stop();
  await late.close();
});

test("a tour says at each of its scenes what a hand could do, and marks it on the board", async () => {
  const tour = serve("demo", "chinese-checkers", "--web", "--speed", "1");
  const { page, heard, close } = await visit((await tour.links)[0]);
  // Scenes pass by themselves, again and again: the page keeps what it showed.
  await page.evaluate(() => {
    window.scenes = new Map();
    const keep = () => window.scenes.set(document.querySelector(".prompt")?.textContent ?? "", document.querySelector(".handmarks > *") !== null);
    new MutationObserver(keep).observe(document.body, { childList: true, subtree: true });
  });
  for (const [sentence, marks] of [["Choosing: ", true], ["A refusal says why", true], ["Space or a left click", true], ["Undo: ", true], ["plays \\d+", false]]) {
    const scene = await page.waitForFunction((sentence) => [...window.scenes].find(([said]) => said.match(sentence)), sentence);
    assert.equal((await scene.jsonValue())[1], marks, sentence);
  }
  assert.equal(await page.locator(".cell[role=button]").count(), 0, "there is nothing to touch");
  assert.deepEqual(heard, []);
  await close();
  tour.stop();
});

test("names of strangers do nothing on a page that is served, and nothing bars anybody from it", async () => {
  const hostile = "<img src=x onerror=window.harmed=1>";
  const match = serve("--seat", `1=human:${hostile}`, "--seat", "2=human:</script><b>", "--web", "--game", "chinese-checkers");
  const [link] = await match.links;
  const barred = [];
  for (const [colorScheme, width] of [["light", 390], ["dark", 1440]]) {
    const { page, heard, close } = await visit(link, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    await page.locator(".turnpanel.mine").waitFor();
    assert.ok((await page.locator(".players").textContent()).includes(hostile));
    assert.equal(await page.locator("img, iframe, [onerror], [style]").count(), 0);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    barred.push(...(await barriers(page, `${colorScheme} ${width}`)));
    const room = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (room > 0) barred.push(`${room} pixels too wide at ${width}`);
    assert.deepEqual(heard, []);
    await close();
  }
  match.stop();
  assert.deepEqual(barred, []);
});

test("the wall hangs up what is played into its folder, opens every report, and lets no stranger's text do anything", async () => {
  const wall = serve("serve", "wall");
  const [link] = await wall.links;
  const { page, heard, close } = await visit(link, { bypassCSP: true });
  const cards = page.locator(".walled");
  await cards.first().waitFor();
  assert.equal(await cards.count(), 1);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "a long name needs no wider screen");
  assert.ok((await cards.first().textContent()).includes("<img src=x onerror=window.harmed=1>"));
  const match = serve(...process.env.BOTS.split(":"), "--game", "tic-tac-toe", "--games", "4", "--results", "wall");
  assert.equal(await match.ended, 0, match.said());
  await page.locator(".walled", { hasText: "Tic-tac-toe" }).waitFor();
  await page.locator(".walled .screen .board").first().waitFor();
  const barred = await barriers(page, "wall");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await page.locator(".walled .scroll").evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    assert.equal(cut, 0, `columns of the wall are cut where it is ${width} wide`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [title, moves] of [["Tic-tac-toe", /^[5-9] /], ["Othello", /^\d+ /]]) {
    await page.locator(".walled h2 a", { hasText: title }).click();
    await page.locator(".gamelist a").first().click();
    await page.locator(".replay").waitFor();
    await page.keyboard.press("End");
    assert.match(await page.locator(".count").textContent(), moves);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.equal(await page.locator("img, iframe, [onerror]").count(), 0);
    await page.locator("nav a", { hasText: "Wall" }).click();
    await cards.first().waitFor();
  }
  wall.stop();
  assert.deepEqual(barred, []);
  assert.deepEqual(heard.filter((line) => !line.includes("ERR_CONNECTION")), []);
  await close();
});

test("the board of a game that is being played hangs on the wall, large on demand, and no longer than its program lives", async () => {
  const folder = join(process.env.FOLDER, "boards");
  const match = serve("human:Ana", "human:Bob", "--game", "tic-tac-toe", "--web", "--results", "boards");
  const { page: own, close: leave } = await visit((await match.links)[0]);
  const wall = serve("serve", "boards");
  const { page, heard, close } = await visit((await wall.links)[0], { bypassCSP: true });
  const card = page.locator(".walled.running");
  await own.locator(".turnpanel.mine").waitFor();
  await own.keyboard.press("n");
  await own.keyboard.press("Enter");
  await card.locator(".screen", { hasText: /Game 1: . Ana – . Bob, move 1/ }).waitFor();
  const small = await card.locator(".board").evaluate((board) => board.getBoundingClientRect().width);
  await card.getByRole("link", { name: "Watch" }).click();
  await page.waitForFunction((small) => document.querySelector(".walled.running .board")?.getBoundingClientRect().width > 1.5 * small, small);
  await own.locator(".count", { hasText: "1 / 1" }).waitFor();
  await own.locator(".turnpanel.mine").waitFor();
  await own.keyboard.press("n");
  await own.keyboard.press("Enter");
  await card.locator(".screen", { hasText: "move 2" }).waitFor();
  assert.deepEqual(await barriers(page, "large"), []);
  await card.getByRole("link", { name: "Wall" }).click();
  match.stop();
  await match.ended;
  // Nobody renews the file any more; a minute later that can be seen.
  const live = join(folder, readdirSync(folder).find((file) => file.endsWith(".live")));
  const past = new Date(Date.now() - 60_000);
  utimesSync(live, past, past);
  await page.locator(".walled.stopped", { hasText: "Stopped in game 1, after 2 moves." }).waitFor();
  assert.equal(await page.locator(".screen .board").count(), 0, "no board says that somebody still plays");
  for (const text of ["{", "[".repeat(1 << 20), '{"number":1,"seats":[],"plies":[{"move":"<img src=x onerror=window.harmed=1>"}],"ending":{"how":"rules","reason":""},"final_position":""}']) {
    writeFileSync(live, text);
    await page.locator(".walled.running").waitFor();
    utimesSync(live, past, past);
    await page.locator(".walled.stopped").waitFor();
  }
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  wall.stop();
  assert.deepEqual(heard.filter((line) => !line.includes("ERR_CONNECTION")), []);
  await close();
  await leave();
});
