// The explore page: an address after # chooses a page, and each page asks the API of this server.

import { ask, remember, remembered } from "./api.js";
import { askPage } from "./ask.js";
import { el, problem } from "./dom.js";
import { communitiesPage, communityPage, documentPage, documentsPage, entityPage, jobsPage } from "./pages.js";

const PAGES = {
  "": askPage,
  documents: documentsPage,
  document: documentPage,
  jobs: jobsPage,
  entity: entityPage,
  communities: communitiesPage,
  community: communityPage,
};
const main = document.getElementById("main");
const status = document.getElementById("status");
let shown = 0;
let asked = 0;

async function show() {
  // Only the first question mark begins the parameters; a question may have one of its own.
  const [, path, query] = location.hash.match(/^#?\/?([^?]*)\??(.*)$/s);
  const [kind, which] = path.split("/");
  const parameters = new URLSearchParams(query);
  const number = ++shown;
  const part = el("div");
  for (const each of document.querySelectorAll("nav a")) {
    if (each.getAttribute("href") === `#/${kind}`) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  main.replaceChildren(part);
  main.setAttribute("aria-busy", "true");
  status.textContent = "Loading";
  const id = decoded(which ?? "");
  const page = id !== null && Object.hasOwn(PAGES, kind) ? PAGES[kind] : missing;
  let said = "";
  try {
    said = await page(part, id, parameters, () => number === shown);
  } catch (error) {
    if (!part.querySelector("h1")) part.append(el("h1", {}, "This page cannot be shown"));
    part.append(problem(error));
    said = error.message;
  }
  if (number !== shown) return;
  const name = parameters.get("q") || part.querySelector("h1").textContent;
  document.title = `${name} · Interlace`;
  status.textContent = said ? `${name}: ${said}` : name;
  main.removeAttribute("aria-busy");
}

/** Return a part of an address as it was before it was encoded; null if it is none. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Show links to what is about all documents only to those who may see all of them. */
async function showLinks() {
  const number = ++asked;
  const held = await ask("/v1/counts").catch(() => ({}));
  if (number !== asked) return;
  for (const each of document.querySelectorAll("nav [data-of-all]")) each.hidden = held.communities === null;
}

async function missing(part) {
  part.append(el("h1", {}, "There is no such page"), el("p", { class: "problem" }, "The links above lead to those that there are."));
}

for (const name of ["tenant", "key"]) {
  const input = document.getElementById(name);
  input.value = remembered(name);
  input.addEventListener("change", () => { remember(name, input.value.trim()); showLinks(); show(); });
}
// Every address after # is a page, so the link moves the focus instead of the address.
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
window.addEventListener("hashchange", show);
showLinks();
show();
