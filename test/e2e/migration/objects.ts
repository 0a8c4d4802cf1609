import { Catalog, type Kind } from '../../../src/catalog';

/** The namespaces of the objects. */
export const TEAMS = ['team-a', 'team-b'];

export interface NamedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: any;
}

const KINDS = [
  ['resources.azure.com', 'ResourceGroup'],
  ['storage.azure.com', 'StorageAccount'],
  ['network.azure.com', 'VirtualNetwork'],
  ['managedidentity.azure.com', 'UserAssignedIdentity'],
  ['insights.azure.com', 'ScheduledQueryRule'],
] as const;

export const kinds: readonly Kind[] = KINDS.map(([group, kind]) => Catalog.default().kind(group, kind)!);
export const patterns = KINDS.map(([group, kind]) => `${group}/${kind}`);

/** Objects of five kinds in eight versions; some have members that the stored version has no place for. */
export function azureObjects(count: number): NamedObject[] {
  const objects: NamedObject[] = [];
  const add = (apiVersion: string, kind: string, name: string, namespace: string, spec: object) => {
    objects.push({ apiVersion, kind, metadata: { name, namespace }, spec });
  };
  for (const namespace of TEAMS) add('resources.azure.com/v1api20200601', 'ResourceGroup', `${namespace}-group`, namespace, { location: 'uksouth', tags: { team: namespace } });
  for (let i = 0; objects.length < count; i += 1) {
    const namespace = TEAMS[i % TEAMS.length]!;
    const owner = { name: `${namespace}-group` };
    const common = { owner, location: 'uksouth', tags: { number: String(i) } };
    switch (i % 6) {
      case 0:
        add('storage.azure.com/v1api20220901', 'StorageAccount', `account${i}`, namespace, {
          ...common,
          kind: 'StorageV2',
          sku: { name: 'Standard_LRS', tier: 'Standard' },
          ...(i % 12 === 0 && { operatorSpec: { secrets: { key1: { name: `keys-${i}`, key: 'key1' } } } }),
        });
        break;
      case 1:
        add('storage.azure.com/v20250601', 'StorageAccount', `account${i}`, namespace, { ...common, kind: 'StorageV2', sku: { name: 'Standard_LRS' } });
        break;
      case 2:
        add('network.azure.com/v1api20201101', 'VirtualNetwork', `network${i}`, namespace, { ...common, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } });
        break;
      case 3:
        add('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', `identity${i}`, namespace, {
          ...common, operatorSpec: { configMaps: { principalId: { name: `identity-${i}`, key: 'principalId' } } },
        });
        break;
      case 4:
        add('insights.azure.com/v1api20250101preview', 'ScheduledQueryRule', `rule${i}`, namespace, {
          ...common,
          identity: { type: 'SystemAssigned' },
          scopesReferences: [{ armId: '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/x' }],
          criteria: { allOf: [{ query: 'Heartbeat', timeAggregation: 'Count', operator: 'GreaterThan', threshold: i, criterionType: 'StaticThresholdCriterion' }] },
          evaluationFrequency: 'PT5M',
          windowSize: 'PT5M',
          severity: 3,
        });
        break;
      default:
        add('network.azure.com/v20250301', 'VirtualNetwork', `network${i}`, namespace, { ...common, addressSpace: { addressPrefixes: ['10.1.0.0/16'] } });
    }
  }
  return objects;
}

/** The path of an object, or of its kind without a name, in a version. */
export function pathOf({ apiVersion, kind, metadata }: Pick<NamedObject, 'apiVersion' | 'kind' | 'metadata'>, version = apiVersion.split('/')[1]!): string {
  const [group = ''] = apiVersion.split('/');
  const { plural } = Catalog.default().kind(group, kind)!.facts;
  return `/apis/${group}/${version}/namespaces/${metadata.namespace}/${plural}/${metadata.name}`;
}

export function kindOf({ apiVersion, kind }: Pick<NamedObject, 'apiVersion' | 'kind'>): Kind {
  return Catalog.default().kind(apiVersion.split('/')[0]!, kind)!;
}
