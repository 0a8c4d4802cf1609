import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { ARGO_SYNC_WAVE } from '../azure/annotations';
import { GraphRole, OwnerGraph, type GraphNode } from '../core/graph';

/** Waves that this class has set, as opposed to those of the app. */
const SET = new WeakMap<ApiObject, string>();

/**
 * Waves for Argo CD by the owner graph: an object comes after its owner, the objects that it references and those whose values it reads.
 *
 * The operator needs no waves: it starts an object when its owner is ready, and all others at the same time. Waves are for an app in which
 * something else must not start too early, e.g. a workload that reads what a resource exports. Argo CD goes on to the next wave when all
 * objects of the one before are healthy, which takes the health check of `ArgoCdConfig`; a sync then takes as long as Azure.
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
 */
export class ArgoSyncWaves {
  /**
   * Sets the wave of each Azure object at and below a construct, and of the workloads that read exported values: 0 for those that wait for
   * none, and for all others one more than the highest wave that they wait for. All other objects stay in wave 0, in which Argo CD applies
   * namespaces and Secrets first. An object that has a wave keeps it. Synthesis fails when objects wait for each other.
   * @param scope the app, or the part of it that one Application brings into the cluster
   */
  public static apply(scope: IConstruct): void {
    // Objects and references may be added after this call.
    scope.node.addValidation({ validate: () => setWaves(scope) });
  }

  private constructor() {}
}

function setWaves(scope: IConstruct): string[] {
  const graph = OwnerGraph.of(scope);
  const cycles = graph.cycles.map(({ description }) => `ArgoSyncWaves: these wait for each other, so none has a wave: ${description}. Take one of the references away.`);
  if (cycles.length > 0) return cycles;
  const objects = new Map<string, ApiObject>();
  for (const construct of scope.node.findAll()) {
    if (ApiObject.isApiObject(construct)) objects.set(construct.node.path, construct as ApiObject);
  }
  const waves = new Map<string, number>();
  for (const node of graph.order) {
    const object = objects.get(node.constructPath ?? '');
    const needed = graph.dependenciesOf(node).filter(({ external }) => !external);
    const wave = ownWave(object) ?? Math.max(0, ...needed.map((other) => waves.get(other.key)! + stepsOf(other)));
    waves.set(node.key, wave);
    if (object && !isData(node)) {
      SET.set(object, String(wave));
      object.metadata.addAnnotation(ARGO_SYNC_WAVE, String(wave));
    }
  }
  return [];
}

/** Within a wave, Argo CD applies Secrets and ConfigMaps before custom resources, and they need no time to be healthy. */
function stepsOf(node: GraphNode): number {
  return isData(node) ? 0 : 1;
}

function isData({ role }: GraphNode): boolean {
  return role === GraphRole.CREDENTIAL || role === GraphRole.VALUES;
}

/** The wave that the app gives the object itself. */
function ownWave(object: ApiObject | undefined): number | undefined {
  if (!object) return undefined;
  const { annotations } = (object.metadata.toJson() ?? {}) as { readonly annotations?: Readonly<Record<string, string>> };
  const written = annotations?.[ARGO_SYNC_WAVE];
  return written === undefined || written === SET.get(object) ? undefined : Number(written);
}
