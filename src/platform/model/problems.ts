import { quotedText, segmentProblem } from '../../azure/arm-segment';

/** A problem of a value. */
export interface PlatformProblem {
  /** The field, e.g. `clusters[1].oidcIssuerUrl`. */
  readonly field: string;
  /** The problem and a remedy. */
  readonly text: string;
}

/** An error with problems of the values of a platform. */
export class PlatformError extends Error {
  public constructor(where: string, public readonly problems: readonly PlatformProblem[]) {
    super(`${where}: ${problems.map(({ field, text }) => `${field}: ${text}`).join('\n  ')}`);
  }
}

/** Collects all problems of the values of a platform, each with the field and a remedy. */
export class PlatformProblems {
  private readonly problems: PlatformProblem[] = [];

  public constructor(private readonly where: string) {}

  /** Adds a problem of a field, e.g. `clusters[1].oidcIssuerUrl`. */
  public add(field: string, text: string): void {
    this.problems.push({ field, text });
  }

  /** Adds a problem if a required field is empty or missing. */
  public require(field: string, value: unknown, cure: string): void {
    if (value === undefined || value === null || value === '') this.add(field, `required. ${cure}`);
  }

  /** Adds a problem if a name is missing, or cannot be a part of an ARM id or of a path: as such it would lead elsewhere. */
  public requireName(field: string, value: unknown, cure: string): void {
    this.require(field, value, cure);
    const problem = typeof value === 'string' && value !== '' ? segmentProblem(value) : undefined;
    if (problem !== undefined) this.add(field, `${quotedText(value as string)} ${problem}. Give a name.`);
  }

  /** Whether there is no problem. */
  public get none(): boolean {
    return this.problems.length === 0;
  }

  /** @throws when there is a problem */
  public throwIfAny(): void {
    if (!this.none) throw new PlatformError(this.where, this.problems);
  }
}
