import { Catalog } from '../../../src/catalog';
import type { ObjectId } from '../../../src/object-id';
import { nearest } from '../../../src/util/nearest';
import type { Cause, Inspection, InspectionNode } from '../types';

/** The fix of a cause. */
export interface Advice {
  /** One to three sentences. */
  readonly text: string;
  /** Commands to type, each on one line, quoted for a shell. `…` stands for a value that only the reader knows. */
  readonly commands: readonly string[];
  /** A document of this package: `docs/credentials.md#rotation`. */
  readonly document?: string | undefined;
}

export interface AdviceContext {
  readonly cause: Cause;
  readonly inspection: Inspection;
  /** The object of the cause. */
  readonly name: ObjectId;
  /** Its node; undefined if it does not exist, or is none of Azure's. */
  readonly node: InspectionNode | undefined;
  /** The object that waits for the cause itself, and that the advice is about. */
  readonly waiting: InspectionNode | undefined;
}

/** Names that are compared for a suggestion: more would take long, and say little. */
const MOST_NAMES = 1_000;

/** A word for a POSIX shell. */
export function shell(word: string): string {
  return /^[\w@%+=:,./…-]+$/.test(word) ? word : `'${word.replace(/'/g, '\'\\\'\'')}'`;
}

/** `storageaccounts.storage.azure.com/data -n shop` */
export function target({ group, kind, namespace, name }: ObjectId): string {
  const resource = group === '' ? kind.toLowerCase() : Catalog.default().kind(group, kind)?.crdName ?? `${kind.toLowerCase()}.${group}`;
  return `${shell(resource)} ${shell(name)}${namespace === '' ? '' : ` -n ${shell(namespace)}`}`;
}

/** `cdk8s-aso why …` on an object. */
export function whyCommand({ kind, namespace, name }: ObjectId): string {
  return `cdk8s-aso why ${shell(`${kind}/${name}`)} -n ${shell(namespace)}`;
}

/** The object of the same kind in the namespace whose name is nearly the one that is missing. */
export function similarName({ group, kind, namespace, name }: ObjectId, { nodes }: Inspection): string | undefined {
  const names = nodes.filter((node) => node.group === group && node.kind === kind && node.namespace === namespace).map((node) => node.name);
  return nearest(name, names.slice(0, MOST_NAMES));
}

/** Other namespaces that have an object of the name. */
export function namespacesWith({ group, kind, namespace, name }: ObjectId, { nodes }: Inspection): string[] {
  return nodes
    .filter((node) => node.name === name && node.kind === kind && node.group === group && node.namespace !== namespace)
    .map((node) => node.namespace);
}

/** The message of the condition of the cause. */
export function messageOf({ cause, node }: AdviceContext): string {
  return node?.message ?? cause.text;
}
