import type { IConstruct } from 'constructs';
import type { Destination, Link } from '../schema/conversion';
import type { KindSchema } from '../schema/kind-schema';

/** The spec of one resource with the results of its conversion. */
export interface CheckedResource {
  readonly spec: Record<string, unknown>;
  readonly schema: KindSchema;
  readonly problems: string[];
  readonly links: Link[];
  readonly destinations: Destination[];
  /** Property, as a path in the props → the scope, or the owner, that has its value. */
  readonly origins: ReadonlyMap<string, IConstruct> | undefined;
  readonly azureName: string | undefined;
  /** False if a token contributed, whose value may change. */
  readonly lasting: boolean;
}
