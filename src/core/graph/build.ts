import { GraphEdge, GraphNode, GraphRelation, GraphRole, OwnerGraphOptions } from './facts';
import { GraphObject, graphKeyOf, serviceOf, Target, Value } from './graph-object';
import { isWorkload } from './pod-values';
import { predictedIds } from './predicted-ids';
import { CREDENTIAL_FROM } from '../../azure/annotations';
import { armTypeOf, parseArmId } from '../../azure/arm-id';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { elementAt } from '../../util/elements';

/** The Secret with the credential of every object in its namespace that names no other. */
const NAMESPACE_CREDENTIAL = 'aso-credential';

/** The property that selects the credential: the namespace of the object, or the object's annotation. */
export const NAMESPACE_PATH = 'metadata.namespace';
const CREDENTIAL_PATH = `metadata.annotations['${CREDENTIAL_FROM}']`;

export interface BuiltGraph {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
}

export interface BuildOptions extends OwnerGraphOptions {
  /** The subscription of an object's credential, where it is known from more than the Secrets among the objects. */
  readonly subscriptionOf?: (object: GraphObject) => string | undefined;
}

/** Nodes and edges of objects. Objects that are no Azure resources become nodes only if an edge connects them to one. */
export function buildGraph(objects: readonly GraphObject[], options: BuildOptions = {}): BuiltGraph {
  return new Builder(objects, options).build();
}

class Builder {
  private readonly keys: string[] = [];
  /** Key → index of the first object with the key. */
  private readonly byKey = new Map<string, number>();
  /** Store, namespace and name → key in the store (`undefined` for a whole map) → indexes of the objects that write it. */
  private readonly writers = new Map<string, Map<string | undefined, Set<number>>>();
  /** By object: the index of its owner, and of its credential, if these are among the objects. */
  private readonly owners: readonly (number | undefined)[];
  private readonly signsInWith: readonly (number | undefined)[];
  private readonly ids: readonly (string | undefined)[];
  private readonly byArmId = new Map<string, number>();
  private readonly externals = new Map<string, GraphNode>();
  private readonly edges: GraphEdge[] = [];
  private readonly credentials = new Set<string>();

  public constructor(private readonly objects: readonly GraphObject[], private readonly options: BuildOptions) {
    objects.forEach(({ group, kind, namespace, name, writes }, index) => {
      const key = graphKeyOf(group, kind, namespace, name);
      const first = !this.byKey.has(key);
      if (first) this.byKey.set(key, index);
      this.keys.push(first ? key : `${key}#${index}`);
      for (const value of writes) this.addWriter(storeKey(value, namespace), value.key, index);
    });
    this.owners = objects.map((object) => this.indexOf(object, object.owner));
    this.signsInWith = this.credentialsOf(objects);
    this.ids = predictedIds(objects, (index) => this.owners[index], (index) => this.subscriptionOf(index));
    this.ids.forEach((id, index) => {
      const folded = id?.toLowerCase();
      if (folded !== undefined && !this.byArmId.has(folded)) this.byArmId.set(folded, index);
    });
  }

  public build(): BuiltGraph {
    this.objects.forEach((object, index) => {
      const before = this.edges.length;
      if (object.owner) this.connect(GraphRelation.OWNS, index, object.owner);
      for (const reference of object.references) this.connect(GraphRelation.REFERENCES, index, reference);
      for (const value of object.reads) this.feed(index, value);
      this.authenticate(index);
      this.removeDuplicates(before);
    });
    const { edges, objects } = this;
    const used = new Set<string>();
    // Azure objects are nodes even without an edge.
    if (objects.some(({ group }) => serviceOf(group) === undefined)) for (const { from, to } of edges) used.add(from).add(to);
    const nodes: GraphNode[] = [];
    objects.forEach((object, index) => {
      if (serviceOf(object.group) !== undefined || used.has(elementAt(this.keys, index))) nodes.push(this.nodeOf(object, index));
    });
    return { nodes: [...nodes, ...this.externals.values()], edges };
  }

