/** An object as it is stored; nothing of the controller's own types is needed to judge it. */
export interface Stored {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

export const POLICY = 'serviceoperator.azure.com/reconcile-policy';

export type Policy = 'manage' | 'skip' | 'detach-on-delete';

/** As ASO documents: the object's own annotation, else that of its namespace, else `manage`. */
export function policyOf(object: Stored, namespace: Stored | undefined): Policy {
  const own = object.metadata.annotations?.[POLICY] ?? '';
  const text = own === '' ? namespace?.metadata.annotations?.[POLICY] ?? '' : own;
  return text === 'skip' || text === 'detach-on-delete' ? text : 'manage';
}
