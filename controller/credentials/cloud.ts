import { CredentialError } from './types';

/** Where Azure is: one of its clouds, or something that plays it. */
export interface Cloud {
  /** Of Azure Resource Manager, e.g. `https://management.azure.com`. */
  readonly endpoint: string;
  /** Tokens are asked for `<audience>/.default`. */
  readonly audience: string;
  /** Of Entra, e.g. `https://login.microsoftonline.com/`. */
  readonly authorityHost: string;
}

export const PUBLIC_CLOUD: Cloud = {
  endpoint: 'https://management.azure.com',
  audience: 'https://management.core.windows.net/',
  authorityHost: 'https://login.microsoftonline.com/',
};

const ENDPOINT = 'AZURE_RESOURCE_MANAGER_ENDPOINT';
const AUDIENCE = 'AZURE_RESOURCE_MANAGER_AUDIENCE';
const AUTHORITY = 'AZURE_AUTHORITY_HOST';
const KEYS = [ENDPOINT, AUDIENCE, AUTHORITY];
const LISTED = `"${ENDPOINT}", "${AUDIENCE}", and "${AUTHORITY}"`;

/** Authorities that the identity library can ask which authorities there are; any other one has to be taken as it is. */
const KNOWN_AUTHORITIES = new Set([
  'login.microsoftonline.com',
  'login.windows.net',
  'login.microsoft.com',
  'sts.windows.net',
  'login.microsoftonline.us',
  'login.chinacloudapi.cn',
  'login.partner.microsoftonline.cn',
]);

/** The cloud that the controller's settings name; the public one where they name none. */
export function cloudOfSettings(settings: Readonly<Record<string, string | undefined>>): Cloud {
  return {
    endpoint: urlOf(settings[ENDPOINT] || PUBLIC_CLOUD.endpoint, `setting ${ENDPOINT}`),
    audience: settings[AUDIENCE] || PUBLIC_CLOUD.audience,
    authorityHost: urlOf(settings[AUTHORITY] || PUBLIC_CLOUD.authorityHost, `setting ${AUTHORITY}`),
  };
}

/**
 * The cloud that a credential's Secret names, or undefined where it names none. All three keys or none; and only where the controller allows
 * it, because otherwise whoever may write a Secret could have the controller's token sent to a server of his own.
 */
export function cloudOfSecret(values: Readonly<Record<string, string>>, source: string, allowed: boolean): Cloud | undefined {
  const found = KEYS.filter((key) => Object.hasOwn(values, key)).length;
  if (found === 0) return undefined;
  if (found < KEYS.length) {
    throw new CredentialError(`credential Secret "${source}" must specify ALL or NONE of ${LISTED} (found ${found} of ${KEYS.length})`);
  }
  if (!allowed) throw new CredentialError(`credential Secret "${source}" specifies cloud configuration (${LISTED}) but "ALLOW_MULTI_ENV_MANAGEMENT" is not enabled`);
  const where = (key: string) => `credential Secret "${source}": key "${key}"`;
  return {
    endpoint: urlOf(values[ENDPOINT], where(ENDPOINT)),
    audience: values[AUDIENCE].trim(),
    authorityHost: urlOf(values[AUTHORITY], where(AUTHORITY)),
  };
}

/** Whether the authority is none of Microsoft's own, so that it must not be looked up there. */
export function isForeignAuthority(authorityHost: string): boolean {
  return !KNOWN_AUTHORITIES.has(new URL(authorityHost).hostname.toLowerCase());
}

function urlOf(text: string, where: string): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new CredentialError(`${where} must be a URL that begins with https://`);
  return trimmed;
}
