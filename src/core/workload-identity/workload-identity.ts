import { ApiObject, ApiObjectMetadataDefinition } from 'cdk8s';
import type { AbstractPod, Container, EnvValue, IServiceAccount } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { AzureResource } from '../azure-resource';
import { accountProblems, containersOf, lateContainers, valueProblems } from './checks';
import { emitAfter } from '../checks/chart-order';
import { rememberPlace, withPlace } from '../checks/made-at';
import { plus } from '../env-value';
import { federationOf, issuerOf } from './federation';
import { Given, Identity } from './identity';
import { TOKEN_DIRECTORY, TOKEN_FILE, tokenVolume } from './projected-token';
import type { WorkloadIdentityOptions } from './workload-identity-options';
import { WORKLOAD_IDENTITY_PREFIX } from '../../azure/annotations';

const ID = 'WorkloadIdentity';
const AUDIENCE = 'api://AzureADTokenExchange';
const PUBLIC_CLOUD = 'https://login.microsoftonline.com/';
const [SHORTEST, LONGEST] = [3600, 86400];

/**
 * A workload of cdk8s-plus that runs as an Azure identity, without any secret: its pods have a token of their service account, which Entra
 * accepts because a federated credential of the identity trusts that service account. The Azure SDKs (`DefaultAzureCredential`,
 * `WorkloadIdentityCredential`) find their settings in the environment.
 *
 * @see https://azure.github.io/azure-workload-identity/docs/
 */
export class WorkloadIdentity extends Construct {
  /**
   * Lets the pods of a workload run as an identity.
   * @param workload a Deployment, StatefulSet, DaemonSet, Job, CronJob or Pod with its own service account, of any cdk8s-plus
   * @param options the identity, the cluster's issuer, with or without the webhook
   * @throws when the workload has no service account or no namespace, already runs as an identity, or an option is invalid
   */
  public static override bind(workload: Construct, options: WorkloadIdentityOptions): WorkloadIdentity {
    return new WorkloadIdentity(workloadOf(workload), options);
  }

  /** The federated credential. Undefined with `federate: false`. */
  public readonly federatedCredential?: AzureResource;

  /** The subject of the service account's tokens: `system:serviceaccount:<namespace>:<name>`. Undefined if the namespace is not known. */
  public readonly subject?: string;

  private readonly where: string;

  private constructor(private readonly workload: AbstractPod, private readonly options: WorkloadIdentityOptions) {
    const where = workload.node.path;
    if (workload.node.tryFindChild(ID)) {
      throw new Error(
        `[${where}] runs as an identity already, and a pod has one AZURE_CLIENT_ID only. Call WorkloadIdentity.bind once a workload.`,
      );
    }
    const account = accountOf(workload);
    const identity = Identity.of(options.identity, where);
    const webhook = options.webhook ?? true;
    const clientId = identity.value('clientId', options.clientId, options.clientIdFromConfig);
    const askedForTenant = !webhook || options.tenantId !== undefined || options.tenantIdFromConfig !== undefined;
    const tenantId = askedForTenant ? identity.value('tenantId', options.tenantId, options.tenantIdFromConfig) : undefined;
    const lifetime = lifetimeOf(options, where);
    const issuer = options.federate === false ? undefined : issuerOf(options.issuer, options.issuerFromConfig, where);
    const containers = chosenContainers(workload, options.containers);
    const authorityHost = options.authorityHost ?? (webhook ? undefined : PUBLIC_CLOUD);
    const variables = variablesOf({
      AZURE_CLIENT_ID: clientId,
      AZURE_TENANT_ID: tenantId,
      AZURE_AUTHORITY_HOST: authorityHost,
      AZURE_FEDERATED_TOKEN_FILE: webhook ? undefined : TOKEN_FILE,
    });
    for (const container of containers) refuseOverwriting(container, variables, where);
    const { namespace } = workload.metadata;
    if (issuer !== undefined && namespace === undefined) {
      throw new Error(`[${where}] has no namespace, but the federated credential trusts a service account of one namespace. Give the chart (or the workload's metadata) a namespace.`);
    }

    super(workload, ID);
    rememberPlace(this, WorkloadIdentity, 10);
    this.where = where;
    if (namespace !== undefined) this.subject = `system:serviceaccount:${namespace}:${account.name}`;
    for (const container of containers) for (const [name, value] of variables) container.env.addVariable(name, value);
    if (webhook) this.askWebhook(account, containers, clientId, tenantId, lifetime);
    else this.mountToken(containers, lifetime ?? SHORTEST);
    if (issuer !== undefined) {
      const trust = { issuer, audience: this.audience, subject: this.subject! };
      this.federatedCredential = federationOf(account, identity, trust, namespace!, options.federatedCredential, where);
    }
    this.emitAfterwards(identity);
    const known = new Set(containersOf(workload));
    this.node.addValidation({
      validate: () => withPlace(this, [
        ...valueProblems(workload, { clientId, tenantId }),
        ...accountProblems(workload, namespace),
        ...(options.containers ? [] : lateContainers(workload, known)),
      ].map((problem) => `WorkloadIdentity ${problem}`)),
    });
  }

