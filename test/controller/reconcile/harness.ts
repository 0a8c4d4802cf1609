import { FakeAzure } from './fake-azure';
import { FakeClock, settled } from './fake-clock';
import { asInformed, FakeCluster } from './fake-cluster';
import { Contents } from '../../../controller/contents';
import type { BatchDriftDetection } from '../../../controller/drift-detection';
import { Access } from '../../../controller/reconcile/access';
import { Cluster, type WatchedType } from '../../../controller/reconcile/cluster';
import { Controller } from '../../../controller/reconcile/controller';
import type { OperatorTokens } from '../../../controller/reconcile/core/access';
import { readyOf } from '../../../controller/reconcile/core/conditions';
import { CredentialGuard } from '../../../controller/reconcile/credential-guard';
import { Dependencies } from '../../../controller/reconcile/dependencies';
import { clusterExporter } from '../../../controller/reconcile/exporter';
import { ForeignReads } from '../../../controller/reconcile/foreign-reads';
import { ForeignResources } from '../../../controller/reconcile/foreign-resources';
import { Reconciler } from '../../../controller/reconcile/reconciler';
import type { ReconcileReport, ReconcilerOptions } from '../../../controller/reconcile/reconciler-options';
import { CredentialError, type CredentialSource, type ResolvedCredential } from '../../../engine/credentials/types';
import type { ObjectExpressions } from '../../../engine/export';
import type { ExternalKinds } from '../../../engine/kinds/external';
import type { KubernetesObject, ObjectEvent, ResourceType } from '../../../engine/kubernetes/types';
import type { ReconcilePolicy } from '../../../engine/objects/reconcile-policy';
import type { EventText } from '../../../runtime/events/event-text';

export const azure = (group: string, version: string, plural: string, kind: string): ResourceType => ({
  group: `${group}.azure.com`,
  version,
  plural,
  kind,
  namespaced: true,
});
export const GROUPS = azure('resources', 'v1api20200601', 'resourcegroups', 'ResourceGroup');
export const IDENTITIES = azure('managedidentity', 'v1api20230131', 'userassignedidentities', 'UserAssignedIdentity');
export const NETWORKS = azure('network', 'v1api20201101', 'virtualnetworks', 'VirtualNetwork');
export const SUBNETS = azure('network', 'v1api20201101', 'virtualnetworkssubnets', 'VirtualNetworksSubnet');
export const PEERINGS = azure('network', 'v1api20201101', 'virtualnetworksvirtualnetworkpeerings', 'VirtualNetworksVirtualNetworkPeering');
export const BLOBS = azure('storage', 'v1api20230101', 'storageaccountsblobservices', 'StorageAccountsBlobService');
export const ACCOUNTS = azure('storage', 'v1api20230101', 'storageaccounts', 'StorageAccount');
export const ROLES = azure('authorization', 'v1api20220401', 'roleassignments', 'RoleAssignment');
export const FEDERATIONS = azure('managedidentity', 'v1api20230131', 'federatedidentitycredentials', 'FederatedIdentityCredential');
export const QUEUES = azure('servicebus', 'v1api20211101', 'namespacesqueues', 'NamespacesQueue');
export const USERS = azure('dbforpostgresql', 'v1', 'users', 'User');
export const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
export const CONFIG_MAPS: ResourceType = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
export const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const ALL = [
  GROUPS,
  IDENTITIES,
  NETWORKS,
  SUBNETS,
  PEERINGS,
  BLOBS,
  ACCOUNTS,
  ROLES,
  FEDERATIONS,
  QUEUES,
  USERS,
  SECRETS,
  CONFIG_MAPS,
  NAMESPACES,
];

export function object(
  type: ResourceType,
  name: string,
  spec: Record<string, unknown>,
  annotations?: Record<string, string>,
): KubernetesObject {
  return {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: { name, namespace: 'default', ...(annotations ? { annotations } : {}) },
    spec,
  };
}

/** The end of the process: whatever it was about to do does not happen. */
export class Crash extends Error {}

