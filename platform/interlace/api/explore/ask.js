// The page that asks: the answer, the hits with their evidence marked, the path as a drawing, and the same as commands.

import { ask, asCurl, asPython, follow } from "./api.js";
import { el, link, marked } from "./dom.js";
import { drawPath } from "./drawings.js";

const LIMIT = 8;

export async function askPage(main, _id, parameters) {
  const question = parameters.get("q") ?? "";
  const input = el("input", { id: "question", type: "search", name: "q", value: question, maxlength: 2000, autocomplete: "off", required: "" });
  const form = el("form", { class: "ask", role: "search", onsubmit: (event) => {
    event.preventDefault();
    const before = location.hash;
    location.hash = `#/?q=${encodeURIComponent(input.value.trim())}`;
    // The same question again changes no address, and may have another answer by now.
    if (location.hash === before) window.dispatchEvent(new Event("hashchange"));
  } }, el("label", { for: "question", class: "quiet" }, "Question"), input, el("button", {}, "Ask"));
  main.append(el("h1", {}, "Ask your documents"), form);
  if (!question) {
    main.append(await counts());
    return "";
  }
  const body = { query: question, limit: LIMIT };
  const place = el("div", { "aria-live": "polite" });
  main.append(place);
  // A language model may take its time over the answer; its first sentences and the hits are read meanwhile.
  const answering = showAnswer(question, place);
  const found = await ask("/v1/query", body);
  main.append(el("p", { class: "quiet" }, summary(found)));
  found.hits.forEach((hit) => main.append(drawHit(hit)));
  main.append(repeat(question, body, found.hits[0]));
  await answering;
  return `${found.hits.length} hits`;
}

async function counts() {
  const held = await ask("/v1/counts");
  const counted = ["documents", "entities", "facts", "communities"].filter((word) => held[word] !== null);
  const words = counted.map((word) => `${held[word].toLocaleString("en")} ${word}`);
  const unseen = held.communities === null ? " Communities and jobs are not shown to your key: they are about all documents, and it may see some of them only." : "";
  return el("p", { class: "quiet" }, `${words.join(", ")}.${unseen}`);
}

async function showAnswer(question, place) {
  const shown = [];
  try {
    for await (const [name, data] of follow("/v1/answer", { query: question })) {
      if (name === "sentence") {
        shown.push(drawSentence(data, data.footnotes));
        place.replaceChildren(answerPart("Answer", ...shown));
      }
      if (name === "answer") place.replaceChildren(drawAnswer(data));
    }
  } catch (error) {
    // A server without answers still has hits, and a sentence that was shown stays.
    if (error.status !== 404 && !shown.length) place.replaceChildren(answerPart("No answer", el("p", {}, error.message)));
  }
}

function answerPart(title, ...parts) {
  return el("section", { class: "answer", "aria-label": "Answer" }, el("h2", {}, title), ...parts);
}

function drawSentence(sentence, citations) {
  return el("p", {}, sentence.text, " ", sentence.citations.map((number) => {
    const cited = citations.find((each) => each.number === number);
    return cited ? el("a", { href: `#/document/${encodeURIComponent(cited.document_id)}`, title: cited.quote }, `[${number} ${cited.title}]`) : "";
  }));
}

function drawAnswer(answer) {
  if (answer.abstained) return answerPart("No answer", el("p", {}, answer.missing));
  const part = answerPart("Answer", ...answer.sentences.map((sentence) => drawSentence(sentence, answer.citations)));
  if (answer.mode === "generated") {
    part.append(el("p", { class: "quiet" }, `Written by ${answer.generation.model}; every quote was found in its source.`));
    for (const cited of answer.citations) part.append(el("p", { class: "quiet" }, `[${cited.number}] ${cited.title}: “${cited.quote}”`));
  }
  return part;
}

function summary(found) {
  const names = Object.keys(found.entities);
  const known = names.length ? `Entities in the question: ${names.join(", ")}. ` : "";
  const missing = found.degraded.length ? ` Answered without ${found.degraded.join(", ")}.` : "";
  return `${known}${found.hits.length} hits in ${Math.round(found.timings.total)} ms.${missing}`;
}

function drawHit(hit) {
  const place = hit.section ? `${hit.source_uri} > ${hit.section}` : hit.source_uri;
  const far = new Set(hit.path.map((step) => step.entity_id)).size > 1;
  const legs = [...hit.legs].sort((a, b) => a.rank - b.rank).map((leg) => `${leg.leg} (#${leg.rank})`);
  return el("article", { class: "hit" },
    el("h3", {}, `${hit.rank}. `, link("document", hit.document_id, hit.title)),
    el("p", { class: "quiet" }, place),
    el("p", { class: "text" }, marked(hit.text, hit.sentence)),
    far ? el("div", { class: "drawing", tabindex: "0" }, drawPath(hit)) : null,
    el("p", { class: "quiet" }, "Entities: ", entities(hit), ` Found by ${legs.join(", ")}. `, browserLink(hit)));
}

function entities(hit) {
  const seen = new Map(hit.path.map((step) => [step.entity_id, step.entity_name]));
  if (!seen.size) return "none on a path.";
  return [...seen].flatMap(([id, name], place) => [place ? ", " : "", link("entity", id, name)]).concat(".");
}

function repeat(question, body, hit) {
  const ways = { curl: asCurl("/v1/query", body), Python: asPython(question, LIMIT) };
  if (hit) ways["Cypher of the first hit"] = hit.cypher;
  return el("section", {}, el("h2", {}, "Run this query elsewhere"), Object.entries(ways).map(([name, text]) =>
    el("details", {}, el("summary", {}, name), el("pre", {}, text),
      el("button", { type: "button", onclick: (event) => copy(event.target, text) }, `Copy as ${name.split(" ")[0]}`))));
}

function browserLink(hit) {
  return hit.browser_url ? el("a", { class: "browser", href: hit.browser_url, target: "_blank", rel: "noreferrer" }, "Open in Neo4j Browser") : null;
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select the text and copy it";
  }
}
