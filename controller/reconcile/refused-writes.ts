import { createHash } from 'node:crypto';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import type { EventText } from '../../runtime/events/event-text';
import { setNewest } from '../../src/util/set-newest';

const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);
/** etcd and gRPC have their own size limits, which the API server reports as 500. */
const TOO_LARGE = /too large|larger than max/i;
/** A refused status is not sent again for this time, unless it changes: the CRD may be replaced. Milliseconds. */
const RETRY = 60 * 60_000;
const MOST_REMEMBERED = 10_000;
const MOST_FIELDS = 5;

/** Whether the API server has processed a write and refuses its content. */
export function isRefusal(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && (REFUSALS.has(error.status) || (error.status === 500 && TOO_LARGE.test(error.message)));
}

/** Remembers refused statuses, so that not every reconcile sends megabytes to the API server. */
export class RefusedStatuses {
  private readonly known = new Map<string, { readonly digest: string; readonly at: number }>();

  public constructor(private readonly now: () => number) {}

  public has(object: KubernetesObject): boolean {
    const known = this.known.get(uidOf(object));
    return known !== undefined && this.now() - known.at < RETRY && known.digest === digestOf(object);
  }

  public add(object: KubernetesObject): void {
    setNewest(this.known, uidOf(object), { digest: digestOf(object), at: this.now() }, MOST_REMEMBERED);
  }
}

/** The event for a refused status, without the status' values. */
export function refusedStatusEvent(object: KubernetesObject, error: KubernetesError): EventText {
  const kibibytes = Math.ceil(JSON.stringify(object.status ?? {}).length / 1024);
  return {
    type: 'Warning',
    reason: 'StatusRefused',
    message: `The API server refuses the status of this object (${causeOf(error)}; ${kibibytes} KiB), so only its conditions are written. `
      + 'Bring the CRD up to date where a property is named; a status that is too large can only become smaller in Azure',
  };
}

/** Why the API server refuses the object's metadata, or an object that belongs to it. */
export function refusedWriteMessage(error: KubernetesError): string {
  return (
    `The API server refuses what the controller writes for this object (${causeOf(error)}). Annotations of an object hold 256 KiB in all: `
    + 'remove large ones; else look for an admission policy that refuses it'
  );
}

/** The refusal with the fields that it names. The API server's messages quote values, which must not be exposed. */
function causeOf({ status, reason, message }: KubernetesError): string {
  const found = [...message.matchAll(/(?<![\w.-])((?:status|metadata|spec)(?:\.[\w-]+|\[[^\]]{0,80}\])+): ([A-Z][a-z]+(?: [a-z]+)?)/g)];
  const fields = [...new Set(found.map(([, path, problem]) => `${path}: ${problem}`))].slice(0, MOST_FIELDS);
  return [`${status} ${reason}`, ...fields].join(', ');
}

function digestOf({ status = {} }: KubernetesObject): string {
  const { conditions: _, ...content } = status;
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function uidOf({ metadata }: KubernetesObject): string {
  return metadata.uid ?? '';
}
