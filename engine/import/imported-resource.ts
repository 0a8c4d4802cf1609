import type { RefusedValue } from './refused-values';
import type { ImportedSpec } from './spec-from-arm';
import type { KindVersion } from '../../src/catalog';
import type { JsonObject } from '../../src/util/records';

/** A resource of Azure that becomes an object. */
export interface ImportedResource extends ImportedSpec {
  /** As Azure spells it. */
  readonly id: string;
  readonly version: KindVersion;
  /** ARM id of the resource that it belongs to. */
  readonly owner?: string | undefined;
  readonly name: string;
  readonly answer: JsonObject;
  /** The version that an import writes otherwise, and the values that it refuses. */
  readonly insteadOf?: { readonly version: string; readonly refused: readonly RefusedValue[] };
}
