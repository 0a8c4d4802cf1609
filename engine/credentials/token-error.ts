import { CredentialError, type CredentialProblem } from './types';
import { struct } from '../../src/util/records';
import { textBefore } from '../../src/util/text-before';
import { asText } from '../../src/util/words';
import { redact } from '../redact';
import { causesOf, oneLine, TEXT_LIMITS, truncate } from '../text-limits';

/** The known facts about a failed token request. */
export interface TokenRequestFacts {
  /** Source of the credential: `credential Secret "a/b"`. */
  readonly where: string;
  readonly mode: string;
  readonly clientId?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly authorityHost: string;
  /** Values that messages must not contain, even if the server quotes them. */
  readonly secrets?: readonly string[];
  /** The service account token that was sent to Entra. */
  readonly assertion?: string | undefined;
}

const LONGEST = 600;
/** Error codes while Entra propagates a new identity: 15 to 120 s. */
const PROPAGATING = new Set(['700016', '7000229']);
const FEDERATION = new Set(['70021', '70025', '700211', '700212', '700213', '700214', '700223']);

/** Entra has no answer now: the credential may be in order. */
const PASSING = new Set(['90024', '90033', '90036', '50196']);
/** Refusals of any token endpoint, also one without codes of Entra: https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
const REFUSED = /\b(?:invalid_client|unauthorized_client|invalid_grant|access_denied|invalid_tenant)\b/;

/** Codes of Entra with the message for the object's owner. */
const MEANINGS: Readonly<Record<string, readonly [CredentialProblem, (facts: TokenRequestFacts) => string]>> = {
  7000215: [
    'CredentialRejected',
    ({ where, secrets = [] }) =>
      `the client secret is wrong${lineBreakIn(secrets)}: put the value of the secret, not its id, under key "AZURE_CLIENT_SECRET" of the ${where}`,
  ],
  7000222: [
    'CredentialExpired',
    ({ where }) => `the client secret has expired: make a new one in Entra and put it under key "AZURE_CLIENT_SECRET" of the ${where}`,
  ],
  700027: [
    'CredentialRejected',
    ({ where }) =>
      `the certificate is not (or no longer) one of the application: register the one under key "AZURE_CLIENT_CERTIFICATE" of the ${where} in Entra, or put another one there`,
  ],
  700016: [
    'CredentialRejected',
    ({ where, clientId, tenantId }) =>
      `tenant "${tenantId}" has no application or identity with client id "${clientId}": correct AZURE_CLIENT_ID or AZURE_TENANT_ID of the ${where}; a new identity takes up to two minutes to be known`,
  ],
  90002: [
    'CredentialRejected',
    ({ where, tenantId }) =>
      `there is no tenant "${tenantId}": correct AZURE_TENANT_ID of the ${where}, or the cloud's AZURE_AUTHORITY_HOST`,
  ],
  900023: ['CredentialRejected', ({ where, tenantId }) => `"${tenantId}" is no tenant: correct AZURE_TENANT_ID of the ${where}`],
  900021: ['CredentialRejected', ({ where, tenantId }) => `"${tenantId}" is no tenant: correct AZURE_TENANT_ID of the ${where}`],
  700024: [
    'CredentialRejected',
    () => "the time in the assertion is not now: compare the clocks of the cluster's nodes with the real time",
  ],
  50013: [
    'CredentialRejected',
    () =>
      "Entra cannot check the signature of the token: the issuer's keys have to be public at its jwks_uri; after the cluster's keys were changed this takes a few minutes",
  ],
  7000112: ['CredentialRejected', ({ clientId }) => `application "${clientId}" is disabled in Entra`],
  7000229: ['CredentialRejected', ({ clientId }) => `application "${clientId}" has no service principal in the tenant`],
};

/** The most frequent fault of a copied secret. */
function lineBreakIn(secrets: readonly string[]): string {
  return secrets.some((secret) => secret !== secret.trim()) ? ' (it begins or ends with a blank or a line break)' : '';
}

