import type { KindVersion } from '../../src/catalog';

/** Source of values outside the spec. Each function returns the value or throws a ResolutionError. */
export interface ValueSource {
  /** ARM id of `{group, kind, name}` or `{armId}`. */
  reference(reference: { readonly [K in 'group' | 'kind' | 'name' | 'armId']?: string | undefined }): string;
  secret(name: string, key: string): string;
  /** All keys of a Secret. */
  secretMap(name: string): Record<string, string>;
  configMap(name: string, key: string): string;
  /** Whether something fills a text in before it is applied: it stays as it is. Only in a plan. */
  comesLater?(text: string): boolean;
}

/**
 * Spec → ARM body (catalog/README.md, "From spec to request body"). `azureName`: the last segment of the ARM name, for the body's `name`.
 */
export type ToArm = (
  version: KindVersion, spec: Readonly<Record<string, unknown>>, azureName: string | undefined, values: ValueSource,
) => Record<string, unknown>;

/** ARM answer → status (without conditions). */
export type FromArm = (version: KindVersion, arm: unknown) => Record<string, unknown>;
