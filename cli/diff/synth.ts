import type { KubernetesObject } from '../../engine/kubernetes/types';
import { CREDENTIAL_FROM, RECONCILE_POLICY } from '../../src/azure/annotations';
import { parseArmId } from '../../src/azure/arm-id';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { Catalog, type KindVersion } from '../../src/catalog';
import { graphKeyOf, serviceOf, type GraphObject, type Target, type Value } from '../../src/core/graph/graph-object';
import { graphObjectOf } from '../../src/core/graph/manifest-object';
import { predictedIds } from '../../src/core/graph/predicted-ids';
import { groupOf, type WrittenObjectId } from '../../src/object-id';
import { elementAt } from '../../src/util/elements';
import { member, struct, type Struct } from '../../src/util/records';
import { namespaceOf } from '../manifests/manifests';
import { objectSetOf } from '../manifests/object-set';
import { subscriptionsOf } from '../manifests/subscriptions';

export type Policy = 'manage' | 'skip' | 'detach-on-delete';

/** An object, and what people call it. */
export interface SynthObject extends WrittenObjectId {
  /** The same in both synths for what the API server takes for the same object. */
  readonly key: string;
  readonly object: KubernetesObject;
}

/** An object that stands for something in Azure. */
export interface AzureItem extends SynthObject {
  /** Namespace in which its references are looked up. */
  readonly inNamespace: string;
  readonly spec: Struct;
  readonly facts: GraphObject;
  /** Absent: of a kind that the catalog does not have. */
  readonly version?: KindVersion | undefined;
  readonly armId?: string | undefined;
  /** Whether the subscription in the ARM id is one that the files or the user named. */
  readonly subscriptionKnown: boolean;
}

export interface SynthOptions {
  /** Of objects whose credential is not among the objects. */
  readonly subscriptionId?: string | undefined;
  readonly catalog?: Catalog;
}

export const NAMESPACE_CREDENTIAL = 'aso-credential';

/** Stands for a subscription of which nothing is known: taken for the same one on both sides. */
const UNKNOWN_SUBSCRIPTION = '<subscription>';

/** The objects of one side, and what is asked about them more than once. */
export class Synth {
  public readonly azure: readonly AzureItem[];
  /** All that is not Azure's. */
  public readonly others: readonly SynthObject[];
  private readonly byKey = new Map<string, SynthObject | AzureItem>();
  private readonly holders = new Map<string, AzureItem[]>();
  private readonly writers = new Map<string, AzureItem>();

  public constructor(objects: readonly KubernetesObject[], { subscriptionId, catalog = Catalog.default() }: SynthOptions = {}) {
    // Of two objects for one thing the first counts: whichever that is, it must not be a matter of how files are ordered.
    const named = objects.map(namedObject).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    const services = new Set(catalog.services);
    // Groups of the catalog; others that end alike belong to other operators.
    const isAzure = ({ group }: SynthObject) => services.has(serviceOf(group) ?? '');
    this.others = named.filter((object) => !isAzure(object));
    for (const object of this.others) this.byKey.set(object.key, object);
    this.azure = this.itemsOf(named.filter(isAzure), subscriptionId, catalog);
    for (const item of this.azure) {
      this.byKey.set(item.key, item);
      const id = foldedId(item.armId);
      if (id !== undefined) this.holders.set(id, [...(this.holders.get(id) ?? []), item]);
      for (const value of item.facts.writes) this.writers.set(valueKey(item.inNamespace, value), item);
    }
  }

  public find(group: string | undefined, kind: string, namespace: string, name: string): SynthObject | undefined {
    return this.byKey.get(graphKeyOf(group, kind, namespace, name));
  }

  public azureAt(key: string): AzureItem | undefined {
    const found = this.byKey.get(key);
    return found && isAzureItem(found) ? found : undefined;
  }

  /** The objects that stand for the resource of an ARM id. */
  public holdersOf(armId: string | undefined): readonly AzureItem[] {
    return this.holders.get(foldedId(armId) ?? '') ?? [];
  }

  /** The object that a reference or an owner means, if it is here. */
  public targetOf(item: AzureItem, target: Pick<Target, 'group' | 'kind' | 'name' | 'armId'> | undefined): AzureItem | undefined {
    if (target?.armId !== undefined) return this.holdersOf(target.armId)[0];
    if (target?.name === undefined || target.kind === undefined) return undefined;
    const found = this.find(target.group, target.kind, item.inNamespace, target.name);
    return found && isAzureItem(found) ? found : undefined;
  }

  public ownerOf(item: AzureItem): AzureItem | undefined {
    return this.targetOf(item, item.facts.owner);
  }

