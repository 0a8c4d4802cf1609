import { wordsOf } from './words';
import { propertyNameOf } from '../src/catalog/property-names';
import { capitalized } from '../src/util/words';

/** The names in generated code. `docs/naming.md` has the rules in words. */

/** The jsii submodule, the folder and the subpath of a service: `network.frontdoor` → `networkfrontdoor`. */
export function submoduleOf(service: string): string {
  return service.replace(/\./g, '');
}

/** `StorageAccountsBlobService` → `storage-accounts-blob-service`. */
export function fileNameOf(className: string): string {
  return wordsOf(className).join('-').toLowerCase();
}

/** The member that makes a reference specific to this kind: `StorageAccount` → `storageAccountRef`. */
export function refMemberOf(kind: string): string {
  return `${propertyNameOf(kind, false)}Ref`;
}

/** The props of a child without its owner, for the owner's method: `VirtualNetworksSubnet` → `VirtualNetworksSubnetOptions`. */
export function optionsOf(kind: string): string {
  return `${kind}Options`;
}

/** `StorageAccount` → `IStorageAccountRef`. */
export function refInterfaceOf(kind: string): string {
  return `I${kind}Ref`;
}

/**
 * The TypeScript name of a catalog type. jsii treats an interface whose name begins with an I and a capital as behavioural, so `IPRule`
 * becomes `IpRule`; a name in capitals only becomes `Aks`.
 */
export function typeNameOf(specName: string): string {
  const name = specName.split('_').map(capitalized).join('');
  if (/^[A-Z0-9]+$/.test(name) || /^I[A-Z]/.test(name)) {
    return name.replace(/^[A-Z0-9]+(?![a-z])/, (capitals) => capitalized(capitals.toLowerCase()));
  }
  return name;
}

/** The name of an enum, from its struct and property: `Sku`, `tier` → `SkuTier`. */
export function enumNameOf(ownerName: string, specName: string): string {
  return ownerName + capitalized(propertyNameOf(specName, false));
}

/** The member for a value of an enum: `Standard_LRS` → `STANDARD_LRS`, `StorageV2` → `STORAGE_V2`, `1.2` → `V1_2`. */
export function enumMemberOf(value: string): string {
  const name = wordsOf(value.replace(/[^A-Za-z0-9]+/g, '_')).join('_').toUpperCase();
  if (name === '') return value === '*' ? 'ANY' : 'NONE';
  return /^[0-9]/.test(name) ? `V${name}` : name;
}
