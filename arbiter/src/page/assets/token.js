// The token that lets this tab ask the program: out of the address, where others would see it, and kept for this tab alone.

/** @returns {Promise<string | null>} */
export async function token() {
  const said = new URLSearchParams(location.hash.slice(1));
  const once = said.get("once");
  let own = said.get("t");
  if (once) {
    const answer = await fetch("/api/once", { method: "POST", body: once });
    own = answer.ok ? await answer.text() : null;
  }
  if (own) sessionStorage.setItem("token", own);
  if (once || said.has("t")) {
    said.delete("t");
    said.delete("once");
    history.replaceState(null, "", `${location.pathname}${location.search}${said.size > 0 ? `#${said}` : ""}`);
  }
  return sessionStorage.getItem("token");
}

/** Asks the program for something. @param {string} path @param {string} own @returns {Promise<Response>} */
export function ask(path, own) {
  return fetch(path, { headers: { authorization: `Bearer ${own}` } });
}
