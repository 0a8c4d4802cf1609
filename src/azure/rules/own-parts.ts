import { violation, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt } from './values';
import { nearest } from '../../util/nearest';
import { isRecord } from '../../util/records';

/** The last four segments of an ARM id: `loadBalancers/lb/probes/http`. */
const PART = /\/providers\/microsoft\.network\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/i;

/** A part of a resource that an ARM id names. */
interface Part {
  readonly collection: string;
  readonly name: string;
}

/** The part of the resource itself that a reference names; undefined for any other reference. */
export function ownPart(subject: AzureSubject, type: string, reference: unknown): Part | undefined {
  const armId = isRecord(reference) && typeof reference.armId === 'string' ? reference.armId : '';
  const [, resourceType, resource, collection, name] = PART.exec(armId) ?? [];
  if (resourceType?.toLowerCase() !== type.toLowerCase() || resource?.toLowerCase() !== subject.name.toLowerCase()) return undefined;
  return { collection: collection!.toLowerCase(), name: name! };
}

/**
 * References of a resource to parts of itself that it does not have.
 * @param paths paths of references; `[]` is any member of a list
 */
export function missingParts(subject: AzureSubject, type: string, paths: readonly string[]): Violation[] {
  return paths.flatMap((path) => valuesAt(subject.spec, path)).flatMap(({ field, value }) => {
    const part = ownPart(subject, type, value);
    if (!part) return [];
    const collection = Object.keys(subject.spec).find((key) => key.toLowerCase() === part.collection);
    const names = collection === undefined ? [] : valuesAt(subject.spec, `${collection}[].name`).map(({ value: name }) => String(name));
    // A name that a construct does not know yet may be the one.
    if (collection !== undefined && valuesAt(subject.spec, `${collection}[]`).length > names.length) return [];
    if (names.some((name) => name.toLowerCase() === part.name.toLowerCase())) return [];
    const meant = nearest(part.name, new Set(names), 2);
    return violation(field, `'${part.name}' is none of ${part.collection}`, meant === undefined ? 'name one that exists' : `write ${meant}`);
  });
}

/** A text for comparison of two references. */
export function referenceKey(reference: unknown): string | undefined {
  if (!isRecord(reference)) return undefined;
  if (typeof reference.armId === 'string') return reference.armId.toLowerCase();
  const { group, kind, name } = reference;
  return typeof name === 'string' ? [group, kind, name].map(String).join('/') : undefined;
}

/** The key of the reference at a path of a struct. */
export function keyAt(struct: unknown, path: string): string | undefined {
  return isRecord(struct) ? referenceKey(valueAtPath(struct, path)) : undefined;
}
