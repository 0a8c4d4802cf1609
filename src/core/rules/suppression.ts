
export interface Suppressions {
  /** Rule id → reason. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Parts of the annotation without a rule or a reason, which therefore suppress nothing. */
  readonly malformed: readonly string[];
}

const NONE: Suppressions = { reasons: new Map(), malformed: [] };

/** Parses the annotation. */
export function suppressionsOf(annotation: string | undefined): Suppressions {
  if (annotation === undefined) return NONE;
  const reasons = new Map<string, string>();
  const malformed: string[] = [];
  for (const part of annotation.split(';').map((piece) => piece.trim())) {
    if (part === '') continue;
    const colon = part.indexOf(':');
    const [id, reason] = colon < 0 ? [part, ''] : [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
    if (id === '' || reason === '') malformed.push(id || part);
    else reasons.set(id, reason);
  }
  if (reasons.size === 0 && malformed.length === 0) malformed.push('');
  return { reasons, malformed };
}

/** The annotation with one more suppressed rule; an existing entry gets the new reason. */
export function withSuppression(annotation: string | undefined, id: string, reason: string): string {
  const { reasons } = suppressionsOf(annotation);
  return [...new Map(reasons).set(id, reason)].map(([rule, why]) => `${rule}: ${why}`).join('; ');
}
