import { azureNameOf } from './azure-name';
import { resourceNameOf, versionOf } from './kind-of';
import { ownerOf } from './owner';
import { ResolutionError, type ObjectLookup, type Owner } from './types';
import { CHILD_RESOURCE_ID_OVERRIDE, RESOURCE_ID } from '../../src/azure/annotations';
import { armIdProblem, armTypeOf, parseArmId } from '../../src/azure/arm-id';
import { armNameProblem, quotedText, subscriptionProblem } from '../../src/azure/arm-segment';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import type { KindVersion } from '../../src/catalog';
import { groupOf } from '../../src/object-id';
import { textBefore } from '../../src/util/text-before';
import type { KubernetesObject } from '../kubernetes/types';

/** The longest chain of owners in Azure has five; the limit ends cyclic chains. */
const MAX_OWNERS = 32;

/** A value that `plan` does not know yet, in place of a name. It counts as one segment, whatever its content. */
const PLACEHOLDER = /<[^<>]+>/;

export interface ArmIdOptions {
  /** Whether placeholders (`<configmap:names/account>`) count as names: only in a plan, which sends nothing. Default false. */
  readonly placeholders?: boolean;
}

/**
 * The ARM id of an object, from its Azure name and its owners (docs/spec/owners.md#arm-ids). `subscriptionId` is the credential's. Throws
 * ResolutionError when an owner is missing, of the wrong kind or in another subscription, and when a name is missing or could make the id
 * refer to another resource. Each segment of the id is a checked name or a word of the catalog.
 */
export function armIdOf(
  object: KubernetesObject, version: KindVersion, lookup: ObjectLookup, subscriptionId: string, options: ArmIdOptions = {},
): string {
  return new Hierarchy(lookup, subscriptionId, options.placeholders ?? false).idOf(object, version, []);
}

/** Names below a base whose id is known: `base` + the last `names.length` type segments with these names. */
interface Branch {
  readonly base: string;
  readonly names: readonly string[];
}

class Hierarchy {
  public constructor(
    private readonly lookup: ObjectLookup,
    private readonly subscriptionId: string,
    private readonly placeholders: boolean,
  ) {}

  /** `below`: the objects whose owners led to this object, nearest last. */
  public idOf(object: KubernetesObject, version: KindVersion, below: readonly KubernetesObject[]): string {
    const arm = version.facts.arm;
    if (!arm) throw unresolvable(`${version.kind.kind} is not an ARM resource and has no ARM ID`);
    const [provider = '', ...types] = arm.type.split('/');
    switch (version.facts.scope) {
      case 'location':
        return `/subscriptions/${this.checkedSubscription()}/resourceGroups/${this.nameOf(object, version, below)}`;
      case 'tenant':
        return `/providers/${provider}/${types[0]}/${this.nameOf(object, version, below)}`;
      case 'extension': {
        if (types.length !== 1) {
          throw unresolvable(`extension resource cannot have more than one resource type, but ${arm.type} has ${types.length}`);
        }
        const name = this.nameOf(object, version, below);
        return `${this.extendedId(object, version, below)}/providers/${provider}/${types[0]}/${name}`;
      }
      default: {
        const { base, names } = this.branchOf(object, version, below);
        return joined(base, provider, types, names);
      }
    }
  }

  private branchOf(object: KubernetesObject, version: KindVersion, below: readonly KubernetesObject[]): Branch {
    const name = this.nameOf(object, version, below);
    const owner = requiredOwner(object, version);
    if (owner.by === 'armId') return { base: checkedOwnerId(owner.armId, version), names: [name] };
    const found = this.find(object, owner, below);
    const above = [...below, object];
    switch (found.version.facts.scope) {
      case 'resourcegroup': {
        const branch = this.branchOf(found.object, found.version, above);
        return { base: branch.base, names: [...branch.names, name] };
      }
      case 'location':
        this.checkSubscription(found.object);
        return { base: this.idOf(found.object, found.version, above), names: [name] };
      default:
        return { base: this.idOf(found.object, found.version, above), names: [name] };
    }
  }

