import { monitorEventLoopDelay } from 'node:perf_hooks';
import { workerProgram } from './worker-program';
import { CertificateStore } from '../../../engine/credentials/certificate-store';
import { NO_SECRET_VALUES } from '../../../engine/export';
import { isolatedExpressions } from '../../../engine/export/isolated-expressions';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { WorkerPool } from '../../../engine/workers/worker-pool';
import { Catalog } from '../../../src/catalog';
import { selfSigned } from '../credentials/certificates';

/**
 * The worst texts of tenants, all at once: the event loop must not stand still for longer than this, on a machine that may have
 * others' work to do. On the event loop itself, any of these takes from a second to for ever.
 */
const LONGEST_STILLSTAND_MS = 1_000;
const program = workerProgram();
const version = Catalog.default().kind('resources.azure.com', 'ResourceGroup')!.latest;
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

test('expressions and certificates at their worst do not hold up the event loop, nor another namespace', async () => {
  const pool = new WorkerPool({ file: program.file });
  const expressions = isolatedExpressions(pool);
  const certificates = new CertificateStore(pool);
  const evaluated = async (object: KubernetesObject) => {
    await expressions.prepare(version, object);
    return expressions.exportsOf(version, object, NO_SECRET_VALUES).then(() => 'done', (error: Error) => error.message);
  };
  // Code and environment of the kind are loaded once, whoever comes first.
  await evaluated(exporting('first', 'self.spec.location'));
  const { key, certificate } = selfSigned('x');
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const hostile = Object.entries(EXPRESSIONS).flatMap(([name, text]) =>
    [1, 2, 3].map((copy) => evaluated(exporting(`${name}-${copy}`, text))),
  );
  const contents = ['-----BEGIN '.repeat(23_000), key + certificate.repeat(200), '0'.repeat(200_000)];
  const read = contents.map((content) => certificates.prepare({ content: Buffer.from(content), where: 'W' }, 'hostile'));
  const began = performance.now();
  const neighbour = { ...exporting('good', `"${'x'.repeat(2_000)}"`), metadata: { name: 'good', namespace: 'neighbour' } };
  await expect(evaluated(neighbour)).resolves.toBe('done');
  const waited = performance.now() - began;
  const outcomes = await Promise.all(hostile);
  await Promise.all(read);
  delay.disable();
  await pool.close();
  expect(outcomes.filter((outcome) => outcome !== 'done').length).toBeGreaterThan(20);
  expect(Math.max(...outcomes.map(({ length }) => length))).toBeLessThan(2_500);
  expect(delay.max / 1e6).toBeLessThan(LONGEST_STILLSTAND_MS);
  expect(waited).toBeLessThan(15_000);
}, 240_000);
