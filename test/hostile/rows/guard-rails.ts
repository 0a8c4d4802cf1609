import type { KubernetesObject } from '../../../engine/kubernetes';
import { CREDENTIAL_REQUIRED } from '../../../src/azure/annotations';
import type { Attack } from '../attack';
import type { HostileEnvironment } from '../hostile-environment';

const FROM = 'serviceoperator.azure.com/credential-from';
const OTHER_SUBSCRIPTION = '5b9c0b0e-6f0c-4a57-9a6e-1c7d2f1e4a33';

/** A credential of the namespace, in a subscription that is not the controller's own. */
async function credential(environment: HostileEnvironment, namespace: string): Promise<void> {
  const { AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = environment.azure.env;
  const data = Object.entries({ AZURE_SUBSCRIPTION_ID: OTHER_SUBSCRIPTION, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET }).map(
    ([key, value]) => [key, Buffer.from(value).toString('base64')],
  );
  await environment.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'aso-credential', namespace },
    data: Object.fromEntries(data),
  } as KubernetesObject);
}

async function waits(environment: HostileEnvironment, namespace: string, name: string): Promise<void> {
  await environment.becomes(
    'ResourceGroup',
    namespace,
    name,
    ({ status, reason, message = '' }) => status === 'False' && reason === 'CredentialNotFound' && message.includes(CREDENTIAL_REQUIRED),
  );
}

/** Attempts of a team against its guard rails. */
export const guardRails: readonly Attack[] = [
  {
    id: 'objects-before-the-credential',
    who: 'a team that was onboarded a moment ago',
    what: 'applies an object before its credential has come',
    holds: 'the object waits: nothing is sent with the global credential; it goes on with its own',
    shares: true,
    async run(environment) {
      await environment.namespace('early', { [CREDENTIAL_REQUIRED]: 'true' });
      await environment.object('early', 'ResourceGroup', 'early-group', { location: 'uksouth' });
      await waits(environment, 'early', 'early-group');
      expect(environment.requests().filter(({ path }) => path.toLowerCase().includes('early-group'))).toEqual([]);
      await credential(environment, 'early');
      await environment.isReady('ResourceGroup', 'early', 'early-group');
      const paths = environment.writes('early-group').map(({ path }) => path.toLowerCase());
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) expect(path).toContain(`/subscriptions/${OTHER_SUBSCRIPTION}/`);
    },
  },
  {
    id: 'the-credential-is-taken-away',
    who: 'a team that may delete Secrets',
    what: 'deletes its credential, so that its next objects are made with the global one',
    holds: 'new objects wait, and nothing is sent for them',
    shares: true,
    async run(environment) {
      await environment.namespace('taken', { [CREDENTIAL_REQUIRED]: 'true' });
      await credential(environment, 'taken');
      await environment.delete('Secret', 'taken', 'aso-credential');
      await environment.object('taken', 'ResourceGroup', 'taken-group', { location: 'uksouth' });
      await waits(environment, 'taken', 'taken-group');
      await environment.delete('ResourceGroup', 'taken', 'taken-group');
      expect(environment.requests().filter(({ path }) => path.toLowerCase().includes('taken-group'))).toEqual([]);
    },
  },
  {
    id: 'the-mark-has-another-value',
    who: 'an administrator who misspells',
    what: 'writes aso.cdk8s.io/credential-required: "ture"',
    holds: 'the namespace requires a credential all the same',
    shares: true,
    async run(environment) {
      await environment.namespace('misspelt', { [CREDENTIAL_REQUIRED]: 'ture' });
      await environment.object('misspelt', 'ResourceGroup', 'misspelt-group', { location: 'uksouth' });
      await waits(environment, 'misspelt', 'misspelt-group');
      expect(environment.writes('misspelt-group')).toEqual([]);
    },
  },
  {
    id: 'the-mark-comes-later',
    who: 'the platform',
    what: 'marks a namespace whose objects were made with the global credential',
    holds: 'changes wait from then on; nothing is deleted in Azure with the global credential',
    shares: true,
    async run(environment) {
      await environment.namespace('marked');
      await environment.object('marked', 'ResourceGroup', 'marked-group', { location: 'uksouth' });
      await environment.isReady('ResourceGroup', 'marked', 'marked-group');
      await environment.patch('Namespace', '', 'marked', { metadata: { annotations: { [CREDENTIAL_REQUIRED]: 'true' } } });
      const before = environment.writes('marked-group').length;
      await environment.delete('ResourceGroup', 'marked', 'marked-group');
      await waits(environment, 'marked', 'marked-group');
      expect(environment.writes('marked-group')).toHaveLength(before);
    },
  },
  {
    id: 'a-credential-of-another-namespace',
    who: 'a team',
    what: "names another team's credential Secret in credential-from, as a path",
    holds: 'it is refused; nothing is sent',
    shares: true,
    async run(environment) {
      await environment.namespace('rich');
      await credential(environment, 'rich');
      await environment.namespace('poor', { [CREDENTIAL_REQUIRED]: 'true' });
      for (const [i, value] of ['rich/aso-credential', '../rich/aso-credential', 'rich%2Faso-credential', ''].entries()) {
        await environment.object('poor', 'ResourceGroup', `poor-group-${i}`, { location: 'uksouth' }, { annotations: { [FROM]: value } });
        await environment.becomes(
          'ResourceGroup',
          'poor',
          `poor-group-${i}`,
          ({ status, reason = '' }) => status === 'False' && reason.startsWith('Credential'),
        );
      }
      expect(environment.requests().filter(({ path }) => path.toLowerCase().includes('poor-group'))).toEqual([]);
    },
  },
];
