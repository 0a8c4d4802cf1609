import type { CheckSummary, LocatedFinding } from './located-finding';
import type { Severity } from '../../src/core/rules/rule';
import { counted } from '../../src/util/words';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

/** One line per finding, and a summary line. */
export function textReport(findings: readonly LocatedFinding[], summary: CheckSummary, style: Style): string {
  return [...findings.map((finding) => line(finding, style)), summaryLine(summary, style)].join('\n');
}

function line(
  { file, line: number, severity, rule, kind, namespace, name, field, message, why, fix }: LocatedFinding,
  style: Style,
): string {
  const object = [kind, [namespace, name].filter((part) => part !== undefined).join('/')]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const place = number === undefined ? file : `${file}:${number}`;
  const what = [object, field, `${message}; ${why}; ${fix}`].filter((part) => part !== undefined && part !== '').join(': ');
  return `${oneLine(place)}: ${painted(severity, style)} ${style.bold(rule)} ${oneLine(what)}`;
}

function painted(severity: Severity, style: Style): string {
  return { error: style.bad, warning: style.warn, info: style.dim }[severity](severity);
}

function summaryLine({ objects, error, warning, info, suppressed }: CheckSummary, style: Style): string {
  const parts = [
    error > 0 ? style.bad(counted(error, 'error')) : '',
    warning > 0 ? style.warn(counted(warning, 'warning')) : '',
    info > 0 ? `${info} for information` : '',
    suppressed > 0 ? `${suppressed} suppressed` : '',
  ].filter((part) => part !== '');
  return `${style.bold('Check:')} ${counted(objects, 'object')}, ${parts.length > 0 ? parts.join(', ') : style.good('nothing to say')}.`;
}