export interface EnvironmentSettings {
  readonly operatorNamespace?: string;
  readonly syncPeriod?: number | 'never';
  readonly delayScale?: number;
  readonly defaultPolicy?: ReconcilePolicy;
  readonly rateLimit?: { readonly qps: number; readonly bucketSize: number };
  /** Default: the credential of the environment. */
  readonly credentials?: (cluster: Cluster) => CredentialSource;
  /** Whether the Secrets of credentials are kept for those who use them. Default: they are not. */
  readonly protectCredentials?: boolean;
  /** Default: 0, so that all happens at the moment at which it is due. */
  readonly confirmationInterval?: number;
  /** Where expressions are compiled and evaluated. Default: in this thread. */
  readonly expressions?: ObjectExpressions;
  /** The namespace whose objects this replica keeps; others are looked after by other replicas. Default: it keeps all. */
  readonly keeps?: string;
  /** Azure's request limits. Default: none. */
  readonly budget?: ReconcilerOptions['budget'];
  /** Batch drift detection. Default: none. */
  readonly driftDetection?: (cluster: Cluster, credentials: CredentialSource) => BatchDriftDetection;
}

/** A cluster and an Azure that outlive the controllers that work on them. */
export class TestEnvironment {
  public readonly cluster = new FakeCluster();
  public readonly azure = new FakeAzure();
  public readonly clock = new FakeClock();
  public readonly events: EventText[] = [];
  public readonly reconciles: ReconcileReport[] = [];
  public readonly errors: unknown[] = [];
  public readonly warnings: string[] = [];
  /** Kinds that the cluster serves. */
  public readonly types: ResourceType[] = [...ALL];
  /** Undefined: there is none. */
  public credential: { subscriptionId: string } | undefined = { subscriptionId: this.azure.subscriptionId };
  /** Code of the kinds that are not Azure Resource Manager's. */
  public externals: ExternalKinds | undefined;
  /** Parts of the credential besides the ARM client. */
  public besides: Pick<ResolvedCredential, 'graph' | 'databaseToken' | 'databaseSuffixes'> = {};
  private controller?: Controller | undefined;
  private contents?: Contents;

  /** Starts a controller that knows nothing of those before it. */
  public async start(settings: EnvironmentSettings = {}): Promise<void> {
    this.azure.now = () => this.clock.now();
    const known = new Cluster();
    const dependencies = new Dependencies();
    const contents = new Contents({
      client: this.cluster,
      clock: this.clock,
      isUsed: (key) => dependencies.has(key),
      onKnown: (key, isChanged) => controller.contentKnown(key, isChanged),
    });
    this.contents?.stop();
    this.contents = contents;
    this.types.forEach((type) => known.add(contents.watched(kept(this.cluster.watchAsInformed(type), settings.keeps))));
    let dead = false;
    const alive = <T>(act: () => T): T => {
      if (dead) throw new Crash('the process is dead');
      return act();
    };
    // One client, as credentials keep theirs.
    const client = { subscriptionId: this.azure.subscriptionId, endpoint: this.azure.endpoint, send: this.azure.send.bind(this.azure) };
    const credentials: CredentialSource = settings.credentials?.(known) ?? {
      resolve: () => alive(() => {
        if (!this.credential) throw new CredentialError('global credential not configured', 'CredentialNotFound');
        const { subscriptionId } = this.credential;
        const own = subscriptionId === client.subscriptionId ? client : { ...client, subscriptionId };
        return { source: 'aso/aso-controller-settings', tenantId: 't', subscriptionId, client: own, ...this.besides };
      }),
    };
    const driftDetection = settings.driftDetection?.(known, credentials);
    const { clock, cluster: api } = this;
    const guard = settings.protectCredentials
      ? new CredentialGuard({ cluster: known, client: api, clock, operatorNamespace: 'aso' })
      : undefined;
    const reconciler = new Reconciler({
      cluster: known,
      client: api,
      ...(guard && { guard }),
      dependencies,
      access: this.accessOf(known, settings),
      clock: this.clock,
      credentials,
      exporter: clusterExporter(this.cluster, known, settings.expressions, settings.operatorNamespace ?? 'aso'),
      ...(settings.expressions && { expressions: settings.expressions }),
      ...(this.externals && { externals: this.externals }),
      ...(settings.budget && { budget: settings.budget }),
      ...(settings.keeps && { foreignResources: new ForeignResources(new ForeignReads(known, api, clock)) }),
      events: { record: (_, event) => void this.events.push(event) },
      operatorNamespace: settings.operatorNamespace ?? 'aso',
      controllerVersion: 'test',
      defaultPolicy: settings.defaultPolicy ?? 'manage',
      ...(settings.syncPeriod === 'never' ? {} : { syncPeriod: settings.syncPeriod ?? 3_600_000 }),
      ...(settings.delayScale === undefined ? {} : { delayScale: settings.delayScale }),
      ...(settings.rateLimit && { rateLimit: settings.rateLimit }),
      confirmationInterval: settings.confirmationInterval ?? 0,
      onWarning: (message) => this.warnings.push(message),
      onReconcile: (report) => {
        driftDetection?.reconcileEnded(report);
        this.reconciles.push(report);
      },
    });
    const controller: Controller = new Controller({
      cluster: known,
      reconciler,
      ...(driftDetection && { driftDetection }),
      dependencies,
      clock: this.clock,
      concurrencyPerKind: 4,
      onError: (_, error) => {
        this.errors.push(error);
        if (error instanceof Crash) {
          dead = true;
          void this.kill(controller);
        }
      },
    });
    this.controller = controller;
    const handle = (whole: ObjectEvent) => {
      if (settings.keeps && whole.object.metadata.namespace !== settings.keeps) return;
      const event = asInformed(whole);
      contents.handle(event);
      reconciler.handle(event);
      controller.handle(event);
      guard?.handle(event);
    };
    this.cluster.listeners = [(_, event) => handle(event)];
    for (const [, stored] of this.cluster.objects) handle({ type: 'ADDED', object: stored });
    guard?.start();
    controller.start();
    await settled();
  }