  /** The writer of a key of a ConfigMap or Secret, and the value that it writes. */
  public writerOf(
    namespace: string,
    value: Pick<Value, 'store' | 'name' | 'key'>,
  ): { readonly item: AzureItem; readonly property: string } | undefined {
    const item = this.writers.get(valueKey(namespace, value));
    const written = item?.facts.writes.find(({ store, name, key }) => store === value.store && name === value.name && key === value.key);
    return item && written && { item, property: written.path };
  }

  /** The policy of the object itself, or else of its Namespace. The operator takes a value that is no policy for `manage`. */
  public policyOf({ object, inNamespace }: AzureItem): Policy {
    return asPolicy(ownPolicy(object) ?? this.namespacePolicy(inNamespace));
  }

  /** The policy that a Namespace among the objects gives to those that have none of their own. */
  public namespacePolicy(namespace: string): string | undefined {
    const found = this.namespaceObject(namespace);
    return found && annotationOf(found.object, RECONCILE_POLICY);
  }

  public namespaceObject(namespace: string): SynthObject | undefined {
    return this.byKey.get(namespaceKey(namespace));
  }

  /** The Secret with which the operator signs in for an object: by its name in the object's namespace. */
  public credentialOf(item: AzureItem): { readonly name: string; readonly own: boolean; readonly secret: SynthObject | undefined } {
    const own = annotationOf(item.object, CREDENTIAL_FROM) || undefined;
    const name = own ?? NAMESPACE_CREDENTIAL;
    return { name, own: own !== undefined, secret: this.find(undefined, 'Secret', item.inNamespace, name) };
  }

  private itemsOf(objects: readonly SynthObject[], subscriptionId: string | undefined, catalog: Catalog): AzureItem[] {
    const inGraph = objects.map((object) => {
      const found = graphObjectOf(object.object, { defaultNamespace: namespaceOf(object.object) }, catalog);
      if (found === undefined) throw new RangeError(`${object.kind} ${object.name} has no graph object`);
      return { object, facts: found };
    });
    const facts = inGraph.map(({ facts: found }) => found);
    const positions = new Map(objects.map(({ key }, position) => [key, position]));
    const subscriptionOf = subscriptionsOf(objectSetOf([...objects, ...this.others]), subscriptionId, UNKNOWN_SUBSCRIPTION);
    const owner = (position: number) => {
      const { namespace, owner: target } = facts[position] ?? {};
      if (target?.name === undefined || target.kind === undefined) return undefined;
      return positions.get(graphKeyOf(target.group, target.kind, namespace, target.name));
    };
    const ids = predictedIds(facts, owner, (position) => subscriptionOf(elementAt(objects, position).object));
    return inGraph.map(({ object, facts: own }, position): AzureItem => {
      const armId = ids[position];
      return {
        ...object,
        inNamespace: namespaceOf(object.object),
        spec: struct(object.object.spec) ?? {},
        facts: own,
        version: own.version,
        armId,
        subscriptionKnown: armId !== undefined && !parseArmId(armId)?.subscriptionId?.startsWith('<'),
      };
    });
  }
}

export function isAzureItem(object: SynthObject): object is AzureItem {
  return 'facts' in object;
}

export function nameOf({ group, kind, namespace, name }: WrittenObjectId): WrittenObjectId {
  return { group, kind, ...(namespace === undefined ? {} : { namespace }), name };
}

export function ownPolicy(object: KubernetesObject): string | undefined {
  return annotationOf(object, RECONCILE_POLICY);
}

export function asPolicy(text: string | undefined): Policy {
  return text === 'skip' || text === 'detach-on-delete' ? text : 'manage';
}

export function annotationOf({ metadata }: KubernetesObject, name: string): string | undefined {
  const value = member(metadata.annotations, name);
  return typeof value === 'string' ? value : undefined;
}

/** As ARM ids are compared. */
export function foldedId(armId: string | undefined): string | undefined {
  return armId === undefined ? undefined : withoutTrailingSlashes(armId.toLowerCase());
}

function namedObject(object: KubernetesObject): SynthObject {
  const { namespace, name } = object.metadata;
  const group = groupOf(object);
  const key = group === '' && object.kind === 'Namespace' ? namespaceKey(name) : graphKeyOf(group, object.kind, namespaceOf(object), name);
  return { key, group, kind: object.kind, ...(namespace === undefined ? {} : { namespace }), name, object };
}

function namespaceKey(name: string): string {
  return graphKeyOf(undefined, 'Namespace', undefined, name);
}

function valueKey(namespace: string, { store, name, key }: Pick<Value, 'store' | 'name' | 'key'>): string {
  return [store, namespace, name, key ?? ''].join('\n');
}
