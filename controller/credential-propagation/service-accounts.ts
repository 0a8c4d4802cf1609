import type { Clock } from '../../engine/clock';
import { reportRefusedOnce } from '../../engine/informers/refused-once';
import { ResourceInformer } from '../../engine/informers/resource-informer';
import type { InformerTelemetry } from '../../engine/informers/telemetry';
import type { KubernetesListWatch, ObjectEvent, ResourceType } from '../../engine/kubernetes/types';
import type { WatchedType } from '../reconcile/cluster';

export const SERVICE_ACCOUNTS: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
};

export interface ServiceAccountsOptions {
  readonly api: KubernetesListWatch;
  readonly clock: Clock;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
  readonly onTelemetry?: (event: InformerTelemetry) => void;
}

/** The service accounts, as the propagator uses them. */
export interface ServiceAccountSource {
  /** The service accounts; the first call starts the watch. Undefined: not started yet. */
  watched(): (WatchedType & { readonly isForbidden?: boolean }) | undefined;
  /**
   * `onEvent` gets every event; `onChange` is called when all are listed or listing is forbidden. Register before the first call of
   * `watched`.
   */
  listen(onEvent: (event: ObjectEvent) => void, onChange: () => void): void;
}

/**
 * Watches service accounts from the moment that one is a target: without such targets the controller needs no permission to read them. A
 * missing permission is reported once, and the list is retried.
 */
export class ServiceAccounts implements ServiceAccountSource {
  private informer?: ResourceInformer;
  private signal?: AbortSignal;
  private forbidden = false;
  private listener?: { readonly onEvent: (event: ObjectEvent) => void; readonly onChange: () => void };

  public constructor(private readonly options: ServiceAccountsOptions) {}

  /** Allows the watch until the signal aborts. */
  public enable(signal: AbortSignal): void {
    this.signal = signal;
  }

  public listen(onEvent: (event: ObjectEvent) => void, onChange: () => void): void {
    this.listener = { onEvent, onChange };
  }

  public watched(): (WatchedType & { readonly isForbidden: boolean }) | undefined {
    if (!this.informer && this.signal && !this.signal.aborted) this.start(this.signal);
    const { informer, forbidden } = this;
    if (!informer) return undefined;
    const { type, store, hasSynced } = informer;
    return {
      type,
      store,
      hasSynced,
      isForbidden: forbidden && !hasSynced,
      updateLocal: (object, from) => informer.updateLocal(object, from),
    };
  }

  /** Resolves when all work has ended after the signal has aborted. */
  public async stopped(): Promise<void> {
    await this.informer?.stopped();
  }

  private start(signal: AbortSignal): void {
    const { api, clock, namespaces } = this.options;
    const onTelemetry = reportRefusedOnce(this.options.onTelemetry, (status) => {
      if (status !== 403) return;
      this.forbidden = true;
      this.listener?.onChange();
    });
    const informer = new ResourceInformer(api, SERVICE_ACCOUNTS, { clock, namespaces, metadataOnly: true, onTelemetry });
    this.informer = informer;
    informer.onEvent((event) => this.listener?.onEvent(event));
    informer.start(signal).then(() => this.listener?.onChange(), () => undefined);
  }
}
