export { superviseInProcess } from './in-process';
export { superviseInThread } from './in-thread';
export type { Supervision } from './supervision';
