import { GROUPS, object, TestEnvironment } from './harness';
import { createCelEngine, ExportError, inlineExpressions, type ObjectExpressions } from '../../../engine/export';
import { JobStoppedError } from '../../../engine/workers/errors';
import { STOPPED_EXPORT } from '../../../src/azure/annotations';

const MINUTE = 60_000;
const exporting = (value = '"x"') =>
  object(GROUPS, 'rg', { location: 'westeurope', operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value }] } });

class Expressions implements ObjectExpressions {
  public readonly engine = createCelEngine();
  public readonly prepare = inlineExpressions(this.engine).prepare;
  public evaluations = 0;
  public stops = true;

  public async exportsOf(): Promise<{ secrets: never[]; configMaps: never[] }> {
    this.evaluations += 1;
    if (!this.stops) return { secrets: [], configMaps: [] };
    const error = new ExportError(
      'evaluate',
      'evaluating the expressions of this object took longer than it may (5 s)',
      'FailedWritingAdditionalKubernetesObjects',
      'Error',
    );
    error.cause = new JobStoppedError('deadline', 5000);
    throw error;
  }
}

async function started(expressions: Expressions, environment = new TestEnvironment()): Promise<TestEnvironment> {
  await environment.start({ expressions, syncPeriod: 5 * MINUTE });
  return environment;
}

test('an export that was stopped is a condition, and is not tried again while the spec is the same', async () => {
  const expressions = new Expressions();
  const environment = await started(expressions);
  await environment.cluster.create(GROUPS, exporting());
  await environment.clock.advance(1000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({
    status: 'False',
    severity: 'Error',
    reason: 'FailedWritingAdditionalKubernetesObjects',
    message: expect.stringMatching(
      /took longer than it may \(5 s\)\. They are evaluated again when the spec changes, or after 20\d\d-.*Z$/,
    ) as string,
  });
  expect(expressions.evaluations).toBe(1);
  await environment.clock.advance(8 * MINUTE);
  expect(expressions.evaluations).toBe(1);
  await environment.clock.advance(10 * MINUTE);
  expect(expressions.evaluations).toBe(2);
  // Now 20 minutes.
  await environment.clock.advance(9 * MINUTE);
  expect(expressions.evaluations).toBe(2);
});

test('another process neither', async () => {
  const expressions = new Expressions();
  const environment = await started(expressions);
  await environment.cluster.create(GROUPS, exporting());
  await environment.clock.advance(1000);
  await environment.kill();
  await started(expressions, environment);
  await environment.clock.advance(MINUTE);
  expect(expressions.evaluations).toBe(1);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'False' });
});

test('a change of the spec is tried at once, and what works removes the record', async () => {
  const expressions = new Expressions();
  const environment = await started(expressions);
  await environment.cluster.create(GROUPS, exporting());
  await environment.clock.advance(1000);
  expressions.stops = false;
  await environment.cluster.edit(GROUPS, 'default', 'rg', exporting('"y"').spec!);
  await environment.clock.advance(1000);
  expect(expressions.evaluations).toBe(2);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.stored(GROUPS, 'rg')!.metadata.annotations).not.toHaveProperty([STOPPED_EXPORT]);
});

test.each([
  '{',
  '1',
  '{"cause":1}',
  '{"cause":"c","at":"never","times":1,"message":"m"}',
  '{"cause":"c","at":"2999-01-01","times":1e9,"message":"m"}',
])('a record that somebody wrote (%s) holds nothing up', async (record) => {
  const expressions = new Expressions();
  expressions.stops = false;
  const environment = await started(expressions);
  await environment.cluster.create(GROUPS, {
    ...exporting(),
    metadata: { ...exporting().metadata, annotations: { [STOPPED_EXPORT]: record } },
  });
  await environment.clock.advance(1000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});
