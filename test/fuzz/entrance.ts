import type { Random } from '../simulation/random';

/** An entrance of data from another party. */
export interface Entrance {
  readonly name: string;
  /** Whether the product throws this on purpose. Default: nothing is thrown. */
  readonly expected?: (error: Error) => boolean;
  /** Milliseconds of the processor that an input may take, where it is not a matter of 100. */
  readonly longestMs?: number;
  /** An input; the same numbers give the same one. */
  make(random: Random): unknown;
  /** Takes the input as the product does. Errors that are `expected` are the product's answer. */
  enter(input: unknown): unknown;
}
