import { workerProgram } from './worker-program';
import type * as Certificates from '../../../engine/credentials/certificate-store';
import { NO_SECRET_VALUES } from '../../../engine/export';
import type * as Expressions from '../../../engine/export/isolated-expressions';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { WorkerPool } from '../../../engine/workers/worker-pool';
import { Catalog } from '../../../src/catalog';
import { asyncWorkOf, counted } from '../../setup/work';
import { selfSigned } from '../credentials/certificates';

const PACKAGES = ['@marcbachmann/cel-js', 're2js', 'node-forge'];
const { isolatedExpressions } = counted<typeof Expressions>('engine/export/isolated-expressions', PACKAGES);
const { CertificateStore } = counted<typeof Certificates>('engine/credentials/certificate-store', PACKAGES);

const program = workerProgram();
const version = Catalog.default().kind('resources.azure.com', 'ResourceGroup')!.latest;
const mine = selfSigned('x');
afterAll(() => program.end());

const tags = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, 'x'.repeat(20)]));
const nested = (depth: number, body: string) => `string(size(${'self.spec.tags.map(x, '.repeat(depth)}${body}${')'.repeat(depth)}))`;

const EXPRESSIONS: Readonly<Record<string, string>> = {
  'comprehensions': nested(4, 'x'),
  'comprehensions with patterns': nested(3, 'x.matches("^(x|x)*$")'),
  'texts that double': `["x"]${'.map(a, a + a)'.repeat(60)}[0]`,
  'lists that double': `string(size([["x"]]${'.map(a, a + a)'.repeat(60)}[0]))`,
  'a search that nearly finds': `["a"]${'.map(a, a + a)'.repeat(18)}.map(a, a.indexOf(a + "b"))[0] == -1 ? "a" : "b"`,
  'a long sum': `"a"${'+"a"'.repeat(2_000)}`,
  'a mixed literal': `string(size([${'{1:2},[1.0],'.repeat(500)}1]))`,
  'a large program': `"${'a'.repeat(9_000)}".matches("(?:a?){500}(?:a?){500}b") ? "a" : "b"`,
  'a broken text': `"${'\\\\'.repeat(7_000)}`,
  'deep brackets': `${'('.repeat(8_000)}1${')'.repeat(8_000)}`,
  'a duration': `string(duration("${'1'.repeat(9_000)}"))`,
  'a number': `string(int("${'9'.repeat(9_000)}"))`,
  'per cent signs': `"${'%'.repeat(9_001)}".format([])`,
};

function exporting(name: string, value: string): KubernetesObject {
  const operatorSpec = { configMapExpressions: [{ name: 'out', key: 'k', value }] };
  return {
    apiVersion: version.apiVersion,
    kind: 'ResourceGroup',
    metadata: { name, namespace: 'hostile', uid: name },
    spec: { location: 'x', tags, operatorSpec },
  };
}

/**
 * The blocks that the event loop's thread runs for one of the worst texts of tenants; those of the worker threads are not counted. A long
 * text is handed over at once, a short one after 5,000 steps.
 */
const MOST_WORK = { long: 500, short: 500_000 };

test.each(Object.entries(EXPRESSIONS))('the event loop leaves it to a worker thread: %s', async (name, text) => {
  const pool = new WorkerPool({ file: program.file });
  const expressions = isolatedExpressions(pool);
  const evaluated = async (value: string) => {
    const object = exporting(name, value);
    await expressions.prepare(version, object);
    return expressions.exportsOf(version, object, NO_SECRET_VALUES).then(() => 'done', (error: Error) => error.message);
  };
  // The environment of the kind is made once.
  await evaluated('self.spec.location');
  let outcome = '';
  const work = await asyncWorkOf(async () => (outcome = await evaluated(text)));
  expect(work).toBeLessThan(text.length > 1_000 ? MOST_WORK.long : MOST_WORK.short);
  expect(outcome.length).toBeLessThan(2_500);
  await pool.close();
});

test.each([
  ['beginnings', () => '-----BEGIN '.repeat(23_000)],
  ['a chain of hundreds', () => mine.key + mine.certificate.repeat(200)],
  ['zeros', () => '0'.repeat(200_000)],
])('the event loop leaves a certificate to a worker thread: %s', async (_, content) => {
  const pool = new WorkerPool({ file: program.file });
  const certificates = new CertificateStore(pool);
  const input = { content: Buffer.from(content()), where: 'W' };
  expect(await asyncWorkOf(() => certificates.prepare(input, 'hostile'))).toBeLessThan(MOST_WORK.long);
  expect(() => certificates.read(input.content, undefined, 'W')).toThrow();
  await pool.close();
});

test('expressions and certificates at their worst do not hold up another namespace', async () => {
  const pool = new WorkerPool({ file: program.file });
  const expressions = isolatedExpressions(pool);
  const certificates = new CertificateStore(pool);
  const evaluated = async (object: KubernetesObject) => {
    await expressions.prepare(version, object);
    return expressions.exportsOf(version, object, NO_SECRET_VALUES).then(() => 'done', (error: Error) => error.message);
  };
  let ended = 0;
  const hostile = Object.entries(EXPRESSIONS).flatMap(([name, text]) =>
    [1, 2, 3].map((copy) => evaluated(exporting(`${name}-${copy}`, text)).finally(() => (ended += 1))),
  );
  const contents = ['-----BEGIN '.repeat(23_000), mine.key + mine.certificate.repeat(200), '0'.repeat(200_000)];
  const read = contents.map((content) => certificates.prepare({ content: Buffer.from(content), where: 'W' }, 'hostile'));
  const neighbour = { ...exporting('good', `"${'x'.repeat(2_000)}"`), metadata: { name: 'good', namespace: 'neighbour' } };
  await expect(evaluated(neighbour)).resolves.toBe('done');
  const endedBefore = ended;
  const outcomes = await Promise.all(hostile);
  await Promise.all(read);
  await pool.close();
  expect(outcomes.filter((outcome) => outcome !== 'done').length).toBeGreaterThan(20);
  // The neighbour has a thread of its own: it waits for none of them, and they go on in the other thread meanwhile.
  expect(endedBefore).toBeLessThan(hostile.length / 2);
});