  /** Dependencies between the objects in the cluster. */
  public access(tokens: Partial<OperatorTokens> = {}): Access {
    const known = new Cluster();
    this.types.forEach((type) => known.add(this.cluster.watch(type)));
    return this.accessOf(known, {}, tokens);
  }

  private accessOf(
    cluster: Cluster,
    { operatorNamespace = 'aso', defaultPolicy = 'manage' }: EnvironmentSettings,
    tokens: Partial<OperatorTokens> = {},
  ): Access {
    return new Access({
      cluster,
      operatorNamespace,
      defaultPolicy,
      tokens: () => ({ namespace: operatorNamespace, isStrict: false, ...tokens }),
    });
  }

  /** As `kill -9`: nothing is written any more. */
  public async kill(controller = this.controller): Promise<void> {
    if (controller === this.controller) this.cluster.listeners = [];
    this.controller = undefined;
    void controller?.stop();
    this.contents?.stop();
    await settled();
  }

  public get running(): boolean {
    return this.controller !== undefined;
  }

  public stored(type: ResourceType, name: string, namespace = 'default'): KubernetesObject | undefined {
    return this.cluster.objects.get(`${type.group}/${type.kind}/${type.namespaced ? namespace : ''}/${name}`);
  }

  public ready(type: ResourceType, name: string, namespace?: string) {
    return readyOf(this.stored(type, name, namespace));
  }
}

/** The watched objects of one namespace; undefined: of all. */
function kept({ store, ...watched }: WatchedType, namespace: string | undefined): WatchedType {
  const isKept = ({ metadata }: KubernetesObject) => namespace === undefined || metadata.namespace === namespace;
  return {
    ...watched,
    store: {
      get: (of, name) => [store.get(of, name)].find((found) => found && isKept(found)),
      list: (of) => store.list(of).filter(isKept),
    },
  };
}

export const GROUP_ID = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg';
export const IDENTITY_ID = `${GROUP_ID}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id`;
export const group = (name = 'rg') => object(GROUPS, name, { location: 'westeurope' });
export const identity = (name = 'id', more: Record<string, unknown> = {}) =>
  object(IDENTITIES, name, { location: 'westeurope', owner: { name: 'rg' }, ...more });

/** Each test has an environment of its own, whose controller is ended after it, and has met no error of the program. */
export function inSeparateEnvironments(use: (environment: TestEnvironment) => void): void {
  let environment: TestEnvironment;
  beforeEach(() => {
    environment = new TestEnvironment();
    use(environment);
  });
  afterEach(async () => {
    await environment.kill();
    expect(environment.errors).toEqual([]);
  });
}
