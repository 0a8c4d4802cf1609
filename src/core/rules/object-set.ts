import { type RuleManifest, type SetObject, type AzureObject, type CredentialSet, isAzure } from './set-object';
import { ADOPT, RECONCILE_POLICY } from '../../azure/annotations';
import { armTypeOf } from '../../azure/arm-id';
import { nameScopeOf } from '../../azure/names/name-facts';
import { withoutTrailingSlashes } from '../../azure/trailing-slashes';
import { UUID } from '../../azure/uuid';
import { Catalog } from '../../catalog/catalog';
import { correctedSpec } from '../../catalog/corrected-spec';
import type { KindVersion } from '../../catalog/kind';
import { meantKinds } from '../../catalog/meant-kinds';
import { nearestVersion } from '../../catalog/successors';
import { isNewerThan } from '../../catalog/version-order';
import { groupOf, objectKeyOf, objectTitleOf, versionNameOf } from '../../object-id';
import { elementAt } from '../../util/elements';
import { isText, member, omitUndefined, struct } from '../../util/records';
import { AdoptionPolicy } from '../adoption-policy';
import { CredentialSelection, type Selection } from '../credentials/scopes/credential-selection';
import type { EvaluationOptions } from '../credentials/scopes/evaluation-options';
import { Places } from '../credentials/scopes/places';
import { serviceOf } from '../graph/graph-object';
import { graphObjectOf } from '../graph/manifest-object';
import { predictedIds } from '../graph/predicted-ids';

export interface ObjectSetOptions {
  /** The namespace of objects that have none. */
  readonly defaultNamespace?: string;
  readonly catalog?: Catalog;
  /** Facts about roles and credentials that the objects do not contain. */
  readonly credentials?: EvaluationOptions;
}

/** The subscription of an object's credential. */
export interface CredentialSubscription {
  /** The UUID as the credential has it; absent: the set does not tell it. */
  readonly id?: string;
  /** `namespace/name` of the Secret with the credential; absent: none that is the object's is known, nor the controller's own. */
  readonly secret?: string;
  /** The tenant as the credential has it; absent: the set does not tell it. */
  readonly tenantId?: string;
}

/** Objects with indexes and derived facts that several rules share. */
export class ObjectSet implements CredentialSet {
  /** Creates a set from manifests. */
  public static ofManifests(manifests: readonly RuleManifest[], options: ObjectSetOptions = {}): ObjectSet {
    const { defaultNamespace, catalog = Catalog.default(), credentials } = options;
    const objects = manifests.map((manifest, index) => objectOf(manifest, index, defaultNamespace));
    return new ObjectSet(objects, objects.flatMap((object) => azureObject(object, catalog) ?? []), catalog, credentials);
  }

  public readonly objects: readonly SetObject[];
  /** The objects of a kind and version that the catalog has. */
  public readonly azure: readonly AzureObject[];
  public readonly catalog: Catalog;
  /** Facts about roles and credentials that the objects do not contain. */
  public readonly credentials: EvaluationOptions;
  private readonly byKey = new Map<string, SetObject>();
  private namespaceLists?: Map<string, string[]>;
  private namesakes?: readonly AzureObject[];
  private ids?: readonly (string | undefined)[];
  private positions?: ReadonlyMap<number, number>;
  private namespaceMap?: Map<string, SetObject>;
  private credentialPlaces?: { readonly places: Places; readonly selected: readonly Selection[] };
  private kindMap?: Map<string, AzureObject[]>;
  private readonly owners = new Map<AzureObject, AzureObject | undefined>();
  private resourceNames?: Map<string, AzureObject[]>;

  public constructor(
    objects: readonly SetObject[],
    azure: readonly AzureObject[],
    catalog = Catalog.default(),
    credentials: EvaluationOptions = {},
  ) {
    this.catalog = catalog;
    this.credentials = credentials;
    this.objects = objects;
    this.azure = azure;
    const inCatalog = new Set(azure.map(({ index }) => index));
    for (const object of azure) this.add(object);
    for (const object of objects) if (!inCatalog.has(object.index)) this.add(object);
  }

