/** What is wrong with the values of a platform: all of it at once, each with the field and the cure. */
export class PlatformProblems {
  private readonly texts: string[] = [];

  public constructor(private readonly where: string) {}

  /** Notes a problem of a field, e.g. `clusters[1].oidcIssuerUrl`. */
  public add(field: string, text: string): void {
    this.texts.push(`${field}: ${text}`);
  }

  /** Notes a field that has to be there and is empty or missing. */
  public require(field: string, value: unknown, cure: string): void {
    if (value === undefined || value === null || value === '') this.add(field, `required. ${cure}`);
  }

  /** Whether nothing was wrong. */
  public get none(): boolean {
    return this.texts.length === 0;
  }

  /** @throws when there is a problem */
  public throwIfAny(): void {
    if (!this.none) throw new Error(`${this.where}: ${this.texts.join('\n  ')}`);
  }
}
