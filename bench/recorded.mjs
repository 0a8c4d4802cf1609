// Requests of Azure Service Operator until its objects are Ready, counted in recorded traffic, beside those of this controller against the
// same answers.
//
//   node ready.mjs --verbose -- node lib/cli/main.js sandbox --output json > ready.txt      the conformance check; see .ci/run
//   node bench/recorded.mjs CASES ready.txt [--output json]                                 CASES: the directory of its cases
//
// Of the recorded requests those count that a first creation needs: of each resource the first PUT, the polls of its operation, and the
// reads of the resource until it is there and in no state of passage. The recorded tests also edit and delete; that does not count. The
// check waits for nothing between polls, so its times say nothing, and polls of ours are fewer in Azure's own time.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, report, round } from './shared/bench.mjs';

const [directory, output] = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
if (!directory || !output) fail('usage: node bench/recorded.mjs CASES READY-OUTPUT');
const json = process.argv.includes('json') || process.argv.includes('--json');

const withoutHost = (url) => url.replace(/^https?:\/\/[^/]+/, '').toLowerCase();
const urlOf = ({ path, query }) => `${path}${query ? `?${query}` : ''}`.toLowerCase();
const isPassage = (response) => /"provisioningState":"(?!Succeeded|Ready|Online|Active|Enabled)[A-Za-z]*ing"|"provisioningState":"Accepted"/i.test(response ?? '');

/** The requests of one resource's creation: PUT, polls, reads. */
function creationOf(path, traffic) {
  const at = traffic.findIndex((one) => one.method === 'PUT' && one.path.toLowerCase() === path.toLowerCase() && one.status < 300);
  if (at < 0) return undefined;
  const headers = Object.fromEntries(Object.entries(traffic[at].headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const operations = [headers['azure-asyncoperation'], headers.location].filter(Boolean).map(withoutHost);
  const counts = { puts: 1, polls: 0, reads: 0 };
  for (const one of traffic.slice(at + 1)) {
    if (one.method !== 'GET' && one.path.toLowerCase() === path.toLowerCase()) break;
    if (operations.some((operation) => urlOf(one) === operation)) counts.polls += 1;
    else if (one.method === 'GET' && one.path.toLowerCase() === path.toLowerCase()) {
      counts.reads += 1;
      if (one.status === 200 && !isPassage(one.response)) break;
    }
  }
  return counts;
}

const cases = readdirSync(directory).filter((name) => name.endsWith('.json')).map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
const ours = new Map([...readFileSync(output, 'utf8').matchAll(/^(\S+): ok, (\d+) requests/gm)].map(([, name, count]) => [name, Number(count)]));
const both = cases.filter(({ name }) => ours.has(name));
if (both.length === 0) fail(`${output} has no line about a case of ${directory}: run the check with --verbose`);
const creations = both.flatMap(({ expect, traffic }) => expect.map(({ path }) => creationOf(path, traffic))).filter(Boolean);
const sum = (name) => creations.reduce((total, counts) => total + counts[name], 0);
const objects = both.reduce((total, { expect }) => total + expect.length, 0);
const [puts, polls, reads] = [sum('puts'), sum('polls'), sum('reads')];
const total = [...both].reduce((all, { name }) => all + ours.get(name), 0);
report({
  json,
  title: `${both.length} recorded cases, ${objects} resources, ${creations.length} of them created in the recording`,
  rows: [
    { what: 'Azure Service Operator: requests a resource', value: round((puts + polls + reads) / creations.length, 2) },
    { what: '… PUT, polls, reads', value: `${round(puts / creations.length, 2)}, ${round(polls / creations.length, 2)}, ${round(reads / creations.length, 2)}` },
    { what: 'this controller: requests a resource, keys included', value: round(total / objects, 2) },
  ],
});