  public find(group: string, kind: string, namespace: string | undefined, name: string): SetObject | undefined {
    return this.byKey.get(objectKeyOf({ group, kind, namespace, name }));
  }

  /** Other namespaces that have an object of this kind and name. */
  public elsewhere({ namespace }: SetObject, group: string, kind: string, name: string): string[] {
    return (this.namespacesByName.get(objectKeyOf({ group, kind, name })) ?? []).filter((other) => other !== '' && other !== (namespace ?? ''));
  }

  /**
   * `group/kind` → the Azure objects of the kind, in order. Rules for few kinds iterate only over these: an app may have ten thousand
   * objects.
   */
  public get kinds(): ReadonlyMap<string, readonly AzureObject[]> {
    if (this.kindMap) return this.kindMap;
    this.kindMap = new Map();
    for (const object of this.azure) {
      const kind = `${object.group}/${object.kind}`;
      const known = this.kindMap.get(kind);
      if (known) known.push(object);
      else this.kindMap.set(kind, [object]);
    }
    return this.kindMap;
  }

  /**
   * Azure objects, in order, that share their Azure name and the last segment of their type with another one. All others have unique ARM
   * ids, which need not be computed.
   */
  public get azureNamesakes(): readonly AzureObject[] {
    if (this.namesakes) return this.namesakes;
    const counts = new Map<string, number>();
    const keys = this.azure.map(({ group, kind, version, facts: { azureName } }) => {
      const type = version.facts.arm?.type ?? `${group}/${kind}`;
      return azureName === undefined ? undefined : `${type.slice(type.lastIndexOf('/') + 1)}/${azureName}`.toLowerCase();
    });
    for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    return (this.namesakes = this.azure.filter((_, position) => (counts.get(keys[position] ?? '') ?? 0) > 1));
  }

  /** The owner, if it is named and in this set. */
  public ownerOf(object: AzureObject): AzureObject | undefined {
    if (!this.owners.has(object)) this.owners.set(object, this.namedOwner(object));
    return this.owners.get(object);
  }

  /** The owner, by name or by ARM id, if it is in this set. */
  public containerOf(object: AzureObject): AzureObject | undefined {
    const armId = object.facts.owner?.armId;
    return this.ownerOf(object) ?? (armId === undefined ? undefined : this.resourceOf(armId));
  }

  /**
   * The object of this set whose resource an ARM id names; undefined unless it is certain. Where a name is unique in all of Azure, it is
   * certain without the subscription.
   */
  public resourceOf(armId: string): AzureObject | undefined {
    const id = withoutTrailingSlashes(armId.toLowerCase());
    const type = armTypeOf(id);
    if (type === undefined) return undefined;
    const segments = id.split('/');
    const found = this.namesakesOf(type, segments.at(-1)!);
    if (found.length === 0) return undefined;
    const known = found.find((object) => this.idOf(object) === id);
    if (known) return known;
    const scope = nameScopeOf(type);
    if (scope === 'global') return found.find((object) => !this.hasId(object));
    const parent = scope === 'parent' ? this.resourceOf(segments.slice(0, -2).join('/')) : undefined;
    return parent && found.find((object) => this.ownerOf(object) === parent);
  }

  /** The object of a kind (`group/Kind`) whose names are unique in all of Azure, by its name in Azure. */
  public namedInAzure(kind: string, name: string): AzureObject | undefined {
    const type = this.kinds.get(kind)?.[0]?.version.facts.arm?.type;
    return type === undefined ? undefined : this.namesakesOf(type, name)[0];
  }

  /** Whether the whole ARM id is known, with its subscription. */
  private hasId(object: AzureObject): boolean {
    return this.idOf(object)?.startsWith('/subscriptions/?') === false;
  }

