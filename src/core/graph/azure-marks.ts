import { UUID } from '../../azure/uuid';
import { isRecord, type Struct } from '../../util/records';

interface Marked {
  readonly name: string;
  readonly azureName?: string | undefined;
  readonly addressRanges?: readonly string[] | undefined;
}

/** A resource's name in Azure, where its object has another one, and the addresses of a network. */
export function azureMarks({ name, azureName, addressRanges = [] }: Marked): string[] {
  // The UUID that names a role assignment says nothing to a reader.
  const isNamed = azureName !== undefined && azureName !== name && !UUID.test(azureName);
  return [...isNamed ? [azureName] : [], ...addressRanges];
}

/** The ranges of a network or a subnet. */
export function addressRangesOf(group: string, { addressPrefix, addressPrefixes, addressSpace }: Struct): readonly string[] | undefined {
  if (group !== 'network.azure.com') return undefined;
  const ranges = isRecord(addressSpace) ? addressSpace.addressPrefixes : addressPrefixes ?? [addressPrefix];
  const texts = Array.isArray(ranges) ? ranges.filter((range): range is string => typeof range === 'string') : [];
  return texts.length > 0 ? texts : undefined;
}
