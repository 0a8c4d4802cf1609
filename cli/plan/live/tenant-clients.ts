import type { AccessOf } from './credential';
import { ReadOnlyClient } from './read-only-client';
import { CredentialError } from '../../../engine/credentials/types';
import { UUID } from '../../../src/azure/uuid';

type Environment = Readonly<Record<string, string | undefined>>;

/** The client that reads a subscription, and why it may be the wrong one. */
export interface TenantClient {
  readonly client: ReadOnlyClient;
  readonly doubt?: string;
}

/**
 * Clients for the tenants of credentials: a token is for one tenant, and Azure answers 401 to a token of another one. The identity is the
 * caller's in every tenant; where it gets no token for one, its own token is tried.
 */
export class TenantClients {
  private readonly byTenant = new Map<string, Promise<TenantClient>>();

  /** @param own the client of the caller's own tenant, that of `AZURE_TENANT_ID` */
  public constructor(private readonly own: ReadOnlyClient, private readonly access: AccessOf, private readonly environment: Environment) {}

  /** @param tenantId of the credential of an object, where the files tell it */
  public of(tenantId: string | undefined, subscriptionId: string): Promise<TenantClient> {
    const tenant = tenantId?.toLowerCase();
    const isOwn = tenant === undefined || !UUID.test(tenant) || tenant === this.environment.AZURE_TENANT_ID?.toLowerCase();
    if (isOwn) return Promise.resolve({ client: this.own });
    const known = this.byTenant.get(tenant) ?? this.signedIn(tenant, subscriptionId);
    this.byTenant.set(tenant, known);
    return known;
  }

  private async signedIn(tenant: string, subscriptionId: string): Promise<TenantClient> {
    try {
      const { client, signIn } = this.access({ ...this.environment, AZURE_TENANT_ID: tenant }, subscriptionId);
      await signIn();
      return { client: new ReadOnlyClient(client) };
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      return { client: this.own, doubt: `its credential is of tenant ${tenant}, for which there is no token: ${error.message}` };
    }
  }
}
