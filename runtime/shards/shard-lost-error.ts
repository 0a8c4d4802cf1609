/** The process is a shard no more, and has to end. */
export class ShardLostError extends Error {
  public constructor(public readonly identity: string, public readonly why: string) {
    super(`shard lost: ${why}. Other replicas take over; this process ends (${identity})`);
    this.name = 'ShardLostError';
  }
}
