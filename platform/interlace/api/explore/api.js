// Asks the API of this server, for one tenant and with one key.

const kept = window.sessionStorage;

/** Remember tenant and key until the tab is closed. */
export function remember(name, value) {
  if (value) kept.setItem(name, value);
  else kept.removeItem(name);
}

export function remembered(name) {
  return kept.getItem(name) ?? "";
}

/** Return the headers that tenant and key need; throws an Error if a header cannot hold one. */
export function headers() {
  const found = {};
  for (const name of ["tenant", "key"]) {
    if (/[^\x20-\x7e]/.test(remembered(name))) throw new Error(`The ${name} has characters that no ${name} has; correct it under “Tenant and key”.`);
  }
  if (remembered("tenant")) found["X-Interlace-Tenant"] = remembered("tenant");
  if (remembered("key")) found.Authorization = `Bearer ${remembered("key")}`;
  return found;
}

function away() {
  throw new Error("The server does not answer. Check that it is running and that you are connected, then reload the page.");
}

async function send(path, body, accept) {
  const options = { headers: { ...headers(), Accept: accept } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(path, options).catch(away);
  if (response.ok) return response;
  const found = await response.json().catch(() => ({}));
  const error = new Error(found.detail ?? `The server answered ${response.status}.`);
  error.status = response.status;
  throw error;
}

/** Return the JSON of a response; throws an Error that has the sentence and the status of a problem. */
export async function ask(path, body) {
  const response = await send(path, body, "application/json");
  return response.json().catch(() => ({}));
}

/** Yield the events of a response as they arrive, each as its name and its data; throws as `ask` does. */
export async function* follow(path, body) {
  const response = await send(path, body, "text/event-stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let piece = await reader.read().catch(away); !piece.done; piece = await reader.read().catch(away)) {
    const events = (rest + piece.value).split(/\r?\n\r?\n/);
    rest = events.pop();
    for (const event of events) {
      const fields = Object.fromEntries([...event.matchAll(/^(\w+): ?(.*)$/gm)].map(([, name, value]) => [name, value]));
      const data = JSON.parse(fields.data);
      if (fields.event === "problem") throw new Error(data.detail);
      yield [fields.event, data];
    }
  }
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// The variable that holds the key for what is copied; commands of Interlace refuse one that begins with INTERLACE_ and is no setting.
const KEY = "API_KEY";

/** Return a request as a command for a shell; the key is named, never written out. */
export function asCurl(path, body) {
  const parts = [`curl -s ${quoted(location.origin + path)}`];
  if (remembered("tenant")) parts.push(`-H ${quoted(`X-Interlace-Tenant: ${remembered("tenant")}`)}`);
  if (remembered("key")) parts.push(`-H "Authorization: Bearer $${KEY}"`);
  if (body) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" \\\n  ");
}

/** Return a question as Python; the key is named too. */
export function asPython(question, limit) {
  const tenant = remembered("tenant") ? `, tenant=${JSON.stringify(remembered("tenant"))}` : "";
  const key = remembered("key") ? `, api_key=os.environ["${KEY}"]` : "";
  return [
    ...key ? ["import os", ""] : [],
    "from interlace.client import Interlace",
    "",
    `with Interlace(${JSON.stringify(location.origin)}${key}${tenant}) as client:`,
    `    print(client.query(${JSON.stringify(question)}, limit=${limit}))`,
  ].join("\n");
}
