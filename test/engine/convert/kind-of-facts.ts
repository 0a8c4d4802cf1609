import { Kind, type KindVersion, type TypeFacts, type VersionFacts } from '../../../src/catalog';

type Types = Record<string, TypeFacts>;

/** A kind made of facts that a test writes down: each rule of the conversion on its own, without looking for a kind that has it. */
export function kindOfFacts(types: Types, facts: Partial<VersionFacts> = {}, statusTypes: Types = {}): KindVersion {
  const version: VersionFacts = {
    arm: { type: 'Microsoft.Test/things', apiVersion: '2024-01-01', uri: '' },
    scope: 'resourcegroup',
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup' },
    name: 'azureName',
    spec: 'Spec',
    status: 'Status',
    ...facts,
  };
  const kind = new Kind(
    'test',
    'test.azure.com',
    'Thing',
    { plural: 'things', singular: 'thing', latest: 'v1', storageVersion: 'v1', versions: { v1: version } },
    { group: 'test.azure.com', service: 'test', kinds: {}, types: { v1: types } },
    () => ({ group: 'test.azure.com', service: 'test', statusTypes: { v1: statusTypes } }),
    {},
  );
  return kind.version('v1')!;
}
