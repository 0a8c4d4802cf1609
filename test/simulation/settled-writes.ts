import { sameBody } from './azure-model';
import { ID, isReady, readyOf, RECORD } from './facts';
import type { Stored } from './truth/policy';

interface Begun {
  readonly at: number;
  /** Ready with the spec that it has, after a PUT of its own: what was only looked on, under `skip`, is sent when that ends. */
  readonly isSettled: boolean;
}

/**
 * A process that sends an equal body again relies on the state in Azure. Only a read of the resource itself is a reason for the PUT: rows
 * of batch drift detection, and the memory of a process, are none.
 */
export class SettledWrites {
  /** The last body that Azure has taken, as far as a process has read it, by path. */
  private readonly taken = new Map<string, unknown>();
  /** By process and path. */
  private readonly begun = new Map<string, Begun>();
  private readonly readAt = new Map<string, number>();

  public constructor(private readonly now: () => number, private readonly violated: (text: string) => void) {}

  public reconcileBegins(process: number, object: Stored | undefined): void {
    const id = object?.metadata.annotations?.[ID];
    if (!object || !id) return;
    const ready = readyOf(object);
    const wasSent = object.metadata.annotations?.[RECORD] !== undefined;
    const isSettled = wasSent && isReady(object) && ready?.observedGeneration === object.metadata.generation;
    this.begun.set(nameOf(process, id), { at: this.now(), isSettled });
  }

  /** Azure has answered a GET. */
  public read(process: number, path: string): void {
    this.readAt.set(nameOf(process, path), this.now());
  }

  public puts(process: number, path: string, body: unknown): void {
    const name = nameOf(process, path);
    const begun = this.begun.get(name);
    const before = this.taken.get(path.toLowerCase());
    const isNothingNew = before !== undefined && sameBody(before, body);
    const isBlind = (this.readAt.get(name) ?? -Infinity) < (begun?.at ?? -Infinity);
    if (begun?.isSettled && isNothingNew && isBlind) {
      this.violated(`${path}: PUT of what was sent before, and no read of this reconcile says why`);
    }
  }

  /** Azure has taken a PUT: what it refuses, for its limits or for good, is not written, and may be sent again. */
  public hasTaken(path: string, body: unknown): void {
    this.taken.set(path.toLowerCase(), body);
  }

  /** The operation of a PUT that Azure had taken has failed: what it wrote is not there, and may be sent again. */
  public hasFailed(path: string): void {
    this.taken.delete(path.toLowerCase());
  }
}

function nameOf(process: number, path: string): string {
  return `${process} ${path.toLowerCase()}`;
}
