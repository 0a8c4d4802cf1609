import type { Cause } from './causes';
import type { CheckSummary, LocatedFinding } from './located-finding';
import type { Severity } from '../../src/core/rules/rule';
import { counted, firstOf } from '../../src/util/words';
import { describeHolder } from '../manifests/inside/inside';
import { fewOfEach } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

/** As many places of one cause as are named. */
const MOST_PLACES = 5;

/**
 * A line for each cause, with the places of further findings of it below, and a summary line.
 * @param whole whether all causes of a rule are printed, not the first few
 */
export function textReport(causes: readonly Cause[], summary: CheckSummary, style: Style, title = 'Check', whole = false): string {
  const { items, left } = whole ? { items: causes, left: [] } : fewOfEach(causes, ({ first: { severity, rule } }) => `${severity} ${rule}`);
  const lines = items.flatMap(({ first, others }) => [line(first, style), ...(others.length === 0 ? [] : [style.dim(places(others))])]);
  const more = left.map(({ first: { first: { severity, rule } }, count }) => style.dim(`and ${count} more: ${severity} ${rule}`));
  return [...lines, ...more, summaryLine(summary, style, title)].join('\n');
}

function places(others: readonly LocatedFinding[]): string {
  const named = others.map((finding) => `${placeOf(finding)} ${objectOf(finding)}`.trim());
  return `  the same at ${counted(others.length, 'more place')}: ${oneLine(firstOf(named, MOST_PLACES))}`;
}

function line(finding: LocatedFinding, style: Style): string {
  const { severity, rule, field, message, why, fix } = finding;
  const what = [objectOf(finding), field, `${message}; ${why}; ${fix}`].filter((part) => part !== undefined && part !== '').join(': ');
  return `${oneLine(placeOf(finding))}: ${painted(severity, style)} ${style.bold(rule)} ${oneLine(what)}`;
}

function placeOf({ file, line: number }: LocatedFinding): string {
  return number === undefined ? file : `${file}:${number}`;
}

function objectOf({ kind, namespace, name, inside }: LocatedFinding): string {
  const title = [namespace, name].filter((part) => part !== undefined).join('/');
  const object = [kind, title].filter((part) => part !== undefined && part !== '').join(' ');
  return inside === undefined ? object : `${object} in ${describeHolder({ holder: inside })}`;
}

function painted(severity: Severity, style: Style): string {
  return { error: style.bad, warning: style.warn, info: style.dim }[severity](severity);
}

function summaryLine({ objects, error, warning, info, suppressed, sets }: CheckSummary, style: Style, title: string): string {
  const parts = [
    error > 0 ? style.bad(counted(error, 'error')) : '',
    warning > 0 ? style.warn(counted(warning, 'warning')) : '',
    info > 0 ? `${info} for information` : '',
    suppressed > 0 ? `${suppressed} suppressed` : '',
  ].filter((part) => part !== '');
  return `${style.bold(`${title}:`)} ${counted(objects, 'object')}${sets === undefined ? '' : ` in ${counted(sets, 'set')}`}, ${parts.length > 0 ? parts.join(', ') : style.good('nothing to say')}.`;
}