  /** The id of the resource that an extension resource extends. */
  private extendedId(object: KubernetesObject, version: KindVersion, below: readonly KubernetesObject[]): string {
    const owner = requiredOwner(object, version);
    if (owner.by === 'armId') return checkedArmId(owner.armId);
    const found = this.find(object, owner, below);
    const override = found.object.metadata.annotations?.[CHILD_RESOURCE_ID_OVERRIDE];
    if (override && !ownerOf(found.object, found.version)) return checkedOverride(override, found.object);
    if (found.version.facts.scope === 'location') this.checkSubscription(found.object);
    return this.idOf(found.object, found.version, [...below, object]);
  }

  private nameOf(object: KubernetesObject, version: KindVersion, below: readonly KubernetesObject[]): string {
    const name = azureNameOf(object, version);
    const own = below.length === 0;
    const error = (message: string) => new ResolutionError(own ? 'Failed' : 'ReferenceNotFound', own ? 'Error' : 'Warning', message);
    if (!name) throw error('resource has empty AzureName, cannot create fully qualified ARM ID');
    if (this.placeholders && PLACEHOLDER.test(name)) return name;
    const problem = armNameProblem(name, version.facts.scope);
    if (problem === undefined) return name;
    throw error(
      `the Azure name ${quotedText(name)} of ${object.kind}/${object.metadata.name} ${problem}, so no request is sent: ` +
      'set spec.azureName (or metadata.name, or the ConfigMap that it comes from) to the last segment of the ARM id, as Azure shows it',
    );
  }

  /** Checks the subscription id, which comes from a Secret and may be corrected at any time. */
  private checkedSubscription(): string {
    const { subscriptionId } = this;
    if (this.placeholders && !subscriptionId.includes('/')) return subscriptionId;
    const problem = subscriptionProblem(subscriptionId);
    if (problem === undefined) return subscriptionId;
    throw new ResolutionError('Failed', 'Warning', `the credential's AZURE_SUBSCRIPTION_ID ${quotedText(subscriptionId)} ${problem}, so no request is sent: correct it in the Secret of the credential`);
  }

  private find(
    object: KubernetesObject,
    owner: Owner & { by: 'name' },
    below: readonly KubernetesObject[],
  ): { object: KubernetesObject; version: KindVersion } {
    const namespace = object.metadata.namespace ?? 'default';
    const where = `${namespace}/${owner.name}`;
    const above = below.length === 0 ? [] : [...below.slice(1), object];
    const path = above.map(({ metadata }) => `getting owners for ${metadata.name}: `).join('');
    if (!this.lookup.serves(owner.group, owner.kind)) {
      throw unresolvable(`${path}group: "${owner.group}", kind: "${owner.kind}" was not in reconciledResourceLookup`);
    }
    const found = this.lookup.find(owner.group, owner.kind, namespace, owner.name);
    if (!found) {
      throw unresolvable(
        `${path}couldn't resolve reference ${where}: ${where} does not exist (${resourceNameOf(owner.group, owner.kind)} "${owner.name}" not found)`,
      );
    }
    const version = versionOf(found);
    if (!version) {
      throw unresolvable(`couldn't resolve reference ${where}: ${found.apiVersion} is no version of ${owner.kind} that the catalog knows`);
    }
    const chain = [...below, object];
    if (chain.some((other) => isSame(other, found)) || chain.length > MAX_OWNERS) {
      throw unresolvable(`owners form a cycle: ${[...chain, found].map((o) => `${o.kind}/${o.metadata.name}`).join(' -> ')}`);
    }
    return { object: found, version };
  }

  /** Checks that the resource group is in the subscription of the credential, where the resource is created. */
  private checkSubscription(resourceGroup: KubernetesObject): void {
    const id = resourceGroup.metadata.annotations?.[RESOURCE_ID];
    const actual = id ? parseArmId(id)?.subscriptionId : undefined;
    if (actual === undefined || actual.toLowerCase() === this.subscriptionId.toLowerCase()) return;
    throw new ResolutionError(
      'Failed',
      'Error',
      `resource subscription "${this.subscriptionId}" does not match parent subscription "${actual}"`,
    );
  }
}

