import { addressRangesOf } from './azure-marks';
import type { GraphObject, Target, Value } from './graph-object';
import { serviceOf } from './graph-object';
import { readsOfPods } from './pod-values';
import { CREDENTIAL_FROM } from '../../azure/annotations';
import { builtInRoleId, builtInRoleName } from '../../azure/built-in-roles';
import { UUID } from '../../azure/uuid';
import { isUuidNamed, uuidNameOf } from '../../azure/uuid-names';
import { Catalog } from '../../catalog/catalog';
import type { KindVersion } from '../../catalog/kind';
import { namedIn } from '../../catalog/spec-references';
import { parseApiVersion } from '../../object-id';
import { member, struct, text, type Struct } from '../../util/records';
import { secretText } from '../../util/secret-data';

/** The part of a Kubernetes object that a graph reads. */
export interface ManifestLike {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Readonly<Record<string, string>> | null };
  readonly spec?: unknown;
  readonly data?: unknown;
  readonly stringData?: unknown;
}

const NOTHING = { references: [], builtInRoles: [], reads: [], writes: [] };

export interface ManifestPlace {
  readonly constructPath?: string | undefined;
  /** The namespace of objects that have none. */
  readonly defaultNamespace?: string | undefined;
}

const SUBSCRIPTION_KEY = 'AZURE_SUBSCRIPTION_ID';
const ROLE_DEFINITION = /\/providers\/Microsoft\.Authorization\/roleDefinitions\/([^/]+)\/?$/i;

/** The references of a manifest. Nothing is validated: malformed values are ignored. Undefined for objects that a graph does not use. */
export function graphObjectOf(manifest: ManifestLike, place: ManifestPlace = {}, catalog = Catalog.default()): GraphObject | undefined {
  const { apiVersion, kind, metadata } = manifest;
  const { group, version: versionName } = parseApiVersion(apiVersion);
  const named = {
    group,
    kind,
    name: metadata.name,
    namespace: metadata.namespace ?? place.defaultNamespace,
    constructPath: place.constructPath,
    credential: metadata.annotations?.[CREDENTIAL_FROM] || undefined,
  };
  if (serviceOf(group) !== undefined) {
    const known = catalog.kind(group, kind);
    // For an unknown version, the schema of the newest version fits nearly everything.
    const version = known && (known.version(versionName) ?? known.latest);
    return version ? azureObject(named, version, struct(manifest.spec) ?? {}) : { ...named, ...NOTHING };
  }
  if (group === '' && (kind === 'Secret' || kind === 'ConfigMap')) {
    return { ...named, ...NOTHING, credential: undefined, subscriptionId: kind === 'Secret' ? subscriptionOf(manifest) : undefined };
  }
  const reads = readsOfPods(group, kind, manifest.spec);
  return reads.length > 0 ? { ...named, ...NOTHING, credential: undefined, reads } : undefined;
}

type Metadata = Pick<GraphObject, 'group' | 'kind' | 'namespace' | 'name' | 'constructPath' | 'credential' | 'defaults'>;

/** An object of the catalog from the spec of its manifest. */
export function azureObject(metadata: Metadata, version: KindVersion, spec: Struct): GraphObject {
  const references: Target[] = [];
  const builtInRoles: string[] = [];
  const reads: Value[] = [];
  const named = namedIn(spec, version);
  for (const reference of named.references) {
    const { path, name } = reference;
    const role = reference.to === 'resource' ? builtInRoleOf(reference.wellKnownName, reference.armId) : undefined;
    if (role !== undefined) {
      builtInRoles.push(role);
    } else if (reference.to !== 'resource') {
      reads.push({
        path,
        name: reference.name,
        store: reference.to === 'configMap' ? 'ConfigMap' : 'Secret',
        key: reference.to === 'secretMap' ? undefined : reference.key,
      });
    } else if (reference.armId) {
      references.push({ path, armId: reference.armId });
    } else if (name && reference.kind && reference.group) {
      references.push({ path, group: reference.group, kind: reference.kind, name });
    }
  }
  const owner = ownerOf(spec, version);
  const azureName = azureNameOf(metadata, version, spec, owner);
  const writes = named.destinations;
  const location = typeof spec.location === 'string' ? spec.location : undefined;
  const addressRanges = addressRangesOf(metadata.group, spec);
  // Member by member: a spread takes an app of ten thousand objects 50 ms.
  const { group, kind, namespace, name, constructPath, credential, defaults } = metadata;
  return {
    group,
    kind,
    namespace,
    name,
    constructPath,
    credential,
    defaults,
    version,
    azureName,
    location,
    addressRanges,
    owner,
    references,
    builtInRoles,
    reads,
    writes,
  };
}

