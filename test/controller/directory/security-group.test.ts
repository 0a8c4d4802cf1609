import { securityGroup } from '../../../controller/directory';
import { changesOf, groupTypesOf, newGroup } from '../../../controller/directory/group-body';
import type { ArmClient, ArmRequest } from '../../../engine/arm/types';
import { REQUESTED_AT } from '../../../src/azure/annotations';
import { Azure } from '../../sandbox/azure/client';
import { SECURITY_GROUPS, UsersEnvironment } from '../databases/environment';
import { CONFIG_MAPS, object } from '../reconcile/harness';

const RESOURCE_ID = 'serviceoperator.azure.com/resource-id';

/** The reconciler against the simulator's Microsoft Graph. */
describe('security groups', () => {
  let azure: Azure;
  let environment: UsersEnvironment;
  let requests: string[];
  let bodies: Record<string, unknown>[];

  const client = (): ArmClient => ({
    subscriptionId: 's',
    endpoint: azure.simulator.endpoint,
    send: async ({ method, url, body }: ArmRequest) => {
      requests.push(`${method} ${decodeURIComponent(url)}`);
      if (body) bodies.push(body as Record<string, unknown>);
      const reply = await azure.send(method, url, body);
      return { ...reply, body: reply.body || undefined, text: reply.body ? JSON.stringify(reply.body) : '' };
    },
  });
  const apply = (name: string, spec: Record<string, unknown> = {}, annotations?: Record<string, string>) =>
    environment.cluster.create(
      SECURITY_GROUPS,
      object(
        SECURITY_GROUPS,
        name,
        {
          displayName: `The ${name}`,
          mailNickname: name,
          operatorSpec: { creationMode: 'AdoptOrCreate', configmaps: { entraID: { name: `${name}-id`, key: 'id' } } },
          ...spec,
        },
        annotations,
      ),
    );
  const create = async (displayName: string, mailNickname = 'other') =>
    (await azure.send('POST', '/v1.0/groups', { displayName, mailNickname, mailEnabled: false, securityEnabled: true })).body.id as string;
  const ready = (name: string) => environment.reaches(SECURITY_GROUPS, name, 'Succeeded');
  const stored = (name: string) => environment.stored(SECURITY_GROUPS, name)!;
  const idOf = (name: string) => stored(name).metadata.annotations![RESOURCE_ID];
  const remove = async (name: string) => {
    await environment.cluster.delete(SECURITY_GROUPS, name, 'default');
    await environment.goes(SECURITY_GROUPS, name);
  };
  const exported = (name: string) => environment.stored(CONFIG_MAPS, `${name}-id`)?.data;

  beforeEach(async () => {
    azure = await Azure.start();
    requests = [];
    bodies = [];
    environment = new UsersEnvironment({ 'entra.azure.com/SecurityGroup': securityGroup });
    environment.besides = { graph: client };
    await environment.start();
  });
  afterEach(async () => {
    await environment.kill();
    await azure.close();
  });

  test('docs/spec/groups.md#reconciliation: create: no group of that name: one is created, its id kept and exported', async () => {
    await apply('devs', { description: 'writes' });
    await ready('devs');
    const [group] = azure.simulator.groups();
    expect(requests).toEqual(["GET /v1.0/groups?$filter=displayName eq 'The devs'", 'POST /v1.0/groups']);
    expect(bodies).toEqual([
      {
        '@odata.type': '#microsoft.graph.group',
        'displayName': 'The devs',
        'mailNickname': 'devs',
        'description': 'writes',
        'securityEnabled': true,
        'mailEnabled': false,
      },
    ]);
    expect(idOf('devs')).toBe(group!.id);
    expect(stored('devs').status).toMatchObject({
      entraID: group!.id,
      displayName: 'The devs',
      groupEmailAddress: 'devs',
      description: 'writes',
    });
    expect(stored('devs').metadata.finalizers).toEqual(['serviceoperator.azure.com/finalizer']);
    expect(exported('devs')).toEqual({ id: group!.id });
  });

  test('docs/spec/groups.md#reconciliation: adopt: one group of that name is taken over, exported, and deleted; the name is escaped', async () => {
    const id = await create("The o'brien");
    await apply('brien', { displayName: "The o'brien", mailNickname: 'brien' });
    await ready('brien');
    expect(idOf('brien')).toBe(id);
    expect(exported('brien')).toEqual({ id });
    expect(bodies).toEqual([{ mailNickname: 'brien' }]);
    await remove('brien');
    expect(azure.simulator.groups()).toEqual([]);
  });

  test('docs/spec/groups.md#reconciliation: several: several groups of that name are an error', async () => {
    const ids = [await create('The many'), await create('The many')];
    await apply('many');
    await environment.reaches(SECURITY_GROUPS, 'many', 'Failed', '2 groups have the displayName "The many"');
    expect(environment.ready(SECURITY_GROUPS, 'many')).toMatchObject({ severity: 'Warning', message: expect.stringContaining(ids[0]!) });
    await environment.cluster.annotate(SECURITY_GROUPS, 'default', 'many', { [RESOURCE_ID]: ids[1]! });
    await environment.clock.advance(200_000);
    await ready('many');
    expect(azure.simulator.groups()).toHaveLength(2);
  });

  test('docs/spec/groups.md#reconciliation: update: only members that differ are sent; nothing, where nothing does', async () => {
    await apply('ops');
    await ready('ops');
    requests.length = bodies.length = 0;
    await environment.sync('ops');
    await ready('ops');
    expect(requests).toEqual([`GET /v1.0/groups/${idOf('ops')}`]);
    await environment.cluster.edit(SECURITY_GROUPS, 'default', 'ops', { displayName: 'Operators' });
    await ready('ops');
    expect(bodies).toEqual([{ displayName: 'Operators' }]);
    expect(stored('ops').status).toMatchObject({ displayName: 'Operators' });
  });

  test('docs/spec/groups.md#reconciliation: deleted group: a group that somebody has deleted is made anew, but not while it may only be new', async () => {
    await apply('lost');
    await ready('lost');
    const first = idOf('lost');
    await azure.send('DELETE', `/v1.0/groups/${first}`);
    await environment.cluster.edit(SECURITY_GROUPS, 'default', 'lost', { description: 'x' });
    await environment.reaches(SECURITY_GROUPS, 'lost', 'Failed', 'is not to be seen in the directory yet');
    await environment.comesTo(SECURITY_GROUPS, 'lost', 'Succeeded');
    expect(idOf('lost')).not.toBe(first);
    expect(azure.simulator.groups()).toMatchObject([{ id: idOf('lost'), description: 'x' }]);
  });

  test('docs/spec/groups.md#reconciliation: lost answer: with AlwaysCreate a group of that name is left alone, and one whose creation got lost is found again', async () => {
    azure.clock.advance(-3600);
    await create('The new', 'new');
    azure.clock.advance(3600);
    azure.simulator.faults.add({ method: 'POST', path: '/v1.0/groups', loseAnswer: true });
    await apply('new', { operatorSpec: { creationMode: 'AlwaysCreate' } });
    await environment.reaches(SECURITY_GROUPS, 'new', 'Failed');
    await environment.clock.advance(10_000);
    await ready('new');
    expect(azure.simulator.groups()).toHaveLength(2);
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
    expect(stored('new').metadata.annotations![REQUESTED_AT]).toBeDefined();
  });

  describe('a creation whose answer is lost, in a directory that shows a new group late', () => {
    let isHidden = true;
    beforeEach(async () => {
      isHidden = true;
      await environment.kill();
      const graph = client();
      environment.besides = {
        graph: () => ({
          ...graph,
          send: async (request, signal) => {
            const answer = await graph.send(request, signal);
            return isHidden && request.url.includes('$filter') ? { ...answer, body: { value: [] } } : answer;
          },
        }),
      };
      await environment.start();
      azure.simulator.faults.add({ method: 'POST', path: '/v1.0/groups', loseAnswer: true });
    });
    const posts = () => requests.filter((request) => request.startsWith('POST')).length;

    test.each(['AdoptOrCreate', 'AlwaysCreate'])(
      '%s: it is waited for, and taken over when it is shown; a restart does not hurry it',
      async (creationMode) => {
        await apply('late', { operatorSpec: { creationMode } });
        await environment.reaches(SECURITY_GROUPS, 'late', 'Failed');
        await environment.clock.advance(60_000);
        await environment.reaches(SECURITY_GROUPS, 'late', 'Failed', 'the answer to the creation of this group was lost');
        await environment.kill();
        await environment.start();
        await environment.clock.advance(60_000);
        await environment.reaches(SECURITY_GROUPS, 'late', 'Failed', 'the answer to the creation of this group was lost');
        isHidden = false;
        await environment.comesTo(SECURITY_GROUPS, 'late', 'Succeeded');
        expect(azure.simulator.groups()).toHaveLength(1);
        expect(idOf('late')).toBe(azure.simulator.groups()[0]!.id);
        expect(posts()).toBe(1);
      },
    );

    test('one that never appears is made again, once', async () => {
      azure.simulator.faults.clear();
      azure.simulator.faults.add({ method: 'POST', path: '/v1.0/groups', drop: true });
      await apply('never');
      await environment.reaches(SECURITY_GROUPS, 'never', 'Failed');
      await environment.clock.advance(4 * 60_000);
      expect(posts()).toBe(1);
      isHidden = false;
      await environment.comesTo(SECURITY_GROUPS, 'never', 'Succeeded');
      expect([posts(), azure.simulator.groups().length]).toEqual([2, 1]);
    });

    test('one that was refused is asked for again without waiting', async () => {
      azure.simulator.faults.clear();
      azure.simulator.faults.add({
        method: 'POST',
        path: '/v1.0/groups',
        status: 403,
        code: 'Authorization_RequestDenied',
        message: 'Insufficient privileges',
      });
      await apply('refused');
      await environment.reaches(SECURITY_GROUPS, 'refused', 'Failed', 'Insufficient privileges');
      expect(stored('refused').metadata.annotations![REQUESTED_AT]).toBeUndefined();
      await environment.clock.advance(10_000);
      await ready('refused');
      expect(posts()).toBe(2);
    });

    test('an object that is deleted meanwhile waits, and its group goes with it', async () => {
      await apply('brief', { operatorSpec: { creationMode: 'AlwaysCreate' } });
      await environment.reaches(SECURITY_GROUPS, 'brief', 'Failed');
      await environment.cluster.delete(SECURITY_GROUPS, 'brief', 'default');
      await environment.clock.advance(60_000);
      await environment.reaches(SECURITY_GROUPS, 'brief', 'Failed', 'the group may have been created');
      isHidden = false;
      await environment.clock.advance(60_000);
      await environment.goes(SECURITY_GROUPS, 'brief');
      expect(azure.simulator.groups()).toEqual([]);
    });
  });

  test('docs/spec/groups.md#deletion-skip-and-export: delete: without an id there is nothing to do; an error tells name and id; 404 is success', async () => {
    azure.simulator.faults.add({
      method: 'POST',
      path: '/v1.0/groups',
      status: 403,
      code: 'Authorization_RequestDenied',
      message: 'Insufficient privileges',
      times: 9,
    });
    await apply('never');
    await environment.reaches(SECURITY_GROUPS, 'never', 'Failed', 'Authorization_RequestDenied: Insufficient privileges');
    await remove('never');
    azure.simulator.faults.clear();
    await apply('gone');
    await ready('gone');
    azure.simulator.faults.add({ method: 'DELETE', path: '/v1.0/groups', status: 403, code: 'Authorization_RequestDenied', message: 'no' });
    await environment.cluster.delete(SECURITY_GROUPS, 'gone', 'default');
    await environment.reaches(SECURITY_GROUPS, 'gone', 'Failed', `failed to delete group "The gone" (${idOf('gone')}): no`);
    await azure.send('DELETE', `/v1.0/groups/${idOf('gone')}`);
    await environment.clock.advance(10_000);
    await environment.goes(SECURITY_GROUPS, 'gone');
  });

  test('docs/spec/groups.md#deletion-skip-and-export: skip: looked at and exported, never changed or deleted', async () => {
    const skip = { 'serviceoperator.azure.com/reconcile-policy': 'skip' };
    await apply('unknown', {}, skip);
    await ready('unknown');
    expect(requests).toEqual([]);
    const id = await create('Another name');
    await apply('seen', {}, { ...skip, [RESOURCE_ID]: id });
    await ready('seen');
    expect(stored('seen').status).toMatchObject({ displayName: 'Another name' });
    expect(exported('seen')).toEqual({ id });
    await remove('seen');
    expect(azure.simulator.groups()).toHaveLength(1);
    await apply('missing', {}, { ...skip, [RESOURCE_ID]: '11111111-2222-3333-4444-555555555555' });
    await environment.reaches(SECURITY_GROUPS, 'missing', 'AzureResourceNotFound');
  });

  test.each([
    ['climbs', '..'],
    ['path', '../users/me?x='],
    ['encoded', '%2e%2e'],
    ['member', 'a/members'],
  ])('an annotation that %s is no id of a group: nothing is sent', async (name, id) => {
    await apply(name, {}, { [RESOURCE_ID]: id });
    await environment.reaches(SECURITY_GROUPS, name, 'Failed', 'which is no id of a group (a UUID), so no request is sent');
    expect(requests).toEqual([]);
  });

  test('docs/spec/groups.md#deletion-skip-and-export: export: a ConfigMap of somebody else is not overwritten', async () => {
    await environment.cluster.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'theirs-id', namespace: 'default' },
      data: { id: 'x' },
    });
    await apply('theirs');
    await environment.reaches(SECURITY_GROUPS, 'theirs', 'FailedWritingAdditionalKubernetesObjects', 'which is not owned by');
    expect(exported('theirs')).toEqual({ id: 'x' });
  });

  test('docs/spec/groups.md#deletion-skip-and-export: status: the status always has groupEmailAddress, without which ASO\'s schema takes no condition', async () => {
    await azure.close();
    await apply('early');
    await environment.reaches(SECURITY_GROUPS, 'early', 'Failed');
    expect(stored('early').status).toMatchObject({ groupEmailAddress: '' });
    azure = await Azure.start();
  });
});

