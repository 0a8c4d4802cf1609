import { settled } from './fake-clock';
import {
  FEDERATIONS, GROUP_ID, group, GROUPS, identity, IDENTITIES, IDENTITY_ID, inSeparateEnvironments, object, ROLES,
  type TestEnvironment,
} from './harness';
import { KubernetesError } from '../../../engine/kubernetes/types';
import { RECONCILE_POLICY } from '../../../src/azure/annotations';

/** Two objects of one resource: what the deletion of one does to it concerns the other at once. */

let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const SYNC = 3_600_000;
const PATH = GROUP_ID.toLowerCase();
const isThere = () => environment.azure.resources.has(PATH);

/** An object of another namespace for the group of `default/rg`, as a member of a team may write one. */
async function adopted(policy?: string): Promise<void> {
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  const taken = object(GROUPS, 'taken', { location: 'westeurope', azureName: 'RG' }, policy === undefined ? undefined : { [RECONCILE_POLICY]: policy });
  await environment.cluster.create(GROUPS, { ...taken, metadata: { ...taken.metadata, namespace: 'team' } });
  await environment.clock.advance(0);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  environment.azure.requests.length = 0;
}

const remove = async () => {
  await environment.cluster.delete(GROUPS, 'taken', 'team');
  await settled();
};

test('the resource that went with another object is made again at once', async () => {
  await adopted();
  await remove();
  expect(environment.stored(GROUPS, 'taken', 'team')).toBeUndefined();
  expect(environment.azure.count('DELETE')).toBe(1);
  expect(isThere()).toBe(true);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('a deletion that takes its time is followed to its end', async () => {
  await adopted();
  let polls = 3;
  environment.azure.intercept = ({ method, url }) => {
    if (method === 'DELETE') return { status: 202, headers: { location: 'https://arm.test/deletions/1' } };
    if (!url.includes('/deletions/')) return undefined;
    polls -= 1;
    if (polls > 0) return { status: 202 };
    environment.azure.resources.delete(PATH);
    return { status: 200 };
  };
  await remove();
  expect(environment.azure.count('PUT')).toBe(0);
  await environment.clock.advance(SYNC / 4);
  expect(environment.stored(GROUPS, 'taken', 'team')).toBeUndefined();
  expect([isThere(), polls, environment.azure.count('PUT')]).toEqual([true, 0, 1]);
});

test('what lay in the resource is made again with it, by its own objects', async () => {
  await environment.cluster.create(IDENTITIES, identity());
  await environment.cluster.create(FEDERATIONS, object(FEDERATIONS, 'trust', {
    owner: { name: 'id' }, issuer: 'https://issuer.example/', subject: 'system:serviceaccount:default:api', audiences: ['api://AzureADTokenExchange'],
  }));
  await adopted();
  expect(environment.ready(FEDERATIONS, 'trust')).toMatchObject({ status: 'True' });
  const trust = `${IDENTITY_ID}/federatedIdentityCredentials/trust`.toLowerCase();
  environment.azure.intercept = ({ method }) => {
    // Azure deletes a group with all that is in it.
    if (method === 'DELETE') for (const id of environment.azure.resources.keys()) if (id.startsWith(PATH)) environment.azure.resources.delete(id);
    return undefined;
  };
  await remove();
  expect([PATH, IDENTITY_ID.toLowerCase(), trust].filter((id) => !environment.azure.resources.has(id))).toEqual([]);
  expect(environment.azure.count('PUT')).toBe(3);
});

test('an object that is only read says what is missing', async () => {
  await adopted();
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [RECONCILE_POLICY]: 'skip' });
  await environment.clock.advance(0);
  await remove();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'False', reason: 'AzureResourceNotFound' });
  expect(isThere()).toBe(false);
});

test.each(['skip', 'detach-on-delete'])('under %s the other object has left the resource: nothing is read', async (policy) => {
  await adopted(policy);
  await remove();
  expect([environment.azure.requests, isThere()]).toEqual([[], true]);
});

test('sync sees the loss too', async () => {
  await adopted();
  environment.azure.resources.delete(PATH);
  await environment.clock.advance(SYNC * 1.5);
  expect(isThere()).toBe(true);
});