  private askWebhook(
    account: IServiceAccount, containers: readonly Container[], clientId: Given, tenantId: Given | undefined, lifetime: number | undefined,
  ): void {
    const { podMetadata } = this.workload;
    podMetadata.addLabel(`${WORKLOAD_IDENTITY_PREFIX}use`, 'true');
    if (lifetime !== undefined) podMetadata.addAnnotation(`${WORKLOAD_IDENTITY_PREFIX}service-account-token-expiration`, String(lifetime));
    const skipped = containersOf(this.workload).filter((container) => !containers.includes(container));
    if (skipped.length > 0) {
      podMetadata.addAnnotation(`${WORKLOAD_IDENTITY_PREFIX}skip-containers`, skipped.map(({ name }) => name).join(';'));
    }
    // An imported service account is managed elsewhere; the pods have the client id in their environment.
    const { metadata } = account as { metadata?: ApiObjectMetadataDefinition };
    if (!metadata) return;
    if (typeof clientId === 'string') this.annotate(metadata, 'client-id', clientId);
    if (typeof tenantId === 'string') this.annotate(metadata, 'tenant-id', tenantId);
  }

  private annotate(metadata: ApiObjectMetadataDefinition, what: string, value: string): void {
    const { annotations = {} } = metadata.toJson() as { annotations?: Record<string, string> };
    const before = annotations[WORKLOAD_IDENTITY_PREFIX + what];
    if (before !== undefined && before.toLowerCase() !== value.toLowerCase()) {
      throw new Error(`[${this.where}] the service account has the annotation ${WORKLOAD_IDENTITY_PREFIX}${what} '${before}', not '${value}'. Use a service account for each identity.`);
    }
    metadata.addAnnotation(WORKLOAD_IDENTITY_PREFIX + what, value);
  }

  private mountToken(containers: readonly Container[], lifetime: number): void {
    const volume = tokenVolume(this, this.audience, lifetime);
    for (const container of containers) container.mount(TOKEN_DIRECTORY, volume, { readOnly: true });
  }

  /** Emits the pods last; earlier they would only wait for the ConfigMap, or for Entra to trust them. */
  private emitAfterwards({ construct }: Identity): void {
    const workload = ApiObject.of(this.workload);
    for (const dependency of [construct, this.federatedCredential]) {
      if (dependency && dependency.node.root === workload.node.root) emitAfter(workload, dependency);
    }
  }

  private get audience(): string {
    return this.options.audience ?? AUDIENCE;
  }
}

/**
 * The classes of another release of cdk8s-plus are others, but their workloads have the same members.
 * @throws when the construct has no pods
 */
function workloadOf(construct: Construct): AbstractPod {
  const members = ['containers', 'initContainers', 'podMetadata', 'metadata'];
  if (Construct.isConstruct(construct) && members.every((name) => name in construct)) return construct as AbstractPod;
  const where = Construct.isConstruct(construct) ? construct.node.path : String(construct);
  throw new Error(`[${where}] is no workload. Give WorkloadIdentity.bind a Deployment, StatefulSet, DaemonSet, Job, CronJob or Pod of cdk8s-plus.`);
}

function accountOf(workload: AbstractPod): IServiceAccount {
  if (workload.serviceAccount) return workload.serviceAccount;
  throw new Error(`[${workload.node.path}] has no service account, and all pods of the namespace share the default one. Give it its own: { serviceAccount: new kplus.ServiceAccount(chart, 'account') }.`);
}

function lifetimeOf({ tokenLifetime }: WorkloadIdentityOptions, where: string): number | undefined {
  const seconds = tokenLifetime?.toSeconds();
  if (seconds === undefined || (seconds >= SHORTEST && seconds <= LONGEST)) return seconds;
  throw new Error(`[${where}] tokenLifetime: ${seconds} seconds is not between ${SHORTEST} and ${LONGEST}. Give one hour to one day.`);
}

function chosenContainers(workload: AbstractPod, chosen: readonly Container[] | undefined): readonly Container[] {
  const all = containersOf(workload);
  const where = workload.node.path;
  if (all.length === 0) throw new Error(`[${where}] has no containers yet. Add them before WorkloadIdentity.bind.`);
  const foreign = chosen?.find((container) => !all.includes(container));
  if (foreign) {
    throw new Error(
      `[${where}] containers: '${foreign.name}' is no container of this workload. It has: ${all.map(({ name }) => name).join(', ')}.`,
    );
  }
  if (chosen?.length === 0) throw new Error(`[${where}] containers: is empty. Leave it out for all containers.`);
  return chosen ?? all;
}

function variablesOf(values: Readonly<Record<string, Given | undefined>>): [string, EnvValue][] {
  return Object.entries(values).flatMap<[string, EnvValue]>(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? plus().EnvValue.fromValue(value) : value.envValue]];
  });
}

function refuseOverwriting(container: Container, variables: readonly [string, EnvValue][], where: string): void {
  const taken = variables.find(([name]) => Object.hasOwn(container.env.variables, name));
  if (taken) {
    throw new Error(
      `[${where}] container '${container.name}' has the variable ${taken[0]} already. Take it out: WorkloadIdentity.bind sets it.`,
    );
  }
}
