import fc from 'fast-check';
import { NEWEST } from './every-kind';
import { ownedObject, SURROUNDINGS } from './owned-object';
import { parseManifests } from '../../cli/manifests/manifests';
import { planRequests } from '../../cli/plan/requests';
import { TestEnvironment } from '../cli/plan/live/environment';
import { SUBSCRIPTION } from '../sandbox/azure/client';
import { multiplied, randomRuns } from '../setup/random-runs';

const services = [...new Set(NEWEST.map(({ kind }) => kind.service))];
const file = (objects: readonly unknown[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });

/** Sends what `plan` says, as the controller would. */
async function apply(environment: TestEnvironment, objects: readonly unknown[]): Promise<string[]> {
  const refused: string[] = [];
  const { requests, problems } = planRequests(parseManifests(file(objects), 'all.json').manifests, SUBSCRIPTION);
  if (problems.length > 0) refused.push(...problems.map(({ object, field, message }) => `${object} ${field}: ${message}`));
  const puts = requests.filter(({ method }) => method === 'PUT');
  for (const [index, { path, armApiVersion, body, manifest }] of puts.entries()) {
    const reply = await environment.azure.send('PUT', `${path}?api-version=${armApiVersion}`, body);
    if (reply.status >= 300) refused.push(`${manifest.object.kind} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    // Operations take their seconds, and a token lasts an hour.
    environment.azure.clock.advance(60);
    if (index % 40 === 39) await environment.azure.login();
  }
  await environment.azure.login();
  return refused;
}

test('one kind of each service: what has been applied is planned to stay as it is', async () => {
  const { seed } = randomRuns(process.env);
  const picks = services.flatMap((service) => {
    const kinds = fc.constantFrom(...NEWEST.filter(({ kind }) => kind.service === service));
    const numRuns = multiplied(1, randomRuns(process.env));
    return fc.sample(fc.tuple(kinds, fc.nat()), { numRuns, ...(seed === undefined ? {} : { seed }) });
  });
  const objects = picks.flatMap(([version, seedOfSpec], index) => ownedObject(version, `k${index}x`, seedOfSpec));
  const environment = await TestEnvironment.start({ timeScale: 3600, rules: false });
  try {
    const all = [...SURROUNDINGS, ...objects];
    const refused = await apply(environment, all);
    expect(refused).toEqual([]);
    const changes = await environment.changes(all);
    // Of a few kinds Azure shows nothing, and plan says so. A random text may be a variable, which something fills in later.
    const isVariable = ({ unknown }: { readonly unknown?: string }) => unknown?.startsWith('the variable ') === true;
    const wrong = Object.values(changes).filter(({ change, reason = '', properties }) => (
      change !== 'noChange' && !reason.startsWith('Azure does not show') && !properties.every(isVariable)));
    expect(wrong).toEqual([]);
    expect(Object.keys(changes)).toHaveLength(objects.length + 1);
  } finally {
    await environment.close();
  }
});
