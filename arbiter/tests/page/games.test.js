// Plays every game in Chromium, as people do with `--web`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { forTests, playOn, serve } from "./served.js";

const visit = await forTests();

/** Games with their seats, some of them as short as they come. */
const GAMES = [
  [2, "tic-tac-toe"], [2, "connect-four", "-O", "size=5x4"], [2, "othello", "--openings", "./othello.txt"], [2, "ultimate"],
  [2, "stacks", "-O", "n=3", "-O", "max_turns=18"], [2, "hex", "-O", "size=4"],
  ...[3, 6].map((seats) => [seats, "chinese-checkers", "--players", `${seats}`, "--max-plies", `${2 * seats}`]),
];

for (const [tabs, game, ...options] of GAMES) {
  test(`${game} is played to its end in ${tabs} tabs, by the mouse and by keys in turn`, async () => {
    const match = serve("--web", "--game", game, ...options, "--output", `${game}-${tabs}.json`);
    const links = (await match.links).slice(1, tabs + 1);
    const seats = await Promise.all(links.map((link) => visit(link)));
    assert.ok(!seats[0].page.url().includes("t="), "the token is out of the address");
    await playOn(seats.map(({ page }) => page));
    assert.equal(await match.ended, 0, match.said());
    for (const { page, heard, close } of seats) {
      await page.locator("#connection.over").waitFor();
      assert.match(await page.locator(".result").textContent(), /wins|drawn/);
      assert.match(await page.locator("#connection").textContent(), /The match is over/);
      assert.deepEqual(heard, []);
      await close();
    }
  });
}
