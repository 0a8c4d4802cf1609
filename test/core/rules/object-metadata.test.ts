import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { metadataProblems } from '../../../src/core/rules/metadata-rules';

const SCRIPT = join(__dirname, '..', '..', '..', 'scripts', 'object-meta-validator.mjs');
const UNAVAILABLE = 3;
/** FC_RUNS multiplies the generated objects, FC_SEED takes others. */
const RUNS = Number(process.env.FC_RUNS ?? 1);
const SEED = process.env.FC_SEED === 'random' ? Date.now() : Number(process.env.FC_SEED ?? 1);

const program = find();
const describeWithValidator: jest.Describe = program === undefined ? describe.skip : describe;

function find(): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '--cached'], { encoding: 'utf8' });
  if (status === 0) return join(stdout.trim(), 'object-meta');
  if (status !== UNAVAILABLE) throw new Error(stderr.trim());
  process.stderr.write(`what the API server takes as metadata is not compared: ${stderr.trim()}\n`);
  return undefined;
}

interface Case {
  readonly metadata: Record<string, unknown>;
  readonly isLabel: boolean;
}

/** The fields of the metadata that the API server's library refuses. */
function refusedByServer(cases: readonly Case[]): string[][] {
  const input = cases.map(({ metadata, isLabel }) => JSON.stringify({ metadata, isLabel, namespaced: metadata.namespace !== undefined })).join('\n');
  const { status, stdout, stderr } = spawnSync(program!, [], { input, encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 });
  if (status !== 0) throw new Error(`object-meta: ${stderr}`);
  return stdout.trim().split('\n').map((line) => fieldsOf(JSON.parse(line) as string[]));
}

const refusedByUs = ({ metadata, isLabel }: Case) =>
  fieldsOf(metadataProblems(metadata, isLabel).map(({ field }) => (Array.isArray(field) ? field.slice(0, 2).join('.') : String(field))));

/** `metadata.labels`, `metadata.finalizers`: the field of a problem, each once. */
const fieldsOf = (fields: readonly string[]) => [...new Set(fields.map((field) => field.split('.').slice(0, 2).join('.').replace(/\[.*/, '')))].sort();

/** Texts near the limits of what is allowed. */
const word = fc.oneof(
  fc.stringMatching(/^[a-zA-Z0-9._-]{0,8}$/),
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/),
  fc.constantFrom('', '.', '-', '_', 'a', 'A', '0', 'é', ' ', 'a b', 'a\n', '日本'),
  fc.integer({ min: 60, max: 66 }).map((length) => 'a'.repeat(length)),
);
const prefix = fc.oneof(
  fc.array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,4}[a-z0-9])?$/), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
  fc.constantFrom('', 'A.example.com', 'a..b', '-a', 'kubernetes.io', `${'a.'.repeat(125)}bcd`, `${'a.'.repeat(125)}bcde`, 'x_y', 'ä.de'),
);
const key = fc.oneof(word, fc.tuple(prefix, word).map(([before, name]) => `${before}/${name}`), fc.tuple(prefix, prefix, word).map((parts) => parts.join('/')));
const map = fc.dictionary(key.filter((name) => name !== '__proto__'), word, { maxKeys: 2 });
const owner = fc.record({
  apiVersion: fc.constantFrom('v1', 'apps/v1', '', '/', 'a/b/c', 'x/'),
  kind: fc.constantFrom('Deployment', ''),
  name: fc.constantFrom('a', ''),
  uid: fc.constantFrom('1', ''),
  controller: fc.boolean(),
});
const metadata = fc.record({
  name: fc.constant('a'),
  namespace: fc.oneof(fc.constant('shop'), word.filter((text) => text !== '')),
  labels: map,
  annotations: map,
  finalizers: fc.array(fc.oneof(key, fc.constantFrom('orphan', 'foregroundDeletion')), { maxLength: 2 }),
  ownerReferences: fc.array(owner, { maxLength: 2 }),
});

describeWithValidator("metadata is judged as the API server's library judges it", () => {
  test('labels, annotations, finalizers, owners and namespaces', () => {
    const cases = fc.sample(metadata, { numRuns: 5_000 * RUNS, seed: SEED }).map((one): Case => ({ metadata: one, isLabel: false }));
    const server = refusedByServer(cases);
    const different = cases.flatMap((one, index) => {
      const [theirs, ours] = [server[index]!, refusedByUs(one)];
      return JSON.stringify(theirs) === JSON.stringify(ours) ? [] : [{ metadata: one.metadata, theirs, ours }];
    });
    expect(different.slice(0, 10)).toEqual([]);
    const counted = (field: string) => server.filter((fields) => fields.includes(field)).length;
    for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences', 'namespace']) {
      const refused = counted(`metadata.${field}`);
      expect([field, refused > cases.length * 0.05, refused < cases.length * 0.95]).toEqual([field, true, true]);
    }
  });

  test('names of namespaces', () => {
    const cases = fc.sample(word.filter((text) => text !== ''), { numRuns: 500 * RUNS, seed: SEED }).map((name): Case => ({ metadata: { name }, isLabel: true }));
    expect(cases.map(refusedByUs)).toEqual(refusedByServer(cases));
  });

  test('annotations of 256 KiB, in bytes', () => {
    const sized = (bytes: number, text = 'x') => ({ metadata: { name: 'a', annotations: { 'example.com/k': text.repeat((bytes - 13) / text.length) } }, isLabel: false });
    const cases = [sized(262_144), sized(262_145), sized(262_143), sized(13 + 131_065, 'é'), sized(13 + 140_000, 'é')];
    expect(cases.map(refusedByUs)).toEqual(refusedByServer(cases));
    expect(cases.map(refusedByUs).map(({ length }) => length)).toEqual([0, 1, 0, 0, 1]);
  });
});
