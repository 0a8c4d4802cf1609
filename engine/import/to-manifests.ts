import { roleNameOf } from './built-in-role-name';
import type { ImportedResource } from './imported-resource';
import { kubernetesName, objectNames, type NameOptions } from './object-names';
import { readingOrder } from './reading-order';
import type { SecretNeeded } from './spec-from-arm';
import { ADOPT, RECONCILE_POLICY } from '../../src/azure/annotations';
import { isRecord, type JsonObject, ownMember, setMember } from '../../src/util/records';

/** The controller's rights over the resources that it takes over. */
export type ImportPolicy = 'skip' | 'detach-on-delete' | 'manage';

export interface ManifestOptions extends NameOptions {
  readonly policy: ImportPolicy;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An object of Kubernetes for a resource. */
export interface ImportedManifest {
  readonly resource: ImportedResource;
  readonly object: JsonObject;
  /** Keys of Secrets that have to exist before the object is applied. */
  readonly secrets: readonly SecretToMake[];
}

/** A key of a Secret for a value that Azure does not show. */
export interface SecretToMake {
  /** Path of the property in the spec. */
  readonly property: string;
  readonly secret: string;
  /** Undefined where all keys are meant. */
  readonly key: string | undefined;
  /** Whether the object names the Secret, because the schema requires it. */
  readonly required: boolean;
}

const ANNOTATIONS: Readonly<Record<ImportPolicy, Readonly<Record<string, string>>>> = {
  'skip': { [RECONCILE_POLICY]: 'skip' },
  // Takes over what is there, creates nothing, deletes nothing.
  'detach-on-delete': { [ADOPT]: 'IfPresent', [RECONCILE_POLICY]: 'detach-on-delete' },
  'manage': {},
};

/** The objects of imported resources, each followed by what belongs to it. References between them are by name. */
export function toManifests(resources: readonly ImportedResource[], options: ManifestOptions): ImportedManifest[] {
  const names = objectNames(resources, options);
  const byId = new Map(resources.map((resource) => [resource.id.toLowerCase(), resource]));
  const sorted = readingOrder(resources, byId);
  const references = new References(byId, names);
  return sorted.map((resource) => manifestOf(resource, names.get(resource)!, references, options));
}

function manifestOf(resource: ImportedResource, name: string, references: References, options: ManifestOptions): ImportedManifest {
  const { version } = resource;
  const annotations = { ...ANNOTATIONS[lacksValues(resource) ? 'skip' : options.policy], ...options.annotations };
  const spec = references.resolved(resource) as JsonObject;
  const secrets = resource.secrets.map((needed) => {
    const { path, required, map } = needed;
    const secret = `${name}-secrets`;
    const key = map ? undefined : keyOf(needed);
    if (required) setAt(spec, path, map ? { name: secret } : { name: secret, key });
    return { property: path.join('.'), secret, key, required };
  });
  return {
    resource,
    secrets,
    object: {
      apiVersion: version.apiVersion,
      kind: version.kind.kind,
      metadata: {
        name,
        ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
        ...(Object.keys(options.labels ?? {}).length === 0 ? {} : { labels: { ...options.labels } }),
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      },
      spec: {
        ...(version.facts.name === 'azureName' ? { azureName: resource.name } : {}),
        ...references.owner(resource),
        ...spec,
      },
    },
  };
}

/** Whether a PUT of the object could reset values in Azure that it lacks. */
export function lacksValues({ refused }: Pick<ImportedResource, 'refused'>): boolean {
  return refused.some(({ leftOut }) => leftOut !== undefined);
}

/** `windowsProfile.adminPassword` → `windows-profile-admin-password` */
function keyOf({ path }: SecretNeeded): string {
  const words = path.filter((segment) => typeof segment === 'string').map((segment) => segment.replace(/([a-z0-9])([A-Z])/g, '$1-$2'));
  return kubernetesName(words.join('-'));
}

class References {
  /** Resource → those that it refers to by name, which the controller waits for. */
  private readonly waits = new Map<ImportedResource, Set<ImportedResource>>();

  public constructor(
    private readonly byId: ReadonlyMap<string, ImportedResource>,
    private readonly names: ReadonlyMap<ImportedResource, string>,
  ) {
    for (const resource of byId.values()) {
      const owner = resource.owner === undefined ? undefined : byId.get(resource.owner.toLowerCase());
      this.waits.set(resource, new Set(owner ? [owner] : []));
    }
  }

  public owner(resource: ImportedResource): JsonObject {
    const { owner } = resource.version.facts;
    if (owner === null || owner === undefined || resource.owner === undefined) return {};
    const found = this.byId.get(resource.owner.toLowerCase());
    const { group, kind } = found?.version.kind ?? {};
    if (!found || (owner !== 'any' && (owner.group !== group || owner.kind !== kind))) return { owner: { armId: resource.owner } };
    return { owner: { ...(owner === 'any' ? { group, kind } : {}), name: this.names.get(found)! } };
  }

  /** The spec with names in the place of ids of imported resources. Where two would wait for each other, one keeps the id. */
  public resolved(resource: ImportedResource): unknown {
    return this.replaced(resource.spec, resource);
  }

  private replaced(value: unknown, from: ImportedResource): unknown {
    if (Array.isArray(value)) return value.map((item) => this.replaced(item, from));
    if (!isRecord(value)) return value;
    const armId = Object.keys(value).length === 1 ? ownMember(value, 'armId') : undefined;
    if (typeof armId === 'string') return this.reference(armId, from);
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(value)) setMember(result, key, this.replaced(item, from));
    return result;
  }

  private reference(armId: string, from: ImportedResource): unknown {
    const role = roleNameOf(armId);
    if (role !== undefined) return { wellKnownName: role };
    const to = this.byId.get(armId.toLowerCase());
    if (!to || to === from || this.waitsFor(to, from)) return { armId };
    this.waits.get(from)!.add(to);
    const { group, kind } = to.version.kind;
    return { group, kind, name: this.names.get(to)! };
  }

  private waitsFor(from: ImportedResource, to: ImportedResource): boolean {
    const seen = new Set([from]);
    for (const resource of seen) {
      if (resource === to) return true;
      for (const next of this.waits.get(resource) ?? []) seen.add(next);
    }
    return false;
  }
}

function setAt(spec: JsonObject, path: readonly (string | number)[], value: unknown): void {
  let target: unknown = spec;
  for (const [at, segment] of path.slice(0, -1).entries()) {
    if (Array.isArray(target)) {
      target = target[segment as number];
    } else if (isRecord(target)) {
      if (ownMember(target, String(segment)) === undefined) setMember(target, String(segment), typeof path[at + 1] === 'number' ? [] : {});
      target = ownMember(target, String(segment));
    }
  }
  if (isRecord(target)) setMember(target, String(path.at(-1)), value);
}
