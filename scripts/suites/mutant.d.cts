export const MUTANT: string;
/** @throws Error when the source has the text to replace not exactly once */
export function mutated(source: string, file: string): string;
/** Absolute paths. */
export const mutatedFiles: readonly string[];
