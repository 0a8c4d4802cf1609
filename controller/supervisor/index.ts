export { superviseInProcess } from './in-process';
export { superviseInThread } from './in-thread';
export type { ShardMembership } from './join-shards';
export type { ShardData } from './messages';
export type { Supervision } from './supervision';
