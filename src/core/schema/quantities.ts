import type { Duration, Size } from 'cdk8s';
import { Conversion, Convert } from './conversion';
import type { Scalar } from '../../catalog/facts';
import { isSize, type Quantity } from '../../catalog/quantity';

const SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
const KIBIBYTES = { bytes: 1 / 1024, KiB: 1, MiB: 1024, GiB: 1024 * 1024 } as const;

/**
 * The conversion of a property that measures something: a `Duration` or a `Size` becomes the text or number that Azure takes, everything
 * else is left to the conversion of the scalar. Classes of another copy of cdk8s count, too.
 */
export function quantityConvert(quantity: Quantity, type: Scalar, convert: Convert): Convert {
  const written = isSize(quantity) ? writtenSize : writtenDuration;
  return (value, run) => {
    const amount = written(value, quantity);
    if (amount === undefined) return convert(value, run);
    const text = type === 'number' ? amount : whole(amount, quantity, run);
    if (text === undefined) return undefined;
    return convert(type === 'string' ? String(text) : text, run);
  };
}

function writtenDuration(value: unknown, quantity: Quantity): string | number | undefined {
  if (typeof (value as Partial<Duration> | null)?.toMilliseconds !== 'function') return undefined;
  const seconds = (value as Duration).toMilliseconds({ integral: false }) / 1000;
  if (quantity === 'iso8601') return isoDuration(seconds);
  return quantity === 'timespan' ? timeSpan(seconds) : seconds / SECONDS[unitOf(quantity) as keyof typeof SECONDS];
}

function writtenSize(value: unknown, quantity: Quantity): number | undefined {
  if (typeof (value as Partial<Size> | null)?.toKibibytes !== 'function') return undefined;
  // SizeRoundingBehavior.NONE; the enum would have to be loaded for it.
  return (value as Size).toKibibytes({ rounding: 2 }) / KIBIBYTES[quantity as keyof typeof KIBIBYTES];
}

/** The amount with the unit that a text needs; undefined, and a problem, for a part of a unit. */
function whole(amount: string | number, quantity: Quantity, run: Conversion): string | number | undefined {
  if (typeof amount === 'string') return amount;
  const unit = unitOf(quantity);
  if (!Number.isInteger(amount)) {
    run.problem(`is ${Number(amount.toFixed(3))} ${unit}, but Azure takes whole ${unit} here. Give ${Math.ceil(amount)} ${unit}, or a multiple of one.`);
    return undefined;
  }
  return quantity.startsWith('go-') ? `${amount}${unit.charAt(0)}` : amount;
}

function unitOf(quantity: Quantity): string {
  return quantity.replace('go-', '');
}

/** ISO 8601, e.g. `P1DT6H` or `PT5M`. What cdk8s writes (`PT14D`, `PT1D6H`) is none. */
function isoDuration(seconds: number): string {
  const { days, hours, minutes, rest } = parts(seconds);
  const time = [hours > 0 ? `${hours}H` : '', minutes > 0 ? `${minutes}M` : '', rest > 0 ? `${rest}S` : ''].join('');
  if (days === 0 && time === '') return 'PT0S';
  return `P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`;
}

/** A time span of .NET: `[d.]hh:mm:ss`. */
function timeSpan(seconds: number): string {
  const { days, hours, minutes, rest } = parts(seconds);
  const time = [hours, minutes, rest].map((part) => String(part).padStart(2, '0')).join(':');
  return days > 0 ? `${days}.${time}` : time;
}

function parts(seconds: number): { days: number; hours: number; minutes: number; rest: number } {
  return {
    days: Math.floor(seconds / SECONDS.days),
    hours: Math.floor((seconds % SECONDS.days) / SECONDS.hours),
    minutes: Math.floor((seconds % SECONDS.hours) / SECONDS.minutes),
    rest: Number((seconds % SECONDS.minutes).toFixed(3)),
  };
}
