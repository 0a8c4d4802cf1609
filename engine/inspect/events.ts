import type { EventFacts } from './types';
import { EVENT_CODE, EVENT_REQUEST_ID, EVENT_STATUS } from '../../src/azure/annotations';
import { member, text } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';
import { redactTokens } from '../redact';

/** Events in both of their APIs, by the uid of their object; the newest first. */
export function eventsByObject(events: readonly KubernetesObject[]): Map<string, EventFacts[]> {
  const found = new Map<string, EventFacts[]>();
  for (const event of events) {
    const uid = text(member(event, 'involvedObject'), 'uid') ?? text(member(event, 'regarding'), 'uid');
    if (uid === undefined) continue;
    const list = found.get(uid);
    if (list) list.push(eventFactsOf(event));
    else found.set(uid, [eventFactsOf(event)]);
  }
  for (const list of found.values()) list.sort((a, b) => b.last - a.last);
  return found;
}

/** Others than the controller may write events too: what is no request id and no code is not taken for one. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;
const CODE = /^[\w .:-]{1,200}$/;

export function eventFactsOf(event: KubernetesObject): EventFacts {
  const { annotations, creationTimestamp } = event.metadata;
  const series = member(event, 'series');
  const count = member(event, 'count') ?? member(series, 'count');
  const last = [text(series, 'lastObservedTime'), text(event, 'lastTimestamp'), text(event, 'eventTime'), creationTimestamp]
    .map((time) => Date.parse(time ?? '')).find((time) => !Number.isNaN(time));
  const { [EVENT_REQUEST_ID]: requestId = '', [EVENT_CODE]: code = '' } = annotations ?? {};
  const status = Number(annotations?.[EVENT_STATUS]);
  return {
    type: text(event, 'type') ?? 'Normal',
    reason: text(event, 'reason') ?? '',
    message: redactTokens(text(event, 'message') ?? text(event, 'note') ?? ''),
    count: typeof count === 'number' ? count : 1,
    last: last ?? 0,
    source: text(event, 'reportingComponent') ?? text(member(event, 'source'), 'component'),
    ...(REQUEST_ID.test(requestId) ? { requestId } : {}),
    ...(Number.isInteger(status) && status > 0 ? { status } : {}),
    ...(CODE.test(code) ? { code } : {}),
  };
}

/** Azure's last failed answer, as an event of the object has it. */
export interface AzureAnswer {
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly status?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The number of equal answers. */
  readonly count: number;
}

const ERROR_EVENTS: ReadonlySet<string> = new Set(['CreateOrUpdateActionError', 'DeleteActionError', 'OperationOverdue']);
/** The text of an error event, of this controller and of ASO's. */
const ERROR_TEXT = /^Reason: ([^,]*), Severity: \w*, RetryClassification: \w*, Cause: (.*)$/s;

/** @param events of one object, the newest first */
export function lastAnswerOf(events: readonly EventFacts[]): AzureAnswer | undefined {
  for (const { reason, message, requestId, status, code, last, count } of events) {
    if (!ERROR_EVENTS.has(reason)) continue;
    const [, ownCode, cause] = ERROR_TEXT.exec(message) ?? [];
    const found = code ?? ownCode;
    if (found === undefined) continue;
    return { code: found, message: cause ?? message, requestId, status, at: last, count };
  }
  return undefined;
}
