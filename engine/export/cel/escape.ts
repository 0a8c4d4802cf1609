const WORDS = new Set(['true', 'false', 'null', 'in']);
const PARTS: Record<string, string> = { '__': '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/** A property name as CEL can spell it (docs/spec/cel.md#escaping). Map keys are never escaped. */
export function escapedName(name: string): string {
  return WORDS.has(name) ? `__${name}__` : name.replace(/__|[.\-/]/g, (part) => PARTS[part] ?? part);
}
