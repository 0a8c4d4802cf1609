import { World } from '../reconcile/harness';

export { table, type Row } from '../docs/spec-tables';

/** A world for one check, with no controller left behind and nothing gone wrong in the queue but what the check took out of `errors`. */
export function inWorld(check: (world: World) => Promise<unknown>): () => unknown {
  return async () => {
    const world = new World();
    try {
      await check(world);
    } finally {
      await world.kill();
    }
    expect(world.errors).toEqual([]);
  };
}
