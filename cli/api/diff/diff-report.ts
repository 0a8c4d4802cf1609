import type { ClaimDiff, ObjectDiff } from './claim-diff';
import type { CrdDiff } from './crd-diff';
import { withoutSecrets } from './hidden-secrets';
import type { BundlePosition } from '../../../composer/render/types';
import { redactTokens } from '../../../engine/redact';
import { formatYamlDocuments } from '../../../engine/yaml/format-yaml';
import { objectTitleOf } from '../../../src/object-id';
import { counted } from '../../../src/util/words';
import type { ServerSideChange } from '../../cluster/server-side-change';
import { oneLine } from '../../output/problem';
import type { Style } from '../../output/terminal';
import { differenceText, lineDiff } from '../line-diff';

/** A claim in the report: only what may be printed. */
export interface ClaimReport {
  readonly claim: string;
  readonly state: 'same' | 'changed' | 'failed' | 'failsAlready';
  readonly problem?: string;
  /** Places in the sources of the definition. */
  readonly at: readonly string[];
  readonly dropped: readonly string[];
  readonly objects: readonly ObjectReport[];
}

export interface ObjectReport {
  readonly object: string;
  readonly state: ObjectDiff['state'];
  readonly difference: readonly string[];
  readonly problem?: string;
  /** Compared without the API server: fields that are removed are not in the difference. */
  readonly isLocal?: true;
}

export interface CrdReport {
  readonly crd: string;
  readonly state: ServerSideChange['state'] | 'refused';
  readonly difference: readonly string[];
  readonly problem?: string;
}

export interface DiffReport {
  readonly revision: string;
  readonly crds: readonly CrdReport[];
  readonly claims: readonly ClaimReport[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** @param positions the places of a stack in the sources */
export function claimReport(diff: ClaimDiff, positions: (stack: readonly BundlePosition[]) => string[]): ClaimReport {
  const { claim: { kind, metadata: { namespace = '', name } }, problem, failsAlready, dropped } = diff;
  const objects = diff.objects.map(objectReport);
  const isRefused = objects.some(({ state }) => state === 'refused');
  const isSame = objects.every(({ state }) => state === 'same') && dropped.length === 0;
  const state = problem ? failsAlready ? 'failsAlready' : 'failed' : isRefused ? 'failed' : isSame ? 'same' : 'changed';
  const stack = problem && 'stack' in problem ? problem.stack ?? [] : [];
  return {
    claim: objectTitleOf({ kind, namespace, name }),
    state,
    ...(problem && { problem: printable(textOf(problem)) }),
    at: state === 'failsAlready' ? [] : positions(stack),
    dropped,
    objects: objects.filter((one) => one.state !== 'same'),
  };
}

export function crdReport({ name, change, problem }: CrdDiff): CrdReport {
  if (!change) return { crd: name, state: 'refused', difference: [], problem: printable(problem ?? '') };
  return { crd: name, state: change.state, difference: change.state === 'changed' ? differenceOf(change.before, change.after) : [] };
}

/** Whether anything would be another one. */
export function hasDifferences({ crds, claims }: DiffReport): boolean {
  return crds.some(({ state }) => state !== 'same') || claims.some(({ state }) => state === 'changed' || state === 'failed');
}

/** Whether a claim or a CRD would be refused, or something could not be compared. */
export function hasProblems({ crds, claims, problems }: DiffReport): boolean {
  return problems.length > 0 || crds.some(({ state }) => state === 'refused') || claims.some(({ state }) => state === 'failed');
}

export function diffText({ crds, claims }: DiffReport, style: Style): string {
  const lines = [
    ...crds.filter(({ state }) => state !== 'same').flatMap((one) => [
      `CustomResourceDefinition ${oneLine(one.crd)}: ${stateText(one.state, style)}${one.problem === undefined ? '' : `: ${one.problem}`}`,
      ...differenceText(one.difference, style, '  '),
    ]),
    ...claims.filter(({ state }) => state !== 'same').flatMap((claim) => [
      `${style.bold(oneLine(claim.claim))}: ${headOf(claim, style)}`,
      ...claim.at.map((place) => `  at ${oneLine(place)}`),
      ...claim.dropped.map((path) => style.warn(`  the schema has no ${oneLine(path)} any more: the API server drops it`)),
      ...claim.objects.flatMap((object) => [
        `  ${stateText(object.state, style)} ${oneLine(object.object)}${object.problem === undefined ? '' : `: ${object.problem}`}${object.isLocal ? ' (compared here)' : ''}`,
        ...differenceText(object.difference, style, '    '),
      ]),
    ]),
  ];
  return [...lines, summaryOf(claims)].join('\n');
}

function summaryOf(claims: readonly ClaimReport[]): string {
  const count = (state: ClaimReport['state']) => claims.filter((one) => one.state === state).length;
  const objects = (state: ObjectReport['state']) => claims.flatMap((one) => one.objects).filter((one) => one.state === state).length;
  const parts = [`${counted(claims.length, 'claim')}: ${count('changed')} changed`, `${count('same')} as they are`];
  if (count('failed') > 0) parts.push(`${count('failed')} would fail`);
  if (count('failsAlready') > 0) parts.push(`${count('failsAlready')} fail as now`);
  return `${parts.join(', ')}; ${counted(objects('created'), 'object')} created, `
    + `${objects('changed')} changed, ${objects('pruned')} deleted`;
}

function headOf({ state, problem, objects }: ClaimReport, style: Style): string {
  if (state === 'failsAlready') return `${problem} (as now)`;
  if (problem !== undefined) return style.bad(problem);
  const counts = (['created', 'changed', 'pruned', 'refused'] as const).flatMap((one) => {
    const count = objects.filter((object) => object.state === one).length;
    return count === 0 ? [] : [`${count} ${wordOf(one)}`];
  });
  return counts.length === 0 ? 'the claim' : counts.join(', ');
}

function objectReport({ name, state, before, after, problem, isLocal }: ObjectDiff): ObjectReport {
  return {
    object: objectTitleOf(name),
    state,
    difference: state === 'changed' || state === 'created' ? differenceOf(before, after) : [],
    ...(problem !== undefined && { problem: printable(problem) }),
    ...(isLocal === true && state !== 'same' && { isLocal: true as const }),
  };
}

function differenceOf(before: Parameters<typeof withoutSecrets>[0], after: Parameters<typeof withoutSecrets>[1]): string[] {
  const shown = withoutSecrets(before, after);
  const text = (object: unknown) => (object === undefined ? '' : formatYamlDocuments([object]));
  return lineDiff(text(shown.before), text(shown.after)).filter((line) => line !== '- ' && line !== '-').map(redactTokens);
}

function wordOf(state: ObjectReport['state']): string {
  return state === 'pruned' ? 'deleted' : state;
}

function stateText(state: ObjectReport['state'], style: Style): string {
  if (state === 'created') return style.good('created');
  return state === 'changed' ? style.warn('changed') : style.bad(wordOf(state));
}

function textOf(problem: NonNullable<ClaimDiff['problem']>): string {
  if ('issues' in problem) return `${problem.reason}: ${problem.issues.map(({ path, message }) => `${path === '' ? 'spec' : path}: ${message}`).join('; ')}`;
  const where = 'path' in problem && problem.path !== undefined && problem.path !== '' ? `${problem.path}: ` : '';
  return `${problem.reason}: ${where}${problem.message}`;
}

function printable(text: string): string {
  return redactTokens(oneLine(text));
}
