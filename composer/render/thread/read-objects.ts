import { pathOfPrototype } from './check-spec';
import { failed } from './composition-error';
import { deepFrozen } from './frozen-claim';
import { type ObjectId, objectKeyOf, objectTitleOf } from '../../../src/object-id';
import type { ApiDefinition, ReadName, ReadObject } from '../../../src/platform-api';
import { isText } from '../../../src/util/records';
import { shortened } from '../../../src/util/words';
import type { ComposedKindFacts } from '../../definition/api-facts';
import { composedKinds } from '../../definition/composed-kinds';
import type { ClaimObject, UsedRead } from '../jobs';

const LONGEST_NAME = 253;

/** An object that is not known yet ends the run: the composer reads it, and runs `compose` again. */
class NeedsObject extends Error {}

/** The objects that one run of `compose` reads. */
export class ReadObjects {
  /** The objects that were asked for and not known. */
  public readonly needs: ObjectId[] = [];
  private readonly kinds: ReadonlyMap<string, ComposedKindFacts>;
  private readonly self: ObjectId;
  private parsed: Readonly<Record<string, ReadObject | null>> | undefined;
  private readonly read = new Map<string, { readonly object: ReadObject | undefined; usesStatus: boolean }>();

  /** @param known JSON of the known objects by key; null where there is none */
  public constructor(
    definition: ApiDefinition, definitions: readonly ApiDefinition[], { metadata }: ClaimObject, private readonly known: string,
  ) {
    this.kinds = new Map(composedKinds(definition.reads, definitions).map((one) => [`${one.group}/${one.kind}`, one]));
    this.self = { group: definition.group, kind: definition.kind, namespace: metadata.namespace ?? '', name: metadata.name };
  }

  /** The objects that `compose` has looked at. */
  public get used(): UsedRead[] {
    return [...this.read].map(([key, { usesStatus }]) => ({ key, status: usesStatus }));
  }

  /** The function of the claim. */
  public readonly of = (asked: ReadName): ReadObject | undefined => {
    const name = this.nameOf(asked);
    if (name.name === '' || name.name.length > LONGEST_NAME || name.namespace.length > LONGEST_NAME) return undefined;
    const key = objectKeyOf(name);
    const before = this.read.get(key);
    if (before) return before.object;
    const all = this.objects;
    if (!Object.hasOwn(all, key)) {
      if (!this.needs.some((one) => objectKeyOf(one) === key)) this.needs.push(name);
      throw new NeedsObject(`${objectTitleOf(name)} is not known yet: compose runs again when it is. Do not catch errors of claim.read`);
    }
    const found = all[key] ?? undefined;
    const object = found && this.frozen(key, found, name);
    this.read.set(key, { object, usesStatus: false });
    return object;
  };

  private nameOf(asked: unknown): ObjectId {
    const { group, kind, name, namespace } = (asked ?? {}) as Partial<ReadName>;
    for (const [member, value] of Object.entries({ group, kind, name })) {
      if (!isText(value)) throw failed(`claim.read: ${member} is no text: give { group, kind, name }`);
    }
    const known = this.kinds.get(`${group}/${kind}`);
    if (!known) {
      const what = shortened(`${kind} of group '${group}'`, 200);
      throw failed(`claim.read: reads of the definition does not list ${what}: the composer does not watch it`);
    }
    if (namespace !== undefined && !isText(namespace)) throw failed('claim.read: namespace is no text');
    const place = known.namespaced === false ? '' : namespace ?? this.self.namespace;
    if (known.namespaced !== false && place === '') {
      throw failed(`claim.read: a ${kind} has a namespace, `
      + 'and the claim is cluster-scoped: give the namespace');
    }
    const full = { group: group!, kind: kind!, namespace: place, name: name! };
    if (objectKeyOf(full) === objectKeyOf(this.self)) {
      throw failed('claim.read: a claim cannot read itself: '
      + 'its spec is claim.spec, and its status depends on compose');
    }
    return full;
  }

  private get objects(): Readonly<Record<string, ReadObject | null>> {
    return (this.parsed ??= JSON.parse(this.known) as Record<string, ReadObject | null>);
  }

  /** The status is an accessor: a claim that does not look at it need not be composed again when it changes. */
  private frozen(key: string, { status, ...rest }: ReadObject, name: ObjectId): ReadObject {
    const hostile = pathOfPrototype({ ...rest, status }, objectTitleOf(name));
    if (hostile !== undefined) throw failed(`claim.read: ${hostile}: a member must not have this name`);
    const object = { ...rest };
    for (const value of [...Object.values(object), status]) if (typeof value === 'object' && value !== null) deepFrozen(value);
    const get = () => {
      this.read.get(key)!.usesStatus = true;
      return status;
    };
    return Object.freeze(Object.defineProperty(object, 'status', { get, enumerable: true })) as ReadObject;
  }
}
