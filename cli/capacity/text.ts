import type { BucketReport, CapacityReport, KindReport, Load, SharedSubscription } from './report';
import type { Requests } from './request-cost';
import { plural } from '../../src/util/words';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';
import { about, durationText } from '../plan/expected-time';

/** The report as text. */
export function capacityText(report: CapacityReport, style: Style, verbose: boolean): string {
  const blocks = report.buckets.map((bucket) => bucketText(bucket, style));
  return [
    ...blocks,
    ...report.shared.map((shared) => sharedText(shared, style)),
    ...(verbose ? [kindsText(report.kinds, style)] : []),
    summary(report, style),
  ].join('\n\n');
}

function bucketText(bucket: BucketReport, style: Style): string {
  const { objects, onlyRead, steady, queriesPerHour, aso, firstCreation, restart } = bucket;
  const share = onlyRead === 0 ? '' : `, ${onlyRead} only read`;
  const rows = [
    ['', 'reads/h', 'writes/h', 'peak reads/s', 'peak writes/s', 'of the limit'],
    rowOf('Azure Service Operator', aso),
    rowOf('this controller', steady),
  ];
  const begun = `${requestsText(firstCreation.requests)}; all Ready after ${about(firstCreation.seconds)}${boundText(bucket)}`;
  return [
    style.bold(oneLine(titleText(bucket))),
    `  ${count(objects, 'object')}${share}`,
    ...table(rows).map((line, index) => (index === 0 ? style.dim(`  ${line}`) : `  ${line}`)),
    ...(queriesPerHour === 0
      ? []
      : [style.dim(`  besides ${number(queriesPerHour)} queries an hour to Azure Resource Graph, which are not counted there`)]),
    `  first creation: ${begun}`,
    `  restart:        ${requestsText(restart.requests)}; all confirmed after ${about(restart.seconds)}`,
    `    of ASO:       ${requestsText(aso.restart.requests)}; ${about(aso.restart.seconds)}`,
    ...warningOf(bucket).map((line) => `  ${style.bad(line)}`),
  ].join('\n');
}

function titleText({ subscription, tenant, principal, secrets }: BucketReport): string {
  const place = tenant
    ? 'Tenant'
    : subscription === undefined
      ? 'A subscription that is not known (--subscription)'
      : `Subscription ${subscription}`;
  const named = secrets.length === 0 ? '' : ` (${secrets.length <= MOST_SECRETS ? secrets.join(', ') : `${secrets.length} Secrets`})`;
  return `${place}, ${principal ?? 'a credential that is not in the files'}${named}`;
}

const MOST_SECRETS = 3;

function rowOf(name: string, { perHour, peakPerSecond, peakPercent }: Load): string[] {
  return [
    name,
    number(perHour.reads),
    number(perHour.writes),
    number(peakPerSecond.reads),
    number(peakPerSecond.writes),
    percentText(peakPercent),
  ];
}

function boundText({ firstCreation: { boundBy, criticalPathSeconds } }: BucketReport): string {
  return boundBy === 'critical path'
    ? ', as resources wait for each other'
    : `, as Azure takes no more ${boundBy}; without limits ${durationText(criticalPathSeconds)}`;
}

function warningOf({ steady, shortestSyncPeriodSeconds }: BucketReport): string[] {
  if (Math.max(steady.peakPercent.reads, steady.peakPercent.writes) <= 100) return [];
  return [
    `More than Azure takes at the peak: give a sync period of at least ${durationText(shortestSyncPeriodSeconds)}, or several principals.`,
  ];
}

function sharedText({ subscription, principals, peakPercent }: SharedSubscription, style: Style): string {
  const text = `Subscription ${subscription}, all ${principals} principals together: ${percentText(peakPercent)} of the limit of all principals at the peak.`;
  return Math.max(peakPercent.reads, peakPercent.writes) > 100 ? style.bad(text) : text;
}

function kindsText(kinds: readonly KindReport[], style: Style): string {
  const rows = kinds.map(({ group, kind, objects, seconds, create, sync }) =>
    [`${kind}.${group}`, String(objects), seconds === undefined ? '?' : durationText(seconds), both(create), both(sync)]);
  const [head = '', ...lines] = table([['kind', 'objects', 'Azure takes', 'first (reads+writes)', 'a sync (reads+writes)'], ...rows]);
  return [style.dim(head), ...lines].join('\n');
}

function summary(
  { objects, elsewhere, syncPeriodSeconds, readySeconds, criticalPath, guessed, buckets }: CapacityReport,
  style: Style,
): string {
  const total = (of: (bucket: BucketReport) => number) => buckets.reduce((sum, bucket) => sum + of(bucket), 0);
  const ours = total(({ steady: { perHour }, queriesPerHour }) => perHour.reads + perHour.writes + queriesPerHour);
  const writes = total(({ steady: { perHour } }) => perHour.writes);
  const puts = total(({ aso: { putsPerHour } }) => putsPerHour);
  const period = syncPeriodSeconds === undefined ? 'never' : durationText(syncPeriodSeconds);
  return [
    `${style.bold('Capacity:')} ${count(objects, 'object')} in Azure Resource Manager${elsewhere === 0 ? '' : `, ${elsewhere} elsewhere`}; sync period ${period}.`,
    `${number(puts)} PUTs an hour under Azure Service Operator; here ${number(ours)} requests an hour, of which ${number(writes)} are writes.`,
    ...(criticalPath.length === 0
      ? []
      : [`All Ready after ${about(readySeconds)} from nothing. The longest chain: ${oneLine(chain(criticalPath))}.`]),
    ...(guessed === 0
      ? []
      : [style.dim(`${count(guessed, 'resource')} of a type of which no time is known: taken for the median of all types.`)]),
  ].join('\n');
}

const MOST_STEPS = 8;

function chain(steps: readonly string[]): string {
  if (steps.length <= MOST_STEPS) return steps.join(' → ');
  return [...steps.slice(0, MOST_STEPS - 2), `… ${steps.length - MOST_STEPS + 1} more …`, steps.at(-1)!].join(' → ');
}

function requestsText({ reads, writes }: Requests): string {
  return `${count(reads, 'read')}, ${count(writes, 'write')}`;
}

function both({ reads, writes }: Requests): string {
  return `${number(reads)}+${number(writes)}`;
}

/** The percentage of the kind of request that is closer to its limit. */
function percentText({ reads, writes }: Requests): string {
  const [most, kind] = reads >= writes ? [reads, 'reads'] : [writes, 'writes'];
  if (most === 0) return '0 %';
  return `${most < 0.1 ? '< 0.1' : most.toFixed(most < 10 ? 1 : 0)} % (${kind})`;
}

function number(value: number): string {
  if (value === 0) return '0';
  if (value < 0.01) return '< 0.01';
  return value < 10 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString('en');
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString('en')} ${plural(value, noun)}`;
}

/** A table whose first column is aligned left and whose other columns (numbers) are aligned right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
  );
}
