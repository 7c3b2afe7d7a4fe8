// Opens pages from disk in Chromium, as people do. FOLDER is where they lie; expected.json in the
// folder says what lies on every board at the end of its game.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { barriers, forTests } from "./served.js";

const folder = process.env.FOLDER;
const expected = JSON.parse(readFileSync(`${folder}/expected.json`, "utf8"));
const visit = await forTests();

const at = (address) => `${pathToFileURL(folder)}/${address}`;
const open = (address, options) => visit(at(address), options);
/** Goes on to another address of an open page, and waits until what was shown before has made room for it. */
async function turnTo(page, address) {
  await page.locator(".replay").evaluateAll((all) => all.forEach((replay) => replay.classList.add("before")));
  await page.goto(at(address));
  await page.locator("html.scripted").waitFor();
  const wanted = address.includes("game=99") ? "#stage h1" : address.includes("#") ? ".replay:not(.before)" : ".gamelist";
  await page.locator(wanted).first().waitFor();
}

const count = (page) => page.locator(".count").textContent();

test("every game of every report is stepped to its end and shows the last position", async () => {
  const { page, heard, close } = await open("all.html?text");
  for (const { report, game, plies, cells } of expected) {
    await page.evaluate((hash) => (location.hash = hash), `#report=${report}&game=${game}`);
    await page.locator(".count", { hasText: `0 / ${plies}` }).waitFor({ timeout: 20_000 });
    await page.locator(`.replay[aria-label="Game ${game}"]`).waitFor();
    // Thousands of keys, each of which would wait for a picture.
    await page.evaluate((plies) => {
      for (let ply = 0; ply < plies; ply++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    }, plies);
    assert.equal(await count(page), `${plies} / ${plies}`);
    const shown = await page.locator(".boardtext td").allTextContents();
    assert.deepEqual(shown.filter((text) => text !== "").sort(), [...cells].sort(), `report ${report}, game ${game}`);
  }
  assert.deepEqual(heard, []);
  await close();
});

test("what bots said of their searches is what the report says, and where a line goes on that is not in the file", async () => {
  for (const [name, kept] of [["told", 12], ["many", 5]]) {
    const { page, heard, close } = await open(`${name}.html#game=1`);
    const { plies } = JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")).games[0];
    await page.locator(".replay").waitFor();
    for (const { search: { depth, nodes, score, line } } of plies) {
      await page.keyboard.press("ArrowRight");
      const { facts, lines } = await page.locator(".said").evaluate((said) => ({
        facts: Object.fromEntries([...said.querySelectorAll("dl > div")].map((of) => [...of.children].map((child) => child.textContent))),
        lines: [...said.querySelectorAll(".line")].map((of) => of.textContent.replace(/^Show line/, "").trim()),
      }));
      const pieces = Math.abs(score) / 100;
      const text = pieces < 9.95 ? pieces.toFixed(1) : String(Number(pieces.toPrecision(2)));
      assert.equal(facts.Value, score === null ? undefined : `${score === 0 || text === "0.0" ? "" : score > 0 ? "+" : "−"}${text}`);
      assert.deepEqual([facts.Depth, facts.Positions], [depth, Number(nodes.toPrecision(2))].map((number) => (number > 0 ? String(number) : undefined)));
      const more = line.length > kept ? ` and ${line.length - kept} more, which ${name}.json tells` : "";
      const shown = line.length === 0 ? [] : [`expected ${line.slice(0, kept).join(" ")}${more}`];
      assert.deepEqual(lines, shown);
    }
    assert.deepEqual(heard, []);
    await close();
  }
});

test("an address leads to a report, a game and a move, and follows them", async () => {
  const { report, game, plies } = expected.find((of) => of.plies > 10);
  const { page, heard, close } = await open(`all.html#report=${report}&game=${game}&ply=5`);
  await page.locator(".count", { hasText: `5 / ${plies}` }).waitFor();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => location.hash), /ply=6$/);
  await page.keyboard.press("End");
  assert.equal(await count(page), `${plies} / ${plies}`);
  await page.keyboard.press("Home");
  await page.keyboard.press("t");
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  assert.equal(await count(page), `7 / ${plies}`);
  await page.locator('.movelist [data-ply="3"]').click();
  assert.equal(await count(page), `3 / ${plies}`);
  await page.keyboard.press("Escape");
  await page.locator("#overview").waitFor();
  assert.equal(await page.locator(".replay").count(), 0);
  assert.deepEqual(heard, []);
  await close();
});

