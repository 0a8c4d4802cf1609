import type { AreaReport, Finding } from './finding';
import { counted } from '../../src/util/words';
import { fewLines, fewOfEach } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

/** Number of findings of each severity, and of lines about what could not be read. */
export function countsOf(reports: readonly AreaReport[]): Record<'error' | 'warning' | 'info' | 'unread', number> {
  const of = (severity: Finding['severity']) => reports.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length;
  return { error: of('error'), warning: of('warning'), info: of('info'), unread: reports.flatMap(({ unread }) => unread).length };
}

/** A line for each area, and below it two lines a finding: what it is, and its cure. */
export function doctorText(reports: readonly AreaReport[], style: Style): string {
  const lines = reports.flatMap(({ area, seen, findings, unread }) => [
    `${markOf(findings, unread, style)} ${style.bold(area)}: ${oneLine(seen)}`,
    ...findingLines(findings, style),
    ...fewLines(unread).map((line) => `  ${style.warn('unread')} ${oneLine(line)}`),
  ]);
  const { error, warning, info, unread } = countsOf(reports);
  const parts = [
    error > 0 ? style.bad(counted(error, 'error')) : '',
    warning > 0 ? style.warn(counted(warning, 'warning')) : '',
    info > 0 ? `${info} for information` : '',
    unread > 0 ? style.warn(`${unread} not read`) : '',
  ].filter((part) => part !== '');
  return [...lines, `${style.bold('Doctor:')} ${parts.length === 0 ? style.good('nothing to say') : parts.join(', ')}.`].join('\n');
}

function findingLines(findings: readonly Finding[], style: Style): string[] {
  const { items, left } = fewOfEach(findings, ({ severity, id }) => `${severity} ${id}`);
  return [
    ...items.flatMap(({ severity, id, object, message, cure }) => [
      `  ${painted(severity, style)} ${style.bold(id)} ${oneLine(`${object}: ${message}`)}`,
      `    ${oneLine(cure)}`,
    ]),
    ...left.map(({ first: { severity, id }, count }) => `  and ${count} more: ${severity} ${id}`),
  ];
}

export function doctorJson(reports: readonly AreaReport[]): string {
  return JSON.stringify({ summary: countsOf(reports), areas: reports }, undefined, 2);
}

function markOf(findings: readonly Finding[], unread: readonly string[], style: Style): string {
  if (findings.some(({ severity }) => severity === 'error')) return style.bad('✗');
  if (unread.length > 0 || findings.some(({ severity }) => severity === 'warning')) return style.warn('!');
  return style.good('✓');
}

function painted(severity: Finding['severity'], style: Style): string {
  return { error: style.bad, warning: style.warn, info: style.dim }[severity](severity);
}