/** The built-in role of a well-known name or an ARM id. */
function builtInRoleOf(wellKnownName: string | undefined, armId: string | undefined): string | undefined {
  const known = wellKnownName === undefined ? undefined : builtInRoleId(wellKnownName);
  const id = known ?? (armId === undefined ? undefined : ROLE_DEFINITION.exec(armId)?.[1]);
  return id === undefined ? undefined : builtInRoleName(id);
}

function ownerOf(spec: Struct, version: KindVersion): Target | undefined {
  const { owner: property, ownerPath: path } = propertiesOf(version);
  const owner = property === undefined ? undefined : struct(member(spec, property));
  if (!owner) return undefined;
  const known = typeof version.facts.owner === 'object' && version.facts.owner !== null ? version.facts.owner : undefined;
  const group = known?.group ?? text(owner, 'group');
  const kind = known?.kind ?? text(owner, 'kind');
  const armId = text(owner, 'armId');
  const name = text(owner, 'name');
  if (armId !== undefined) return { path, group, kind, armId };
  return name !== undefined && group !== undefined && kind !== undefined ? { path, group, kind, name } : undefined;
}

interface SpecialProperties {
  readonly owner: string | undefined;
  readonly ownerPath: string;
  /** The property that reads the Azure name from a ConfigMap. */
  readonly nameFromConfig: string | undefined;
}

const specialProperties = new WeakMap<KindVersion, SpecialProperties>();

/** Looked up once per kind: graphs have thousands of objects of few kinds. */
function propertiesOf(version: KindVersion): SpecialProperties {
  let special = specialProperties.get(version);
  if (!special) {
    const properties = version.facts.spec ? Object.entries(version.specType.props) : [];
    const owner = properties.find(([, { role }]) => role === 'owner')?.[0];
    special = {
      owner,
      ownerPath: `spec.${owner}`,
      nameFromConfig: properties.find(([, { role, alternativeTo }]) => role === 'configMap' && alternativeTo === 'azureName')?.[0],
    };
    specialProperties.set(version, special);
  }
  return special;
}

/** The name in Azure, if it is known before the resources are created. */
function azureNameOf(
  { group, kind, namespace, name }: Pick<GraphObject, 'group' | 'kind' | 'namespace' | 'name'>,
  version: KindVersion,
  spec: Struct,
  owner: Target | undefined,
): string | undefined {
  const rule = version.facts.name;
  if (rule === null || rule === undefined) return undefined;
  if (typeof rule === 'object') return rule.fixed;
  const written = text(spec, 'azureName');
  if (written !== undefined) return written;
  const { nameFromConfig } = propertiesOf(version);
  if (nameFromConfig !== undefined && member(spec, nameFromConfig) !== undefined) return undefined;
  if (!isUuidNamed(group, kind)) return name;
  const convention = (text(struct(member(spec, 'operatorSpec')) ?? {}, 'namingConvention') ?? 'stable').toLowerCase();
  const stable = convention === 'stable' || (convention !== 'random' && version.name.startsWith('v1api'));
  if (!owner || namespace === undefined || !stable) return undefined;
  return uuidNameOf({
    group,
    kind,
    version: version.name,
    namespace,
    name,
    owner: owner.armId === undefined ? owner : { armId: owner.armId },
  });
}

/** The subscription is no secret; no other value of a Secret is read. */
function subscriptionOf(secret: ManifestLike): string | undefined {
  const id = secretText(secret, SUBSCRIPTION_KEY)?.trim();
  return id !== undefined && UUID.test(id) ? id : undefined;
}