  /** The objects of an ARM type with a name in Azure, both in lower case. */
  private namesakesOf(type: string, name: string): readonly AzureObject[] {
    if (!this.resourceNames) {
      this.resourceNames = new Map();
      for (const object of this.azure) {
        const { facts: { azureName }, version: { facts: { arm } } } = object;
        if (azureName === undefined || arm === undefined) continue;
        const key = `${arm.type} ${azureName}`.toLowerCase();
        const known = this.resourceNames.get(key);
        if (known) known.push(object);
        else this.resourceNames.set(key, [object]);
      }
    }
    return this.resourceNames.get(`${type} ${name}`.toLowerCase()) ?? [];
  }

  private namedOwner({ namespace, facts: { owner } }: AzureObject): AzureObject | undefined {
    if (owner?.name === undefined || owner.kind === undefined) return undefined;
    const found = this.find(owner.group ?? '', owner.kind, namespace, owner.name);
    return found && isAzure(found) ? found : undefined;
  }

  /**
   * The predicted ARM id, in lower case. If the subscription is not known, a placeholder of its credential replaces it: `?…`.
   */
  public idOf(object: AzureObject): string | undefined {
    if (!this.ids) {
      const positions = this.positionsByIndex;
      this.ids = predictedIds(
        this.azure.map(({ facts }) => facts),
        (position) => {
          const owner = this.ownerOf(elementAt(this.azure, position));
          return owner && positions.get(owner.index);
        },
        (position) => this.subscriptionOrPlaceholder(elementAt(this.azure, position)),
      ).map((id) => id?.toLowerCase());
    }
    return this.ids[this.positionsByIndex.get(object.index)!];
  }

  /** The subscription of an object of this set, by the credential that the controller would select for it. */
  public subscriptionOf(object: AzureObject): CredentialSubscription {
    if (!this.credentialPlaces) {
      const selection = new CredentialSelection(this, this.credentials.declared);
      const selected = this.azure.map((one) => selection.of(one));
      this.credentialPlaces = { places: new Places(this, selection, selected), selected };
    }
    const { places, selected } = this.credentialPlaces;
    const { secret, credential } = elementAt(selected, this.positionsByIndex.get(object.index)!);
    const id = places.subscriptionOf(secret);
    return omitUndefined({ id: id !== undefined && UUID.test(id) ? id : undefined, secret, tenantId: credential?.tenantId });
  }

  /** The Azure resource that contains the object or that it extends: its ARM id or, if that is not known, its key in the set. */
  public scopeKey(object: AzureObject): string | undefined {
    const { owner } = object.facts;
    if (owner?.armId !== undefined) return withoutTrailingSlashes(owner.armId.toLowerCase());
    const found = this.ownerOf(object);
    const id = found && this.idOf(found);
    if (id !== undefined) return id;
    return owner?.name === undefined ? undefined : objectKeyOf({ group: owner.group ?? '', kind: owner.kind ?? '', namespace: object.namespace, name: owner.name });
  }

  /** The reconcile policy of the object or its namespace, if either has one. */
  public policyOf(object: SetObject): string | undefined {
    return own(object.annotations, RECONCILE_POLICY) ?? this.namespaceOf(object)?.annotations[RECONCILE_POLICY];
  }

  /** Whether the object only reads a resource that is managed elsewhere. */
  public isOnlyRead(object: SetObject): boolean {
    return this.policyOf(object) === 'skip';
  }

  /** Whether the object only takes over a resource that is in Azure, and never creates it. */
  public neverCreates(object: SetObject): boolean {
    return own(object.annotations, ADOPT) === AdoptionPolicy.IF_PRESENT;
  }

  /** The Namespace of an object, if it is in this set. */
  public namespaceOf({ namespace }: SetObject): SetObject | undefined {
    return namespace === undefined ? undefined : this.namespaceObjects.get(namespace);
  }

  private get namespaceObjects(): ReadonlyMap<string, SetObject> {
    return (this.namespaceMap ??= new Map(
      this.objects.filter(({ group, kind }) => group === '' && kind === 'Namespace').map((object) => [object.name, object]),
    ));
  }

