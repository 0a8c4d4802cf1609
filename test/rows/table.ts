import { TestEnvironment } from '../controller/reconcile/harness';

export { table, type Row } from '../docs/spec-tables';

/**
 * A environment for one check, with no controller left behind and nothing gone wrong in the queue but what the check took out of `errors`.
 */
export function inEnvironment(check: (environment: TestEnvironment) => Promise<unknown>): () => unknown {
  return async () => {
    const environment = new TestEnvironment();
    try {
      await check(environment);
    } finally {
      await environment.kill();
    }
    expect(environment.errors).toEqual([]);
  };
}