test("a replay plays by itself until it is stopped", async () => {
  const { page, heard, close } = await open("one.html#game=1");
  await page.locator(".replay").waitFor();
  for (let i = 0; i < 5; i++) await page.keyboard.press("+");
  await page.keyboard.press(" ");
  await page.locator(".count", { hasText: /^([3-9]|\d\d) / }).waitFor();
  await page.keyboard.press(" ");
  const stopped = await count(page);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  assert.equal(await count(page), stopped);
  assert.deepEqual(heard, []);
  await close();
});

test("names, texts and file names of strangers do nothing", async () => {
  for (const address of ["hostile.html", "hostile.html#game=1&ply=3", "hostile.html?text#game=1&ply=3"]) {
    const { page, heard, close } = await open(address);
    await page.locator(address.includes("#") ? ".replay" : ".gamelist").first().waitFor();
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    assert.equal(await page.locator("img, iframe, object, [onclick], [onload], [onerror], a[href^='javascript']").count(), 0);
    assert.deepEqual(await page.locator("script").evaluateAll((all) => all.map((of) => of.type).filter((type) => type !== "application/octet-stream")), ["module"]);
    assert.ok((await page.locator("body").textContent()).includes("<img src=x onerror=window.harmed=1>"));
    // What somebody puts into the page later must not run either.
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.harmed = 2";
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    const [refused, ...others] = heard;
    assert.match(refused, /Content Security Policy/);
    assert.deepEqual(others, []);
    await close();
  }
});

test("the page has no barrier that axe knows, in any theme, width or mode", async () => {
  const everywhere = ["one.html", "one.html#game=1&ply=20"];
  const boards = new Map(expected.map(({ of, report, game }) => [of, `all.html#report=${report}&game=${game}&ply=9`]));
  assert.ok(boards.size > 5, "every game has a board");
  const once = {
    "light 390": ["one.html?text#game=1&ply=20", "one.html#game=99", "hostile.html", "cup.html", "named.html", "named.html#game=1&ply=5"],
    "dark 1440": ["all.html", "named.html", "named.html#game=1&ply=5", "hostile.html#game=1&ply=3", "cup.html", ...boards.values()],
  };
  const barred = [];
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 1440]) {
      // Colours that still change have less contrast.
      const still = { reducedMotion: "reduce", bypassCSP: true };
      const { page, close } = await open("one.html", { colorScheme, viewport: { width, height: 900 }, ...still });
      for (const address of [...everywhere, ...(once[`${colorScheme} ${width}`] ?? [])]) {
        await turnTo(page, address);
        // The page of all reports takes long, and has been looked at without a game.
        const part = address.startsWith("all.html#") ? ".replay" : "html";
        barred.push(...(await barriers(page, `${address} ${colorScheme} ${width}`, part)));
        const room = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (room > 0) barred.push(`${address} is ${room} pixels too wide at ${width}`);
      }
      await close();
    }
  }
  assert.deepEqual(barred, []);
});

test("what the strongest bot thinks stands beside the board of every move, in words too, once somebody asks for it", async () => {
  const { page, heard, close } = await open("one.html#game=1", { bypassCSP: true });
  await page.locator(".replay").waitFor();
  assert.equal(await page.locator(".evaluation rect").count(), 0, "nobody has asked for it");
  await page.keyboard.press("b");
  assert.equal(await page.locator(".judged").textContent(), "No bot has said what it thinks.");
  const seen = new Set();
  for (let ply = 0; ply < 30; ply++) {
    await page.keyboard.press("ArrowRight");
    const said = await page.locator(".judged").textContent();
    const [, score] = said.match(/: ([+−]?[\d.]+), says Greedy at depth 1$/) ?? [];
    if (ply > 0) assert.ok(score, said);
    const [low, whole] = await page.locator(".evaluation rect").evaluateAll(([above, below]) => [Number(below.getAttribute("height")), Number(below.getAttribute("height")) + Number(above.getAttribute("height"))]);
    if (score) assert.equal(Math.sign(low / whole - 0.5), score.startsWith("+") ? 1 : score.startsWith("−") ? -1 : 0, `${said}: ${low} of ${whole}`);
    seen.add(said);
  }
  assert.ok(seen.size > 2, "it follows the moves");
  assert.deepEqual(await barriers(page, "thoughts"), []);
  await page.keyboard.press("b");
  assert.equal(await page.locator(".evaluation rect").count(), 0);
  assert.deepEqual(heard, []);
  await close();
});

