/** Errors of one request as one text: one as it is, several as `[a, b]`, none twice. Undefined: there are none. */
export function together(errors: readonly string[]): string | undefined {
  const different = [...new Set(errors)];
  return different.length > 1 ? `[${different.join(', ')}]` : different[0];
}
