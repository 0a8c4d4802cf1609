import { guessableNames } from '../../codegen/enum-names';
import type { EnumModel } from '../../codegen/model';

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** An enum with its long name, of `Struct.property`. */
function enumOf(place: string, ...values: string[]): EnumModel {
  const [struct, propName] = place.split('.') as [string, string];
  const members = values.map((value) => ({ name: value.toUpperCase(), value }));
  return { is: 'enum', name: `${struct}${capitalized(propName)}`, structName: struct, propName, members };
}

const named = (enums: readonly EnumModel[], ...taken: string[]) => [...guessableNames(enums, new Set(taken)).values()];

test('an enum is called as its property', () => {
  expect(named([enumOf('StorageAccount.minimumTlsVersion', 'TLS1_2')])).toEqual(['MinimumTlsVersion']);
});

test('properties of one name with the same values share an enum, in whatever order the values are', () => {
  expect(named([enumOf('OSDisk.deleteOption', 'Delete', 'Detach'), enumOf('DataDisk.deleteOption', 'Detach', 'Delete')]))
    .toEqual(['DeleteOption', 'DeleteOption']);
});

test('properties of one name with other values keep their structs', () => {
  expect(named([enumOf('StorageAccount.accessTier', 'Hot'), enumOf('Share.accessTier', 'Premium')]))
    .toEqual(['StorageAccountAccessTier', 'ShareAccessTier']);
});

test('one word says too little: it gets the last word of the structs that share it', () => {
  expect(named([enumOf('EncryptionSetIdentity.type', 'None'), enumOf('DiskIdentity.type', 'None')])).toEqual(['IdentityType', 'IdentityType']);
  expect(named([enumOf('StorageAccount.kind', 'Storage')])).toEqual(['StorageAccountKind']);
  expect(named([enumOf('RequestParameters.operator', 'Any'), enumOf('CookieParameters.operator', 'Any')]))
    .toEqual(['RequestParametersOperator', 'CookieParametersOperator']);
});

test('the name of a type or class is taken', () => {
  expect(named([enumOf('Cluster.networkPolicy', 'azure')], 'networkpolicy')).toEqual(['ClusterNetworkPolicy']);
});

test('names that differ only in capitals are one name', () => {
  expect(named([enumOf('A.privateIPAllocationMethod', 'Static'), enumOf('B.privateIpAllocationMethod', 'Static')]))
    .toEqual(['PrivateIPAllocationMethod', 'PrivateIPAllocationMethod']);
});
