/** Shorter ones would be found in ordinary words, and so be told by their absence. */
const SHORTEST = 4;

/** What a driver says, on one line, without the secrets of the pass. */
export function redacted(error: unknown, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST).flatMap((secret) => [secret, ...escaped(secret)]);
  const longestFirst = [...new Set(known)].sort((a, b) => b.length - a.length);
  const text = longestFirst.reduce((said, secret) => said.replaceAll(secret, '***'), withoutQuotedStatement(messageOf(error)));
  return text.replace(/\s+/g, ' ').trim();
}

/** Servers quote the statement from the place on that they do not understand, a password included, and cut it off anywhere. */
function withoutQuotedStatement(message: string): string {
  return message.replace(/\bnear\s+['"][\s\S]*$/i, 'near …');
}

/** As the secret stands in a statement. */
function escaped(secret: string): string[] {
  const doubled = secret.replaceAll("'", "''");
  return [doubled, doubled.replaceAll('\\', '\\\\'), JSON.stringify(secret).slice(1, -1), secret.replaceAll('\\', '\\\\').replaceAll("'", "\\'")];
}

/** Where every address of a host refuses, Node's error has a code and no message; SQL Server's driver has the code one error deeper. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [code, inner] = [codeOf(error), codeOf(error.cause)];
  const said = error.message || code || error.name;
  return inner && !said.includes(inner) ? `${said} (${inner})` : said;
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
