import type { ExportStep } from './export-step';
import { stepError } from './export-step';
import type { ExportedObject } from './types';
import type { OwnerReference } from '../kubernetes/types';

/** A label or annotation. `shown` is the text that errors may quote: for an expression over secrets, only the expression. */
export interface Mark {
  readonly value: string;
  readonly quoted: string;
}

/** One value of a Secret or ConfigMap to export. */
export interface Entry {
  readonly kind: ExportedObject['kind'];
  readonly name: string;
  readonly key: string;
  readonly value: string;
  readonly step: ExportStep;
  readonly labels: Readonly<Record<string, Mark>>;
  readonly annotations: Readonly<Record<string, Mark>>;
}

interface Marked {
  readonly mark: Mark;
  readonly step: ExportStep;
}

/**
 * Merges entries into one object per name; sorted, so that equal input gives equal output.
 *
 * @throws ExportError with every collision of the first step that has one.
 */
export function merged(
  entries: readonly Entry[],
  kind: ExportedObject['kind'],
  namespace: string,
  owner: OwnerReference,
): ExportedObject[] {
  const byName = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.kind !== kind) continue;
    const own = byName.get(entry.name);
    if (own) own.push(entry);
    else byName.set(entry.name, [entry]);
  }
  const collisions: { step: ExportStep; message: string }[] = [];
  const objects = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => {
    const labels = marks(own, 'labels', collisions);
    const annotations = marks(own, 'annotations', collisions);
    const data = values(own, collisions);
    const metadata = { name, namespace, ...some('labels', labels), ...some('annotations', annotations), ownerReferences: [owner] };
    const object: ExportedObject = kind === 'Secret'
      ? { apiVersion: 'v1', kind, metadata, type: 'Opaque', stringData: data }
      : { apiVersion: 'v1', kind, metadata, data };
    return object;
  });
  const [first] = collisions;
  if (first) {
    const { step } = first;
    throw stepError(step, 'collision', collisions.filter((collision) => collision.step === step).map(({ message }) => message));
  }
  return objects;
}

function values(entries: readonly Entry[], collisions: { step: ExportStep; message: string }[]): Record<string, string> {
  const found = new Map<string, Entry>();
  for (const entry of entries) {
    const other = found.get(entry.key);
    if (!other) {
      found.set(entry.key, entry);
    } else {
      const where = entry.kind === 'Secret' ? 'StringData' : 'Data';
      collisions.push({ step: stepOf(other.step, entry.step), message: `key collision, entry exists for key '${entry.key}' in ${where}` });
    }
  }
  return sorted([...found].map(([key, { value }]) => [key, value]));
}

function marks(
  entries: readonly Entry[],
  member: 'labels' | 'annotations',
  collisions: { step: ExportStep; message: string }[],
): Record<string, string> {
  const word = member === 'labels' ? 'label' : 'annotation';
  const found = new Map<string, Marked>();
  for (const { kind, name, step, [member]: own } of entries) {
    for (const [key, mark] of Object.entries(own)) {
      const other = found.get(key);
      if (!other) {
        found.set(key, { mark, step });
      } else if (other.mark.value !== mark.value) {
        const message = `${word} collision for ${kind.toLowerCase()} "${name}": ${word} "${key}" has conflicting values "${other.mark.quoted}" and "${mark.quoted}"`;
        collisions.push({ step: stepOf(other.step, step), message });
      }
    }
  }
  return sorted([...found].map(([key, { mark }]) => [key, mark.value]));
}

/** The step that reports a collision: the step itself for two entries of one step, otherwise the merge. */
function stepOf(a: ExportStep, b: ExportStep): ExportStep {
  return a === b ? a : 'merge';
}

function sorted(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function some(name: string, record: Record<string, string>): Record<string, Record<string, string>> {
  return Object.keys(record).length > 0 ? { [name]: record } : {};
}
