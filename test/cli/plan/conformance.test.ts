import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifests } from '../../../cli/manifests/manifests';
import { planRequests } from '../../../cli/plan/requests';

const FIXTURES = join(__dirname, '..', '..', 'fixtures', 'plan');
const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';

interface Recorded {
  readonly manifests: unknown[];
  readonly expect: {
    readonly kind: string;
    readonly name: string;
    readonly path: string;
    readonly apiVersion: string;
    readonly body: unknown;
  }[];
}

/** Values known only later match anything, as do values removed from the recorded traffic. Ids compare without case. */
function comparable(want: unknown, got: unknown): unknown {
  if (typeof got === 'string' && /^<(secret|configmap):/.test(got)) return want;
  if (typeof want === 'string' && typeof got === 'string') {
    const isId = want.startsWith('/subscriptions/') && want.toLowerCase() === got.toLowerCase();
    return isId || /^\{[A-Z]+\}$|^\s*$/.test(want) ? want : got;
  }
  if (Array.isArray(want) && Array.isArray(got)) return got.map((item, index) => comparable(want[index], item));
  if (typeof want === 'object' && want !== null && typeof got === 'object' && got !== null) {
    const keys = new Map(Object.keys(want).map((key) => [key.toLowerCase(), key]));
    return Object.fromEntries(Object.entries(got).map(([key, value]) => {
      const wanted = key in want || !key.startsWith('/subscriptions/') ? key : keys.get(key.toLowerCase()) ?? key;
      return [wanted, comparable((want as Record<string, unknown>)[wanted], value)];
    }));
  }
  return got;
}

// Requests that Azure accepted, recorded by the ASO project.
test.each(readdirSync(FIXTURES))('%s', (file) => {
  const recorded = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as Recorded;
  const { manifests, problems } = parseManifests(recorded.manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n'), file);
  const plan = planRequests(manifests, SUBSCRIPTION);
  expect([...problems, ...plan.problems]).toEqual([]);
  expect(recorded.expect.length).toBeGreaterThan(2);
  for (const want of recorded.expect) {
    const got = plan.requests.find(({ manifest: { object } }) => object.kind === want.kind && object.metadata.name === want.name)!;
    expect(got.method).toBe('PUT');
    expect(got.armApiVersion).toBe(want.apiVersion);
    const path = got.path.toLowerCase().replace(/<configmap:[^>]*>/g, '*').split('/');
    expect(want.path.toLowerCase().split('/').map((segment, index) => (path[index] === '*' ? '*' : segment))).toEqual(path);
    expect(comparable(want.body, got.body)).toEqual(want.body);
  }
});
