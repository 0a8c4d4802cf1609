/** Collects all problems of the values of a platform, each with the field and a remedy. */
export class PlatformProblems {
  private readonly texts: string[] = [];

  public constructor(private readonly where: string) {}

  /** Adds a problem of a field, e.g. `clusters[1].oidcIssuerUrl`. */
  public add(field: string, text: string): void {
    this.texts.push(`${field}: ${text}`);
  }

  /** Adds a problem if a required field is empty or missing. */
  public require(field: string, value: unknown, cure: string): void {
    if (value === undefined || value === null || value === '') this.add(field, `required. ${cure}`);
  }

  /** Whether there is no problem. */
  public get none(): boolean {
    return this.texts.length === 0;
  }

  /** @throws when there is a problem */
  public throwIfAny(): void {
    if (!this.none) throw new Error(`${this.where}: ${this.texts.join('\n  ')}`);
  }
}
