import { annotation } from './annotations';
import { WAITING } from '../../src/azure/annotations';
import type { KubernetesObject } from '../kubernetes/types';

/** A running operation in Azure: after a PUT (of this object or of another party), or a deletion. */
export type Operation = 'put' | 'delete';

/**
 * The time since which an object waits for the end of an operation, and the time of its last repeated request. Milliseconds since the
 * epoch.
 */
export interface Waiting {
  readonly since: number;
  readonly sentAgain?: number;
}

/** The record of an operation in the annotation `aso.cdk8s.io/waiting`; undefined: there is none, or none that can be read. */
export function waitingOf(object: KubernetesObject, operation: Operation): Waiting | undefined {
  const [of, sinceText = '', sentAgainText = ''] = (annotation(object, WAITING) ?? '').split(' ');
  const [since, sentAgain] = [Date.parse(sinceText), Date.parse(sentAgainText)];
  if (of !== operation || Number.isNaN(since)) return undefined;
  return { since, ...(Number.isNaN(sentAgain) ? {} : { sentAgain }) };
}
