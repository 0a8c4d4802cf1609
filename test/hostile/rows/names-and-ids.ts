import { encodeToken, RESULT_TYPES } from '../../../engine/arm/operation-token';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { CREATE_POLLER } from '../../../engine/objects/annotations';
import { POLLER_ID, POLLER_TOKEN, RESOURCE_ID } from '../../../src/azure/annotations';
import { until } from '../../setup/until';
import type { Attack } from '../attack';
import { withForeignHost } from '../foreign-host';
import { VERSIONS, type HostileEnvironment } from '../hostile-environment';
import { pause, Team } from '../team';

const GROUP_ID = '3f1c5f0e-6a3b-4f1d-9c1e-2b7a4d5e6f70';
const VICTIM = 'victim';

const environment = {
  kinds: {
    SecurityGroup: 'entra.azure.com/v1',
    FlexibleServersAdministrator: VERSIONS.FlexibleServer,
    StorageAccount: VERSIONS.StorageAccount,
    FederatedIdentityCredential: VERSIONS.FederatedIdentityCredential,
  },
  // The loss of a resource is not to be found by chance.
  env: { AZURE_SYNC_PERIOD: 'never' },
  // A CRD's pattern would refuse some of these names; not every cluster has one for every kind.
  openSchemas: true,
};

type Row = Pick<Attack, 'id' | 'who' | 'what' | 'holds'> & { readonly run: (team: Team) => Promise<void> };

/** Rows of this area share the environment. Nothing may be asked of Azure that is about anything but the rows' own groups. */
function row({ id, who, what, holds, run }: Row): Attack {
  return {
    id,
    who,
    what,
    holds,
    shares: true,
    environment,
    async run(shared) {
      await run(await Team.of(shared, id));
      expect(aboutOthers(shared)).toEqual([]);
    },
  };
}

/** Requests but for those about groups of the rows and their neighbours, and the operations of these. */
function aboutOthers(shared: HostileEnvironment): readonly string[] {
  const own = new Set(namesAndIds.flatMap(({ id }) => [id, `before-${id}`, `after-${id}`]));
  return shared.requests().filter(({ path, poll }) => !poll && !own.has(/\/resourcegroups\/([^/]+)/i.exec(path)?.[1]!.toLowerCase() ?? ''))
    .map(({ method, path }) => `${method} ${path}`);
}

/** A resource group with this name in Azure. */
function hostileName(id: string, azureName: string, what: string): Attack {
  return row({
    id,
    who: 'a tenant',
    what: `names a resource group ${what}`,
    holds: 'the condition says which name it is; no request is sent for it',
    run: async (team) => {
      await team.group(team.namespace, { azureName });
      await team.isReported(['azureName']);
    },
  });
}

const subscriptionOf = (team: Team) => team.environment.azure.env.AZURE_SUBSCRIPTION_ID ?? '';

