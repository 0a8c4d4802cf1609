/**
 * A JSON pointer from the steps of a path: `/properties/sku/name`.
 * @see https://www.rfc-editor.org/rfc/rfc6901
 */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${pointerStep(step)}`).join('');
}

/** One escaped step of a pointer. */
export function pointerStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The steps of a pointer. */
export function stepsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
