import type { TokenCredential } from '@azure/core-auth';
import { createArmClient } from '../../../engine/arm/arm-client';
import type { ArmClient } from '../../../engine/arm/types';
import { authenticationOfSettings, DEFAULT_TOKEN_FILE, type Authentication } from '../../../engine/credentials/authentication';
import { cloudOfSettings } from '../../../engine/credentials/cloud';
import { CredentialValues } from '../../../engine/credentials/credential-values';
import { tokenCredential } from '../../../engine/credentials/token-credential';
import { CredentialError } from '../../../engine/credentials/types';

type Environment = Readonly<Record<string, string | undefined>>;

/** The principal that reads Azure, and the cloud. */
export interface Access {
  readonly client: ArmClient;
  /** Rejects with CredentialError where there is no token: better said once than of every resource. */
  signIn(): Promise<void>;
}

/** `accessOf`, or what stands in for it. */
export type AccessOf = (environment: Environment, subscriptionId: string) => Access;

const WHERE = 'environment';
/** Milliseconds. A first start of the Azure CLI on Windows takes some 20 s. */
const AZURE_CLI_TIMEOUT = 60_000;

/**
 * Azure as the environment variables of the controller say: cloud, tenant, identity. Where they name no identity, the one of `az login`.
 *
 * @throws CredentialError for variables that nothing can be done with
 */
export function accessOf(environment: Environment, subscriptionId: string, version?: string): Access {
  const { authentication, cloud, credential } = identityOf(environment);
  const additionalTenants = authentication && 'additionalTenants' in authentication ? authentication.additionalTenants : [];
  return {
    client: createArmClient({
      credential,
      subscriptionId,
      endpoint: cloud.endpoint,
      audience: cloud.audience,
      additionalTenants,
      ...(version === undefined ? {} : { version }),
      registerProviders: false,
      userAgentSuffix: 'plan',
    }),
    signIn: async () => {
      if (!(await credential.getToken(`${cloud.audience}/.default`))) {
        throw new CredentialError('there is no token for Azure Resource Manager', 'CredentialUnavailable');
      }
    },
  };
}

/** The same as the address of Azure Resource Manager and its tokens, for programs that send requests of their own. */
export function tokensOf(environment: Environment): { readonly endpoint: string; token(): Promise<string> } {
  const { cloud, credential } = identityOf(environment);
  return {
    endpoint: cloud.endpoint,
    token: async () => {
      const found = await credential.getToken(`${cloud.audience}/.default`);
      if (!found) throw new CredentialError('there is no token for Azure Resource Manager', 'CredentialUnavailable');
      return found.token;
    },
  };
}

function identityOf(environment: Environment) {
  const cloud = cloudOfSettings(environment);
  const values = CredentialValues.ofEnvironment(environment, WHERE, 'the environment');
  const tokenFile = environment.AZURE_FEDERATED_TOKEN_FILE || DEFAULT_TOKEN_FILE;
  const authentication: Authentication | undefined = namesIdentity(environment) ? authenticationOfSettings(values, tokenFile) : undefined;
  const credential = authentication ? tokenCredential(authentication, cloud, { where: WHERE }) : azureCli(environment);
  return { authentication, cloud, credential };
}

/** Whether any variable says who asks; a machine's own identity announces itself by an endpoint. */
function namesIdentity(environment: Environment): boolean {
  return ['AZURE_CLIENT_ID', 'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS', 'IDENTITY_ENDPOINT', 'MSI_ENDPOINT'].some(
    (name) => environment[name],
  );
}

function azureCli({ AZURE_TENANT_ID: tenantId }: Environment): TokenCredential {
  return {
    getToken: async (scopes, options) => {
      const { AzureCliCredential } = await import('@azure/identity');
      try {
        const credential = new AzureCliCredential({ processTimeoutInMs: AZURE_CLI_TIMEOUT, ...(tenantId ? { tenantId } : {}) });
        return await credential.getToken(scopes, options);
      } catch (error) {
        throw new CredentialError(
          `no identity to read Azure with: set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or log in with az login (${(error as Error).message})`,
          'CredentialNotFound',
        );
      }
    },
  };
}
