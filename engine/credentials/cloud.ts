import { CredentialError, type DatabaseServerKind, type DatabaseSuffixes } from './types';
import { withoutTrailingSlashes } from '../../src/azure/trailing-slashes';
import { ownValue } from '../../src/util/elements';

/** The endpoints of an Azure cloud or of a simulator. */
export interface Cloud {
  /** Endpoint of Azure Resource Manager, e.g. `https://management.azure.com`. */
  readonly endpoint: string;
  /** Audience of tokens, which are requested for `<audience>/.default`. */
  readonly audience: string;
  /** Endpoint of Entra, e.g. `https://login.microsoftonline.com/`. */
  readonly authorityHost: string;
  /** Endpoint of Microsoft Graph, when the settings name one; see `graphOf`. */
  readonly graphEndpoint?: string;
  /**
   * Named by a Secret, and neither the controller's own cloud nor one of Azure's: it never receives a credential of the controller, its pod
   * or a service account.
   */
  readonly isForeign?: true;
}

export const PUBLIC_CLOUD: Cloud = {
  endpoint: 'https://management.azure.com',
  audience: 'https://management.core.windows.net/',
  authorityHost: 'https://login.microsoftonline.com/',
};

const ENDPOINT = 'AZURE_RESOURCE_MANAGER_ENDPOINT';
const AUDIENCE = 'AZURE_RESOURCE_MANAGER_AUDIENCE';
const AUTHORITY = 'AZURE_AUTHORITY_HOST';
const GRAPH = 'AZURE_GRAPH_ENDPOINT';
const KEYS = [ENDPOINT, AUDIENCE, AUTHORITY];
const LISTED = `"${ENDPOINT}", "${AUDIENCE}", and "${AUTHORITY}"`;

/** Authorities that support instance discovery by the identity library; any other one is used without discovery. */
const KNOWN_AUTHORITIES = new Set([
  'login.microsoftonline.com',
  'login.windows.net',
  'login.microsoft.com',
  'sts.windows.net',
  'login.microsoftonline.us',
  'login.chinacloudapi.cn',
  'login.partner.microsoftonline.cn',
]);

const suffixesIn = (domain: string, sql = `.database.${domain}`): DatabaseSuffixes =>
  ({ mysql: `.mysql.database.${domain}`, postgresql: `.postgres.database.${domain}`, sql });

interface Besides {
  readonly graph: string;
  readonly databases: string;
  readonly suffixes: DatabaseSuffixes;
}

const PUBLIC_BESIDES: Besides = {
  graph: 'https://graph.microsoft.com',
  databases: 'https://ossrdbms-aad.database.windows.net',
  suffixes: suffixesIn('azure.com', '.database.windows.net'),
};

/**
 * Endpoints of a cloud besides ARM, by ARM host: Microsoft Graph, the audience of tokens for databases, and the DNS suffixes of databases.
 */
const BESIDES: Readonly<Record<string, Besides>> = {
  'management.azure.com': PUBLIC_BESIDES,
  'management.usgovcloudapi.net': {
    graph: 'https://graph.microsoft.us',
    databases: 'https://ossrdbms-aad.database.usgovcloudapi.net',
    suffixes: suffixesIn('usgovcloudapi.net'),
  },
  'management.chinacloudapi.cn': {
    graph: 'https://microsoftgraph.chinacloudapi.cn',
    databases: 'https://ossrdbms-aad.database.chinacloudapi.cn',
    suffixes: suffixesIn('chinacloudapi.cn'),
  },
};

/** DNS suffixes of the databases in all Azure clouds. */
export const ALL_DATABASE_SUFFIXES: readonly string[] = Object.values(BESIDES)
  .flatMap(({ suffixes: { mysql, postgresql, sql } }) => [mysql, postgresql, sql]);

interface AzureCloud {
  readonly endpoint: string;
  readonly audiences: readonly string[];
  readonly authorities: readonly string[];
}

/** The Azure clouds that a Secret may name: values of different clouds must not be mixed. */
const AZURE_CLOUDS: readonly AzureCloud[] = [
  {
    endpoint: 'https://management.azure.com',
    audiences: ['https://management.core.windows.net', 'https://management.azure.com'],
    authorities: [
      'https://login.microsoftonline.com',
      'https://login.windows.net',
      'https://login.microsoft.com',
      'https://sts.windows.net',
    ],
  },
  {
    endpoint: 'https://management.usgovcloudapi.net',
    audiences: ['https://management.core.usgovcloudapi.net', 'https://management.usgovcloudapi.net'],
    authorities: ['https://login.microsoftonline.us'],
  },
  {
    endpoint: 'https://management.chinacloudapi.cn',
    audiences: ['https://management.core.chinacloudapi.cn', 'https://management.chinacloudapi.cn'],
    authorities: ['https://login.chinacloudapi.cn', 'https://login.partner.microsoftonline.cn'],
  },
];

/**
 * The endpoint of Microsoft Graph, without a version. @throws CredentialError when the cloud is not Azure's and no setting names the
 * endpoint
 */
export function graphOf(cloud: Cloud): string {
  const endpoint = cloud.graphEndpoint ?? besides(cloud)?.graph;
  if (endpoint) return endpoint;
  throw new CredentialError(`where Microsoft Graph is in the cloud of ${cloud.endpoint} is not known: set ${GRAPH}`);
}

