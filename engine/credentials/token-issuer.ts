import { readFileSync } from 'node:fs';
import { DEFAULT_TOKEN_FILE } from './authentication';

/** The issuer of the projected service account token that this process authenticates with; undefined when there is none. */
export function tokenIssuer(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    const [, payload = ''] = readFileSync(environment.AZURE_FEDERATED_TOKEN_FILE || DEFAULT_TOKEN_FILE, 'utf8').split('.');
    const { iss } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { readonly iss?: unknown };
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
