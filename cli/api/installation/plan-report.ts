import type { InstallationPlan, PlannedObject } from './installer';
import { formatYamlDocuments } from '../../../engine/yaml/format-yaml';
import { objectIdOf, objectTitleOf } from '../../../src/object-id';
import { counted } from '../../../src/util/words';
import { oneLine } from '../../output/problem';
import type { Style } from '../../output/terminal';
import { differenceText, lineDiff } from '../line-diff';

/** A line for each object that is created or changed, with the difference. */
export function planText({ changes, pruned }: InstallationPlan, style: Style): string {
  const lines = changes.filter(({ state }) => state !== 'same').flatMap((change) => [
    `${wordOf(change, style)} ${objectTitleOf(objectIdOf(change.manifest))}`,
    ...differenceText(differenceOf(change), style),
  ]);
  const count = (state: PlannedObject['state']) => changes.filter((change) => change.state === state).length;
  const summary = [`${counted(count('created'), 'object')} created`, `${count('changed')} changed`, `${count('same')} as they are`];
  if (pruned.length > 0) summary.push(`${pruned.length} deleted`);
  return [...lines, ...pruned.map(({ type, object }) => `${style.bad('deleted')} ${oneLine(objectTitleOf(objectIdOf({ ...object, kind: type.kind })))}`), summary.join(', ')].join('\n');
}

export function planJson(
  { changes, pruned, problems, notes }: InstallationPlan,
  { revision, isApplied }: { readonly revision: string; readonly isApplied: boolean },
): object {
  return {
    revision,
    applied: isApplied,
    objects: changes.map((change) => {
      const { manifest: { apiVersion, kind, metadata: { name, namespace } }, state } = change;
      return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name, state, difference: differenceOf(change) };
    }),
    deleted: pruned.map(({ type: { group, version, kind }, object: { metadata: { name, namespace } } }) =>
      ({ apiVersion: group === '' ? version : `${group}/${version}`, kind, ...(namespace !== undefined && { namespace }), name })),
    problems,
    notes,
  };
}

function differenceOf({ state, before, after }: PlannedObject): string[] {
  return state === 'changed' ? lineDiff(formatYamlDocuments([before]), formatYamlDocuments([after])) : [];
}

function wordOf({ state }: PlannedObject, style: Style): string {
  return state === 'created' ? style.good('created') : style.warn('changed');
}

