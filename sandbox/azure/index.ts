import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contrary } from './contrary/contrary';
import { createSimulation } from './create-simulation';
import { resourcesOf } from './http/administration';
import { loopbackCertificate } from './http/certificate';
import { Faults } from './http/faults';
import { Federation } from './http/federation';
import { IdentityPlatform } from './http/identity-platform';
import type { Drain, LimitState } from './http/limits';
import type { ProviderLimitState } from './http/provider-limits';
import type { LoggedRequest, RequestCounts } from './http/request-log';
import { serve } from './http/server';
import { systemClock } from './model/clock';
import { Deterministic } from './model/deterministic';
import type { DirectoryGroup } from './model/directory-group';
import type { Simulation } from './model/simulation';
import type { Json } from './model/store';
import type { AzureOptions } from './options';

export type { Fault } from './http/faults';
export type { Drain, LimitState } from './http/limits';
export type { ProviderLimitState } from './http/provider-limits';
export type { FederationOptions } from './http/federation';
export type { LoggedRequest, RequestCounts } from './http/request-log';
export type { AzureOptions } from './options';
export { Faults };

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
  /** The contrary mode; undefined: it is off. */
  readonly contrary: Pick<Contrary, 'seed' | 'text'> | undefined;
  /** Simulates another client that uses up requests; has an effect only with the option `limits`. */
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
  const { otherTenants = [], strictIdentities: isStrict = false } = options;
  const federation = new Federation({ ...(isStrict && { refuseUnknownClients: true }), ...options.federation }, () => simulation!);
  const known = { client, tenantId: tenantId.toLowerCase(), otherTenants: new Set(otherTenants.map((id) => id.toLowerCase())), isStrict };
  const identity = new IdentityPlatform(values.key('token signing'), known, () => clock.now(), federation);

  // Requests are served only after `simulation` is set: its URL is known when the server listens.
  let simulation: Simulation | undefined;
  const server = createServer({ key: certificate.key, cert: certificate.cert + certificate.ca }, (request, response) => {
    serve(simulation!, identity, request, response).catch((error: unknown) => answerInternalError(response, error));
  });
  server.keepAliveTimeout = 60_000;
  const endpoint = `https://localhost:${await listen(server, options.port ?? 0)}`;
  try {
    simulation = createSimulation(options, { values, clock, timeScale, tenantId, baseUrl: endpoint });
  } catch (error) {
    await closed(server);
    throw error;
  }

  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-azure-'));
  const caFile = join(directory, 'ca.pem');
  writeFileSync(caFile, certificate.ca);
  return {
    endpoint,
    authority: endpoint,
    caPem: certificate.ca,
    caFile,
    env: environmentOf({ endpoint, subscriptionId: options.subscriptionIds?.[0] ?? ZERO, tenantId, client, caFile }),
    ...viewOf(simulation),
    close: async () => {
      await closed(server);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function environmentOf(
  { endpoint, subscriptionId, tenantId, client, caFile }: {
    readonly endpoint: string;
    readonly subscriptionId: string;
    readonly tenantId: string;
    readonly client: { readonly id: string; readonly secret: string };
    readonly caFile: string;
  },
): AzureEnvironment {
  return {
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
  };
}

/** The state of the simulation, as tests and the sandbox see and disturb it. */
function viewOf(simulation: Simulation): Omit<AzureSimulator, 'endpoint' | 'authority' | 'caPem' | 'caFile' | 'env' | 'close'> {
  return {
    faults: simulation.faults,
    drain: (drain) => simulation.limits.drain(drain),
    limits: () => simulation.limits.list(),
    providerLimits: () => simulation.providerLimits.list(),
    requests: () => simulation.log.counts(),
    log: () => simulation.log.list(),
    resources: () => resourcesOf(simulation),
    groups: () => [...simulation.groups.values()],
    contrary: simulation.contrary,
  };
}

/** A mistake of the simulator; a connection whose answer has begun can only be cut. */
function answerInternalError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(500, { 'Content-Type': 'application/json' });
  response.end(
    JSON.stringify({ error: { code: 'InternalServerError', message: error instanceof Error ? error.message : String(error) } }),
  );
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
