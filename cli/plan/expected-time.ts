import recorded from '../../sandbox/azure/behaviour.json';
import { behaviourOf, isRecorded, type CallBehaviour } from '../../sandbox/azure/model/behaviour';

/** How long Azure takes to make a resource. */
export interface ExpectedTime {
  readonly seconds: number;
  /** Whether it is the median of recorded traffic of the type; else it is that of all types. */
  readonly isRecorded: boolean;
}

/** Resources that are only read. */
export const READ_SECONDS = 1;

/** The time that Azure needs to create a resource of a type: the answer to the PUT, and the operation behind it. */
export function expectedTimeOf(armType: string): ExpectedTime {
  if (!isRecorded(armType)) return { seconds: MEDIAN_OF_ALL, isRecorded: false };
  return { seconds: secondsOf(behaviourOf(armType, 'PUT')), isRecorded: true };
}

/** `4 min 12 s`: two units at most. */
export function durationText(seconds: number): string {
  if (seconds < 0.5) return '< 1 s';
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** `about 4 min 12 s`, at least a second: nothing is there at once. */
export function about(seconds: number): string {
  return `about ${durationText(Math.max(1, seconds))}`;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

function secondsOf({ request, seconds = 0 }: Pick<CallBehaviour, 'request' | 'seconds'>): number {
  return request + seconds;
}

/** Of the types of which nothing was recorded, most are answered at once, as most of the others are. */
export const MEDIAN_OF_ALL = medianOf(Object.values(recorded).map(({ PUT }) => secondsOf(PUT)));

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
