// Reads from recorded traffic what Azure adds to a resource: members of a GET's answer that the PUT before it did not have.
//
//   node scripts/recorded-additions.mjs DIR >sandbox/azure/contrary/recorded-additions.json
//
// DIR holds cases as in the conformance suite. The output has, by ARM type in lower case, the path of each member (`[]`: in every element of a
// list) and its value, where all recorded resources of the type have the same one, and nothing in it belongs to a single resource (ids, names,
// times, addresses, keys).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [directory] = process.argv.slice(2);
if (!directory) {
  console.error('Which cases? node scripts/recorded-additions.mjs DIR');
  process.exit(2);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const NOT_ADDED = new Set(['id', 'name', 'type', 'etag', 'systemData', 'identity', 'provisioningState']);
/** A value of one resource: ids, times, GUIDs, addresses, hosts, long numbers, placeholders of redaction, texts that no enumeration has. */
const OF_ONE_RESOURCE = /[/{}@:]|\d{4}-\d\d-\d\d|[0-9a-f]{8}-|\d+\.\d+\.|\.(net|com|azure)\b|\d{6}|asotest|sample|aso|\s.*\s/i;

function isCommon(value) {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Math.abs(value) < 1e6;
  if (typeof value === 'string') return value.length <= 40 && !OF_ONE_RESOURCE.test(value);
  if (Array.isArray(value)) return value.every(isCommon);
  return Object.entries(value).every(([name, inner]) => !NOT_ADDED.has(name) && isCommon(inner));
}

function typeOf(path) {
  const [, last = 'Microsoft.Resources/x/x'] = /.*\/providers\/(.*)/.exec(path) ?? [];
  const [namespace, ...rest] = last.split('/');
  return (path.includes('/providers/') ? [namespace, ...rest.filter((_, index) => index % 2 === 0)].join('/') : 'Microsoft.Resources/resourceGroups').toLowerCase();
}

const recorded = new Map();
function note(type, path, value) {
  const key = `${type} ${path}`;
  const known = recorded.get(key) ?? { type, path, values: new Set() };
  known.values.add(JSON.stringify(value));
  recorded.set(key, known);
}

function walk(type, path, sent, told) {
  if (Array.isArray(sent) && Array.isArray(told)) {
    if (sent.length === told.length) sent.forEach((element, index) => walk(type, `${path}[]`, element, told[index]));
    return;
  }
  if (!isObject(sent) || !isObject(told)) return;
  for (const [name, value] of Object.entries(told)) {
    if (Object.hasOwn(sent, name)) walk(type, `${path}/${name}`, sent[name], value);
    else if (!NOT_ADDED.has(name)) added(type, `${path}/${name}`, value);
  }
}

/** The value, of an object its common members. */
function added(type, path, value) {
  if (!isObject(value)) return isCommon(value) ? note(type, path, value) : undefined;
  const common = Object.entries(value).filter(([name, inner]) => !NOT_ADDED.has(name) && isCommon(inner));
  if (common.length > 0 || Object.keys(value).length === 0) note(type, path, Object.fromEntries(common));
}

for (const file of readdirSync(directory).filter((name) => name.endsWith('.json')).sort()) {
  const { traffic } = JSON.parse(readFileSync(join(directory, file), 'utf8'));
  const sent = new Map();
  for (const { method, path, status, body, response } of traffic) {
    const key = path.toLowerCase();
    if (method === 'PUT' && status < 300 && body) sent.set(key, JSON.parse(body));
    if (method !== 'GET' || status !== 200 || !sent.has(key)) continue;
    const told = JSON.parse(response);
    const state = told.properties?.provisioningState ?? 'Succeeded';
    if (state !== 'Succeeded') continue;
    walk(typeOf(path), '', sent.get(key), told);
    sent.delete(key);
  }
}

const byType = {};
for (const { type, path, values } of [...recorded.values()].sort((a, b) => (`${a.type} ${a.path}` < `${b.type} ${b.path}` ? -1 : 1))) {
  const [value] = values;
  if (values.size === 1) (byType[type] ??= {})[path.slice(1)] = JSON.parse(value);
}
const lines = Object.entries(byType).map(([type, members]) => `${JSON.stringify(type)}:${JSON.stringify(members)}`);
process.stdout.write(`{\n${lines.join(',\n')}\n}\n`);
