import { Catalog, type KindVersion } from '../../src/catalog';
import { randomSpec } from '../engine/convert/random-spec';

export interface RandomObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The resource group, Secret and ConfigMap that random specs refer to. */
export const SURROUNDINGS: readonly unknown[] = [
  {
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name: 'rg', namespace: 'ns' },
    spec: { location: 'uksouth' },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'name', namespace: 'ns' }, stringData: { key: 'hunter2' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'name', namespace: 'ns' }, data: { key: 'value' } },
];

/** Properties that give the object an owner and a name of its own, or one that only a cluster can assign. */
const LEFT_OUT: ReadonlySet<string> = new Set(['azureName', 'azureNameFromConfig', 'operatorSpec', 'owner', 'principalIdFromConfig']);

/** An object of a kind with a random spec, and before it the objects in which it has to lie. */
export function ownedObject(version: KindVersion, name: string, seed: number): RandomObject[] {
  const { owner } = version.facts;
  const { location, ...random } = randomSpec(version, seed);
  const spec = Object.fromEntries(Object.entries(random).filter(([property]) => !LEFT_OUT.has(property)));
  const isOwned = version.specProperty('owner') !== undefined;
  const object = (ownerReference: object): RandomObject => ({
    apiVersion: version.apiVersion,
    kind: version.kind.kind,
    metadata: { name, namespace: 'ns' },
    spec: { ...spec, ...(location === undefined ? {} : { location: 'uksouth' }), ...always(version), ...ownerReference },
  });
  if (!isOwned || owner === null || owner === undefined) return [object({})];
  if (owner === 'any') return [object({ owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' } })];
  if (owner.kind === 'ResourceGroup') return [object({ owner: { name: 'rg' } })];
  const above = ownedObject(Catalog.default().kind(owner.group, owner.kind)!.latest, `${name}o`, seed + 1);
  return [...above, object({ owner: { name: `${name}o` } })];
}

/** Values that the schema leaves open and Azure does not. */
function always({ specType, facts, kind }: KindVersion): Record<string, unknown> {
  // A type of its own is that of the URL, or refused.
  const { type } = specType.props;
  if (type?.type === 'string' && !type.enum && (type.arm ?? 'type') === 'type') return { type: facts.arm!.type };
  // Only a scale set of flexible orchestration may be without a profile of its machines.
  if (kind.kind === 'VirtualMachineScaleSet') return { orchestrationMode: 'Flexible' };
  if (kind.kind !== 'RoleAssignment') return {};
  return { principalId: '11111111-2222-3333-4444-555555555555', roleDefinitionReference: { wellKnownName: 'Reader' } };
}
