import recorded from './complete-answers.json';
import { hooksOf } from './hooks-of';
import type { KindVersion } from '../../src/catalog';
import { exportedPaths } from '../export/shown-exports';

/**
 * ARM types whose final answer to a PUT has the resource as the next GET shows it, with the number of recorded pairs. Differences of
 * etags, of times, of the writer's identity, and between empty and absent do not count. One pair that differs takes a type off the list:
 * the services of a storage account answer without `id`, its containers without `properties`.
 */
const types = new Set(Object.keys(recorded).map((type) => type.toLowerCase()));

/**
 * Whether the final answer to an object's PUT takes the place of a GET: Azure was seen to answer so, and nothing is done with the members
 * in which the two may differ (times, the writer's identity, empty lists). Values that are exported have to be in the answer
 * (`showsExports`).
 */
export function putShowsResource(version: KindVersion, spec: Readonly<Record<string, unknown>> | undefined): boolean {
  const { kind, facts } = version;
  const needsWhole = exportedPaths(version, spec) === undefined || hooksOf(kind.group, kind.kind).postCheck !== undefined;
  return !needsWhole && answersPutWithResource(facts.arm?.type ?? '');
}

/** Whether the final answer to a PUT of an ARM type takes the place of a GET. A type without recorded traffic is read. */
export function answersPutWithResource(armType: string): boolean {
  return types.has(armType.toLowerCase());
}