describe('docs/spec/groups.md#membership-types', () => {
  const rows: [type: string | undefined, sent: string[] | undefined][] = [
    [undefined, undefined],
    ['assigned', undefined],
    ['assignedm365', ['Unified']],
    ['dynamic', ['DynamicMembership']],
    ['dynamicm365', ['Unified', 'DynamicMembership']],
    ['enabled', ['DynamicMembership']],
    ['enabledm365', ['Unified', 'DynamicMembership']],
  ];
  test.each(rows)('%s', (membershipType, sent) =>
    expect(newGroup({ displayName: 'g', mailNickname: 'g', membershipType }).groupTypes).toEqual(sent),
  );

  test('5.5 E1: enabled* are aliases of dynamic*, but a group that ASO has made without dynamic members is left as it is', () => {
    expect(groupTypesOf('enabled')).toEqual(groupTypesOf('dynamic'));
    expect(changesOf({ membershipType: 'enabled' }, { groupTypes: [] })).toEqual({});
    expect(changesOf({ membershipType: 'dynamic' }, { groupTypes: [] })).toEqual({ groupTypes: ['DynamicMembership'] });
    expect(
      changesOf(
        { membershipType: 'dynamicm365', isAssignableToRole: false },
        { groupTypes: ['DynamicMembership', 'Unified'], isAssignableToRole: null },
      ),
    ).toEqual({});
  });
});
