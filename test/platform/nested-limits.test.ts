// Limits hold wherever a kind has the property: in lists, in maps, in every version. Evaluated at synth and as the CEL that is emitted.
import { Environment } from '@marcbachmann/cel-js';
import { FIN } from './guarded-team';
import { azure, GROUP, type TeamObject } from './objects-of-team';
import { Catalog } from '../../src/catalog/catalog';
import type { CatalogueEntry } from '../../src/platform/policy/catalogue-entry';
import { brokenBy, celOf, type Limit } from '../../src/platform/policy/limit';
import { VARIABLES } from '../../src/platform/policy/limits/facts';
import { nestedLocationsOf } from '../../src/platform/policy/location-paths';
import type { SelfServiceOptions } from '../../src/platform/policy/self-service-options';
import { SelfServicePolicy } from '../../src/platform/policy/self-service-policy';

const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
cel.registerFunction('string.replace(string, string): string', (text: string, part: string, by: string) => text.replaceAll(part, by));

const COSMOS = { group: 'documentdb.azure.com', kind: 'DatabaseAccount' };
const APIM = { group: 'apimanagement.azure.com', kind: 'Service' };
const AKS = { group: 'containerservice.azure.com', kind: 'ManagedCluster' };

function limits(entry: CatalogueEntry, options: SelfServiceOptions = {}): Limit[] {
  return new SelfServicePolicy({ catalogue: [entry], ...options })._limits(FIN);
}

/** Fields of the limits that an object breaks: the same at synth and as CEL. */
function broken(all: readonly Limit[], object: TeamObject): string[] {
  const variables: Record<string, unknown> = {};
  for (const { name, expression } of VARIABLES) variables[name] = cel.parse(expression)({ object, oldObject: null, variables });
  const asCel = all.filter((limit) => cel.parse(celOf(limit))({ object, oldObject: null, variables }) !== true);
  const atSynth = brokenBy(all, object);
  expect(asCel.map(({ field }) => field)).toEqual(atSynth.map(({ field }) => field));
  return atSynth.map(({ field }) => field);
}

const cosmos = (...locations: object[]) =>
  azure('documentdb', 'DatabaseAccount', { owner: GROUP, location: 'uksouth', databaseAccountOfferType: 'Standard', locations });

describe('regions', () => {
  const of = limits(COSMOS, { locations: ['uksouth', 'ukwest'] });

  it('of every replica are limited', () => {
    expect(broken(of, cosmos({ locationName: 'UK South' }, { locationName: 'ukwest', failoverPriority: 1 }))).toEqual([]);
    expect(broken(of, cosmos({ locationName: 'uksouth' }, { locationName: 'West Europe', failoverPriority: 1 }))).toEqual([
      'spec.locations[].locationName',
    ]);
    expect(broken(of, cosmos())).toEqual([]);
  });

  it('are reported by their names', () => {
    const object = cosmos({ locationName: 'eastus' }, { locationName: 'ukwest' }, { locationName: 'westus' });
    expect(brokenBy(of, object).map(({ found }) => found!.read({ object }))).toEqual(['eastus, westus']);
  });

  it('of an entry of the catalogue count more', () => {
    const own = limits({ ...COSMOS, locations: ['westeurope'] }, { locations: ['uksouth'] });
    expect(
      broken(own, {
        ...cosmos({ locationName: 'westeurope' }),
        spec: { owner: GROUP, location: 'westeurope', locations: [{ locationName: 'westeurope' }] },
      }),
    ).toEqual([]);
    expect(broken(own, cosmos({ locationName: 'uksouth' }))).toEqual(['spec.location', 'spec.locations[].locationName']);
  });

  it('of additional deployments, of extended locations and of plain lists', () => {
    const gateway = azure('apimanagement', 'Service', {
      owner: GROUP,
      location: 'uksouth',
      additionalLocations: [{ location: 'eastus', sku: { name: 'Premium', capacity: 1 } }],
    });
    expect(broken(limits(APIM), gateway)).toEqual(['spec.additionalLocations[].location']);
    const disk = azure('compute', 'Disk', {
      owner: GROUP,
      location: 'uksouth',
      extendedLocation: { name: 'losangeles', type: 'EdgeZone' },
    });
    expect(broken(limits({ group: 'compute.azure.com', kind: 'Disk' }), disk)).toEqual(['spec.extendedLocation.name']);
    const vault = azure('dataprotection', 'BackupVault', {
      owner: GROUP,
      location: 'uksouth',
      properties: { replicatedRegions: ['uksouth', 'eastus'] },
    });
    expect(broken(limits({ group: 'dataprotection.azure.com', kind: 'BackupVault' }), vault)).toEqual([
      'spec.properties.replicatedRegions[]',
    ]);
  });

  it('of replicas that are kinds of their own', () => {
    const replica = azure('containerregistry', 'RegistryReplication', { owner: { name: 'one' }, location: 'eastus' });
    expect(broken(limits({ group: 'containerregistry.azure.com', kind: 'RegistryReplication' }), replica)).toContain('spec.location');
  });

  // The list is the test's own: found by reading the catalog for anything that is called a region or a location.
  it.each([
    ['documentdb.azure.com/DatabaseAccount', 'locations[].locationName'],
    ['apimanagement.azure.com/Service', 'additionalLocations[].location'],
    ['cognitiveservices.azure.com/Account', 'properties.locations.regions[].name'],
    ['dataprotection.azure.com/BackupVault', 'properties.replicatedRegions[]'],
    ['documentdb.azure.com/CassandraDataCenter', 'properties.dataCenterLocation'],
    ['machinelearningservices.azure.com/Registry', 'regionDetails[].location'],
    ['machinelearningservices.azure.com/WorkspacesCompute', 'properties.amlCompute.computeLocation'],
    ['notificationhubs.azure.com/Namespace', 'properties.replicationRegion'],
    ['operationalinsights.azure.com/Workspace', 'replication.location'],
    ['kusto.azure.com/Database', 'readWriteDatabase.location'],
    ['web.azure.com/ServerFarm', 'sku.locations[]'],
    ['compute.azure.com/VirtualMachine', 'extendedLocation.name'],
  ])('%s has %s', (type, path) => {
    const [group, kind] = type.split('/');
    expect(nestedLocationsOf(Catalog.default().kind(group!, kind!)!).map(({ text }) => text)).toContain(path);
  });

  it.each([
    ['insights.azure.com/MetricAlert', 'targetResourceRegion'], ['communication.azure.com/CommunicationService', 'dataLocation'],
    ['network.azure.com/VirtualNetworksSubnet', 'serviceEndpoints[].locations[]'],
  ])('%s: %s puts nothing anywhere', (type, path) => {
    const [group, kind] = type.split('/');
    expect(nestedLocationsOf(Catalog.default().kind(group!, kind!)!).map(({ text }) => text)).not.toContain(path);
  });
});