function joined(base: string, provider: string, types: readonly string[], names: readonly string[]): string {
  const parts = parseArmId(base);
  const covered = parts?.provider?.toLowerCase() === provider.toLowerCase() ? parts.types.length : 0;
  const open = types.slice(covered);
  if (open.length !== names.length) {
    throw unresolvable(
      `could not create fully qualified ARM ID, had ${names.length} azureNames and ${open.length} resourceTypes. ` +
      `azureNames: ${JSON.stringify(names)} resourceTypes: ${JSON.stringify(open)}`,
    );
  }
  const pairs = open.map((type, index) => `${type}/${names[index]}`).join('/');
  return covered > 0 ? `${base}/${pairs}` : `${base}/providers/${provider}/${pairs}`;
}

function requiredOwner(object: KubernetesObject, version: KindVersion): Owner {
  const owner = ownerOf(object, version);
  if (owner) return owner;
  throw unresolvable(`spec.owner of ${object.kind}/${object.metadata.name} is missing, cannot create fully qualified ARM ID`);
}

function checkedArmId(armId: string): string {
  const id = withoutTrailingSlash(armId);
  const problem = armIdProblem(id);
  if (problem !== undefined) {
    throw unresolvable(`owner ARM ID ${quotedText(armId)} is not an ARM ID that a request can be sent to: it ${problem}`);
  }
  return id;
}

/** Checks the annotation with the parent of a subscription alias's children: this controller sets it, but other clients may write it. */
function checkedOverride(override: string, { kind, metadata }: KubernetesObject): string {
  const id = withoutTrailingSlash(override);
  const problem =
    armIdProblem(id) ?? (sameText(armTypeOf(id)!, 'Microsoft.Resources/subscriptions') ? undefined : 'is not the id of a subscription');
  if (problem === undefined) return id;
  throw unresolvable(`annotation ${CHILD_RESOURCE_ID_OVERRIDE} of ${kind}/${metadata.name} holds ${quotedText(override)}, which ${problem}: remove it, and the controller writes it anew`);
}

/** Checks that an owner's id has the owner's type; otherwise the child would be created below another resource. */
function checkedOwnerId(armId: string, version: KindVersion): string {
  const id = checkedArmId(armId);
  const problem = ownerTypeProblem(id, version);
  if (problem !== undefined) throw unresolvable(problem);
  return id;
}

/** The error when an owner's ARM id is of another type than the kind's owner, in ASO's words; undefined: it is of that type. */
export function ownerTypeProblem(armId: string, version: KindVersion): string | undefined {
  const { facts: { arm, scope } } = version;
  const actual = armTypeOf(withoutTrailingSlash(armId));
  if (!arm || scope !== 'resourcegroup' || actual === undefined) return undefined;
  const expected = arm.type.split('/').slice(0, -1).join('/');
  if (!expected.includes('/')) {
    const isGroup = sameText(actual, 'Microsoft.Resources/resourceGroups');
    return isGroup ? undefined : `expected owner ARM ID to be for a resource group, but was "${actual}"`;
  }
  const provider = (type: string) => textBefore(type, '/');
  if (!sameText(provider(actual), provider(expected))) {
    return `expected owner ARM ID to be from provider "${provider(expected)}", but was "${provider(actual)}"`;
  }
  return sameText(actual, expected) ? undefined : `expected owner ARM ID to be of type "${expected}", but was "${actual}"`;
}

function isSame(a: KubernetesObject, b: KubernetesObject): boolean {
  return a.kind === b.kind && groupOf(a) === groupOf(b) && a.metadata.name === b.metadata.name;
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function withoutTrailingSlash(id: string): string {
  return withoutTrailingSlashes(id);
}

function unresolvable(message: string): ResolutionError {
  return new ResolutionError('ReferenceNotFound', 'Warning', message);
}

