// Pages of documents, jobs, entities and communities.

import { ask } from "./api.js";
import { el, link, problem, table, tableRows } from "./dom.js";
import { drawMap } from "./drawings.js";

const id = encodeURIComponent;

/** Fill a place with what `draw` makes of a list's first items, and return a part with the button that appends those of the next page. */
async function paged(path, place, draw) {
  let cursor = "";
  const said = el("div");
  const more = el("button", { type: "button", onclick: async () => {
    more.disabled = true;
    await next().then(() => said.replaceChildren(), (error) => said.replaceChildren(problem(error)));
    more.disabled = false;
  } }, "More");
  const next = async () => {
    const found = await ask(`${path}${cursor && `&cursor=${id(cursor)}`}`);
    place.append(...draw(found.items));
    cursor = found.next_cursor ?? "";
    more.hidden = !cursor;
  };
  await next();
  return el("div", {}, more, said);
}

async function pagedTable(path, caption, heads, draw) {
  const drawn = table(caption, heads, []);
  return [drawn, await paged(path, drawn.tBodies[0], (items) => tableRows(items.map(draw)))];
}

export async function documentsPage(main) {
  main.append(el("h1", {}, "Documents"));
  main.append(...await pagedTable("/v1/documents?limit=100", "By source", ["Title", "Status", "Source", "Tags"], (each) =>
    [link("document", each.id, each.title ?? each.source_uri), each.status, each.source_uri, each.tags.join(", ")]));
}

export async function documentPage(main, which) {
  const path = `/v1/documents/${id(which)}`;
  const text = el("div");
  let section = null;
  const draw = (chunk) => {
    const begins = chunk.section && chunk.section !== section;
    section = chunk.section;
    return [...begins ? [el("h2", {}, section)] : [], el("p", { class: "text" }, chunk.text)];
  };
  const [detail, more] = await Promise.all([ask(path), paged(`${path}/chunks?limit=200`, text, (chunks) => chunks.flatMap(draw))]);
  const document = detail.document;
  main.append(
    el("h1", {}, document.title ?? document.source_uri),
    el("p", { class: "quiet" }, `${document.source_uri} · ${document.status} · ${detail.chunks} chunks · ${document.tags.join(", ")}`),
    el("p", {}, "Entities: ", detail.entities.flatMap((each, place) => [place ? ", " : "", link("entity", each.id, each.name)])),
    text, more);
}

export async function jobsPage(main, _id, _parameters, still) {
  const list = el("div");
  main.append(el("h1", {}, "Jobs"), list);
  const show = async () => {
    const jobs = await ask("/v1/jobs?limit=30");
    list.replaceChildren(table("Newest first; updates automatically", ["Job", "State", "Progress", "Failed", "Seconds"], jobs.map((job) => {
      const done = job.ready + job.deleted + job.failed;
      return [job.id, job.state, [el("progress", { max: job.total || 1, value: done, "aria-label": `${done} of ${job.total} documents` }),
        ` ${done} of ${job.total}`], String(job.failed), job.seconds.toFixed(1)];
    })));
    return jobs.some((job) => job.state !== "done" && job.state !== "cancelled");
  };
  const follow = async () => {
    if (!still()) return;
    try {
      setTimeout(follow, await show() ? 1000 : 5000);
    } catch (error) {
      list.replaceChildren(problem(error));
      // No status is no answer. Another attempt may succeed then, or after a pause, but not where the request itself was refused.
      if (!error.status || error.status === 429 || error.status >= 500) setTimeout(follow, 5000);
    }
  };
  await follow();
}

export async function entityPage(main, which) {
  const path = `/v1/entities/${id(which)}`;
  const [detail, near, facts, mentions] = await Promise.all([
    ask(path), ask(`${path}/neighbors?limit=20`),
    pagedTable(`${path}/facts?limit=50`, "Most confident first", ["Subject", "Relation", "Object", "Sentence", "Source"], (fact) => [
      link("entity", fact.subject_id, fact.subject), fact.predicate.toLowerCase().replaceAll("_", " "),
      fact.object_id ? link("entity", fact.object_id, fact.object) : fact.object, fact.sentence,
      link("document", fact.document_id, fact.title)]),
    pagedTable(`${path}/mentions?limit=50`, "Chunks", ["Sentence", "Document"], (each) =>
      [each.sentence, link("document", each.document_id, each.title)])]);
  const entity = detail.entity;
  main.append(
    el("h1", {}, entity.name),
    el("p", { class: "quiet" }, [entity.type, ...entity.aliases.length ? [`also ${entity.aliases.join(", ")}`] : [],
      `${entity.mentions} mentions in ${detail.documents} documents`].join(" · ")),
    ...(detail.generated ? [el("p", {}, detail.generated.text)] : []),
    ...(detail.description ? [el("p", {}, detail.description.text, " ", link("document", detail.description.document_id, detail.description.title))] : []),
    el("h2", {}, "Facts and their sources"),
    ...facts,
    el("h2", {}, "Related"),
    el("ul", {}, near.neighbors.map((each) => el("li", {}, link("entity", each.id, each.name), ` (${each.type})`))),
    el("h2", {}, "Mentions"),
    ...mentions,
    ...(detail.communities.length ? [el("h2", {}, "Communities"),
      el("ul", {}, detail.communities.map((each) => el("li", {}, link("community", each.id, each.title ?? each.id))))] : []));
}

export async function communitiesPage(main) {
  main.append(el("h1", {}, "Communities"));
  const found = [];
  const listed = await pagedTable("/v1/communities?limit=60&level=0", "Largest first", ["Community", "Members", "About"], (each) => {
    found.push(each);
    return [link("community", each.id, each.title ?? each.id), String(each.size), each.generated?.text ?? each.summary ?? ""];
  });
  if (!found.length) {
    main.append(el("p", {}, "There are none yet. `interlace communities refresh` detects them."));
    return;
  }
  const { drawing, by } = drawMap(found);
  drawing.addEventListener("wheel", (event) => { event.preventDefault(); by(event.deltaY < 0 ? 1.2 : 1 / 1.2); }, { passive: false });
  main.append(
    el("div", { class: "map" }, el("p", {}, el("button", { type: "button", onclick: () => by(1.5) }, "Zoom in"), " ",
      el("button", { type: "button", onclick: () => by(1 / 1.5) }, "Zoom out")), drawing),
    ...listed);
}

export async function communityPage(main, which) {
  const found = await ask(`/v1/communities/${id(which)}`);
  const related = (word, list) => list.length ? el("p", {}, `${word}: `, list.flatMap((each, place) =>
    [place ? ", " : "", link("community", each.id, each.title ?? each.id)])) : null;
  main.append(
    el("h1", {}, found.community.title ?? found.community.id),
    el("p", { class: "text" }, found.community.generated?.text ?? found.community.summary ?? ""),
    ...[related("Part of", found.parents), related("Contains", found.children)].filter(Boolean),
    table("Members, most central first", ["Name", "Type", "Mentions"], found.members.map((each) =>
      [link("entity", each.id, each.name), each.type, String(each.mentions)])));
}
