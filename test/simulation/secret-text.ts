const SECRET = /HIDDEN-([a-z]+)-/g;

/** A secret that tells which namespace it belongs to. */
export function secretText(namespace: string, what: string): string {
  return `HIDDEN-${namespace}-${what}`;
}

/** Whether a text has a secret of another namespace than the one that may read it; '-': no namespace may. */
export function hasSecretOf(text: string, allowed: string): boolean {
  return [...text.matchAll(SECRET)].some(([, home]) => home !== allowed);
}