  /** Removes duplicate edges of one object; two objects never have the same edge. */
  private removeDuplicates(before: number): void {
    const { edges } = this;
    if (edges.length - before < 2) return;
    const unique = new Map<string, GraphEdge>();
    for (const edge of edges.splice(before)) unique.set([edge.relation, edge.from, edge.to, edge.path].join('\n'), edge);
    for (const edge of unique.values()) edges.push(edge);
  }

  private addWriter(store: string, key: string | undefined, index: number): void {
    const keys = this.writers.get(store) ?? new Map<string | undefined, Set<number>>();
    this.writers.set(store, keys.set(key, (keys.get(key) ?? new Set()).add(index)));
  }

  /** Index of the object that a target names; undefined if it is none of these. */
  private indexOf({ namespace }: GraphObject, target: Target | undefined): number | undefined {
    if (target?.name === undefined || target.kind === undefined) return undefined;
    return this.byKey.get(graphKeyOf(target.group, target.kind, namespace, target.name));
  }

  private credentialsOf(objects: readonly GraphObject[]): (number | undefined)[] {
    const secretOf = (namespace: string | undefined, name: string) => this.byKey.get(graphKeyOf('', 'Secret', namespace, name));
    const ofNamespaces = new Map<string | undefined, number | undefined>();
    return objects.map(({ namespace, credential }) => {
      if (credential !== undefined) return secretOf(namespace, credential);
      if (!ofNamespaces.has(namespace)) ofNamespaces.set(namespace, secretOf(namespace, NAMESPACE_CREDENTIAL));
      return ofNamespaces.get(namespace);
    });
  }

  private subscriptionOf(index: number): string | undefined {
    const { subscriptionOf } = this.options;
    if (subscriptionOf) return subscriptionOf(elementAt(this.objects, index));
    const credential = this.signsInWith[index];
    return (credential === undefined ? undefined : elementAt(this.objects, credential).subscriptionId) ?? this.options.subscriptionId;
  }

  private connect(relation: GraphRelation.OWNS | GraphRelation.REFERENCES, index: number, target: Target): void {
    const object = elementAt(this.objects, index);
    const byId = target.armId === undefined ? undefined : this.byArmId.get(withoutSlash(target.armId).toLowerCase());
    const found = byId ?? (relation === GraphRelation.OWNS ? this.owners[index] : this.indexOf(object, target));
    const other = found === undefined ? this.external(object, target) : elementAt(this.keys, found);
    const own = elementAt(this.keys, index);
    const ends = relation === GraphRelation.OWNS ? { from: other, to: own } : { from: own, to: other };
    this.edges.push({ relation, ...ends, path: target.path, waits: target.armId === undefined });
  }

  /** Key of the node for a target that is none of the objects. */
  private external({ namespace }: GraphObject, { group, kind, name, armId }: Target): string {
    if (armId === undefined) {
      const key = graphKeyOf(group, kind!, namespace, name!);
      return this.addExternal({ key, role: GraphRole.RESOURCE, external: true, group, kind: kind!, namespace, name: name! });
    }
    const id = withoutSlash(armId);
    const known = this.externals.get(id.toLowerCase());
    if (known) return known.key;
    const parts = parseArmId(id);
    const armType = armTypeOf(id);
    const azureName = parts?.names.at(-1) ?? parts?.resourceGroup ?? parts?.subscriptionId;
    return this.addExternal({
      key: id,
      role: GraphRole.RESOURCE,
      external: true,
      group,
      kind: kind ?? armType ?? 'Resource',
      name: azureName ?? id,
      azureName,
      armType,
      armId: id,
    });
  }

  private addExternal(node: GraphNode): string {
    const folded = node.armId === undefined ? node.key : node.key.toLowerCase();
    const known = this.externals.get(folded);
    if (!known) this.externals.set(folded, node);
    return known?.key ?? node.key;
  }