test("games are found by words, players and kinds, and sorted by columns", async () => {
  // A page that scrolls smoothly may move the link away under the pointer.
  const { page, close } = await open("cup.html", { reducedMotion: "reduce" });
  const rows = page.locator(".gamelist tbody tr");
  await rows.first().waitFor();
  const all = await rows.count();
  await page.getByLabel("Find games").fill("no such player");
  assert.equal(await rows.count(), 0);
  await page.getByLabel("Find games").fill("");
  await page.getByLabel("Player", { exact: true }).selectOption({ index: 1 });
  const some = await rows.count();
  assert.ok(some > 0 && some < all, `${some} of ${all}`);
  await page.getByLabel("Player", { exact: true }).selectOption({ index: 0 });
  await page.getByRole("button", { name: "Moves", exact: true }).click();
  const moves = (await rows.locator("td:nth-last-child(2)").allTextContents()).map(Number);
  assert.deepEqual(moves, [...moves].sort((a, b) => a - b));
  await rows.first().getByRole("link").click();
  await page.locator(".replay").waitFor();
  await close();
});

test("the tables read without a script, and on paper", async () => {
  const { page, close } = await open("one.html", { javaScriptEnabled: false });
  for (const name of ["Standings", "Score by seat, table", "Games, table"]) assert.ok(await page.getByRole("group", { name }).first().isVisible(), name);
  assert.ok((await page.getByRole("group", { name: "Games, table" }).locator("tbody tr").count()) > 0);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".bar").isVisible(), false);
  await page.setViewportSize({ width: 718, height: 1046 });
  for (const width of await page.locator("tbody .name").evaluateAll((all) => all.map((of) => of.clientWidth))) assert.ok(width > 60, "names stand in words, not in letters");
  await close();
});

test("the results of a class stand on one sheet of paper", async () => {
  const { page, close } = await open("class.html", { viewport: { width: 718, height: 1046 } });
  await page.emulateMedia({ media: "print" });
  const cells = await page.locator(".many td.heat").evaluateAll((all) => all.map((of) => of.getBoundingClientRect().right));
  assert.equal(cells.length, 24 * 24);
  assert.ok(Math.max(...cells) <= 718, "no column is cut off");
  await close();
});

test("every move of a game can be read on paper", async () => {
  const { page, close } = await open("all.html", { viewport: { width: 718, height: 1046 } });
  await page.emulateMedia({ media: "print" });
  for (const { report, game } of new Map(expected.map((one) => [one.of, one])).values()) {
    await turnTo(page, `all.html#report=${report}&game=${game}`);
    assert.deepEqual(await page.locator(".movelist button").evaluateAll((all) => all.filter((of) => of.scrollWidth > of.clientWidth).map((of) => of.textContent)), []);
  }
  await close();
});

test("nothing moves for those who do not want it, and words do all that keys do", async () => {
  const { page, heard, close } = await open("one.html?text#game=1", { reducedMotion: "reduce" });
  await page.locator(".replay").waitFor();
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("button")).transitionDuration), "0s");
  const log = page.locator(".log p");
  for (const [command, answer] of [["move 4", /^Move 4 of /], ["next", /^Move 5 of /], ["board", /^Board\. /], ["clock", /: /], ["evaluation", /says Greedy at depth/], ["help", /next, back/], ["fly", /is no command/]]) {
    await page.getByLabel("Command").fill(command);
    await page.keyboard.press("Enter");
    assert.match((await log.last().textContent()) ?? "", answer);
  }
  assert.deepEqual(heard, []);
  await close();
});
