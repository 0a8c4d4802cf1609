import type { Attack } from '../attack';
import { withForeignHost } from '../foreign-host';
import { VERSIONS } from '../hostile-environment';
import { pause, Team } from '../team';

/** The controller looks at every resource each second or so. */
const environment = {
  kinds: {
    VirtualNetwork: VERSIONS.VirtualNetwork,
    VirtualNetworksSubnet: VERSIONS.VirtualNetworksSubnet,
    StorageAccount: VERSIONS.StorageAccount,
  },
  env: { AZURE_SYNC_PERIOD: '2s', DRIFT_DETECTION: 'individual' },
};
const SKIP = { 'serviceoperator.azure.com/reconcile-policy': 'skip' };
const PROXY = 'check the proxy';
/** Longer than any answer of Azure. */
const ENDLESS_BYTES = 20 * 1024 * 1024;

/** Rows of this area share the environment, which has their kinds. */
function row({
  id,
  who,
  what,
  holds,
  run,
}: Pick<Attack, 'id' | 'who' | 'what' | 'holds'> & { readonly run: (team: Team) => Promise<void> }): Attack {
  return { id, who, what, holds, shares: true, environment, run: async (shared) => run(await Team.of(shared, id)) };
}

/** A deletion that is answered by a proxy, and an object that must stay until Azure says that the group is gone. */
async function deletionThatIsNot(team: Team, answerDelete: () => () => void): Promise<void> {
  await team.readyGroup();
  const end = answerDelete();
  await team.delete();
  await team.stays();
  end();
  await team.isGone();
}

/** A network with a subnet that has an object of its own, and an edit while the network's GET is answered with something else. */
async function networkMerge(team: Team, answerGet: (path: string) => () => void): Promise<void> {
  const network = `/virtualnetworks/${team.namespace}`;
  await team.readyGroup();
  await team.object('VirtualNetwork', team.namespace, {
    location: 'uksouth',
    owner: { name: team.namespace },
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] },
  });
  await team.object('VirtualNetworksSubnet', 'subnet', { owner: { name: team.namespace }, addressPrefix: '10.0.1.0/24' });
  await team.isReady('VirtualNetworksSubnet', 'subnet');
  const subnets = () =>
    team.environment.azure.resources().filter(({ id }) => String(id).toLowerCase().endsWith(`${network}/subnets/subnet`));
  expect(subnets()).toHaveLength(1);
  const before = team.environment.writes(network).length;
  const end = answerGet(network);
  await team.patch({ spec: { tags: { edited: 'yes' } } }, 'VirtualNetwork');
  await team.becomes(({ status }) => status !== 'True', 'VirtualNetwork');
  await pause();
  expect(team.environment.writes(network)).toHaveLength(before);
  end();
  await team.isReady('VirtualNetwork');
  expect(team.environment.writes(network).length).toBeGreaterThan(before);
  expect(subnets()).toHaveLength(1);
}

function idOf(team: Team, name: string): string {
  return `/subscriptions/${team.environment.azure.env.AZURE_SUBSCRIPTION_ID}/resourceGroups/${name}`;
}