  /** Adds the edges to an object from the objects that write the value it reads, or else from the ConfigMap or Secret itself. */
  private feed(index: number, value: Value): void {
    const { store, name: storeName, key: keyInStore, path } = value;
    const stored = { store, storeName, ...(keyInStore === undefined ? {} : { storeKey: keyInStore }) };
    const edge = { relation: GraphRelation.FEEDS, to: elementAt(this.keys, index), path, waits: true, ...stored };
    const { namespace, group, kind } = elementAt(this.objects, index);
    const writers = this.writersOf(value, namespace, index);
    for (const writer of writers) this.edges.push({ ...edge, from: elementAt(this.keys, writer) });
    // The graph ignores other values that workloads read.
    if (writers.length > 0 || isWorkload(group, kind)) return;
    const key = graphKeyOf('', store, namespace, storeName);
    const found = this.byKey.get(key);
    const from = found === undefined
      ? this.addExternal({ key, role: GraphRole.VALUES, external: true, kind: store, namespace, name: storeName })
      : elementAt(this.keys, found);
    this.edges.push({ ...edge, from });
  }

  /** Objects that write the key; if none is known, all objects that write to the store, except the reader itself. */
  private writersOf(value: Value, namespace: string | undefined, reader: number): number[] {
    const keys = this.writers.get(storeKey(value, namespace));
    if (!keys) return [];
    const exact = value.key === undefined ? undefined : keys.get(value.key);
    return exact ? [...exact] : [...new Set([...keys.values()].flatMap((writers) => [...writers]))].filter((writer) => writer !== reader);
  }

  private authenticate(index: number): void {
    const object = elementAt(this.objects, index);
    if (serviceOf(object.group) === undefined) return;
    const found = this.signsInWith[index];
    // The credential of the namespace or the operator may be outside of the app; one that the object names has to be in its namespace.
    if (found === undefined && object.credential === undefined) return;
    const name = object.credential ?? NAMESPACE_CREDENTIAL;
    const to =
      found === undefined
        ? this.addExternal({
          key: graphKeyOf('', 'Secret', object.namespace, name),
          role: GraphRole.CREDENTIAL,
          external: true,
          kind: 'Secret',
          namespace: object.namespace,
          name,
        })
        : elementAt(this.keys, found);
    this.credentials.add(to);
    const path = object.credential === undefined ? NAMESPACE_PATH : CREDENTIAL_PATH;
    this.edges.push({ relation: GraphRelation.AUTHENTICATES_WITH, from: elementAt(this.keys, index), to, path, waits: true });
  }

  private nodeOf(object: GraphObject, index: number): GraphNode {
    const { group, kind, namespace, name, azureName, version, constructPath, builtInRoles, location, addressRanges, defaults } = object;
    return {
      key: elementAt(this.keys, index),
      role: this.roleOf(index),
      external: false,
      group: group === '' ? undefined : group,
      kind,
      namespace,
      name,
      azureName,
      armType: version?.facts.arm?.type,
      armId: this.ids[index],
      location,
      addressRanges: addressRanges && [...addressRanges],
      builtInRole: builtInRoles.length > 0 ? builtInRoles.join(', ') : undefined,
      constructPath,
      defaults: defaults && { ...defaults },
    };
  }

  private roleOf(index: number): GraphRole {
    const { group, kind } = elementAt(this.objects, index);
    if (serviceOf(group) !== undefined) return GraphRole.RESOURCE;
    if (isWorkload(group, kind)) return GraphRole.WORKLOAD;
    return this.credentials.has(elementAt(this.keys, index)) ? GraphRole.CREDENTIAL : GraphRole.VALUES;
  }
}

function storeKey({ store, name }: Pick<Value, 'store' | 'name'>, namespace: string | undefined): string {
  return `${store}\n${namespace ?? ''}\n${name}`;
}

function withoutSlash(id: string): string {
  return withoutTrailingSlashes(id);
}
