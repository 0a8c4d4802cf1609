import { createHash } from 'node:crypto';
import { EventLimit } from './event-limit';
import type { EventText } from './event-text';
import type { AnswerId } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import type { EventFacts } from '../../engine/inspect';
import type { KubernetesClient, KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { escapeUnseen, TEXT_LIMITS, truncate, truncateBytes } from '../../engine/text-limits';
import { EVENT_CODE, EVENT_REQUEST_ID, EVENT_STATUS } from '../../src/azure/annotations';
import { setNewest } from '../../src/util/set-newest';

export interface EventRecorderOptions {
  readonly client: Pick<KubernetesClient, 'create' | 'patch'>;
  /** The client for the events of an object. Default: `client`. */
  readonly clientFor?: ((object: KubernetesObject) => Pick<KubernetesClient, 'create' | 'patch'>) | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** The process, e.g. its host name. */
  readonly instance: string;
  /** Name of the controller that reports events of an object. */
  readonly componentOf: (object: KubernetesObject) => string;
  readonly onError?: (error: unknown) => void;
  /** Called with each event, by the uid of its object. */
  readonly onRecord?: (uid: string, event: EventFacts) => void;
}

const EVENTS: ResourceType = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };
/** An event that repeats is written again at most this often. */
const REPEAT_AFTER = 60_000;
/** After this time an event is a new one (the API server deletes it after an hour). */
const FORGET_AFTER = 30 * 60_000;
const MOST_REMEMBERED = 4096;

interface Remembered {
  readonly name: string;
  readonly first: number;
  written: number;
  count: number;
  /** Whether the API server has stored it. */
  stored: Promise<boolean>;
}

/** Records Kubernetes events about objects. Repetitions only raise the count; `EventLimit` bounds new ones; a failed write is ignored. */
export class EventRecorder {
  private readonly known = new Map<string, Remembered>();
  private readonly limit = new EventLimit();

  public constructor(private readonly options: EventRecorderOptions) {}

  public record(object: KubernetesObject, { type, reason, message, answer }: EventText): void {
    const escaped = truncateBytes(escapeUnseen(truncate(message, TEXT_LIMITS.message)), TEXT_LIMITS.eventBytes);
    const text = { type, reason: truncate(reason, TEXT_LIMITS.reason), message: escaped };
    const now = this.options.clock.now();
    const key = createHash('sha256')
      .update(JSON.stringify([object.metadata.uid, text.type, text.reason, text.message]))
      .digest('hex')
      .slice(0, 16);
    const known = this.known.get(key);
    const isKnown = known !== undefined && now - known.first < FORGET_AFTER;
    this.tell(object, { ...text, count: isKnown ? known.count + 1 : 1, last: now, answer });
    if (isKnown) {
      known.count += 1;
      if (now - known.written >= REPEAT_AFTER) this.repeat(object, known, now, answer);
      return;
    }
    // An event that is left out is not remembered: it is written when it comes again later.
    if (!this.limit.take(object.metadata.uid ?? `${object.metadata.namespace}/${object.metadata.name}`, now)) return;
    const name = `${object.metadata.name.slice(0, 200)}.${key}${now.toString(36)}`;
    const event = eventOf(object, { ...text, ...(answer ? { answer } : {}) }, name, now, this.options);
    const stored = this.clientFor(object).create(EVENTS, event).then(() => true, (error: unknown) => this.failed(error));
    setNewest(this.known, key, { name, first: now, written: now, count: 1, stored }, MOST_REMEMBERED);
  }

  private repeat(object: KubernetesObject, known: Remembered, now: number, answer: AnswerId | undefined): void {
    known.written = now;
    const patch = {
      count: known.count,
      lastTimestamp: wholeSeconds(now),
      ...(answer ? { metadata: { annotations: annotationsOf(answer) } } : {}),
    };
    known.stored = known.stored
      .then(
        (stored) =>
          stored
          && this.clientFor(object).patch(EVENTS, known.name, object.metadata.namespace ?? 'default', patch, 'application/merge-patch+json').then(() => true),
      )
      .catch((error: unknown) => this.failed(error));
  }

  private clientFor(object: KubernetesObject): Pick<KubernetesClient, 'create' | 'patch'> {
    return this.options.clientFor?.(object) ?? this.options.client;
  }

  private tell(object: KubernetesObject, { answer, ...event }: Pick<EventFacts, 'type' | 'reason' | 'message' | 'count' | 'last'> & { readonly answer?: AnswerId | undefined }): void {
    const { uid } = object.metadata;
    if (uid !== undefined) this.options.onRecord?.(uid, { ...event, source: this.options.componentOf(object), ...answer });
  }

  private failed(error: unknown): false {
    this.options.onError?.(error);
    return false;
  }
}

/** The request id changes with every try: in the message it would make each try an event of its own. */
function annotationsOf({ code, status, requestId }: AnswerId): Record<string, string> {
  return {
    [EVENT_CODE]: escapeUnseen(code),
    ...(status === undefined ? {} : { [EVENT_STATUS]: String(status) }),
    [EVENT_REQUEST_ID]: escapeUnseen(requestId),
  };
}

function eventOf(
  object: KubernetesObject, text: EventText, name: string, now: number, { instance, componentOf }: EventRecorderOptions,
): KubernetesObject {
  const { metadata: { namespace, name: objectName, uid, resourceVersion }, apiVersion, kind } = object;
  const component = componentOf(object);
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    // Events of cluster-scoped objects are in `default`, as in Kubernetes.
    metadata: { name, namespace: namespace ?? 'default', ...(text.answer && { annotations: annotationsOf(text.answer) }) },
    involvedObject: { apiVersion, kind, namespace, name: objectName, uid, resourceVersion },
    type: text.type as string,
    reason: text.reason,
    message: text.message,
    source: { component },
    reportingComponent: component,
    reportingInstance: instance,
    firstTimestamp: wholeSeconds(now),
    lastTimestamp: wholeSeconds(now),
    count: 1,
  };
  return event;
}

function wholeSeconds(now: number): string {
  return `${new Date(now).toISOString().slice(0, -'.000Z'.length)}Z`;
}
