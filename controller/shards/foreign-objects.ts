import type { Clock } from '../../engine/clock';
import { InformerSet, type InformerSource, type ReflectorTiming } from '../../engine/informers';
import type { InformerSetTelemetry, InformerTelemetry } from '../../engine/informers/telemetry';
import type { WatchedKind } from '../../engine/kubernetes';
import { unknownState, UnknownStateError, type CacheState } from '../../engine/kubernetes/cache-state';
import type { KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import {
  LATEST_GENERATION, MANAGED_BY_NAME, OPERATOR_NAMESPACE, PROPAGATE_TO, PUT_RECORD, RECONCILE_POLICY, RESOURCE_ID,
} from '../../src/azure/annotations';

export interface ForeignObjectsOptions {
  readonly source: InformerSource;
  readonly clock: Clock;
  readonly timing?: Partial<ReflectorTiming> | undefined;
  /** `AZURE_TARGET_NAMESPACES`; empty: all. */
  readonly namespaces: readonly string[];
  /** UserAssignedIdentity, if this controller watches it. */
  readonly identityKind: WatchedKind | undefined;
  readonly onTelemetry?: (event: InformerTelemetry | InformerSetTelemetry) => void;
}

const ANNOTATIONS = [PROPAGATE_TO, OPERATOR_NAMESPACE, RESOURCE_ID, RECONCILE_POLICY, PUT_RECORD, LATEST_GENERATION];
const IDENTITY = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' };

/**
 * Narrow watches of all namespaces, for every replica: of the identities, of which some hundred bytes each are kept, and of the metadata of
 * Secrets and ConfigMaps that carry the label of credential propagation. All else that crosses namespaces is read when it is needed.
 */
export class ForeignObjects {
  private readonly informers: InformerSet;

  public constructor({ source, identityKind, ...options }: ForeignObjectsOptions) {
    const targets = ['Secret', 'ConfigMap'].map((kind) => (
      { group: '', kind, versions: ['v1'], metadataOnly: true, labelSelector: MANAGED_BY_NAME }
    ));
    const identities = identityKind ? [{ ...identityKind, transform: slimIdentity }] : [];
    this.informers = new InformerSet(source, [...targets, ...identities], options);
  }

  /** Called with the events of identities, and of targets of propagation. */
  public onEvent(handler: (event: ObjectEvent) => void): void {
    this.informers.onEvent(handler);
  }

  /** Called when more may be known. */
  public onKnown(handler: () => void): void {
    this.informers.onKnown(handler);
  }

  /** Resolves when the lists are complete, or the start has waited long enough. Runs until the signal aborts. */
  public start(signal: AbortSignal): Promise<void> {
    return this.informers.start(signal);
  }

  public stopped(): Promise<void> {
    return this.informers.stopped();
  }

  /** Whether all identities are known. */
  public get identityState(): CacheState {
    return this.informers.stateOf(IDENTITY.group, IDENTITY.kind);
  }

  /**
   * All identities, with name, uid, some annotations, and the IDs of their status.
   * @throws UnknownStateError
   */
  public identities(): readonly KubernetesObject[] {
    const state = this.identityState;
    if (state.state === 'whole') return this.informers.informer(IDENTITY.group, IDENTITY.kind)?.store.list() ?? [];
    // A controller without the kind has no identities, as without shards.
    if (state.reason === 'KindNotWatched') return [];
    throw UnknownStateError.ofKind(unknownState(IDENTITY, state.why));
  }

  public identity(namespace: string, name: string): KubernetesObject | undefined {
    return this.informers.find(IDENTITY.group, IDENTITY.kind, namespace, name);
  }
}

/** The parts of an identity that its targets and its users depend on. */
export function slimIdentity({ apiVersion, kind, metadata, status = {} }: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, annotations = {} } = metadata;
  const kept = ANNOTATIONS.filter((key) => Object.hasOwn(annotations, key)).map((key) => [key, annotations[key]!]);
  const { clientId, principalId } = status as Readonly<Record<string, unknown>>;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      generation,
      ...(creationTimestamp ? { creationTimestamp } : {}),
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
      annotations: Object.fromEntries(kept) as Record<string, string>,
    },
    status: { ...(clientId === undefined ? {} : { clientId }), ...(principalId === undefined ? {} : { principalId }) },
  } as KubernetesObject;
}
