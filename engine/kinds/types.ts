import type { KindVersion } from '../../src/catalog';
import type { ClassificationAdjustment } from '../arm/classify';
import type { ArmClient } from '../arm/types';
import type { KubernetesObject } from '../kubernetes/types';
import type { ObjectLookup } from '../resolve/types';

/** The object and the clients that the code of a single kind may use. */
export interface KindContext {
  readonly object: KubernetesObject;
  /** The version in which the object was applied. */
  readonly version: KindVersion;
  readonly armId: string;
  /** Whether there is certainly no resource at the id yet, so that it need not be read. Default: false. */
  readonly isNew?: boolean;
  readonly client: ArmClient;
  readonly lookup: ObjectLookup;
  readonly signal?: AbortSignal;
}

/** Whether a PUT may be sent now. */
export type Verdict = { readonly kind: 'proceed' } | { readonly kind: 'postpone' } | { readonly kind: 'block'; readonly message: string };

export type Body = Readonly<Record<string, unknown>>;

export interface PostCheck {
  /** The reason why the resource is not usable yet; absent: it is usable. */
  readonly failure?: string;
  /** Reason of the condition; default `PostReconciliationFailure`. */
  readonly reason?: string;
  /** The status to store instead of Azure's. */
  readonly status?: Body;
  /** Annotations to set (undefined: to remove), also after a failure. */
  readonly annotations?: Readonly<Record<string, string | undefined>>;
}

/**
 * The hooks of a kind beyond the catalog (docs/spec/extensions.md#hooks). Every member is optional; for a kind without hooks the catalog
 * alone decides.
 */
export interface KindHooks {
  /** Runs before the conversion and decides whether the PUT may be sent. */
  readonly preCheck?: ((context: KindContext) => Promise<Verdict>) | undefined;
  /** Runs after the status refresh, before exports. */
  readonly postCheck?: ((context: KindContext, status: Body) => PostCheck | Promise<PostCheck>) | undefined;
  /** Values of ConfigMap exports for which the catalog has no path, by property of `operatorSpec.configMaps`. */
  readonly configMapValues?: ((context: KindContext, status: Body) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Changes the general classification of Azure's errors. */
  readonly adjust?: ClassificationAdjustment | undefined;
  /** Sends the requests that precede the DELETE. */
  readonly beforeDelete?: ((context: KindContext) => Promise<void>) | undefined;
  /** Annotations to set at the end of every success. Throws when the status does not allow it. */
  readonly onSuccess?: ((context: KindContext, status: Body) => Readonly<Record<string, string | undefined>>) | undefined;
}

/** An error of a kind's own code that ends the reconcile. Text only; the reconciler converts it to a condition. */
export class KindError extends Error {
  public constructor(
    message: string,
    public readonly severity: 'Warning' | 'Error' = 'Warning',
    public readonly reason: string = 'Failed',
    public readonly retry: 'fast' | 'slow' = 'slow',
  ) {
    super(message);
    this.name = 'KindError';
  }
}
