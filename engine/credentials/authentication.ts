import { readFileSync } from 'node:fs';
import { parseClientCertificate, type ClientCertificate } from './certificate';
import type { CertificateInput } from './certificate-job';
import { readInline, type CertificateReader } from './certificate-store';
import type { CredentialValues } from './credential-values';
import { CredentialError } from './types';

/** The way in which the controller authenticates. */
export type Authentication =
  | { readonly mode: 'clientSecret'; readonly tenantId: string; readonly clientId: string; readonly clientSecret: string; readonly additionalTenants: readonly string[] }
  | { readonly mode: 'certificate'; readonly tenantId: string; readonly clientId: string; readonly certificate: ClientCertificate; readonly additionalTenants: readonly string[] }
  | { readonly mode: 'workloadIdentity'; readonly tenantId: string; readonly clientId: string; readonly tokenFile: string; readonly additionalTenants: readonly string[] }
  /** Strict workload identity: with the token of the namespace's own service account. */
  | { readonly mode: 'namespaceIdentity'; readonly tenantId: string; readonly clientId: string; readonly namespace: string; readonly additionalTenants: readonly string[] }
  /** First-party identity: with a file that is rewritten when its certificate rotates. */
  | { readonly mode: 'identityFile'; readonly file: string }
  | { readonly mode: 'managedIdentity'; readonly clientId?: string | undefined };

/** Path at which the pod template mounts the controller's projected token. */
export const DEFAULT_TOKEN_FILE = '/var/run/secrets/tokens/azure-identity';

/** The authentication that a Secret selects: docs/spec/credentials.md#modes, first match wins. Throws CredentialError. */
export function authenticationOfSecret(values: CredentialValues, tokenFile: string, read: CertificateReader = readInline): Authentication {
  const principal = () => ({ tenantId: values.tenant(), clientId: values.guid('AZURE_CLIENT_ID') });
  const additionalTenants = values.list('AZURE_ADDITIONAL_TENANTS', ',');
  if (values.has('AZURE_CLIENT_SECRET')) {
    return { mode: 'clientSecret', ...principal(), clientSecret: values.secret('AZURE_CLIENT_SECRET'), additionalTenants };
  }
  if (values.has('AZURE_CLIENT_CERTIFICATE')) {
    return { mode: 'certificate', ...principal(), certificate: certificateOf(values, read), additionalTenants };
  }
  if (values.has('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS')) {
    return { mode: 'identityFile', file: values.text('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS') };
  }
  const authMode = values.optional('AUTH_MODE') ?? '';
  switch (authMode) {
    case 'podidentity':
      return { mode: 'managedIdentity', clientId: values.guid('AZURE_CLIENT_ID') };
    case '':
    case 'workloadidentity':
      return { mode: 'workloadIdentity', ...principal(), tokenFile, additionalTenants };
    default:
      throw new CredentialError(
        `invalid identity auth mode for "${values.source}" encountered: authorization mode "${authMode}" not valid`,
      );
  }
}

/** The authentication that the controller's settings select: docs/spec/credentials.md#global-credential. Throws CredentialError. */
export function authenticationOfSettings(values: CredentialValues, tokenFile: string): Authentication {
  const principal = () => ({ tenantId: values.tenant(), clientId: values.text('AZURE_CLIENT_ID') });
  const additionalTenants = values.list('AZURE_ADDITIONAL_TENANTS', ',');
  if (isTrue(values.optional('USE_WORKLOAD_IDENTITY_AUTH'))) {
    return { mode: 'workloadIdentity', ...principal(), tokenFile, additionalTenants };
  }
  if (values.optional('AZURE_CLIENT_CERTIFICATE')) {
    return { mode: 'certificate', ...principal(), certificate: certificateOf(values, readInline), additionalTenants };
  }
  const file = values.optional('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS');
  if (file) return { mode: 'identityFile', file };
  return environmentChain(values, additionalTenants);
}

/** The variables of the identity library's environment credential, else the node's managed identity. */
function environmentChain(values: CredentialValues, additionalTenants: readonly string[]): Authentication {
  const clientId = values.optional('AZURE_CLIENT_ID');
  if (!clientId || !values.optional('AZURE_TENANT_ID')) return { mode: 'managedIdentity', clientId };
  const allowed = values.list('AZURE_ADDITIONALLY_ALLOWED_TENANTS', ';');
  const tenants = [...new Set([...additionalTenants, ...allowed.filter((tenant) => tenant !== '*')])];
  const principal = { tenantId: values.tenant(), clientId, additionalTenants: tenants };
  if (values.optional('AZURE_CLIENT_SECRET')) {
    return { mode: 'clientSecret', ...principal, clientSecret: values.secret('AZURE_CLIENT_SECRET') };
  }
  const file = values.optional('AZURE_CLIENT_CERTIFICATE_PATH');
  return file ? { mode: 'certificate', ...principal, certificate: certificateOfFile(file, values) } : { mode: 'managedIdentity', clientId };
}

function certificateOfFile(file: string, values: CredentialValues): ClientCertificate {
  const where = `${values.describe('AZURE_CLIENT_CERTIFICATE_PATH')}: ${file}`;
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw new CredentialError(`${where} cannot be read: ${(error as { code?: string }).code ?? 'unknown error'}`, 'CredentialUnavailable');
  }
  return parseClientCertificate(content, values.optional('AZURE_CLIENT_CERTIFICATE_PASSWORD'), where);
}

/** Parses like Go's strconv.ParseBool; invalid text is false. */
export function isTrue(text: string | undefined): boolean {
  return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text ?? '');
}

/** The certificate in the values; undefined when the credential is of another kind. */
export function certificateInput(values: CredentialValues): CertificateInput | undefined {
  if (!values.has('AZURE_CLIENT_CERTIFICATE')) return undefined;
  const password = values.has('AZURE_CLIENT_CERTIFICATE_PASSWORD') ? values.optional('AZURE_CLIENT_CERTIFICATE_PASSWORD') : undefined;
  return { content: values.bytes('AZURE_CLIENT_CERTIFICATE'), password, where: values.describe('AZURE_CLIENT_CERTIFICATE') };
}

function certificateOf(values: CredentialValues, read: CertificateReader): ClientCertificate {
  const { content, password, where } = certificateInput(values)!;
  return read(content as Buffer, password, where);
}
