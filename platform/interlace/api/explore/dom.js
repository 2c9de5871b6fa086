// Builds the page. Text only ever becomes text nodes and attributes: nothing from a document is read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Return an element with attributes and children; children are nodes or texts, and null is left out. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for drawings. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Return a text as nodes in which one sentence is marked. */
export function marked(text, sentence) {
  const at = sentence ? text.indexOf(sentence) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), el("mark", {}, sentence), text.slice(at + sentence.length)];
}

/** Return rows of a table; each is a list of nodes or texts. */
export function tableRows(rows) {
  return rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell ?? ""))));
}

/** Return a table of such rows. */
export function table(caption, heads, rows) {
  return el("table", {},
    el("caption", { class: "quiet" }, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, tableRows(rows)));
}

/** Return what went wrong, said at once by screen readers. */
export function problem(error) {
  return el("p", { class: "problem", role: "alert" }, error.message);
}

/** Return a link to a page of this program. */
export function link(kind, id, text) {
  return el("a", { href: `#/${kind}/${encodeURIComponent(id)}` }, text || id);
}

/** Cut a text to a length, at a word where there is one. */
export function shortened(text, length) {
  const line = text.split(/\s+/).join(" ").trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 0 ? cut.lastIndexOf(" ") : length)} …`;
}
