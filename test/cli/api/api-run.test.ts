import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { noteProject, writeNote } from './project';
import { runDefinition, type RunCommandOptions } from '../../../cli/api/desk/run-definition';
import { CONFIG_MAPS } from '../../../cli/cluster/resource-types';
import { CRD_KIND, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes';
import { until } from '../../setup/until';
import { captured } from '../capture';
import { LiveCluster } from '../status/live-cluster';

const NOTES: ResourceType = { group: 'platform.example.com', version: 'v1', plural: 'notes', kind: 'Note', namespaced: true };
const note = (name: string, ...lines: string[]): KubernetesObject =>
  ({ apiVersion: 'platform.example.com/v1', kind: 'Note', metadata: { name, namespace: 'default' }, spec: { lines } });

let cluster: LiveCluster;
let file: string;

beforeEach(async () => {
  cluster = await LiveCluster.start();
  file = noteProject('first');
});
afterEach(async () => {
  await cluster.close();
  rmSync(dirname(file), { recursive: true });
});

/** A run that ends with `end`. */
function run(options: Partial<RunCommandOptions> = {}, confirm?: (question: string) => Promise<boolean>, source = file) {
  const terminal = captured();
  const stop = new AbortController();
  const all: RunCommandOptions = { name: 'desk', installCrds: true, watch: false, verbose: false, output: 'text', kubeconfig: cluster.kubeconfig, ...options };
  const status = runDefinition(source, all, terminal, { environment: {}, version: '1.2.3', signal: stop.signal, ...(confirm && { confirm }) });
  const printed = (text: string | RegExp) => until(`'${text}' is printed`, () => [...terminal.out, ...terminal.err].some((line) => line.search(text) >= 0));
  const end = async () => {
    stop.abort();
    return status;
  };
  return { ...terminal, status, printed, end };
}

const textOf = async (name: string) => (await cluster.client.get(CONFIG_MAPS, name, 'default'))?.data?.text;

test('CRDs are installed, claims are composed, and each change of a claim has its line', async () => {
  const desk = run();
  await desk.printed('applied notes.platform.example.com');
  const crd = await cluster.client.get(CRD_KIND, 'notes.platform.example.com');
  expect(crd!.metadata.annotations).toEqual({ 'aso.cdk8s.io/definition': 'default/desk' });
  await cluster.client.create(NOTES, note('one', 'hello', 'world'));
  await desk.printed('ready .* Note default/one');
  expect(await textOf('one-1')).toBe('first');
  await cluster.client.create(NOTES, note('two', 'bad'));
  await desk.printed('two');
  await cluster.client.delete(NOTES, 'one', 'default');
  await desk.printed(/deleted +Note default\/one/);
  expect(await desk.end()).toBe(0);
  expect(desk.out.map((line) => line.slice('12:00:00 '.length).replace(/ +/g, ' '))).toEqual(expect.arrayContaining([
    'synced Note default/one 2 objects applied',
    'ready Note default/one 2 objects ready',
    'failed Note default/two ComposeFailed: no bad lines',
    'deleted Note default/one',
  ]));
  expect(desk.err[0]).toMatch(/^note: applied notes/);
  expect(desk.err).toContain('note: stopped: claims keep their objects, and nothing changes them until a composer runs');
});

test('a change of the sources is the next revision; one that does not compile changes nothing', async () => {
  const desk = run({ watch: true, output: 'json' });
  await desk.printed('default/desk runs Note, revision');
  await until('the kind is served', () => cluster.client.create(NOTES, note('one', 'hello')).then(() => true, () => false));
  await until('composed', async () => (await textOf('one-0')) === 'first');
  writeNote(file, 'broken', (source) => source.replace('defineApi({', 'defineApi(['));
  await desk.printed('the revision before goes on');
  writeNote(file, 'second');
  await until('composed anew', async () => (await textOf('one-0')) === 'second');
  expect(await desk.end()).toBe(0);
  const lines = desk.out.map((line) => JSON.parse(line) as Record<string, string>);
  expect(lines).toContainEqual({ time: expect.any(String), kind: 'Note', namespace: 'default', name: 'one', state: 'ready', reason: 'Ready', message: '1 object ready' });
  expect(desk.err.filter((line) => line.includes('default/desk runs Note'))).toHaveLength(2);
});

test('nothing is done without the CRDs, with those of others, or without their namespace', async () => {
  const without = run({ installCrds: false });
  expect([await without.status, without.err]).toEqual([1, ['the cluster has no notes.platform.example.com: give --install-crds']]);
  const questions: string[] = [];
  const refused = run({ installCrds: false }, async (question) => {
    questions.push(question);
    return false;
  });
  expect([await refused.status, questions]).toEqual([1, ['Create the CRD notes.platform.example.com?']]);
  const nowhere = run({ namespace: 'nowhere' });
  expect([await nowhere.status, nowhere.err[0]]).toEqual([1, expect.stringContaining('the cluster has no namespace nowhere')]);
  const asked = run({ installCrds: false, name: 'mine' }, async () => true);
  await asked.printed('applied notes.platform.example.com');
  await asked.end();
  const others = run();
  expect([await others.status, others.err[0]]).toEqual([1, expect.stringContaining('belongs to the composer default/mine, and this is default/desk')]);
  expect(await cluster.client.get(CONFIG_MAPS, 'one-0', 'default')).toBeUndefined();
});

test('a kind with older versions has the newest one, and others where an installed composer converts', async () => {
  const box = join(__dirname, 'definitions', 'box.ts');
  const first = run({}, undefined, box);
  await first.printed('boxes.platform.example.com is served in v1 only: the API server asks a webhook to convert v1alpha1, and cannot reach this machine');
  await first.printed('runs Box, revision');
  expect(await first.end()).toBe(0);
  const crd = (await cluster.client.get(CRD_KIND, 'boxes.platform.example.com'))!;
  expect(crd.spec).toMatchObject({ versions: [{ name: 'v1' }] });
  expect(crd.spec).not.toHaveProperty('conversion.webhook');

  const [version] = (crd.spec as { versions: object[] }).versions;
  const versions = [version, { ...version, name: 'v1alpha1', storage: false }];
  const change = (spec: object) => cluster.client.patch(CRD_KIND, crd.metadata.name, undefined, { spec }, 'application/merge-patch+json');
  await change({ versions });
  const refused = run({}, undefined, box);
  expect([await refused.status, refused.err.at(-1)]).toEqual([1, expect.stringContaining('boxes.platform.example.com has claims in v1alpha1, or serves it, and no webhook converts them: api run cannot')]);

  const service = { namespace: 'default', name: 'desk-webhooks', path: '/convert', port: 443 };
  await change({ conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { service, caBundle: 'LS0t' } } } });
  const beside = run({}, undefined, box);
  await beside.printed('the pods of the Service default/desk-webhooks convert v1alpha1');
  await beside.printed('runs Box, revision');
  expect(await beside.end()).toBe(0);
  expect((await cluster.client.get(CRD_KIND, crd.metadata.name))!.spec).toMatchObject({ versions: [{ name: 'v1' }, { name: 'v1alpha1' }] });
});

test('a second one waits', async () => {
  const first = run();
  await first.printed('leads');
  const second = run();
  await second.printed('waits: another composer works on this kind');
  await first.end();
  await second.printed('leads');
  expect(await second.end()).toBe(0);
});