/** Converts a failed token request to an error with a fix. */
export function tokenError(error: unknown, facts: TokenRequestFacts): CredentialError {
  if (error instanceof CredentialError) return error;
  const message = messagesOf(error);
  const code = /AADSTS(\d+)/.exec(message)?.[1];
  const { problem, meaning } = code === undefined ? withoutCode(error, message, facts) : withCode(code, facts);
  const quoted = redacted(code === undefined ? message : descriptionOf(message), facts);
  const failed = new CredentialError(
    `${meaning} (${quoted})`,
    problem,
    code !== undefined && (FEDERATION.has(code) || PROPAGATING.has(code)),
  );
  failed.cause = undefined;
  return failed;
}

function withCode(code: string, facts: TokenRequestFacts): { problem: CredentialProblem; meaning: string } {
  if (PASSING.has(code)) return { problem: 'UnknownError', meaning: `Entra gives no token for the ${facts.where} now` };
  if (FEDERATION.has(code)) return { problem: 'FederatedCredentialNotFound', meaning: federationMissing(facts) };
  const [problem, meaning] = MEANINGS[code] ?? ['CredentialRejected', () => `Entra gives no token for the ${facts.where}`];
  return { problem, meaning: meaning(facts) };
}

function federationMissing({ assertion, clientId, where }: TokenRequestFacts): string {
  const { iss, sub } = claimsOf(assertion);
  const who = sub ? `subject "${asText(sub)}"` : 'the service account of this controller as subject';
  const issuer = iss ? `issuer "${asText(iss)}"` : 'the issuer of this cluster';
  return `no federated credential of the identity with client id "${clientId}" (${where}) names this service account: add one with ${issuer}, ${who} `
    + 'and audience "api://AzureADTokenExchange"; a new one takes up to two minutes to be known';
}

function withoutCode(error: unknown, message: string, facts: TokenRequestFacts): { problem: CredentialProblem; meaning: string } {
  const { where, mode, authorityHost } = facts;
  if (mode === 'managedIdentity') {
    return { problem: 'CredentialUnavailable', meaning: `the metadata endpoint of the node gives no token for the ${where}: assign the identity to the nodes, or use workload identity` };
  }
  if (REFUSED.test(message)) return { problem: 'CredentialRejected', meaning: `${authorityHost} gives no token for the ${where}` };
  if (isNoJson(error, message)) {
    return { problem: 'UnknownError', meaning: `the answer of the token endpoint at ${authorityHost} is no JSON: see what AZURE_AUTHORITY_HOST and the proxy settings lead to` };
  }
  return { problem: 'UnknownError', meaning: `no token for the ${where} from ${authorityHost}` };
}

function isNoJson(error: unknown, message: string): boolean {
  return (
    causesOf(error).some((cause) => cause instanceof SyntaxError || cause.name === 'SyntaxError')
    || /is not valid JSON|in JSON at position|unexpected end of JSON/i.test(message)
  );
}

function messagesOf(error: unknown): string {
  const messages = causesOf(error).map(({ message, name }) => truncate(message || name, TEXT_LIMITS.message));
  if (messages.length === 0) return truncate(String(error), TEXT_LIMITS.message);
  // Causes mostly repeat the message before them.
  return messages.reduce((all, message) => (all.includes(message) ? all : `${all}: ${message}`));
}

/** Entra's sentence, without times and ids, which differ with every try. */
function descriptionOf(message: string): string {
  const description = oneLine(message.slice(message.indexOf('AADSTS')), TEXT_LIMITS.message);
  return textBefore(description, / ?(?:- )?\b(?:Trace ID|Correlation ID|Timestamp)\b/).trim();
}

function redacted(text: string, { secrets = [], assertion }: TokenRequestFacts): string {
  const hidden = redact(truncate(text, TEXT_LIMITS.message), [...secrets, ...(assertion ? [assertion] : [])])
    .replace(/((?:client_secret|client_assertion|access_token|hint)["']?\s{0,8}[:=]\s{0,8}["']?)[^\s"'&,.;)]+/gi, '$1***');
  return oneLine(hidden, LONGEST);
}

/** The claims of a token, without verification. */
export function claimsOf(token: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return struct(JSON.parse(Buffer.from((token ?? '').split('.')[1] ?? '', 'base64url').toString())) ?? {};
  } catch {
    return {};
  }
}