/** Answers that are not Azure's. */
export const azureAnswers: readonly Attack[] = [
  row({
    id: 'azure-answers-with-a-page',
    who: 'a proxy before Azure',
    what: 'answers every GET of one resource group with 200 and a login page',
    holds: 'the object says what came instead of an answer; nothing is sent for it',
    run: async (team) => {
      team.proxyAnswers('GET', 200);
      await team.group(team.namespace, {}, { annotations: SKIP });
      await team.isReported([PROXY]);
      expect(team.writes()).toEqual([]);
    },
  }),
  row({
    id: 'a-page-under-a-network-merge',
    who: 'a proxy before Azure',
    what: 'answers the GET of a network with 200 and a login page, from which its subnets would be merged into the PUT',
    holds: 'no PUT is sent, and the subnet of another object stays; the edit is sent when Azure answers again',
    run: (team) => networkMerge(team, (path) => team.proxyAnswers('GET', 200, path)),
  }),
  row({
    id: 'no-subnets-under-a-network-merge',
    who: 'a gateway before Azure that filters answers',
    what: 'answers the GET of a network without the list of its subnets',
    holds: 'no PUT is sent, and the subnet of another object stays',
    run: (team) => networkMerge(team, (path) => {
      const id = `${idOf(team, team.namespace)}/providers/Microsoft.Network/virtualNetworks/${team.namespace}`;
      const properties = { provisioningState: 'Succeeded', addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
      const text = JSON.stringify({ id, name: team.namespace, type: 'Microsoft.Network/virtualNetworks', location: 'uksouth', properties });
      return team.disturb({ method: 'GET', status: 200, text }, path);
    }),
  }),
  row({
    id: 'a-404-page-at-a-deletion',
    who: 'a proxy before Azure',
    what: 'answers a DELETE with 404 and a page of its own',
    holds: 'the resource is not taken for deleted: the object keeps its finalizer until Azure has deleted the group',
    run: (team) => deletionThatIsNot(team, () => team.proxyAnswers('DELETE', 404)),
  }),
  row({
    id: 'an-empty-200-at-a-deletion',
    who: 'a proxy before Azure',
    what: 'answers a DELETE with 200 and nothing else',
    holds: 'the resource itself is looked at; the object keeps its finalizer until it is gone',
    run: async (team) => {
      await team.readyGroup();
      team.proxyAnswers('DELETE', 200, undefined, '');
      await team.delete();
      await team.stays();
      team.disturb({
        method: 'GET',
        status: 404,
        code: 'ResourceGroupNotFound',
        message: `Resource group '${team.namespace}' could not be found.`,
      });
      await team.isGone();
    },
  }),
  row({
    id: 'subscription-not-found-at-a-deletion',
    who: 'Azure, while a subscription moves to another tenant',
    what: 'answers a DELETE with 404 SubscriptionNotFound',
    holds: 'nothing is concluded about the resource: the object keeps its finalizer',
    run: (team) => deletionThatIsNot(team, () => {
      const message = 'The subscription could not be found.';
      return team.disturb({ method: 'DELETE', status: 404, code: 'SubscriptionNotFound', message });
    }),
  }),
  row({
    id: 'a-404-page-at-a-look',
    who: 'a proxy before Azure',
    what: 'answers every GET of a resource group that is there with 404 and a page of its own',
    holds: 'the group is not taken for missing: nothing is sent for it',
    run: async (team) => {
      await team.readyGroup();
      const end = team.proxyAnswers('GET', 404);
      await pause();
      expect(team.writes()).toHaveLength(1);
      end();
      await team.isReady();
      expect(team.writes()).toHaveLength(1);
    },
  }),
  row({
    id: 'the-body-of-another-resource',
    who: 'a cache before Azure that mixes answers up',
    what: 'answers the GET of a resource group with another group, which has the values that are exported',
    holds: 'nothing of the other group is exported or shown; the condition says that the answer is another resource',
    run: async (team) => {
      const other = idOf(team, 'somebody-elses');
      const text = JSON.stringify({
        id: other,
        name: 'somebody-elses',
        type: 'Microsoft.Resources/resourceGroups',
        location: 'uksouth',
        tags: { of: 'others' },
        properties: { provisioningState: 'Succeeded' },
      });
      team.disturb({ method: 'GET', status: 200, text });
      await team.group(team.namespace, {
        operatorSpec: { configMapExpressions: [{ name: 'exported', key: 'id', value: 'self.status.id' }] },
      });
      await team.isReported([PROXY, 'not what was asked for']);
      expect(await team.get('ConfigMap', 'exported')).toBeUndefined();
      expect(JSON.stringify((await team.get())?.status ?? {})).not.toContain('others');
    },
  }),
  row({
    id: 'a-list-in-the-place-of-a-resource',
    who: 'a gateway before Azure',
    what: 'answers the GET of a resource group with a JSON list of it',
    holds: 'the condition says what came instead; the object is Ready when Azure answers',
    run: async (team) => {
      const end = team.disturb({ method: 'GET', status: 200, text: JSON.stringify([{ id: idOf(team, team.namespace) }]) });
      await team.group();
      await team.isReported([PROXY]);
      end();
      await team.isReady();
    },
  }),
  row({
    id: 'an-operation-url-of-another-host',
    who: 'a gateway before Azure that is in other hands',
    what: 'answers a PUT with 202 and the URL of an operation at a host of its own',
    holds: 'the token is not sent there; the resource itself is watched',
    run: (team) =>
      withForeignHost(async (url) => {
        await team.readyGroup();
        team.disturb({
          method: 'PUT',
          status: 202,
          times: 1,
          headers: { 'azure-asyncoperation': `${url}/operations/1`, 'location': `${url}/results/1` },
        });
        await team.patch({ spec: { tags: { edited: 'yes' } } });
        await pause();
        await team.isReady();
        expect(team.writes('PUT').length).toBeGreaterThan(1);
      }),
  }),
  row({
    id: 'a-redirect-to-another-host',
    who: 'a gateway before Azure that is in other hands',
    what: 'answers a GET with 307 to a host of its own',
    holds: 'the redirect is not followed, and the condition says so',
    run: (team) => withForeignHost(async (url) => {
      team.disturb({ method: 'GET', status: 307, text: '', byProxy: true, headers: { location: `${url}/login` } });
      await team.group();
      await team.isReported(['HTTP 307']);
    }),
  }),
  row({
    id: 'an-answer-without-end',
    who: 'a proxy before Azure',
    what: 'answers the GET of a resource group with 20 MiB of JSON',
    holds: 'the answer is given up; the condition says that it is larger than any of Azure\'s',
    run: async (team) => {
      const end = team.disturb({ method: 'GET', status: 200, text: `{"padding":"${'x'.repeat(ENDLESS_BYTES)}"}` });
      await team.group();
      await team.isReported(['has more than', 'bytes']);
      end();
      await team.isReady();
    },
  }),
];
