export * from './types';
export { groupOf, kindOf, versionOf } from './kind-of';
export { describeOwner, ownerOf, readyOwnerOf } from './owner';
export { azureNameOf, nameFromConfigOf, resolveNameFromConfig } from './azure-name';
export { armIdOf } from './arm-id-of';
export { checkReference, referencesOf, resolveReference, type ReferenceValue } from './references';
export { clusterValues } from './cluster-values';
