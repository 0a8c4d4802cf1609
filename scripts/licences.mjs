// Ends with status 1 where a bundled package has a licence that is not allowed, or none.
//
//   node scripts/licences.mjs ALLOWED…        the list is in projenrc/licences.ts (npx projen licences)
//   SBOM=FILE node scripts/licences.mjs …     another list of packages than sbom.cdx.json
//
// It reads what the build wrote from node_modules, and asks no server.
import { existsSync, readFileSync } from 'node:fs';
import parseSpdx from 'spdx-expression-parse';

const allowed = new Set(process.argv.slice(2));
const { SBOM: file = 'sbom.cdx.json' } = process.env;

if (!existsSync(file)) {
  console.error(`licences: ${file} is not there; \`npm run make\` writes it`);
  process.exit(2);
}
const { metadata, components } = JSON.parse(readFileSync(file, 'utf8'));
const all = [metadata.component, ...components].flatMap(withNested);
const refused = all.filter((component) => !isAllowed(component));
for (const component of refused) console.error(`licences: ${titleOf(component)}: ${licencesOf(component).join(', ') || 'no licence'}`);
if (refused.length > 0) {
  console.error(`Allowed are ${[...allowed].join(', ')} (projenrc/licences.ts).`);
  console.error('Bundle another package, or let a maintainer allow the licence there.');
  process.exitCode = 1;
} else {
  console.log(`${all.length} components, all with a licence that is allowed`);
}

function withNested(component) {
  return [component, ...(component.components ?? []).flatMap(withNested)];
}

function titleOf({ group, name, version }) {
  return [group ? `${group}/${name}` : name, version].filter(Boolean).join(' ');
}

/** Expressions of SPDX, or names where there is no identifier. */
function licencesOf({ licenses = [] }) {
  return licenses.map(({ license, expression }) => expression ?? license.id ?? license.name);
}

/** A component may carry several licences; all of them hold then. */
function isAllowed(component) {
  const found = licencesOf(component);
  return found.length > 0 && found.every((licence) => allowed.has(licence) || satisfies(parsed(licence)));
}

function parsed(expression) {
  try {
    return parseSpdx(expression);
  } catch {
    return {};
  }
}

/** Of alternatives one has to be allowed, of a conjunction both; an exception or `+` is as written in the list. */
function satisfies({ license, plus, exception, conjunction, left, right }) {
  if (conjunction === 'or') return satisfies(left) || satisfies(right);
  if (conjunction === 'and') return satisfies(left) && satisfies(right);
  return license !== undefined && allowed.has(`${license}${plus ? '+' : ''}${exception ? ` WITH ${exception}` : ''}`);
}