/** Names and ids that point elsewhere. */
export const namesAndIds: readonly Attack[] = [
  hostileName('name-of-encoded-dots', '%2e%2e', '"%2e%2e", which a URL takes for the parent'),
  hostileName('name-of-two-dots', '..', '".."'),
  hostileName('name-with-another-path', `${VICTIM}/providers/Microsoft.Storage/storageAccounts/x`, 'by a path into its neighbour\'s'),
  hostileName('name-with-a-query', `${VICTIM}?api-version=1`, 'with a query behind its neighbour\'s name'),
  row({
    id: 'name-from-a-configmap',
    who: 'a tenant',
    what: 'lets the name of an administrator of a database server come from a ConfigMap that holds "%2e%2e"',
    holds: 'the condition says which name it is; no request is sent for it',
    run: async (team) => {
      const server = `/subscriptions/${subscriptionOf(team)}/resourceGroups/${VICTIM}/providers/Microsoft.DBforPostgreSQL/flexibleServers/${VICTIM}`;
      await team.environment.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'names', namespace: team.namespace },
        data: { name: '%2e%2e' },
      } as KubernetesObject);
      const spec = {
        owner: { armId: server },
        azureNameFromConfig: { name: 'names', key: 'name' },
        principalType: 'ServicePrincipal',
        principalName: 'x',
        tenantId: GROUP_ID,
      };
      await team.object('FlexibleServersAdministrator', 'administrator', spec);
      await team.isReported(['%2e%2e', 'ConfigMap'], 'FlexibleServersAdministrator', 'administrator');
    },
  }),
  row({
    id: 'owner-id-that-climbs',
    who: 'a tenant',
    what: 'owns an identity by an ARM id with ".." in it, which a URL takes for its neighbour\'s group',
    holds: 'the condition says that it is no id; no request is sent for it',
    run: async (team) => {
      const armId = `/subscriptions/${subscriptionOf(team)}/resourceGroups/${team.namespace}/../${VICTIM}`;
      await team.object('UserAssignedIdentity', 'identity', { location: 'uksouth', owner: { armId } });
      await team.isReported(['owner ARM ID'], 'UserAssignedIdentity', 'identity');
    },
  }),
  row({
    id: 'subscription-with-a-slash',
    who: 'a tenant',
    what: 'writes a subscription into its credential that goes on into its neighbour\'s group',
    holds: 'the condition names the member of the Secret; no request is sent with it',
    run: async (team) => {
      const { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = team.environment.azure.env;
      const values = {
        AZURE_SUBSCRIPTION_ID: `${subscriptionOf(team)}/resourceGroups/${VICTIM}/providers`,
        AZURE_TENANT_ID,
        AZURE_CLIENT_ID,
        AZURE_CLIENT_SECRET,
      };
      const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value ?? '').toString('base64')]));
      await team.environment.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'aso-credential', namespace: team.namespace },
        data,
      } as KubernetesObject);
      await team.group();
      await team.isReported(['AZURE_SUBSCRIPTION_ID']);
      expect(team.writes()).toEqual([]);
    },
  }),
  row({
    id: 'id-of-a-group-that-climbs',
    who: 'a tenant',
    what: 'writes "../users/…" into the annotation that holds the id of its group in the directory, and deletes the object',
    holds: 'no request is sent to Microsoft Graph; the condition says what an id is',
    run: async (team) => {
      const annotations = { [RESOURCE_ID]: `../users/${GROUP_ID}` };
      await team.object(
        'SecurityGroup',
        'group',
        { displayName: 'x', mailNickname: 'x', operatorSpec: { creationMode: 'AlwaysCreate' } },
        { annotations },
      );
      await team.isReported(['no id of a group'], 'SecurityGroup', 'group');
      await team.delete('SecurityGroup', 'group');
      await pause();
    },
  }),
  row({
    id: 'id-of-another-type',
    who: 'a tenant',
    what: 'writes the id of its neighbour\'s storage account into the annotation resource-id of its resource group, and deletes the object',
    holds: 'nothing is deleted; the condition says that the id is of another type',
    run: async (team) => {
      await team.readyGroup();
      const id = `/subscriptions/${subscriptionOf(team)}/resourceGroups/${VICTIM}/providers/Microsoft.Storage/storageAccounts/victim`;
      await team.patch({ metadata: { annotations: { [RESOURCE_ID]: id } } });
      await team.delete();
      await team.isReported(['resource-id', 'no request is sent']);
      expect(team.writes('DELETE')).toEqual([]);
    },
  }),
  row({
    id: 'resource-of-another-namespace',
    who: 'a tenant without guard rails',
    what: 'takes over the identity of its platform, by an object with its owner and azureName, and deletes the object',
    holds: 'the objects of the platform make the identity again at once, with the trust that lay in it',
    run: async (team) => {
      const owner = { armId: `/subscriptions/${subscriptionOf(team)}/resourceGroups/${team.namespace}` };
      const trust = { issuer: 'https://issuer.example/', subject: 'system:serviceaccount:fin:api', audiences: ['api://AzureADTokenExchange'] };
      await team.readyGroup();
      await team.object('UserAssignedIdentity', 'pods', { location: 'uksouth', owner });
      await team.object('FederatedIdentityCredential', 'trust', { owner: { name: 'pods' }, ...trust });
      await team.isReady('FederatedIdentityCredential', 'trust');
      const tenant = await Team.of(team.environment, `tenant-of-${team.namespace}`);
      await tenant.object('UserAssignedIdentity', 'mine', { location: 'uksouth', owner, azureName: 'pods' });
      await tenant.isReady('UserAssignedIdentity', 'mine');
      const before = team.writes('PUT').length;
      await tenant.delete('UserAssignedIdentity', 'mine');
      await tenant.isGone('UserAssignedIdentity', 'mine');
      expect(team.writes('DELETE')).toHaveLength(1);
      const again = () => team.writes('PUT').slice(before).map(({ path }) => path.split('/').at(-1));
      await until('both are made again', () => again().includes('pods') && again().includes('trust'));
      await team.isReady('UserAssignedIdentity', 'pods');
      await team.isReady('FederatedIdentityCredential', 'trust');
    },
  }),
  row({
    id: 'operation-at-another-host',
    who: 'a tenant',
    what: 'writes a running operation at a host of its own into the annotation poller-resume-token',
    holds: 'the token is not sent there; the object gets Ready by a look at the resource',
    run: (team) =>
      withForeignHost(async (url) => {
        await team.readyGroup();
        const originalUrl = `/subscriptions/${subscriptionOf(team)}/resourceGroups/${team.namespace}?api-version=2020-06-01`;
        const operation = { style: 'azure-asyncoperation', method: 'PUT', originalUrl, pollUrl: `${url}/operations/1`, state: 'InProgress' } as const;
        const token = encodeToken(operation, RESULT_TYPES.put, 'https://management.azure.com');
        await team.patch({
          metadata: { annotations: { [POLLER_TOKEN]: token, [POLLER_ID]: CREATE_POLLER } },
          spec: { tags: { edited: 'yes' } },
        });
        await pause();
        await team.isReady();
      }),
  }),
];
