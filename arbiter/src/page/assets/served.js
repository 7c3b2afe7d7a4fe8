// A report from the wall: what a file would hold is fetched, and shown as the file would show it.
import { el } from "./dom.js";
import { ask, token } from "./token.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const own = await token();
document.getElementById("places")?.append(el("a", { href: "/" }, "← Wall"));
const number = location.pathname.split("/").at(-1);
const answer = own === null ? null : await ask(`/api/report/${number}`, own);
if (!answer?.ok) {
  main.replaceChildren(el("h1", { class: "lead" }, answer ? "This report is not there any more." : "This page opens from the wall, whose link arbiter has printed."));
  document.documentElement.classList.add("scripted");
} else {
  // What arbiter writes holds texts of strangers as texts, and nothing in it runs: the page lets no script run but its files.
  const contents = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = `${contents.querySelector("h1")?.textContent ?? "Report"} – arbiter`;
  main.replaceChildren(...contents.body.childNodes);
  await import("./report.js");
}
