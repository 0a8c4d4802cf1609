import type { ObjectMeta } from '../../engine/kubernetes/types';
import { CREDENTIAL_USED_BY } from '../../src/azure/annotations';

/** The kinds with which a credential Secret is annotated: `ResourceGroup.resources.azure.com`. */
export function markedKinds({ annotations }: Pick<ObjectMeta, 'annotations'>): ReadonlySet<string> {
  return new Set((annotations?.[CREDENTIAL_USED_BY] ?? '').split(',').map((kind) => kind.trim()).filter(Boolean));
}

/** All kinds of the lists, sorted, each once. */
export function unionOf(...lists: readonly Iterable<string>[]): string[] {
  return [...new Set(lists.flatMap((list) => [...list]))].sort();
}

export function isSubset(some: Iterable<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}