describe('other properties', () => {
  const pools = (...sizes: (string | undefined)[]) =>
    azure('containerservice', 'ManagedCluster', {
      owner: GROUP,
      location: 'uksouth',
      agentPoolProfiles: sizes.map((vmSize, i) => ({
        name: `p${i}`,
        count: 3,
        enableAutoScaling: true,
        availabilityZones: ['1'],
        ...(vmSize && { vmSize }),
      })),
    });
  const of = (property: string, allowed: string[], required = false) => limits({ ...AKS, properties: [{ property, allowed, required }] });

  it('in lists', () => {
    const sizes = of('agentPoolProfiles[].vmSize', ['Standard_D2s_v5']);
    expect(broken(sizes, pools('Standard_D2s_v5', 'Standard_D2s_v5'))).toEqual([]);
    expect(broken(sizes, pools('Standard_D2s_v5', 'Standard_ND96asr_v4'))).toEqual(['spec.agentPoolProfiles[].vmSize']);
    expect(broken(sizes, pools(undefined))).toEqual([]);
    expect(broken(of('agentPoolProfiles.vmSize', ['x']), pools('y'))).toEqual(['spec.agentPoolProfiles[].vmSize']);
  });

  it('in lists, where they are required', () => {
    const sizes = of('agentPoolProfiles[].vmSize', ['Standard_D2s_v5'], true);
    expect(broken(sizes, pools('Standard_D2s_v5'))).toEqual([]);
    for (const object of [pools('Standard_D2s_v5', undefined), pools(), pools(undefined)]) {
      expect(broken(sizes, object)).toEqual(['spec.agentPoolProfiles[].vmSize']);
    }
  });

  it('that are lists of texts, numbers or booleans', () => {
    expect(broken(of('agentPoolProfiles[].availabilityZones', ['1', '2']), pools('a'))).toEqual([]);
    expect(broken(of('agentPoolProfiles[].availabilityZones', ['2']), pools('a'))).toEqual([
      'spec.agentPoolProfiles[].availabilityZones[]',
    ]);
    expect(broken(of('agentPoolProfiles[].count', ['1', '2']), pools('a'))).toEqual(['spec.agentPoolProfiles[].count']);
    expect(broken(of('agentPoolProfiles[].count', ['3']), pools('a'))).toEqual([]);
    expect(broken(of('agentPoolProfiles[].enableAutoScaling', ['false']), pools('a'))).toEqual([
      'spec.agentPoolProfiles[].enableAutoScaling',
    ]);
    expect(broken(of('agentPoolProfiles[].enableAutoScaling', ['true']), pools('a'))).toEqual([]);
  });
});
