const NAME = 'cdk8s-aso-token';

/**
 * The token of this server. The address that the command printed has it; from then on the tab keeps it, and the address, the history and
 * other tabs do not have it.
 */
export function takeToken(): string {
  const values = new URLSearchParams(location.hash.replace(/^#/, ''));
  const given = values.get('token');
  if (given === null) return sessionStorage.getItem(NAME) ?? '';
  values.delete('token');
  history.replaceState(null, '', values.size === 0 ? location.pathname : `#${values.toString()}`);
  keepToken(given);
  return given;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(NAME, token);
}
