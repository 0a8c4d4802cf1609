import type { KubernetesObject } from '../../../engine/kubernetes';
import { until } from '../../setup/until';
import type { Attack } from '../attack';
import { OPERATOR_NAMESPACE, type HostileEnvironment } from '../hostile-environment';

const IDS = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID'] as const;
const identity = { location: 'uksouth', owner: { name: 'group' } };

async function team(environment: HostileEnvironment, namespace: string, annotations?: Record<string, string>): Promise<void> {
  await environment.namespace(namespace, annotations);
  await environment.object(namespace, 'ResourceGroup', 'group', { location: 'uksouth', azureName: `${namespace}-group` });
}

async function secret(
  environment: HostileEnvironment,
  namespace: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
  await environment.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data } as KubernetesObject);
}

/** An identity whose expressions write a Secret, and a ConfigMap that is as it should be. */
async function exporting(environment: HostileEnvironment, namespace: string, to: string, keys: readonly string[]): Promise<void> {
  await environment.object(namespace, 'UserAssignedIdentity', 'exporting', {
    ...identity,
    azureName: `${namespace}-exporting`,
    operatorSpec: {
      secretExpressions: keys.map((key) => ({ name: to, key, value: 'self.spec.location' })),
      configMapExpressions: [{ name: 'beside', key: 'location', value: 'self.spec.location' }],
    },
  });
}

async function refused(environment: HostileEnvironment, namespace: string, name: string): Promise<void> {
  const said = `refused to write Secret ${namespace}/${name}`;
  await environment.becomes('UserAssignedIdentity', namespace, 'exporting', ({ message = '' }) => message.includes(said));
  expect(await environment.get('Secret', namespace, name)).toBeUndefined();
  expect(await environment.get('ConfigMap', namespace, 'beside')).toBeDefined();
}

