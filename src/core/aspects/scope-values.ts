import type { IConstruct } from 'constructs';
import { fillIn } from './fill-in';
import { declaredFor } from './layers';
import { needsRange, subnetRange } from './subnet-range';
import { GLOBAL_TYPES, REGIONAL_TYPES } from '../../azure/locations';
import { TENANT_PATHS, TIERED_SKUS } from '../../azure/scope-defaults';
import { SECURE_VALUES } from '../../azure/secure-values';
import { isRef } from '../../catalog/type-expression';
import { isRecord } from '../../util/records';
import type { AzureResourceProps } from '../azure-resource-props';
import { isResource, type ResourceInternals } from '../resource-internals';
import type { Conversion } from '../schema/conversion';
import type { KindSchema } from '../schema/kind-schema';

type Props = Readonly<Record<string, unknown>>;

const SUBNET = 'network.azure.com/VirtualNetworksSubnet';

/** The props of a resource with the values of its scopes and of its owners, where it has none of its own. */
export function withScopeValues(resource: ResourceInternals, schema: KindSchema, run: Conversion): AzureResourceProps {
  const { _given: given } = resource;
  let props = given as Props;
  const { additionalSpec } = given;
  const key = `${resource.apiGroup}/${resource.kind}`;
  const location = props.location === undefined && additionalSpec?.location === undefined ? locationFor(resource, schema) : undefined;
  if (location !== undefined) take(['location'], location.value, true, location.scope);
  const tenant = TENANT_PATHS[key];
  const [tenantId] = tenant === undefined ? [] : declaredFor(resource, 'tenantId');
  if (tenant && tenantId && !has(additionalSpec, tenant)) take(tenant, tenantId.value, isRequired(schema, tenant), tenantId.scope);
  const sku = TIERED_SKUS[key];
  const tier = sku && declaredFor(resource, 'skuTier').find(({ value }) => sku.tiers[value.toLowerCase()]);
  if (sku && tier && !has(additionalSpec, sku.path)) {
    take(sku.path, sku.tiers[tier.value.toLowerCase()], isRequired(schema, sku.path), tier.scope);
  }
  const [secure] = declaredFor(resource, 'secure');
  if (secure) {
    const before = props;
    for (const { kind, path, value, creates, except } of SECURE_VALUES) {
      if (kind !== key || has(additionalSpec, path) || !isKnown(schema, path)) continue;
      if (!except?.applies(before, resource._exportsSecrets)) take(path, value, creates === true || isRequired(schema, path), secure.scope);
    }
  }
  if (key === SUBNET && needsRange(props)) props = { ...props, addressPrefix: subnetRange(resource, run) };
  return props as AzureResourceProps;

  function take(path: readonly string[], value: unknown, creates: boolean, scope: IConstruct | undefined): void {
    const filled = fillIn(props, path, value, creates);
    if (filled !== props && scope) run.setOrigin(path.join('.'), scope);
    props = filled;
  }
}

/** Whether the version has the property. */
function isKnown({ version }: KindSchema, [name, ...rest]: readonly string[]): boolean {
  const type = version.specType.props[name!]?.type;
  if (type === undefined || rest.length === 0) return type !== undefined;
  return isRef(type) && version.type(type.ref).props[rest[0]!] !== undefined;
}

/** The parent of a path is created only if the kind cannot do without. */
function isRequired(schema: KindSchema, [parent, ...rest]: readonly string[]): boolean {
  return rest.length === 0 || schema.version.specType.props[parent!]?.required === true;
}

function has(additional: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return isRecord(additional) && additional[name] !== undefined && has(additional[name], rest);
}

/** A location, and the scope or the owner that has it; no scope for kinds without a region. */
interface FoundLocation {
  readonly value: string;
  readonly scope?: IConstruct;
}

/** The location of a resource that has none of its own; undefined where the kind has none, or it is not known. */
function locationFor(resource: ResourceInternals, { version, foldedTypeName }: KindSchema): FoundLocation | undefined {
  const property = version.specType.props.location;
  if (!property) return undefined;
  if (GLOBAL_TYPES.has(foldedTypeName)) return { value: 'global' };
  if (property.required !== true && !REGIONAL_TYPES.has(foldedTypeName)) return undefined;
  const declared = declaredFor(resource, 'location');
  const owner = resource.owner?.construct;
  if (!isResource(owner)) return declared[0];
  // A scope that has the resource but not its owner is nearer than the owner; a scope that has both is not.
  const { scopes } = resource.node;
  const nearer = declared.find(({ depth }) => owner.node.scopes[depth] !== scopes[depth]);
  return nearer ?? locationOfOwner(owner) ?? declared[0];
}

/** The location of the nearest owner that is in a region, and the owner, or the scope that has the location for the owner. */
function locationOfOwner(owner: ResourceInternals): FoundLocation | undefined {
  for (let at: unknown = owner; isResource(at); at = at.owner?.construct) {
    const { spec: { location }, origins } = at._check();
    if (typeof location === 'string' && location.toLowerCase() !== 'global') return { value: location, scope: origins?.get('location') ?? at };
  }
  return undefined;
}
