/** An unknown flag, or a flag with an unusable value. Ends the program with status 1. */
export class FlagError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'FlagError';
  }
}