  private add(object: SetObject): void {
    const key = objectKeyOf(object);
    if (!this.byKey.has(key)) this.byKey.set(key, object);
  }

  /** Group, kind and name → the namespaces that have such an object. */
  private get namespacesByName(): ReadonlyMap<string, string[]> {
    if (this.namespaceLists) return this.namespaceLists;
    this.namespaceLists = new Map();
    for (const { group, kind, namespace = '', name } of this.byKey.values()) {
      const key = objectKeyOf({ group, kind, name });
      const known = this.namespaceLists.get(key);
      if (known) known.push(namespace);
      else this.namespaceLists.set(key, [namespace]);
    }
    return this.namespaceLists;
  }

  private subscriptionOrPlaceholder(object: AzureObject): string {
    const { id, secret } = this.subscriptionOf(object);
    return id ?? `?${(secret ?? `${object.namespace ?? ''}/`).replace(/\//g, '?')}`;
  }

  private get positionsByIndex(): ReadonlyMap<number, number> {
    return (this.positions ??= new Map(this.azure.map(({ index }, position) => [index, position])));
  }
}

const sameField = (field: string): string => field;

function objectOf(manifest: RuleManifest, index: number, defaultNamespace?: string): SetObject {
  const { name, annotations } = manifest.metadata;
  const { kind } = manifest;
  const namespace = manifest.metadata.namespace ?? defaultNamespace;
  return {
    index,
    manifest,
    group: groupOf(manifest),
    kind,
    namespace,
    name,
    annotations: Object.fromEntries(Object.entries(annotations ?? {}).filter((entry): entry is [string, string] => isText(entry[1]))),
    spec: struct(manifest.spec) ?? {},
    title: objectTitleOf({ kind, namespace, name }),
    isWhole: true,
    fieldName: sameField,
  };
}

function azureObject(object: SetObject, catalog: Catalog): AzureObject | undefined {
  if (serviceOf(object.group) === undefined) return undefined;
  const version = catalog.kind(object.group, object.kind)?.version(versionNameOf(object.manifest));
  const meant = version ? undefined : meantVersion(object, catalog);
  if (meant) return standIn(object, meant, catalog);
  const corrected = version && correctedSpec(object.spec, version);
  const manifest = corrected ? { ...object.manifest, spec: corrected.spec } : object.manifest;
  const facts = version && graphObjectOf(manifest, { defaultNamespace: object.namespace }, catalog);
  return version && facts && { ...object, version, facts, ...(corrected && { spec: corrected.spec, corrected: corrected.fields }) };
}

/** The kind and version that an object is meant to be of, if there is one only. */
function meantVersion(object: SetObject, catalog: Catalog): KindVersion | undefined {
  const { group, kind } = object;
  const service = serviceOf(group);
  if (service === undefined || !catalog.hasService(service)) return undefined;
  const [meant, ...others] = catalog.kind(group, kind) ? [catalog.kind(group, kind)!] : meantKinds({ group, kind }, catalog);
  if (!meant || others.length > 0 || meant.group !== group) return undefined;
  const version = versionNameOf(object.manifest);
  // A version after the catalog's may differ in everything.
  return meant.version(version) ?? (isNewerThan(version, meant.facts.latest) ? undefined : meant.version(nearestVersion(meant, version)));
}

/** An object as it is meant, so that its mistake is told once, and not at all objects that name it as well. */
function standIn(object: SetObject, version: KindVersion, catalog: Catalog): AzureObject | undefined {
  const { kind } = version.kind;
  const manifest = { ...object.manifest, kind, apiVersion: version.apiVersion };
  const meant = azureObject({ ...object, kind, manifest }, catalog);
  return meant && { ...meant, written: object };
}

function own(annotations: Readonly<Record<string, string>>, key: string): string | undefined {
  const value = member(annotations, key);
  return isText(value) ? value : undefined;
}
