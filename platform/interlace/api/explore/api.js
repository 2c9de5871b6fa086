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

/** Return the headers that tenant and key need. */
export function headers() {
  const found = {};
  if (remembered("tenant")) found["X-Interlace-Tenant"] = remembered("tenant");
  if (remembered("key")) found.Authorization = `Bearer ${remembered("key")}`;
  return found;
}

/** Return the JSON of an answer; throws an Error that has the sentence and the status of a problem. */
export async function ask(path, body) {
  const options = { headers: headers() };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options);
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const error = new Error(found.detail ?? `The server answered ${answer.status}.`);
    error.status = answer.status;
    throw error;
  }
  return found;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Return a request as a command for a shell; the key is named, never written out. */
export function asCurl(path, body) {
  const parts = [`curl -s ${quoted(location.origin + path)}`];
  if (remembered("tenant")) parts.push(`-H ${quoted(`X-Interlace-Tenant: ${remembered("tenant")}`)}`);
  if (remembered("key")) parts.push('-H "Authorization: Bearer $INTERLACE_KEY"');
  if (body) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return parts.join(" \\\n  ");
}

/** Return a question as Python. */
export function asPython(question, limit) {
  const tenant = remembered("tenant") ? `, tenant=${JSON.stringify(remembered("tenant"))}` : "";
  return [
    "from interlace.client import Interlace",
    "",
    `with Interlace(${JSON.stringify(location.origin)}${tenant}) as client:`,
    `    print(client.query(${JSON.stringify(question)}, limit=${limit}))`,
  ].join("\n");
}
