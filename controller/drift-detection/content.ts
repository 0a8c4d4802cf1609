import { hash } from 'node:crypto';
import type { Shape } from '../../engine/compare';
import type { Struct } from '../../src/util/records';


/** The content of a row that shows whether the resource was changed. */
export interface Content {
  /** 64 bits in base64url. */
  readonly digest: string;
  /** Digests of the single values, by path (`*` stands for an element of a list). Only where asked for. */
  readonly leaves?: ReadonlyMap<string, string>;
}

/** Members that locate the row: constant, or spelled in different ways. */
const PLACE = new Set(['id', 'name', 'type', 'tenantid', 'subscriptionid', 'resourcegroup', 'apiversion']);
/** Members that change by themselves, and that no user can set. */
const VOLATILE = /^(etag|systemData)$|^last[A-Z].*|^(created|changed|modified|updated)(At|On|By|Time)$|(Timestamp|TimeStamp|UpdatedTime|ModifiedTime|CheckTime|HeartbeatTime)$/;
const VOLATILE_LOWER = /^_etag$|^(changedtime|createdtime)$/;
const USAGE = /^(current(Value|Usage|Count|SizeInBytes|NumberOf.*)|usage|.*Usage(Bytes|Count)|(active|deadLetter|scheduled|transfer).*MessageCount|messageCount|sizeInBytes|countDetails|accessedAt)$/;
const NOTHING_KNOWN: Shape = {};

/**
 * The content of a row. Order of members and of elements is ignored (as in comparisons of bodies), null equals absent, and members that
 * change by themselves are left out, unless the kind's spec has them.
 * @param shape of the request body of the kind
 * @param ignored paths to leave out
 */
export function contentOf(row: Struct, shape: Shape, ignored?: ReadonlySet<string>, withLeaves = false): Content {
  const walk = new Walk(ignored, withLeaves);
  const members = Object.fromEntries(Object.entries(row).filter(([name]) => !PLACE.has(name.toLowerCase())));
  const digest = hashed(walk.text(members, shape, '') ?? '');
  return withLeaves ? { digest, leaves: walk.digests() } : { digest };
}

/** A digest of a status without members that change by themselves, as far as they are known without the kind. */
export function statusDigestOf({ conditions: _, ...status }: Struct): string {
  return hashed(new Walk(undefined, false).text(status, NOTHING_KNOWN, '') ?? '');
}

/** Paths at which two contents differ. Both have leaves. */
export function changedPaths(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

class Walk {
  private readonly values = new Map<string, string[]>();

  public constructor(private readonly ignored: ReadonlySet<string> | undefined, private readonly collects: boolean) {}

  /** Undefined: no member counts. */
  public text(value: unknown, shape: Shape, path: string): string | undefined {
    if (value === null || value === undefined || this.ignored?.has(path)) return undefined;
    if (Array.isArray(value)) return this.list(value, shape.element ?? NOTHING_KNOWN, `${path}/*`);
    if (typeof value === 'object') return this.members(value as Struct, shape, path);
    const text = JSON.stringify(value);
    if (this.collects) this.values.set(path, [...(this.values.get(path) ?? []), text]);
    return text;
  }

  public digests(): Map<string, string> {
    return new Map([...this.values].map(([path, values]) => [path, hashed(values.sort().join('\n'))]));
  }

  private list(elements: readonly unknown[], shape: Shape, path: string): string | undefined {
    const texts = elements.map((element) => this.text(element, shape, path) ?? 'null').sort();
    return texts.length === 0 ? undefined : `[${texts.join(',')}]`;
  }

  private members(object: Struct, shape: Shape, path: string): string | undefined {
    const texts = Object.keys(object).sort().flatMap((name) => {
      const below = shape.values ?? memberOf(shape, name);
      if (!below && isVolatile(name)) return [];
      const text = this.text(object[name], below ?? NOTHING_KNOWN, `${path}/${name}`);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return texts.length === 0 ? undefined : `{${texts.join(',')}}`;
  }
}

/** Resource Graph does not always spell members as ARM does. */
function memberOf({ members }: Shape, name: string): Shape | undefined {
  const exact = members?.get(name);
  if (exact || !members) return exact;
  const lower = name.toLowerCase();
  for (const [key, shape] of members) if (key.toLowerCase() === lower) return shape;
  return undefined;
}

function isVolatile(name: string): boolean {
  return VOLATILE.test(name) || VOLATILE_LOWER.test(name.toLowerCase()) || USAGE.test(name);
}

/** The first 64 bits: enough to tell the contents of one resource apart, and small for thousands of them. */
function hashed(text: string): string {
  return Buffer.from(hash('sha256', text, 'hex').slice(0, 16), 'hex').toString('base64url');
}
