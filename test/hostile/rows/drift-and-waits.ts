import { RECONCILE_POLICY } from '../../../src/azure/annotations';
import { until } from '../../setup/until';
import type { Attack } from '../attack';
import type { HostileEnvironment } from '../hostile-environment';

/** The controller's time goes 60 times as fast: an hour of Azure's is a minute. */
const LOOKS_OFTEN = { env: { AZURE_SYNC_PERIOD: '2s', DRIFT_DETECTION: 'individual' } };

/** Azure shows a resource group like this, whatever becomes of it. */
function shows(environment: HostileEnvironment, name: string, more: Readonly<Record<string, unknown>>): void {
  const id = `/subscriptions/${environment.azure.env.AZURE_SUBSCRIPTION_ID}/resourceGroups/${name}`;
  const text = JSON.stringify({ id, name, type: 'Microsoft.Resources/resourceGroups', location: 'uksouth', ...more });
  environment.azure.faults.add({ method: 'GET', path: `/resourcegroups/${name}`, status: 200, text, times: 100_000 });
}

function count(environment: HostileEnvironment, method: string, path: string): number {
  return environment.writes(path).filter((request) => request.method === method).length;
}

interface SecondObject {
  readonly name: string;
  readonly azureName?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A ready resource group in the namespace `first`, and in `second` another object for the same group, ready as well. */
async function twice(environment: HostileEnvironment, first: string, { name, azureName, annotations }: SecondObject): Promise<void> {
  await environment.namespace('first');
  await environment.namespace('second');
  await environment.object('first', 'ResourceGroup', first, { location: 'uksouth' });
  await environment.isReady('ResourceGroup', 'first', first);
  await environment.object('second', 'ResourceGroup', name, { location: 'uksouth', ...(azureName && { azureName }) }, annotations ? { annotations } : {});
  await environment.isReady('ResourceGroup', 'second', name);
}

/** Drift, stuck operations and waits. */
export const driftAndWaits: readonly Attack[] = [
  {
    id: 'a-tag-is-changed-back-each-time',
    who: 'another tool with rights in Azure',
    what: 'sets a tag of a resource group to its own value after each PUT',
    holds: 'it is corrected again and again, more slowly each time, and the condition names the property; it is never given up',
    environment: LOOKS_OFTEN,
    async run(environment) {
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'fight', { location: 'uksouth', tags: { team: 'ours' } });
      await environment.isReady('ResourceGroup', 'team', 'fight');
      shows(environment, 'fight', { tags: { team: 'theirs' }, properties: { provisioningState: 'Succeeded' } });
      await until('six PUTs', () => count(environment, 'PUT', '/resourcegroups/fight') >= 6);
      await environment.becomes(
        'ResourceGroup',
        'team',
        'fight',
        ({ status, message = '' }) => status === 'True' && message.includes('/tags/team'),
      );
      const before = count(environment, 'PUT', '/resourcegroups/fight');
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      expect(count(environment, 'PUT', '/resourcegroups/fight') - before).toBeLessThanOrEqual(2);
    },
  },
  {
    id: 'a-deletion-does-not-end',
    who: 'Azure',
    what: 'keeps a resource group in `Deleting` for longer than it ever took',
    holds: 'the condition becomes a Warning that says since when; the DELETE is sent once in a while, and the object goes when the group has gone',
    async run(environment) {
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'stuck', { location: 'uksouth' });
      await environment.isReady('ResourceGroup', 'team', 'stuck');
      shows(environment, 'stuck', { properties: { provisioningState: 'Deleting' } });
      environment.azure.faults.add({
        method: 'DELETE',
        path: '/resourcegroups/stuck',
        status: 409,
        code: 'Conflict',
        message: 'it is being deleted',
        times: 100_000,
      });
      await environment.delete('ResourceGroup', 'team', 'stuck');
      await environment.becomes(
        'ResourceGroup',
        'team',
        'stuck',
        ({ severity, reason }) => severity === 'Warning' && reason === 'OperationOverdue',
      );
      expect(count(environment, 'DELETE', '/resourcegroups/stuck')).toBeLessThanOrEqual(2);
      environment.azure.faults.clear();
      await until('the object is gone', async () => (await environment.get('ResourceGroup', 'team', 'stuck')) === undefined);
    },
  },
  {
    id: 'an-update-does-not-end',
    who: 'Azure',
    what: 'keeps a resource group in `Updating`',
    holds: 'the condition becomes a Warning with the state, nothing is sent into it, and it is Ready when Azure is done',
    environment: LOOKS_OFTEN,
    async run(environment) {
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'busy', { location: 'uksouth' });
      await environment.isReady('ResourceGroup', 'team', 'busy');
      shows(environment, 'busy', { properties: { provisioningState: 'Updating' } });
      await environment.becomes(
        'ResourceGroup',
        'team',
        'busy',
        ({ reason, message = '' }) => reason === 'OperationOverdue' && message.includes('Updating'),
      );
      expect(count(environment, 'PUT', '/resourcegroups/busy')).toBe(1);
      environment.azure.faults.clear();
      await environment.isReady('ResourceGroup', 'team', 'busy');
    },
  },
  {
    id: 'an-operation-is-not-known-yet',
    who: 'Azure',
    what: 'answers 404 at the URL of an operation that it has just begun',
    holds: 'the account is asked for once, and gets Ready',
    environment: { kinds: { StorageAccount: 'storage.azure.com/v1api20230101' } },
    async run(environment) {
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'rg', { location: 'uksouth' });
      await environment.isReady('ResourceGroup', 'team', 'rg');
      environment.azure.faults.add({
        method: 'GET',
        path: 'operation',
        status: 404,
        code: 'ResourceNotFound',
        message: 'not found',
        times: 3,
      });
      const spec = { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, accessTier: 'Hot', owner: { name: 'rg' } };
      await environment.object('team', 'StorageAccount', 'latelysent', spec);
      await environment.isReady('StorageAccount', 'team', 'latelysent');
      expect(count(environment, 'PUT', '/storageaccounts/latelysent')).toBe(1);
    },
  },
  {
    id: 'a-status-is-refused',
    who: 'the API server',
    what: 'refuses the status of an object with 422',
    holds: 'the conditions are written all the same, an event tells, and the object can be deleted',
    async run(environment) {
      const refused = new Set<string>();
      environment.proxy.disturb = ({ method, path }) => {
        if (method !== 'PUT' || !/\/resourcegroups\/odd\/status$/.test(path) || refused.has(path)) return undefined;
        refused.add(path);
        return { status: 422, message: 'status.location: Invalid value: "uksouth"' };
      };
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'odd', { location: 'uksouth' });
      await environment.becomes('ResourceGroup', 'team', 'odd', ({ status }) => status === 'True');
      expect(refused.size).toBe(1);
      await environment.delete('ResourceGroup', 'team', 'odd');
      await until('the object is gone', async () => (await environment.get('ResourceGroup', 'team', 'odd')) === undefined);
    },
  },
  {
    id: 'a-group-is-asked-for-and-the-answer-lost',
    who: 'the network',
    what: 'loses the answer of Microsoft Graph to the creation of a group',
    holds: 'there is one group, and the object has its id',
    environment: { kinds: { SecurityGroup: 'entra.azure.com/v1' } },
    async run(environment) {
      environment.azure.faults.add({ method: 'POST', path: '/v1.0/groups', loseAnswer: true });
      await environment.namespace('team');
      const spec = { displayName: 'Team', mailNickname: 'team', operatorSpec: { creationMode: 'AlwaysCreate' } };
      await environment.object('team', 'SecurityGroup', 'group', spec);
      await environment.isReady('SecurityGroup', 'team', 'group');
      expect(environment.azure.groups()).toHaveLength(1);
    },
  },
  {
    id: 'a-failover-changes-nothing',
    who: 'an operator of the platform',
    what: 'takes the policy `skip` off an object whose resource is as its spec wants it',
    holds: 'nothing is sent to Azure',
    environment: LOOKS_OFTEN,
    async run(environment) {
      await twice(environment, 'shared', { name: 'shared', annotations: { [RECONCILE_POLICY]: 'skip' } });
      await environment.patch('ResourceGroup', 'second', 'shared', { metadata: { annotations: { [RECONCILE_POLICY]: null } } });
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      await environment.isReady('ResourceGroup', 'second', 'shared');
      expect(environment.writes('/resourcegroups/shared')).toHaveLength(1);
    },
  },
  {
    id: 'a-second-object-for-one-resource',
    who: 'a team',
    what: 'makes an object for the resource of another object, with the same spec',
    holds: 'nothing is sent for it, and it is Ready',
    async run(environment) {
      await twice(environment, 'one', { name: 'other', azureName: 'One' });
      expect(environment.writes('/resourcegroups/one')).toHaveLength(1);
    },
  },
  {
    id: 'an-expression-reads-the-azure-name',
    who: 'a team on a cluster without webhooks',
    what: 'exports `self.spec.azureName` of an object whose spec has none',
    holds: 'the ConfigMap has the name in Azure',
    environment: { kinds: { StorageAccount: 'storage.azure.com/v1api20230101' } },
    async run(environment) {
      await environment.namespace('team');
      await environment.object('team', 'ResourceGroup', 'rg', { location: 'uksouth' });
      const configMapExpressions = [{ name: 'exported', key: 'name', value: 'self.spec.azureName' }];
      const spec = {
        location: 'uksouth',
        kind: 'StorageV2',
        sku: { name: 'Standard_LRS' },
        accessTier: 'Hot',
        owner: { name: 'rg' },
        operatorSpec: { configMapExpressions },
      };
      await environment.object('team', 'StorageAccount', 'namedaccount', spec);
      await environment.isReady('StorageAccount', 'team', 'namedaccount');
      expect((await environment.get('ConfigMap', 'team', 'exported'))?.data).toEqual({ name: 'namedaccount' });
    },
  },
];
