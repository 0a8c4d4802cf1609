import type { Destination, Link } from '../schema/conversion';
import type { KindSchema } from '../schema/kind-schema';

/** One resource's spec and what became known on the way to it. */
export interface CheckedResource {
  readonly spec: Record<string, unknown>;
  readonly schema: KindSchema;
  readonly problems: string[];
  readonly links: Link[];
  readonly destinations: Destination[];
  readonly azureName?: string;
  /** False where a token took part, whose value may change. */
  readonly lasting: boolean;
}
