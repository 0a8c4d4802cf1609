import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes';
import { type ObjectId, objectKeyOf, versionNameOf } from '../../src/object-id';
import { isMarked } from '../apply/apply-set';
import { existsProblem, type Problem } from '../apply/decide';
import type { DesiredObject } from '../apply/desired-object';
import { problemOfWrite } from '../apply/failures';
import { inventoryOf, type InventoryEntry } from '../apply/inventory';
import { CREATE_ONLY } from '../reconcile/step-runner';
import type { ComposerCache, ComposerClient } from '../reconcile/types';

export interface DryRunOptions {
  /** Its patches are dry runs, as the user of the composer. */
  readonly client: Pick<ComposerClient, 'get' | 'patch'>;
  readonly cache: Pick<ComposerCache, 'typeOf'>;
}

/** Dry runs at a time for one claim. */
const AT_A_TIME = 8;
/**
 * Refusals that are about the claim. Others may go away by themselves: a namespace or a kind that is created with the claim, or by one of
 * its objects.
 */
const OF_THE_CLAIM: ReadonlySet<string> = new Set(['ImmutableField', 'Rejected', 'Forbidden']);
/** An admission webhook of somebody else has side effects, and so no dry run: that says nothing about the object. */
const NO_DRY_RUN = /does not support dry run/;

/** Tries the composed objects of a claim as the composer would write them, so that what forbids them refuses the claim. */
export class DryRuns {
  private readonly inventory: ReadonlyMap<string, InventoryEntry>;

  /** @param stored the claim with its status */
  public constructor(private readonly options: DryRunOptions, private readonly claim: ObjectId, stored: KubernetesObject) {
    this.inventory = new Map(inventoryOf(stored).map((entry) => [objectKeyOf(entry), entry]));
  }

  /** The problem of the first object that is refused, in their order. Ends early, without a problem, when the signal aborts. */
  public async firstProblem(desired: readonly DesiredObject[], signal: AbortSignal): Promise<Problem | undefined> {
    // Objects that are applied already were allowed then.
    const changed = desired.filter((one) => this.inventory.get(objectKeyOf(one))?.applied !== one.hash);
    for (let index = 0; index < changed.length && !signal.aborted; index += AT_A_TIME) {
      const problems = await Promise.all(changed.slice(index, index + AT_A_TIME).map((one) => this.problemOf(one)));
      const [problem] = problems.filter((one) => one !== undefined);
      if (problem) return problem;
    }
    return undefined;
  }

  private async problemOf(desired: DesiredObject): Promise<Problem | undefined> {
    const { client, cache } = this.options;
    const known = cache.typeOf(desired.group, desired.kind);
    if (!known) return undefined;
    const { manifest, name, namespace } = desired;
    const type = { ...known, version: versionNameOf(manifest) };
    const uid = this.inventory.get(objectKeyOf(desired))?.uid;
    const metadata = { ...manifest.metadata, ...(uid === undefined ? { resourceVersion: CREATE_ONLY } : { uid }) };
    const act = uid === undefined ? 'create' : 'apply';
    try {
      await client.patch(type, name, namespace || undefined, { ...manifest, metadata }, 'application/apply-patch+yaml');
      return undefined;
    } catch (error) {
      if (!(error instanceof KubernetesError) || NO_DRY_RUN.test(error.message)) return undefined;
      if (error.status === 409 && act === 'create') {
        const live = await client.get(type, name, namespace || undefined).catch(() => undefined);
        return live && !isMarked(live, this.claim) ? existsProblem(desired, live) : undefined;
      }
      const problem = problemOfWrite(error, act, desired, desired.path);
      return problem && OF_THE_CLAIM.has(problem.reason) ? problem : undefined;
    }
  }
}
