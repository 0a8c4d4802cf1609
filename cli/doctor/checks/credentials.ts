import { ArmError, type ArmClient, type RawAnswer } from '../../../engine/arm/types';
import { credentialErrorIn, type ArmClientParts, type CredentialError, type CredentialProblem } from '../../../engine/credentials';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';
import { parseApiVersion } from '../../../src/object-id';
import { counted } from '../../../src/util/words';
import { atATime } from '../../cluster/at-a-time';
import type { Finding } from '../finding';

/** Makes the client of a credential. */
export type CreateClient = (parts: ArmClientParts) => ArmClient;

/** A credential, and an object that uses it. */
export interface CredentialUse {
  /** `Secret shop/aso-credential`, or the settings of a controller. */
  readonly title: string;
  readonly object: KubernetesObject;
  /** Number of objects that use it. */
  readonly objects: number;
  /** Resolves the credential. @throws CredentialError */
  readonly resolve: () => { readonly client: ArmClient; readonly subscriptionId: string };
  /** Why it cannot be tried from here; undefined if it can. */
  readonly untried?: string | undefined;
}

const AT_A_TIME = 4;
const SUBSCRIPTION_API_VERSION = '2022-12-01';
/** A principal has 250 reads at a time, and 25 more each second. https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling */
const FEW_READS = 25;
const READS_LEFT = 'x-ms-ratelimit-remaining-subscription-reads';

const UNANSWERED = 'see whether a proxy, a firewall or DNS stands between; the controller may reach Azure where this machine does not';

const CURES: Partial<Record<CredentialProblem, string>> = {
  UnknownError: UNANSWERED,
  CredentialNotFound: 'create Secret aso-credential in the namespace, name another Secret by the annotation credential-from, or give the controller a credential',
  CredentialExpired: 'make a new secret or certificate for the application in Entra, and write it into the Secret',
  CredentialRejected: 'compare AZURE_CLIENT_ID, AZURE_TENANT_ID and the secret or certificate with the application in Entra',
  CredentialUnavailable: 'see whether the controller has its token volume',
  ServiceAccountNotFound: 'create the service account aso-workload in the namespace',
  ServiceAccountTokenForbidden: 'apply the roles of the installation again: strict mode needs create on serviceaccounts/token',
  FederatedCredentialNotFound: 'create a federated credential of the identity with the issuer and subject of the message',
};

/** Tries each credential with one read. Nothing of a credential is printed. */
export async function credentialFindings(uses: readonly CredentialUse[]): Promise<Finding[]> {
  const found: Finding[] = [];
  await atATime(uses, AT_A_TIME, async (use) => void found.push(...await tried(use)));
  return found.sort((a, b) => (a.object < b.object ? -1 : 1));
}

async function tried(use: CredentialUse): Promise<Finding[]> {
  try {
    const { client, subscriptionId } = use.resolve();
    if (use.untried !== undefined) return [finding(use, 'credential-untried', 'info', use.untried, 'run the doctor where it can be tried, or look at the conditions of the objects')];
    return ofAnswer(use, await client.send({ method: 'GET', ...targetOf(use, subscriptionId) }));
  } catch (error) {
    const refused = credentialErrorIn(error);
    if (refused) return [ofRefusal(use, refused)];
    if (error instanceof ArmError) return [finding(use, 'credential-unanswered', 'error', `Azure gave no answer: ${error.message}`, UNANSWERED)];
    throw error;
  }
}

const IDS: Partial<Record<CredentialProblem, string>> = {
  CredentialNotFound: 'credential-missing',
  CredentialInvalid: 'credential-keys',
  UnknownError: 'credential-unanswered',
};

function ofRefusal(use: CredentialUse, { problem, message }: CredentialError): Finding {
  const count = use.objects > 1 ? ` (${counted(use.objects, 'object')} use it)` : '';
  return finding(use, IDS[problem] ?? 'credential-refused', 'error', `${message}${count}`, CURES[problem] ?? 'put the Secret right; docs/credentials.md has the keys of each mode');
}

/** The resource of an object, which the role of the credential must let be read; the subscription where there is none yet. */
function targetOf({ object }: CredentialUse, subscriptionId: string): { url: string; apiVersion: string } {
  const id = object.metadata.annotations?.[RESOURCE_ID];
  const { group, version } = parseApiVersion(object.apiVersion);
  const arm = Catalog.default().kind(group, object.kind)?.version(version)?.facts.arm;
  return id && arm ? { url: id, apiVersion: arm.apiVersion } : { url: `/subscriptions/${subscriptionId}`, apiVersion: SUBSCRIPTION_API_VERSION };
}

function ofAnswer(use: CredentialUse, { status, headers }: RawAnswer): Finding[] {
  const isOwn = use.object.metadata.annotations?.[RESOURCE_ID] !== undefined;
  if (status === 401) return [finding(use, 'credential-refused', 'error', 'Azure refuses its token (401)', 'compare AZURE_TENANT_ID with the tenant of the subscription, and the cloud')];
  if (status === 403 && isOwn) {
    return [finding(use, 'credential-no-role', 'error', `may not read the resource of ${use.object.kind} ${use.object.metadata.name} (403)`, 'assign the role that the kinds need at the resource group or the subscription, e.g. Contributor')];
  }
  if (status === 404 && !isOwn) {
    return [finding(use, 'credential-subscription', 'error', 'the subscription of AZURE_SUBSCRIPTION_ID does not exist, or is of another tenant (404)', 'put AZURE_SUBSCRIPTION_ID right')];
  }
  const left = Number(headers[READS_LEFT] ?? NaN);
  if (status === 429 || left < FEW_READS) {
    const message = status === 429 ? 'Azure throttles its requests (429)' : `has ${left} reads left of the limit of Azure Resource Manager`;
    return [finding(use, 'budget-low', 'warning', message, 'give namespaces identities of their own, raise AZURE_SYNC_PERIOD, and see cdk8s-aso capacity; another program may use the same identity')];
  }
  return [];
}

function finding({ title }: CredentialUse, id: string, severity: Finding['severity'], message: string, cure: string): Finding {
  return { id, severity, object: title, message, cure };
}
