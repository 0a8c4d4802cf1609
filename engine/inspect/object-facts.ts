import { FINALIZER, PROPAGATE_TO } from '../../src/azure/annotations';
import { propagationTargets, type PropagationTarget } from '../../src/azure/credential-propagation';
import type { KindVersion } from '../../src/catalog';
import { namedIn, type SpecDestination, type SpecReference } from '../../src/catalog/spec-references';
import { type ObjectId, objectIdOf, objectKeyOf, versionNameOf } from '../../src/object-id';
import { isRecord } from '../../src/util/records';
import type { Condition, KubernetesObject } from '../kubernetes/types';
import { redactTokens } from '../redact';
import { kindOf } from '../resolve/kind-of';
import { ownerOf } from '../resolve/owner';
import { ResolutionError, type Owner } from '../resolve/types';

/** The facts that an object has by itself, without others. */
export interface ObjectFacts {
  readonly name: ObjectId;
  readonly key: string;
  readonly object: KubernetesObject;
  /** Undefined: the catalog does not have the kind. */
  readonly version?: KindVersion | undefined;
  readonly owner?: Owner | undefined;
  /** The error in the form of `spec.owner`. */
  readonly ownerProblem?: string | undefined;
  readonly references: readonly SpecReference[];
  readonly writes: readonly SpecDestination[];
  /** Targets of credential propagation. */
  readonly propagates: readonly PropagationTarget[];
  readonly ready?: Condition | undefined;
  readonly isDeleting: boolean;
  readonly isClaimed: boolean;
}

/** Clients may have written anything: malformed members count as absent. */
export function factsOf(object: KubernetesObject): ObjectFacts {
  const name = objectIdOf(object);
  const version = versionFor(object);
  const { references, destinations } = version ? namedIn(object.spec, version) : { references: [], destinations: [] };
  const propagates = object.metadata.annotations?.[PROPAGATE_TO];
  return {
    name,
    key: objectKeyOf(name),
    object,
    version,
    ...ownerFactsOf(object, version),
    references,
    writes: destinations,
    propagates: propagates === undefined ? [] : propagationTargets(propagates).entries,
    ready: readyConditionOf(object),
    isDeleting: object.metadata.deletionTimestamp !== undefined,
    isClaimed: object.metadata.finalizers?.includes(FINALIZER) ?? false,
  };
}

function readyConditionOf({ status }: KubernetesObject): Condition | undefined {
  const conditions: unknown = status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  const found = conditions.find((one): one is Condition => isRecord(one) && one.type === 'Ready' && typeof one.status === 'string');
  const message: unknown = found?.message;
  if (found === undefined || message === undefined || message === '') return found;
  // ASO quotes Azure as it is, keys and tokens included.
  return { ...found, message: typeof message === 'string' ? redactTokens(message) : '' };
}

/** For an unknown version (a storage version of ASO's), the schema of the newest fits nearly everything. */
function versionFor(object: KubernetesObject): KindVersion | undefined {
  const kind = kindOf(object);
  return kind && (kind.version(versionNameOf(object)) ?? kind.latest);
}

function ownerFactsOf(object: KubernetesObject, version: KindVersion | undefined): Pick<ObjectFacts, 'owner' | 'ownerProblem'> {
  if (!version?.facts.spec) return {};
  try {
    return { owner: ownerOf(object, version) };
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    return { ownerProblem: error.message };
  }
}
