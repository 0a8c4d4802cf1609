export { assignmentOf } from './assignment';
export { Fence } from './fence';
export { FencedOwnership } from './fenced-ownership';
export { shardIdentity } from './member-lease';
export {
  CLUSTER_KEY, namespaceKey, SOLE_OWNERSHIP, treeKey, type Assignment, type Ownership, type ShardHost, type ShardKey,
} from './ownership';
export { ShardLostError } from './shard-lost-error';
export { ShardMember } from './shard-member';
export type { Snapshot } from './snapshot';
export type { View } from './view';
