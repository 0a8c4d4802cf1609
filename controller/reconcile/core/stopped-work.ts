import { digestOf } from './digest';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation } from '../../../engine/objects/annotations';
import { STOPPED_EXPORT } from '../../../src/azure/annotations';

/**
 * Annotation on an object whose exports were stopped (over their time or memory limit): `{"cause", "at", "times", "message"}`. The same
 * work is not retried at once, nor by another process: it would end in the same way.
 */

const FIRST_WAIT_MS = 10 * 60_000;
const LONGEST_WAIT_MS = 24 * 3_600_000;
const LONGEST_MESSAGE = 300;

interface StoppedWork {
  /** Identifies the evaluated work: object and generation. */
  readonly cause: string;
  /** When it was stopped last; ISO 8601. */
  readonly at: string;
  readonly times: number;
  readonly message: string;
}

/** The message to report instead of a retry; undefined where a retry may run. */
export function stillStopped(object: KubernetesObject, now: number): string | undefined {
  const record = recordOf(object);
  if (!record || record.cause !== causeOf(object)) return undefined;
  const again = Date.parse(record.at) + waitOf(record.times);
  // A time in the future was not written by a controller.
  return now < again && Date.parse(record.at) <= now ? messageOf(record.message, again) : undefined;
}

/** The annotation after the work was stopped, and the message to report. */
export function afterStop(
  object: KubernetesObject, message: string, now: number,
): { readonly annotations: Record<string, string>; readonly message: string } {
  const before = recordOf(object);
  const cause = causeOf(object);
  const times = before?.cause === cause ? before.times + 1 : 1;
  const record: StoppedWork = { cause, at: new Date(now).toISOString(), times, message: message.slice(0, LONGEST_MESSAGE) };
  return { annotations: { [STOPPED_EXPORT]: JSON.stringify(record) }, message: messageOf(record.message, now + waitOf(times)) };
}

function messageOf(message: string, again: number): string {
  return `${message}. They are evaluated again when the spec changes, or after ${new Date(again).toISOString().slice(0, 16)}Z`;
}

/** Ten minutes, and twice as long with each time. */
function waitOf(times: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(times - 1, 20), LONGEST_WAIT_MS);
}

function causeOf({ metadata: { uid = '', generation = 0 } }: KubernetesObject): string {
  return digestOf('', uid, generation);
}

/** Every user with write access to the object can write its annotations: a malformed value counts as none. */
function recordOf(object: KubernetesObject): StoppedWork | undefined {
  try {
    const record = JSON.parse(annotation(object, STOPPED_EXPORT) ?? 'null') as Partial<StoppedWork> | null;
    const { cause, at, times, message } = record ?? {};
    const isRecord =
      typeof cause === 'string' && typeof at === 'string' && Number.isInteger(times) && times! > 0 && typeof message === 'string';
    return isRecord && Number.isFinite(Date.parse(at))
      ? { cause, at, times: times!, message: message.slice(0, LONGEST_MESSAGE) }
      : undefined;
  } catch {
    return undefined;
  }
}
