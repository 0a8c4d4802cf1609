import { mayBeOfAnother } from './core/adoption';
import type { ForeignReads } from './foreign-reads';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { objectIdOf } from '../../src/object-id';

/**
 * The objects of one resource where this replica has only a part of the namespaces in memory. The API server is asked only for an object
 * that is deleted and of which Azure has accepted nothing: its DELETE would delete what an object of another replica has made.
 */
export class ForeignResources {
  public constructor(private readonly reads: Pick<ForeignReads, 'resources' | 'fetch'>) {}

  /** Reads what `hasOther` needs. What cannot be read stays unknown. */
  public async prepare(object: KubernetesObject, signal: AbortSignal): Promise<void> {
    if (!isQuestion(object)) return;
    const { group, kind } = objectIdOf(object);
    try {
      await this.reads.fetch({ group, kind, namespace: undefined }, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof KubernetesError)) throw error;
    }
  }

  /**
   * Whether an object of any namespace has the resource of this one. False where the answer would change nothing.
   * @throws MissingReadError
   */
  public hasOther(object: KubernetesObject): boolean {
    if (!isQuestion(object)) return false;
    const { group, kind } = objectIdOf(object);
    const armId = annotation(object, RESOURCE_ID)!.toLowerCase();
    return this.reads.resources(group, kind).some((other) => other.uid !== object.metadata.uid && other.armId === armId);
  }
}

function isQuestion(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && annotation(object, RESOURCE_ID) !== undefined && mayBeOfAnother(object);
}
