// Drawings: the path of the graph to a hit, and communities as a map that can be zoomed.

import { shortened, svg } from "./dom.js";

const HEIGHT = 44;
const LETTER = 7.4;

/** Return the path as boxes and arrows: entities, the document that leads from one to the next, and the hit. */
export function drawPath(hit) {
  const names = [];
  for (const step of hit.path) {
    const last = names.at(-1);
    if (!last || last.id !== step.entity_id) {
      const before = hit.path[hit.path.indexOf(step) - 1] ?? step;
      names.push({ id: step.entity_id, name: step.entity_name, over: before.document_title, sentence: before.sentence });
    }
  }
  const parts = [];
  let x = 1;
  const box = (kind, text) => {
    const shown = shortened(text, 40);
    const width = Math.max(60, shown.length * LETTER + 24);
    parts.push(svg("rect", { class: kind, x, y: 22, width, height: HEIGHT, rx: kind === "entity" ? 22 : 6 }));
    parts.push(svg("text", { x: x + 12, y: 49 }, shown));
    x += width;
  };
  const arrow = (caption, sentence) => {
    const shown = shortened(caption, 34);
    const width = Math.max(70, shown.length * 6.6 + 20);
    parts.push(svg("path", { class: "edge", d: `M${x + 3} 44 H${x + width - 8} m-6 -5 l6 5 l-6 5` }));
    parts.push(svg("text", { class: "caption", x: x + 8, y: 36 }, shown, svg("title", {}, sentence ?? caption)));
    x += width;
  };
  names.forEach((each, place) => {
    if (place) arrow(each.over, each.sentence);
    box("entity", each.name);
  });
  arrow("", "");
  box("chunk", hit.title);
  const said = `Path: ${names.map((each) => each.name).join(", then ")}, then the document ${hit.title}`;
  return svg("svg", { role: "img", "aria-label": said, width: x + 2, height: 80, viewBox: `0 0 ${x + 2} 80` }, parts);
}

/** Return communities as circles on a spiral, the largest in the middle; each is a link. */
export function drawMap(communities) {
  const placed = [];
  const shapes = communities.map((each) => {
    const radius = 18 + 9 * Math.sqrt(each.size);
    const place = freePlace(placed, radius);
    placed.push({ ...place, radius });
    const title = each.title ?? each.id;
    return svg("a", { href: `#/community/${encodeURIComponent(each.id)}`, "aria-label": `${title}, ${each.size} members` },
      svg("circle", { cx: place.x, cy: place.y, r: radius }, svg("title", {}, `${title} (${each.size})`)),
      svg("text", { x: place.x, y: place.y + 4 }, shortened(title, Math.max(6, Math.floor(radius / 4)))));
  });
  const edge = Math.max(120, ...placed.map((each) => Math.hypot(each.x, each.y) + each.radius)) + 10;
  const drawing = svg("svg", { role: "group", "aria-label": "Communities" }, shapes);
  let zoom = 1;
  const show = () => {
    const half = edge / zoom;
    drawing.setAttribute("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
  };
  show();
  const by = (factor) => { zoom = Math.min(12, Math.max(1, zoom * factor)); show(); };
  return { drawing, by };
}

function freePlace(placed, radius) {
  for (let angle = 0; angle < 4000; angle += 0.35) {
    const x = 4 * angle * Math.cos(angle);
    const y = 4 * angle * Math.sin(angle);
    if (placed.every((other) => Math.hypot(other.x - x, other.y - y) > other.radius + radius + 4)) return { x, y };
  }
  return { x: 0, y: 0 };
}