/** Credentials and exports. */
export const credentials: readonly Attack[] = [
  {
    id: 'export-becomes-the-namespace-credential',
    who: 'a tenant who may not write Secrets',
    what: 'exports to aso-credential',
    holds: 'no Secret is written; the rest of the object is as it should be',
    shares: true,
    async run(environment) {
      await team(environment, 'writes-credential');
      await exporting(environment, 'writes-credential', 'aso-credential', IDS);
      await refused(environment, 'writes-credential', 'aso-credential');
    },
  },
  {
    id: 'export-has-the-keys-of-a-credential',
    who: 'a tenant who may not write Secrets',
    what: 'exports all keys of a credential under another name, and names it in credential-from',
    holds: 'nothing is sent with it; the object says that its credential was exported',
    shares: true,
    async run(environment) {
      await team(environment, 'writes-keys');
      await exporting(environment, 'writes-keys', 'harmless', IDS);
      await until('the Secret is there', async () => (await environment.get('Secret', 'writes-keys', 'harmless')) !== undefined);
      await environment.object(
        'writes-keys',
        'ResourceGroup',
        'stolen',
        { location: 'uksouth' },
        { annotations: { 'serviceoperator.azure.com/credential-from': 'harmless' } },
      );
      await environment.becomes('ResourceGroup', 'writes-keys', 'stolen', ({ message = '' }) =>
        message.includes('belongs to UserAssignedIdentity'),
      );
      expect(environment.requests().filter(({ path }) => path.toLowerCase().includes('/stolen'))).toEqual([]);
    },
  },
  {
    id: 'export-is-allowed-by-the-platform',
    who: 'a platform',
    what: 'allows a namespace to export its credential',
    holds: 'the Secret is written there, and nowhere else',
    shares: true,
    async run(environment) {
      await team(environment, 'allowed', { 'aso.cdk8s.io/allows-credential-exports': 'aso-credential' });
      await exporting(environment, 'allowed', 'aso-controller-settings', IDS);
      await refused(environment, 'allowed', 'aso-controller-settings');
      await environment.object('allowed', 'UserAssignedIdentity', 'second', {
        ...identity,
        azureName: 'allowed-second',
        operatorSpec: { secretExpressions: [{ name: 'aso-credential', key: 'x', value: 'self.spec.location' }] },
      });
      await until('the Secret is there', async () => (await environment.get('Secret', 'allowed', 'aso-credential')) !== undefined);
    },
  },
  {
    id: 'export-into-the-controllers-namespace',
    who: 'somebody who may write objects in the controller\'s namespace',
    what: 'exports to a Secret that the controller is to read',
    holds: 'no Secret is written there',
    shares: true,
    async run(environment) {
      await environment.object(OPERATOR_NAMESPACE, 'ResourceGroup', 'group', { location: 'uksouth', azureName: 'operator-group' });
      await exporting(environment, OPERATOR_NAMESPACE, 'webhook-server-cert', ['tls.crt', 'tls.key']);
      await refused(environment, OPERATOR_NAMESPACE, 'webhook-server-cert');
    },
  },
  {
    id: 'foreign-cloud-and-the-controllers-identity',
    who: 'a tenant',
    what: 'names a cloud of its own in aso-credential, and signs in as the controller',
    holds: 'the condition tells that no token is sent there; nothing is sent',
    shares: true,
    environment: { env: { ALLOW_MULTI_ENV_MANAGEMENT: 'true' } },
    async run(environment) {
      await environment.namespace('own-cloud');
      const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID } = environment.azure.env;
      await secret(environment, 'own-cloud', 'aso-credential', {
        AZURE_SUBSCRIPTION_ID,
        AZURE_TENANT_ID,
        AZURE_CLIENT_ID,
        AZURE_RESOURCE_MANAGER_ENDPOINT: 'https://arm.evil.example',
        AZURE_RESOURCE_MANAGER_AUDIENCE: 'https://arm.evil.example',
        AZURE_AUTHORITY_HOST: 'https://login.evil.example',
      });
      await environment.object('own-cloud', 'ResourceGroup', 'cloud-group', { location: 'uksouth' });
      const isTold = ({ reason, message = '' }: { reason?: string; message?: string }) =>
        reason === 'CredentialInvalid' && message.includes('no token of the controller');
      await environment.becomes('ResourceGroup', 'own-cloud', 'cloud-group', isTold);
      expect(environment.writes('cloud-group')).toEqual([]);
    },
  },
  {
    id: 'an-endless-identity-file',
    who: 'a tenant',
    what: 'names /dev/zero as the identity file of its credential',
    holds: 'the file is not opened, and the controller lives',
    shares: true,
    async run(environment) {
      await environment.namespace('endless');
      const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID } = environment.azure.env;
      const ids = { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID };
      await secret(environment, 'endless', 'aso-credential', { ...ids, AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: '/dev/zero' });
      await environment.object('endless', 'ResourceGroup', 'endless-group', { location: 'uksouth' });
      await environment.becomes('ResourceGroup', 'endless', 'endless-group', ({ message = '' }) =>
        message.includes('the identity file /dev/zero is no file'),
      );
    },
  },
  {
    id: 'somebody-elses-client-id',
    who: 'a tenant',
    what: 'writes the client id of another namespace\'s identity into its credential, and keeps an object',
    holds: 'the identity is deleted without waiting for the tenant',
    shares: true,
    async run(environment) {
      await team(environment, 'victim');
      await environment.object('victim', 'UserAssignedIdentity', 'target', { ...identity, azureName: 'victim-target' });
      await environment.isReady('UserAssignedIdentity', 'victim', 'target');
      const { clientId } = (await environment.get('UserAssignedIdentity', 'victim', 'target'))!.status as { clientId: string };
      await environment.namespace('evil');
      const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_SECRET } = environment.azure.env;
      await secret(environment, 'evil', 'aso-credential', {
        AZURE_SUBSCRIPTION_ID,
        AZURE_TENANT_ID,
        AZURE_CLIENT_ID: clientId,
        AZURE_CLIENT_SECRET,
      });
      await environment.object(
        'evil',
        'ResourceGroup',
        'evil-group',
        { location: 'uksouth' },
        { finalizers: ['serviceoperator.azure.com/finalizer'] },
      );
      await environment.delete('UserAssignedIdentity', 'victim', 'target');
      await until(
        'the identity is gone',
        async () => (await environment.get('UserAssignedIdentity', 'victim', 'target')) === undefined,
      );
    },
  },
  {
    id: 'a-borrowed-identity',
    who: 'a tenant without guard rails, under a controller that is not strict',
    what: 'writes the client id of another team\'s identity into its credential, which the platform propagates to that team',
    holds: 'the condition names the identity and what would allow it; nothing is sent',
    shares: true,
    async run(environment) {
      await team(environment, 'lender');
      await environment.object('lender', 'UserAssignedIdentity', 'lent', { ...identity, azureName: 'lender-lent' }, {
        annotations: { 'aso.cdk8s.io/propagate-credentials-to': 'Secret/owner/aso-credential' },
      });
      await environment.isReady('UserAssignedIdentity', 'lender', 'lent');
      const { clientId } = (await environment.get('UserAssignedIdentity', 'lender', 'lent'))!.status as { clientId: string };
      await environment.namespace('borrower');
      const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID } = environment.azure.env;
      const ids = { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID: clientId.toUpperCase() };
      await secret(environment, 'borrower', 'aso-credential', ids);
      await environment.object('borrower', 'ResourceGroup', 'own-group', { location: 'uksouth' });
      await environment.becomes('ResourceGroup', 'borrower', 'own-group', ({ reason, message = '' }) => (
        reason === 'CredentialInvalid' && message.includes('"lender/lent"') && message.includes('accepts-credentials-from: lender/lent')
      ));
      expect(environment.writes('own-group')).toEqual([]);
    },
  },
  {
    id: 'forged-marks-on-an-export',
    who: 'a tenant',
    what: 'exports a Secret with the labels of a credential that an identity of the platform feeds',
    holds: 'no Secret is written',
    shares: true,
    async run(environment) {
      await team(environment, 'forges');
      await environment.object('forges', 'UserAssignedIdentity', 'exporting', {
        ...identity,
        azureName: 'forges-exporting',
        operatorSpec: {
          secretExpressions: [
            { name: 'forged', key: 'k', value: 'self.spec.location', labels: { 'aso.cdk8s.io/managed-by-namespace': '"platform"' } },
          ],
          configMapExpressions: [{ name: 'beside', key: 'location', value: 'self.spec.location' }],
        },
      });
      await refused(environment, 'forges', 'forged');
    },
  },
];
