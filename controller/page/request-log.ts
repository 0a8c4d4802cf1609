import type { ArmRequestObservation } from '../../engine/arm/arm-client';
import type { SentRequest } from '../../page';
import { setNewest } from '../../src/util/set-newest';

/** Requests that are kept of a resource, and resources of which requests are kept. */
const MOST_REQUESTS = 30;
const MOST_RESOURCES = 5_000;

/** The last requests to Azure of this process, by resource. Bounded; nothing of their bodies is kept. */
export class RequestLog {
  private readonly byId = new Map<string, SentRequest[]>();

  public constructor(private readonly now: () => number) {}

  public add({ method, path, status, requestId, seconds }: ArmRequestObservation): void {
    // An action is a POST below its resource: …/storageAccounts/data/listKeys.
    const slash = method === 'POST' ? path.lastIndexOf('/') : -1;
    const id = (slash > 0 ? path.slice(0, slash) : path).toLowerCase();
    const action = slash > 0 ? { action: path.slice(slash) } : {};
    const request: SentRequest = { method, at: this.now(), status, requestId, seconds, ...action };
    const requests = this.byId.get(id) ?? [];
    setNewest(this.byId, id, [request, ...requests].slice(0, MOST_REQUESTS), MOST_RESOURCES);
  }

  /** The requests about a resource, the newest first. */
  public of(armId: string | undefined): readonly SentRequest[] {
    return (armId === undefined ? undefined : this.byId.get(armId.toLowerCase())) ?? [];
  }
}
