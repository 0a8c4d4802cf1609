import { sameBody, type Answer } from './azure-model';
import { ID, isReady, readyOf, RECORD } from './facts';
import type { Stored } from './truth/policy';

interface Begun {
  readonly at: number;
  /** Ready with the spec that it has, after a PUT of its own: what was only looked on, under `skip`, is sent when that ends. */
  readonly isSettled: boolean;
}

/** Of an operation, or of a resource. */
interface State {
  readonly id?: string;
  readonly status?: string;
  readonly properties?: { readonly provisioningState?: string };
}

/**
 * A process that sends an equal body again relies on the state in Azure. Only a read of the resource itself is a reason for the PUT, or an
 * answer that the operation of the last PUT has failed: rows of batch drift detection, and the memory of a process, are none.
 */
export class SettledWrites {
  /** The last body that Azure has taken, as far as a process has read it, by path. */
  private readonly taken = new Map<string, unknown>();
  /** By process and path. */
  private readonly begun = new Map<string, Begun>();
  private readonly readAt = new Map<string, number>();
  /** The path of the resource, by the path of its operation. */
  private readonly operations = new Map<string, string>();

  /** @param isAsSent whether nothing but other words can tell a resource from a body; left out where a run has faults that also could */
  public constructor(
    private readonly now: () => number,
    private readonly violated: (text: string) => void,
    private readonly isAsSent: (path: string, body: unknown) => boolean = () => false,
  ) {}

  public reconcileBegins(process: number, object: Stored | undefined): void {
    const id = object?.metadata.annotations?.[ID];
    if (!object || !id) return;
    const ready = readyOf(object);
    const wasSent = object.metadata.annotations?.[RECORD] !== undefined;
    const isSettled = wasSent && isReady(object) && ready?.observedGeneration === object.metadata.generation;
    this.begun.set(nameOf(process, id), { at: this.now(), isSettled });
  }

  /**
   * A process has received the answer to a GET. An operation that has failed wrote nothing that lasts, so the body may be sent again. What
   * counts is what Azure has answered: a read that lags behind may show the failure of an earlier operation.
   */
  public read(process: number, path: string, { status, body }: Answer): void {
    if (status < 500) this.readAt.set(nameOf(process, path), this.now());
    const of = this.operations.get(path) ?? path;
    if (hasFailed(path, body)) this.taken.delete(of.toLowerCase());
  }

  public puts(process: number, path: string, body: unknown): void {
    const name = nameOf(process, path);
    const begun = this.begun.get(name);
    const before = this.taken.get(path.toLowerCase());
    const isNothingNew = before !== undefined && sameBody(before, body);
    const isBlind = (this.readAt.get(name) ?? -Infinity) < (begun?.at ?? -Infinity);
    if (!begun?.isSettled || !isNothingNew) return;
    if (isBlind) this.violated(`${path}: PUT of what was sent before, and no read of this reconcile says why`);
    else if (this.isAsSent(path, body)) this.violated(`${path}: PUT of what is there, told in other words`);
  }

  /** Azure has taken a PUT: what it refuses, for its limits or for good, is not written, and may be sent again. */
  public hasTaken(path: string, body: unknown, { headers = {} }: Answer): void {
    this.taken.set(path.toLowerCase(), body);
    const operation = headers['azure-asyncoperation'];
    if (operation !== undefined) this.operations.set(new URL(operation).pathname, path);
  }
}

/** Whether the answer of an operation, or of the resource itself, tells that the operation has failed. */
function hasFailed(path: string, body: unknown): boolean {
  const { id, status, properties } = (body ?? {}) as State;
  if (path.startsWith('/operations/')) return status === 'Failed';
  // Something in between may have answered with another resource.
  return id?.toLowerCase() === path.toLowerCase() && properties?.provisioningState === 'Failed';
}

function nameOf(process: number, path: string): string {
  return `${process} ${path.toLowerCase()}`;
}