describe('an object of which Azure has accepted nothing leaves the resource of another one', () => {
  const REFUSED = { status: 409, body: { error: { code: 'RoleAssignmentUpdateNotPermitted', message: 'the principal cannot be changed' } } };
  const AZURE_NAME = '4b3290fd-666f-4a5a-8ae5-007f9e36e36a';
  const assignment = (name: string, principalId: string) => object(ROLES, name, {
    owner: { armId: GROUP_ID },
    azureName: AZURE_NAME,
    principalId,
    principalType: 'ServicePrincipal',
    roleDefinitionReference: { wellKnownName: 'Reader' },
  });

  /** The role of a platform, and an object of a team with its scope and name, for a principal of the team. */
  async function refused(): Promise<void> {
    await environment.cluster.create(ROLES, assignment('of-platform', '11111111-2222-4333-8444-555555555555'));
    await environment.start();
    expect(environment.ready(ROLES, 'of-platform')).toMatchObject({ status: 'True' });
    environment.azure.intercept = ({ method }) => (method === 'PUT' ? REFUSED : undefined);
    const mine = assignment('mine', '99999999-8888-4777-8666-555555555555');
    await environment.cluster.create(ROLES, { ...mine, metadata: { ...mine.metadata, namespace: 'team' } });
    await environment.clock.advance(0);
    expect(environment.ready(ROLES, 'mine', 'team')).toMatchObject({ status: 'False', reason: 'RoleAssignmentUpdateNotPermitted' });
  }

  const isGone = async () => {
    await environment.cluster.delete(ROLES, 'mine', 'team');
    await settled();
    expect(environment.stored(ROLES, 'mine', 'team')).toBeUndefined();
  };

  test('a role assignment that Azure does not change', async () => {
    await refused();
    await isGone();
    expect([environment.azure.count('DELETE'), environment.azure.resources.size]).toEqual([0, 1]);
  });

  test('after a restart too', async () => {
    await refused();
    await environment.kill();
    await environment.start();
    await isGone();
    expect(environment.azure.count('DELETE')).toBe(0);
  });

  describe('that another replica looks after', () => {
    beforeEach(async () => {
      await refused();
      await environment.kill();
      await environment.start({ keeps: 'team' });
      environment.cluster.lists.length = 0;
    });

    test('the API server tells of it', async () => {
      await isGone();
      expect([environment.azure.count('DELETE'), environment.azure.resources.size]).toEqual([0, 1]);
      expect(environment.cluster.lists).toEqual(['all roleassignments']);
    });

    test('while it does not, nothing is deleted', async () => {
      let isRefused = true;
      environment.cluster.before = (request) => {
        if (isRefused && request === 'list all RoleAssignment') throw new KubernetesError(503, 'ServiceUnavailable', 'not now');
      };
      await environment.cluster.delete(ROLES, 'mine', 'team');
      await settled();
      expect(environment.ready(ROLES, 'mine', 'team')?.message).toContain('namespaces that other replicas look after could not be read');
      isRefused = false;
      await environment.clock.advance(60_000);
      expect(environment.stored(ROLES, 'mine', 'team')).toBeUndefined();
      expect([environment.azure.count('DELETE'), environment.azure.resources.size]).toEqual([0, 1]);
    });

    test('where there is none, the resource is deleted', async () => {
      for (const key of environment.cluster.objects.keys()) if (key.endsWith('/of-platform')) environment.cluster.objects.delete(key);
      await isGone();
      expect(environment.azure.count('DELETE')).toBe(1);
    });
  });

  test('for an object with a resource of its own the API server is not asked', async () => {
    await environment.cluster.create(GROUPS, group());
    await environment.start({ keeps: 'default' });
    environment.cluster.lists.length = 0;
    await environment.cluster.delete(GROUPS, 'rg', 'default');
    await settled();
    expect(environment.azure.count('DELETE')).toBe(1);
    expect(environment.cluster.lists.filter((list) => list.startsWith('all '))).toEqual([]);
  });

  test('without another object it is deleted, as by ASO', async () => {
    await refused();
    await environment.cluster.annotate(ROLES, 'default', 'of-platform', { [RECONCILE_POLICY]: 'detach-on-delete' });
    await environment.cluster.delete(ROLES, 'of-platform', 'default');
    await settled();
    await isGone();
    expect(environment.azure.count('DELETE')).toBe(1);
  });
});
