import { IConstruct } from 'constructs';
import type { KindFilter } from './kind-filter';
import { addLayer } from './layers';
import { SECURE_VALUES } from '../../azure/secure-values';

/** A value that `SecureDefaults` sets. */
export interface SecureDefault {
  /** The kind, with its API group: `storage.azure.com/StorageAccount`. */
  readonly kind: string;
  /** The property, as a path in the props: `properties.enablePurgeProtection`. */
  readonly property: string;
  /** The value: a boolean or a text. */
  readonly value: any;
  /** The reason. */
  readonly reason: string;
  /** Page of Azure's documentation. */
  readonly link: string;
  /**
   * The case in which the value is not set.
   * @default - none
   */
  readonly exceptIf?: string;
}

/**
 * Safer values than Azure's own defaults, for all resources at and below a construct: TLS 1.2, no public blobs, identities in place of
 * keys. A value that a resource has in its props stays. Nothing is set without `apply`.
 */
export class SecureDefaults {
  /** All values, with their reasons. */
  public static list(): SecureDefault[] {
    return SECURE_VALUES.map(({ kind, path, value, why, see, except }) => ({
      kind, property: path.join('.'), value, reason: why, link: see, ...(except && { exceptIf: except.text }),
    }));
  }

  /**
   * @param scope an app, a chart, a resource or any other construct
   */
  public static of(scope: IConstruct): SecureDefaults {
    return new SecureDefaults(scope);
  }

  private constructor(private readonly scope: IConstruct) {}

  /**
   * Sets the values of `SecureDefaults.list()`.
   * @param filter the kinds to which they apply; default: all
   */
  public apply(filter: KindFilter = {}): void {
    addLayer(this.scope, { topic: 'secure', value: true, filter, dataOnly: false });
  }
}
