/** This process is not the leader any more: the new leader is responsible for the write. */
export class NotLeadingError extends Error {
  public constructor(message = 'this process does not lead any more') {
    super(message);
    this.name = 'NotLeadingError';
  }
}

/** Another replica looks after the object by now: that replica is responsible for the write. */
export class OwnershipLostError extends NotLeadingError {
  /** @param what the object, e.g. `ResourceGroup shop/data` */
  public constructor(what: string, message = `another replica looks after ${what} now, so this one writes nothing for it`) {
    super(message);
    this.name = 'OwnershipLostError';
  }
}
