import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArmPath, RESOURCE_GROUP, SUBSCRIPTION } from './arm/arm-path';
import { resourcesOf } from './http/administration';
import { loopbackCertificate } from './http/certificate';
import { Faults } from './http/faults';
import { Federation, type FederationOptions } from './http/federation';
import { IdentityPlatform } from './http/identity-platform';
import { RequestLimits, type Drain, type LimitState } from './http/limits';
import { ProviderLimits, type ProviderLimitState } from './http/provider-limits';
import { RequestLog, type LoggedRequest, type RequestCounts } from './http/request-log';
import { serve } from './http/server';
import { CatalogIndex } from './model/catalog-index';
import { systemClock, type SandboxClock } from './model/clock';
import { Deterministic } from './model/deterministic';
import type { DirectoryGroup } from './model/directory-group';
import { Operations } from './model/operations';
import type { Simulation } from './model/simulation';
import { ResourceStore, type Json } from './model/store';
import { Past } from './resource-graph/past';

export type { Fault } from './http/faults';
export type { Drain, LimitState } from './http/limits';
export type { ProviderLimitState } from './http/provider-limits';
export type { FederatedCredential, FederationOptions, TokenIssuer } from './http/federation';
export type { SandboxClock } from './model/clock';
export type { LoggedRequest, RequestCounts } from './http/request-log';
export { Faults };

export interface AzureOptions {
  /** Port on the loopback address; a free one by default. */
  readonly port?: number | undefined;
  /** So many of Azure's seconds pass in one; 60 by default. */
  readonly timeScale?: number | undefined;
  readonly clock?: SandboxClock;
  /** The same seed gives the same ids and keys. */
  readonly seed?: string | number | undefined;
  readonly tenantId?: string;
  /** Subscriptions that exist; all by default. The first is that of `env`. */
  readonly subscriptionIds?: readonly string[] | undefined;
  /** Whether extension resources may sit on resources that were never made here. */
  readonly allowForeignScopes?: boolean | undefined;
  /** ARM ids of resources that are there from the start, their resource groups with them. */
  readonly existing?: readonly string[] | undefined;
  /** Provider namespaces that are not registered with any subscription until somebody does it. */
  readonly unregisteredProviders?: readonly string[];
  /**
   * Azure's seconds until a new identity, federated credential or role assignment is known everywhere: 15 to 120 in Azure. With it, what
   * asks with the token of an identity that was made here needs a role assignment. Default: a principal is known to role assignments after
   * 20 s, the rest at once, and nobody needs a role.
   */
  readonly principalDelaySeconds?: number | undefined;
  /**
   * Whether requests beyond Azure's limits, and those of its resource providers, are refused with 429. Answers tell what is left in any
   * case. Default false.
   */
  readonly limits?: boolean | undefined;
  /** Azure's seconds until Azure Resource Graph shows what has changed. Default: 5. */
  readonly resourceGraphLagSeconds?: number;
  /** Whose tokens the identity platform exchanges: service accounts of clusters against the federated credentials of identities. */
  readonly federation?: FederationOptions;
}

/** The environment that points a controller, or an Azure SDK, at the simulator. */
export interface AzureEnvironment {
  readonly AZURE_RESOURCE_MANAGER_ENDPOINT: string;
  readonly AZURE_RESOURCE_MANAGER_AUDIENCE: string;
  readonly AZURE_AUTHORITY_HOST: string;
  readonly AZURE_SUBSCRIPTION_ID: string;
  readonly AZURE_TENANT_ID: string;
  readonly AZURE_CLIENT_ID: string;
  readonly AZURE_CLIENT_SECRET: string;
  readonly NODE_EXTRA_CA_CERTS: string;
  /** Microsoft Graph, as far as groups go. */
  readonly AZURE_GRAPH_ENDPOINT: string;
  /** Database servers of the simulator have addresses of Azure's form and do not exist: nobody may try to log in there. */
  readonly DATABASE_USERS: 'disabled';
}

export interface AzureSimulator {
  /** `https://localhost:<port>` */
  readonly endpoint: string;
  readonly authority: string;
  readonly caPem: string;
  /** File with the certificate authority; removed by `close`. */
  readonly caFile: string;
  readonly env: AzureEnvironment;
  readonly faults: Faults;
  /** Somebody else uses requests up; shows with the option `limits`. */
  drain(drain: Drain): void;
  /** The remaining requests of the limits of Azure Resource Manager. */
  limits(): LimitState[];
  /** The remaining requests of the limits of resource providers. */
  providerLimits(): ProviderLimitState[];
  /** Counts of the requests to ARM so far (not those for tokens). */
  requests(): RequestCounts;
  /** The last requests to ARM. */
  log(): readonly LoggedRequest[];
  /** All resources as a GET answers them. */
  resources(): Json[];
  /** The groups of the directory. */
  groups(): DirectoryGroup[];
  close(): Promise<void>;
}

