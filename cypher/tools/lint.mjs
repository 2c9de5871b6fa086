// Finds syntax errors and unknown variables in the Cypher files, without a server.
// Usage: node tools/lint.mjs [file or folder …]; prints errors and warnings, exits with 1 if there is an error.

import { lintCypherQuery } from '@neo4j-cypher/language-support';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const named = process.argv.slice(2);
const places = named.length ? named : ['migrations', 'queries', 'browser'].map((folder) => join(root, folder));

function* cypherFiles(place) {
  if (!statSync(place).isDirectory()) {
    yield place;
    return;
  }
  for (const name of readdirSync(place).sort()) {
    const path = join(place, name);
    if (statSync(path).isDirectory() || name.endsWith('.cypher')) yield* cypherFiles(path);
  }
}

function declaredParameters(text) {
  const line = /^\/\/ params: (.*(?:\n\/\/ {3}.*)*)$/m.exec(text)?.[1] ?? '';
  const names = [...line.matchAll(/\$(\w+)/g)].map(([, name]) => name);
  if (/^\/\/ reader: filtered$/m.test(text)) names.push('groups'); // whoever runs it sets them
  return Object.fromEntries(names.map((name) => [name, null]));
}

const ERROR = 1; // severities of the Language Server Protocol
let errors = 0;
for (const place of places) {
  for (const path of cypherFiles(place)) {
    const text = readFileSync(path, 'utf8');
    const { diagnostics } = lintCypherQuery(text, { parameters: declaredParameters(text) });
    for (const { message, range, severity } of diagnostics) {
      if (severity === ERROR) errors += 1;
      const place = `${relative(process.cwd(), path)}:${range.start.line + 1}:${range.start.character + 1}`;
      console.error(`${place}: ${severity === ERROR ? 'error' : 'warning'}: ${message}`);
    }
  }
}
process.exit(errors ? 1 : 0);
