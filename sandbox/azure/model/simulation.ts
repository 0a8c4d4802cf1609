import type { CatalogIndex } from './catalog-index';
import type { SandboxClock } from './clock';
import type { Deterministic } from './deterministic';
import type { DirectoryGroup } from './directory-group';
import type { Operations } from './operations';
import type { Json, ResourceStore } from './store';
import { keyOf, type ArmPath, type NodePath } from '../arm/arm-path';
import type { AzureTypes } from '../arm/azure-types';
import type { Contrary } from '../contrary/contrary';
import type { Faults, Fault } from '../http/faults';
import type { RequestLimits } from '../http/limits';
import type { ProviderLimits } from '../http/provider-limits';
import type { RequestLog } from '../http/request-log';
import type { Past } from '../resource-graph/past';

/** A request to ARM whose token, api-version and path are in order. */
export interface ArmCall {
  readonly method: string;
  readonly path: ArmPath;
  readonly query: URLSearchParams;
  readonly apiVersion: string;
  /** The text of the body. */
  readonly text: string;
  /** The fault that hits it, where it is one that the handlers carry out. */
  readonly fault?: Fault | undefined;
}

/** A request for a resource: its path has a target. */
export interface ResourceCall extends ArmCall {
  readonly path: ArmPath & { readonly nodes: NodePath };
}

/** All that the simulator knows. */
export interface Simulation {
  readonly store: ResourceStore;
  /** The resources that Azure Resource Graph sees. */
  readonly past: Past;
  readonly operations: Operations;
  readonly catalog: CatalogIndex;
  readonly values: Deterministic;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly limits: RequestLimits;
  readonly providerLimits: ProviderLimits;
  readonly clock: SandboxClock;
  /** So many of Azure's seconds pass in one. */
  readonly timeScale: number;
  readonly tenantId: string;
  /** Lower case; undefined: every subscription exists. */
  readonly subscriptions?: ReadonlySet<string> | undefined;
  /** Whether extension resources may sit on something that was never made here. */
  readonly allowForeignScopes: boolean;
  /** Whether bodies that break one of Azure's rules are refused. */
  readonly rules: boolean;
  /** `<subscription>/<namespace>` in lower case: not registered yet. */
  readonly unregistered: Set<string>;
  /** Principals of identities made here → when the directory has them everywhere. */
  readonly principals: Map<string, number>;
  /** Client ids of the identities made here → principals, in lower case; also of those that were deleted since. */
  readonly clients: Map<string, string>;
  /** Azure's seconds until principals, their trust and their roles are known everywhere; undefined: nobody needs a role. */
  readonly principalDelaySeconds?: number | undefined;
  /** The groups of the directory, by id in lower case. */
  readonly groups: Map<string, DirectoryGroup>;
  /** So many groups were made: of groups of one name, each has an id of its own. */
  readonly groupsMade: { count: number };
  /** Identities whose federated credentials are being written. */
  readonly federatedWrites: Set<string>;
  /** By which bodies are refused; undefined: by none. */
  readonly azureTypes?: AzureTypes | undefined;
  /** The kubeconfig that AKS clusters hand out; undefined: one without a cluster. */
  readonly aksKubeconfig?: string | undefined;
  /** How answers differ from what is expected; undefined: they do not. */
  readonly contrary?: Contrary | undefined;
  /** `https://localhost:<port>` */
  readonly baseUrl: string;
}

/** Azure's seconds in the simulator's milliseconds. */
export const scaled = (simulation: Simulation, seconds: number): number => (seconds * 1000) / simulation.timeScale;

/** `Retry-After` has whole seconds, and Azure never says 0. */
export const retryAfterHeader = (simulation: Simulation, seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.round(seconds / simulation.timeScale))) };

/** Ends what has ended by now: operations succeed or fail, deleted resources go with all that lies under them. */
export function settle(simulation: Simulation): void {
  const { store, operations } = simulation;
  for (const operation of operations.takeEnded(simulation.clock.now())) {
    if (operation.kind === 'delete' && !operation.failure) {
      operations.forget(store.removeTree(operation.resourceId).map((resource) => resource.id));
      continue;
    }
    const resource = store.get(operation.resourceId);
    if (!resource) continue;
    const properties = resource.body.properties as Json | undefined;
    const provisioningState = operation.failure ? operation.failure.state ?? 'Failed' : 'Succeeded';
    const body =
      properties?.provisioningState === undefined ? resource.body : { ...resource.body, properties: { ...properties, provisioningState } };
    // After a failure the same body is a new attempt.
    store.set({ ...resource, sent: operation.failure ? '' : resource.sent, body });
  }
}

export const isUnregistered = (simulation: Simulation, subscription: string, namespace: string): boolean =>
  simulation.unregistered.has(`${keyOf(subscription)}/${namespace.toLowerCase()}`)
  || simulation.unregistered.has(`*/${namespace.toLowerCase()}`);
