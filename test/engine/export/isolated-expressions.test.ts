import { latest } from './fixtures';
import { NO_SECRET_VALUES } from '../../../engine/export';
import { isolatedExpressions } from '../../../engine/export/isolated-expressions';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { JobStoppedError } from '../../../engine/workers/errors';
import { WorkerPool, type JobOptions } from '../../../engine/workers/worker-pool';
import { workerProgram } from '../workers/worker-program';

const program = workerProgram();
const version = latest('resources', 'ResourceGroup');

/** A pool that tells of its jobs. */
class CountingPool extends WorkerPool {
  public readonly names: string[] = [];

  public override run(job: string, input: unknown, options: JobOptions): Promise<unknown> {
    this.names.push(job);
    return super.run(job, input, options);
  }
}

let pool: CountingPool;
beforeEach(() => {
  pool = new CountingPool({ file: program.file });
});
afterEach(() => pool.close());
afterAll(() => program.end());

function exporting(value: string, more: Record<string, unknown> = {}): KubernetesObject {
  return {
    apiVersion: version.apiVersion,
    kind: 'ResourceGroup',
    metadata: { name: 'rg', namespace: 'ns', uid: 'uid', generation: 1 },
    spec: { location: 'westeurope', operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value }] }, ...more },
  };
}

async function outcome(object: KubernetesObject): Promise<unknown> {
  const expressions = isolatedExpressions(pool);
  await expressions.prepare(version, object);
  try {
    return (await expressions.exportsOf(version, object, NO_SECRET_VALUES)).configMaps[0]?.data;
  } catch (error) {
    return (error as Error).message;
  }
}

test('a small expression is evaluated without a worker thread', async () => {
  await expect(outcome(exporting('self.spec.location'))).resolves.toEqual({ k: 'westeurope' });
  expect(pool.names).toEqual([]);
});

test('a small expression that costs more steps than the event loop may spend is evaluated by a worker thread, with the same result', async () => {
  const tags = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`t${index}`, 'x']));
  const nested = exporting('string(size(self.spec.tags.map(a, self.spec.tags.map(b, a + b))))', { tags });
  await expect(outcome(nested)).resolves.toEqual({ k: '40' });
  expect(pool.names).toEqual(['exports']);
});

test('a long expression is compiled and evaluated by a worker thread', async () => {
  const long = `"${'x'.repeat(2000)}"`;
  await expect(outcome(exporting(long))).resolves.toEqual({ k: 'x'.repeat(2000) });
  expect(pool.names).toEqual(['expressions', 'exports']);
});

test('a long expression that does not compile is refused with the same words', async () => {
  const expressions = isolatedExpressions(pool);
  const text = `nothing + "${'x'.repeat(2000)}"`;
  await expressions.prepare(version, exporting(text));
  await expressions.prepare(version, exporting(text));
  expect(() => expressions.engine.compile(version, text)).toThrow(
    /^failed to compile CEL expression: "nothing.*undeclared reference to 'nothing'/,
  );
  expect(pool.names).toEqual(['expressions']);
});

test('nothing large is compiled on the event loop, even where nobody has prepared it', () => {
  expect(() => isolatedExpressions(pool).engine.compile(version, `"${'x'.repeat(2000)}"`)).toThrow(
    'before a worker thread has compiled it',
  );
  expect(() => isolatedExpressions(pool).engine.compile(version, `"${'x'.repeat(2 ** 20)}"`)).toThrow('longer than 16384 characters');
});

test('what was stopped is reported as a failure of the object, with the reason', async () => {
  const stopping = { run: () => Promise.reject(new JobStoppedError('memory', 5000)) };
  const expressions = isolatedExpressions(stopping);
  const object = exporting(`"${'x'.repeat(2000)}"`);
  await expressions.prepare(version, object);
  await expect(expressions.exportsOf(version, object, NO_SECRET_VALUES)).rejects.toMatchObject({
    name: 'ExportError',
    severity: 'Error',
    cause: { reason: 'memory' },
    message: expect.stringContaining('took more memory than it may') as string,
  });
});
