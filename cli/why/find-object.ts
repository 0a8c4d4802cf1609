import { type Inspection, type InspectionNode } from '../../engine/inspect';
import { Catalog, kindQuestion, type Kind } from '../../src/catalog';
import { objectTitleOf } from '../../src/object-id';
import { suggestion } from '../../src/util/nearest';
import { firstOf } from '../../src/util/words';
import { matchesKind } from '../cluster/kind-words';
import { UsageError } from '../output/usage-error';

export interface WantedObject {
  /** As it was typed. */
  readonly word: string;
  readonly kinds: readonly Kind[];
  readonly name: string;
}

/**
 * The object that words name: `KIND/NAME` or `KIND NAME`.
 * @throws UsageError for a kind that does not exist
 */
export function wantedObject(words: readonly string[], catalog = Catalog.default()): WantedObject {
  const [first = '', second, ...rest] = words;
  if (rest.length > 0) throw new UsageError('why: give one object, as KIND/NAME or KIND NAME');
  const slash = first.lastIndexOf('/');
  const [word, name] = second === undefined ? [first.slice(0, Math.max(slash, 0)), first.slice(slash + 1)] : [first, second];
  if (word === '' || name === '') throw new UsageError(`why: '${words.join(' ')}' is no object; give KIND/NAME or KIND NAME, for example StorageAccount/data`);
  const kinds = catalog.allKinds.filter((kind) => matchesKind(kind, word));
  if (kinds.length === 0) throw new UsageError(`why: there is no kind ${word}.${kindQuestion({ kind: word }, catalog, ({ kind }) => kind)}`);
  return { word, kinds, name };
}

/** The object is not in the cluster, or several are meant. */
export class ObjectNotFound extends Error {}

/**
 * The node of the object, among those of its namespace.
 * @throws ObjectNotFound
 */
export function findNode({ word, kinds, name }: WantedObject, { nodes, unread }: Inspection, namespace: string): InspectionNode {
  const isKind = new Set(kinds.map(({ group, kind }) => `${group}/${kind}`));
  const ofKind = nodes.filter((node) => isKind.has(`${node.group}/${node.kind}`));
  const found = ofKind.filter((node) => node.name === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only) {
    const kindsOf = found.map((node) => `${node.kind}.${node.group}`);
    throw new ObjectNotFound(`${word}/${name} is the name of ${found.length} objects: ${firstOf(kindsOf, 5)}; write the kind with its group`);
  }
  const refused = unread.find((one) => isKind.has(`${one.group}/${one.kind}`));
  if (refused) throw new ObjectNotFound(`${refused.kind}.${refused.group} could not be read: ${refused.why}`);
  const hint = suggestion(name, ofKind.slice(0, 1_000).map((node) => node.name)) || (ofKind.length > 0 ? ` There is ${firstOf(ofKind.map(objectTitleOf), 3)}.` : '');
  throw new ObjectNotFound(`there is no ${kinds.length === 1 ? kinds[0]?.kind : word} ${name} in namespace ${namespace}.${hint}`);
}