/**
 * The scope of tokens for Entra logins: Azure Database for MySQL and PostgreSQL share one, Azure SQL's is named after its DNS suffix.
 * https://learn.microsoft.com/azure/azure-sql/database/authentication-aad-overview
 */
export function databaseScopeOf(cloud: Cloud, server: DatabaseServerKind = 'mysql'): string {
  const { databases, suffixes } = besides(cloud) ?? PUBLIC_BESIDES;
  return `${server === 'sql' ? `https://${suffixes.sql.slice(1)}` : databases}/.default`;
}

/** DNS suffixes of the servers that accept these tokens. */
export function databaseSuffixesOf(cloud: Cloud): DatabaseSuffixes {
  return (besides(cloud) ?? PUBLIC_BESIDES).suffixes;
}

function besides({ endpoint }: Cloud): Besides | undefined {
  const host = new URL(endpoint).hostname.toLowerCase();
  return ownValue(BESIDES, host);
}

/** The cloud that the controller's settings name; default: the public cloud. */
export function cloudOfSettings(settings: Readonly<Record<string, string | undefined>>): Cloud {
  return {
    endpoint: urlOf(settings[ENDPOINT] || PUBLIC_CLOUD.endpoint, `setting ${ENDPOINT}`),
    audience: settings[AUDIENCE] || PUBLIC_CLOUD.audience,
    authorityHost: urlOf(settings[AUTHORITY] || PUBLIC_CLOUD.authorityHost, `setting ${AUTHORITY}`),
    ...(settings[GRAPH]?.trim() ? { graphEndpoint: withoutTrailingSlashes(urlOf(settings[GRAPH], `setting ${GRAPH}`)) } : {}),
  };
}

/**
 * The cloud that a credential's Secret names; undefined when it names none. All three keys or none, and only if the controller allows it. A
 * cloud that is neither the controller's own nor Azure's is foreign: otherwise a Secret could direct the controller's token to any server.
 */
export function cloudOfSecret(values: Readonly<Record<string, string>>, source: string, allowed: boolean, own: Cloud): Cloud | undefined {
  const [endpoint, audience, authorityHost] = [ownValue(values, ENDPOINT), ownValue(values, AUDIENCE), ownValue(values, AUTHORITY)];
  const found = [endpoint, audience, authorityHost].filter((value) => value !== undefined).length;
  if (found === 0) return undefined;
  if (endpoint === undefined || audience === undefined || authorityHost === undefined) {
    throw new CredentialError(`credential Secret "${source}" must specify ALL or NONE of ${LISTED} (found ${found} of ${KEYS.length})`);
  }
  if (!allowed) {
    throw new CredentialError(
      `credential Secret "${source}" specifies cloud configuration (${LISTED}) but "ALLOW_MULTI_ENV_MANAGEMENT" is not enabled`,
    );
  }
  const where = (key: string) => `credential Secret "${source}": key "${key}"`;
  const cloud = {
    endpoint: encryptedUrlOf(endpoint, where(ENDPOINT)),
    audience: audience.trim(),
    authorityHost: encryptedUrlOf(authorityHost, where(AUTHORITY)),
  };
  if (isSameCloud(cloud, own)) return { ...cloud, ...(own.graphEndpoint ? { graphEndpoint: own.graphEndpoint } : {}) };
  return isAzure(cloud) ? cloud : { ...cloud, isForeign: true };
}

/** Compares texts, not parsed URLs: parsers disagree about user names, backslashes and the like. */
function isSameCloud(a: Cloud, b: Cloud): boolean {
  return comparable(a.endpoint) === comparable(b.endpoint) && comparable(a.audience) === comparable(b.audience)
    && comparable(a.authorityHost) === comparable(b.authorityHost);
}

function isAzure({ endpoint, audience, authorityHost }: Cloud): boolean {
  return AZURE_CLOUDS.some((cloud) => cloud.endpoint === comparable(endpoint) && cloud.audiences.includes(comparable(audience))
    && cloud.authorities.includes(comparable(authorityHost)));
}

function comparable(url: string): string {
  return url.toLowerCase().replace(/\/$/, '');
}

/** Whether the authority is not Microsoft's, so that instance discovery at Microsoft must be disabled. */
export function isForeignAuthority(authorityHost: string): boolean {
  return !KNOWN_AUTHORITIES.has(new URL(authorityHost).hostname.toLowerCase());
}

/** Where regional endpoints and those of single clouds are: the first and the last label differ. */
const AUTHORITY_SUFFIXES = ['.login.microsoft.com', '.microsoftonline.com', '.microsoftonline.us', '.microsoftonline.cn'];

/**
 * Whether a request for a token may go to an address: an authority's answer names the address of its tokens, and a tenant may have named
 * the authority.
 */
export function isTokenHost({ authorityHost }: Cloud, url: URL): boolean {
  if (url.host === new URL(authorityHost).host) return true;
  if (isForeignAuthority(authorityHost) || url.port !== '') return false;
  return KNOWN_AUTHORITIES.has(url.hostname) || AUTHORITY_SUFFIXES.some((suffix) => url.hostname.endsWith(suffix));
}

function urlOf(text: string, where: string): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new CredentialError(`${where} must be a URL that begins with https://`);
  return trimmed;
}

function encryptedUrlOf(text: string, where: string): string {
  const url = urlOf(text, where);
  if (!/^https:/i.test(url)) throw new CredentialError(`${where} must be a URL that begins with https://`);
  return url;
}