const RESOURCE_GRAPH_LAG = 5;
const ZERO = '00000000-0000-0000-0000-000000000000';

/** Starts an Azure Resource Manager with its identity platform, over TLS on the loopback address. */
export async function startAzure(options: AzureOptions = {}): Promise<AzureSimulator> {
  const { timeScale = 60, clock = systemClock, seed = 'sandbox' } = options;
  if (!(timeScale > 0)) {
    throw new Error(`timeScale is ${timeScale}; give a number greater than 0, e.g. 60 for a minute of Azure in a second`);
  }
  const certificate = await loopbackCertificate();
  const values = new Deterministic(seed);
  const client = { id: values.uuid('client'), secret: values.key('client secret') };
  const tenantId = options.tenantId ?? values.uuid('tenant');
  const subscriptionId = options.subscriptionIds?.[0] ?? ZERO;
  const federation = new Federation(options.federation ?? {}, () => simulation!);
  const identity = new IdentityPlatform(values.key('token signing'), client, () => clock.now(), federation);

  // Requests are served only after `simulation` is set: its URL is known when the server listens.
  let simulation: Simulation | undefined;
  const server = createServer({ key: certificate.key, cert: certificate.cert + certificate.ca }, (request, response) => {
    serve(simulation!, identity, request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return response.destroy();
      response.writeHead(500, { 'Content-Type': 'application/json' });
      return response.end(
        JSON.stringify({ error: { code: 'InternalServerError', message: error instanceof Error ? error.message : String(error) } }),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  const past = new Past(() => clock.now(), ((options.resourceGraphLagSeconds ?? RESOURCE_GRAPH_LAG) * 1000) / timeScale);
  const endpoint = `https://localhost:${await listen(server, options.port ?? 0)}`;
  simulation = {
    store: new ResourceStore((id, resource) => past.changed(id, resource)),
    past,
    operations: new Operations(),
    catalog: new CatalogIndex(),
    values,
    faults: new Faults(),
    log: new RequestLog(),
    limits: new RequestLimits(clock, timeScale, options.limits ?? false, tenantId),
    providerLimits: new ProviderLimits(clock, timeScale, options.limits ?? false),
    clock,
    timeScale,
    tenantId,
    subscriptions: options.subscriptionIds && new Set(options.subscriptionIds.map((id) => id.toLowerCase())),
    allowForeignScopes: options.allowForeignScopes ?? false,
    unregistered: new Set((options.unregisteredProviders ?? []).map((namespace) => `*/${namespace.toLowerCase()}`)),
    principals: new Map(),
    clients: new Map(),
    principalDelaySeconds: options.principalDelaySeconds,
    groups: new Map(),
    groupsMade: { count: 0 },
    federatedWrites: new Set(),
    baseUrl: endpoint,
  };
  for (const id of options.existing ?? []) addExisting(simulation, id);
  const started = simulation;

  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-azure-'));
  const caFile = join(directory, 'ca.pem');
  writeFileSync(caFile, certificate.ca);
  return {
    endpoint,
    authority: endpoint,
    caPem: certificate.ca,
    caFile,
    faults: started.faults,
    env: {
      AZURE_RESOURCE_MANAGER_ENDPOINT: endpoint,
      AZURE_RESOURCE_MANAGER_AUDIENCE: endpoint,
      AZURE_AUTHORITY_HOST: endpoint,
      AZURE_SUBSCRIPTION_ID: subscriptionId,
      AZURE_TENANT_ID: tenantId,
      AZURE_CLIENT_ID: client.id,
      AZURE_CLIENT_SECRET: client.secret,
      NODE_EXTRA_CA_CERTS: caFile,
      AZURE_GRAPH_ENDPOINT: endpoint,
      DATABASE_USERS: 'disabled',
    },
    drain: (drain) => started.limits.drain(drain),
    limits: () => started.limits.list(),
    providerLimits: () => started.providerLimits.list(),
    requests: () => started.log.counts(),
    log: () => started.log.list(),
    resources: () => resourcesOf(started),
    groups: () => [...started.groups.values()],
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function addExisting(simulation: Simulation, id: string): void {
  const { nodes, tail } = parseArmPath(id);
  if (nodes.length === 0 || tail.length > 0) {
    throw new Error(`'${id}' is no ARM id; give one like /subscriptions/<id>/resourceGroups/<name>/providers/<namespace>/<type>/<name>`);
  }
  for (const node of nodes) {
    if (node.type === SUBSCRIPTION || simulation.store.get(node.id)) continue;
    simulation.store.set({
      id: node.id,
      type: simulation.catalog.spellingOf(node.type),
      name: node.name,
      body: { ...(node.type === RESOURCE_GROUP && { location: 'uksouth' }), properties: { provisioningState: 'Succeeded' } },
      sent: '',
      createdAt: simulation.clock.now(),
      incarnation: simulation.store.nextIncarnation(node.id),
    });
  }
}
