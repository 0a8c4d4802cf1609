import type { KindVersion } from '../../src/catalog';
import type { ClassificationAdjustment } from '../arm/classify';
import type { ArmClient } from '../arm/types';
import type { KubernetesObject } from '../kubernetes/types';
import type { ObjectLookup } from '../resolve/types';

/** What code of a single kind may look at and talk to. */
export interface KindContext {
  readonly object: KubernetesObject;
  /** The version the object was applied in. */
  readonly version: KindVersion;
  readonly armId: string;
  readonly client: ArmClient;
  readonly lookup: ObjectLookup;
  readonly signal?: AbortSignal;
}

/** Whether a PUT may be sent now. */
export type Verdict = { readonly kind: 'proceed' } | { readonly kind: 'postpone' } | { readonly kind: 'block'; readonly message: string };

export type Body = Readonly<Record<string, unknown>>;

export interface PostCheck {
  /** Why the resource is not usable yet; absent: it is. */
  readonly failure?: string;
  /** Reason of the condition; default `PostReconciliationFailure`. */
  readonly reason?: string;
  /** The status to keep instead of the one that Azure gave. */
  readonly status?: Body;
  /** Annotations to set, or with undefined to remove, also of a failure. */
  readonly annotations?: Readonly<Record<string, string | undefined>>;
}

/**
 * What a kind does beyond the catalog (docs/spec/extensions.md#hooks). Every member is optional; a kind without any is driven by the
 * catalog alone.
 */
export interface KindHooks {
  /** Before the conversion: may the PUT be sent? */
  readonly preCheck?: (context: KindContext) => Promise<Verdict>;
  /** After the status refresh, before exports. */
  readonly postCheck?: (context: KindContext, status: Body) => PostCheck | Promise<PostCheck>;
  /** Values of ConfigMap exports for which the catalog has no path, by property of `operatorSpec.configMaps`. */
  readonly configMapValues?: (context: KindContext, status: Body) => Promise<Readonly<Record<string, string>>>;
  /** Azure's errors, classified otherwise than in general. */
  readonly adjust?: ClassificationAdjustment;
  /** Requests that go before the DELETE. */
  readonly beforeDelete?: (context: KindContext) => Promise<void>;
  /** Annotations to set at the end of every success. Throws when the status does not allow it. */
  readonly onSuccess?: (context: KindContext, status: Body) => Readonly<Record<string, string | undefined>>;
}

/** A kind's own reason not to go on. Text only; the reconciler makes a condition of it. */
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
