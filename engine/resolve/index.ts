export * from './types';
export { versionOf } from './kind-of';
export { ownerOf, readyOwnerOf } from './owner';
export { azureNameOf, nameFromConfigOf, resolveNameFromConfig } from './azure-name';
export { armIdOf } from './arm-id-of';
export { checkReference, referencesOf, type ReferenceValue } from './references';
export { clusterValues } from './cluster-values';
export { ownChildrenOf } from './own-children';
