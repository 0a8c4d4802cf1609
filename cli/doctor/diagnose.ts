import type { HttpClient } from '@azure/core-rest-pipeline';
import { controllerFindings } from './checks/controllers';
import { conversionFindings } from './checks/conversion';
import { crdFindings } from './checks/crds';
import { credentialFindings, type CreateClient } from './checks/credentials';
import { gitOpsFindings } from './checks/gitops';
import { leaseFindings } from './checks/leases';
import { objectFindings } from './checks/objects';
import { rightsFindings } from './checks/rights';
import { webhookFindings } from './checks/webhooks';
import { credentialUses, type TokenClient } from './credential-uses';
import type { ClusterFacts, Unread } from './facts';
import { AREAS, type Area, type AreaReport, type Finding } from './finding';
import { readFacts } from './read-facts';
import { KubernetesError } from '../../engine/kubernetes/types';
import { redactTokens } from '../../engine/redact';
import { counted } from '../../src/util/words';
import type { AccessReviewer } from '../cluster/access-rights';
import type { ClusterReader } from '../cluster/reader';

/** The requests of a doctor: reads, reviews of access and tokens, which store nothing. */
export interface DoctorClient extends ClusterReader, AccessReviewer, TokenClient {
  serverTime(): Promise<number | undefined>;
}

export interface DiagnoseOptions {
  readonly namespace?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Undefined: credentials are not tried. */
  readonly azure?: {
    readonly createClient: CreateClient;
    readonly tokenFile: (token: string) => string;
    readonly httpClient?: HttpClient | undefined;
  } | undefined;
  /** Called before each area. */
  readonly progress: (area: string) => void;
}

/**
 * Looks at all areas.
 * @throws KubernetesError where the cluster does not answer
 */
export async function diagnose(client: DoctorClient, options: DiagnoseOptions): Promise<AreaReport[]> {
  const { namespace, now, azure, progress } = options;
  progress('the cluster');
  const serverNow = await client.serverTime();
  const facts: ClusterFacts = { ...(await readFacts(client, { namespace, now })), serverNow };
  const unread: Unread[] = [...facts.unread];
  progress('webhooks');
  const conversions = await conversionFindings(client, facts);
  progress('rights');
  const rights = await reviewed(() => rightsFindings(client, facts), unread);
  progress('credentials');
  const uses = azure ? await credentialUses(client, facts, { ...azure, now }, unread) : [];
  const findings: Record<Area, readonly Finding[]> = {
    'controllers': controllerFindings(facts),
    'CRDs': crdFindings(facts),
    'webhooks': [...webhookFindings(facts), ...conversions],
    'leases and clocks': leaseFindings(facts),
    'rights': rights,
    'credentials': await credentialFindings(uses),
    'objects': objectFindings(facts),
    'GitOps': gitOpsFindings(facts),
  };
  const seen = seenOf(facts, azure ? uses.length : undefined);
  return AREAS.map((area) => ({
    area,
    seen: seen[area],
    findings: findings[area].map(withoutSecrets),
    unread: unread.filter((line) => line.area === area).map(({ text }) => text),
  }));
}

/** Messages quote what tenants, the API server and Azure wrote. */
function withoutSecrets({ message, cure, ...finding }: Finding): Finding {
  return { ...finding, message: redactTokens(message), cure: redactTokens(cure) };
}

async function reviewed(review: () => Promise<Finding[]>, unread: Unread[]): Promise<Finding[]> {
  try {
    return await review();
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
    unread.push({ area: 'rights', text: `subjectaccessreviews: ${error.message}` });
    return [];
  }
}

function seenOf(facts: ClusterFacts, credentials: number | undefined): Record<Area, string> {
  const { controllers, crds, certificates, objects, leases, argo, flux } = facts;
  const labelled = crds.filter(({ isLabelled }) => isLabelled);
  return {
    'controllers': controllers.length === 0
      ? 'none'
      : controllers.map(({ product = 'a controller', version, namespace }) => `${product}${version === undefined ? '' : ` ${version}`} in ${namespace}`).join(', '),
    'CRDs': counted(labelled.length, 'CRD'),
    'webhooks': `${counted(labelled.filter(({ conversion }) => conversion).length, 'CRD')} with conversion, ${counted(certificates.size, 'certificate')}`,
    'leases and clocks': counted(leases.length, 'Lease'),
    'rights': counted(controllers.length, 'service account'),
    'credentials': credentials === undefined ? 'not tried' : `${counted(credentials, 'credential')} tried`,
    'objects': counted(objects.length, 'object'),
    'GitOps': `${counted(argo.applications.length, 'Application')} of Argo CD, ${counted(flux.kustomizations.length + flux.releases.length, 'object')} of Flux`,
  };
}
