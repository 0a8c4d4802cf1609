import type { Clock } from '../../engine/clock';
import { ResourceInformer, type ReflectorTiming } from '../../engine/informers';
import { reportRefusedOnce } from '../../engine/informers/refused-once';
import type { InformerTelemetry } from '../../engine/informers/telemetry';
import {
  causeOf, KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject, type ObjectEvent, type ResourceType,
} from '../../engine/kubernetes';
import { GUARD_RAILS_FINALIZER, GUARDED_NAMESPACE } from '../../src/azure/annotations';

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
const POLICY_TYPES: readonly ResourceType[] = [
  { ...ADMISSION, plural: 'validatingadmissionpolicies', kind: 'ValidatingAdmissionPolicy' },
  { ...ADMISSION, plural: 'validatingadmissionpolicybindings', kind: 'ValidatingAdmissionPolicyBinding' },
];
const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
/** Milliseconds until a removal that has failed is tried again. */
const AGAIN_MS = 10_000;

export interface GuardRailsOptions {
  readonly client: Pick<KubernetesClient, 'patch'> & KubernetesListWatch;
  readonly clock: Clock;
  readonly timing?: Partial<ReflectorTiming> | undefined;
  /** Whether this process may write now. */
  readonly mayWrite: () => boolean;
  /** Called with each new problem, and when something was done. */
  readonly log: (level: 'info' | 'warn', message: string) => void;
  readonly onTelemetry?: (event: InformerTelemetry) => void;
}

/**
 * Guard rails to the end: a policy or binding that is being deleted stays in force, by its finalizer, until the Namespace that it guards is
 * gone with all that was in it, in whatever order a tool deletes them. Then this removes the finalizer.
 */
export class GuardRails {
  private readonly informers: readonly ResourceInformer[];
  private running = false;
  private isWanted = false;
  private isOver = false;
  private cancel: (() => void) | undefined;

  public constructor(private readonly options: GuardRailsOptions) {
    const { client, clock, timing } = options;
    const onTelemetry = reportRefusedOnce(options.onTelemetry);
    this.informers = POLICY_TYPES.map((type) => {
      const informer = new ResourceInformer(client, type, {
        clock, timing, metadataOnly: true, labelSelector: GUARDED_NAMESPACE, onTelemetry,
      });
      informer.onEvent(({ object }) => {
        if (isHeld(object)) this.look();
      });
      return informer;
    });
  }

  /** Watches until the signal aborts. A cluster that refuses it, or has no such policies, is asked again from time to time. */
  public start(signal: AbortSignal): void {
    for (const informer of this.informers) informer.start(signal).then(() => this.look(), () => undefined);
    signal.addEventListener('abort', () => {
      this.isOver = true;
      this.cancel?.();
    }, { once: true });
  }

  public async stopped(): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.stopped()));
  }

  /** A Namespace that has gone may be the one for which a policy stays. */
  public handle({ type, object }: ObjectEvent): void {
    if (type === 'DELETED' && object.kind === NAMESPACES.kind && object.apiVersion === 'v1') this.look();
  }

  /** Looks at all policies that are being deleted, one look at a time. */
  public look(): void {
    this.isWanted = true;
    if (this.running || this.isOver || !this.options.mayWrite()) return;
    this.running = true;
    this.cancel?.();
    void this.release().finally(() => {
      this.running = false;
      if (this.isWanted) this.look();
    });
  }

  private async release(): Promise<void> {
    this.isWanted = false;
    const held = this.informers.flatMap(({ type, store }) => store.list().filter(isHeld).map((object) => ({ type, object })));
    const namespaces = new Map<string, Promise<boolean>>();
    const isThere = (name: string) => namespaces.get(name) ?? namespaces.set(name, this.isThere(name)).get(name)!;
    let isLeft = false;
    for (const { type, object } of held) {
      try {
        if (await isThere(object.metadata.labels![GUARDED_NAMESPACE]!)) continue;
        await this.removeFinalizer(type, object);
      } catch (error) {
        isLeft = true;
        this.options.log('warn', `the ${type.kind} ${object.metadata.name} stays: ${causeOf(error)}`);
      }
    }
    if (isLeft && !this.isOver) this.cancel = this.options.clock.schedule(AGAIN_MS, () => this.look());
  }

  /** As the API server says now: a cache may be late. */
  private async isThere(namespace: string): Promise<boolean> {
    const { items } = await this.options.client.list(NAMESPACES, { fieldSelector: `metadata.name=${namespace}`, metadataOnly: true });
    return items.some(({ metadata }) => metadata.name === namespace);
  }

  private async removeFinalizer(type: ResourceType, { metadata }: KubernetesObject): Promise<void> {
    const { name, resourceVersion, finalizers = [], labels } = metadata;
    const patch = { metadata: { resourceVersion, finalizers: finalizers.filter((finalizer) => finalizer !== GUARD_RAILS_FINALIZER) } };
    try {
      await this.options.client.patch(type, name, undefined, patch, 'application/merge-patch+json');
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return;
      throw error;
    }
    this.options.log('info', `${type.kind} ${name} goes: the Namespace ${labels![GUARDED_NAMESPACE]} is gone`);
  }
}

/** Whether the finalizer alone may keep the object. */
function isHeld({ metadata: { deletionTimestamp, finalizers = [], labels = {} } }: KubernetesObject): boolean {
  return deletionTimestamp !== undefined && finalizers.includes(GUARD_RAILS_FINALIZER) && labels[GUARDED_NAMESPACE] !== undefined;
}
