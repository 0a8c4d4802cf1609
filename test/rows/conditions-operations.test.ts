import { account, answering, createdGroup, deleted, edit, failing, operation, readyGroup, waits } from './arrange';
import { inEnvironment, table } from './table';
import { FOREIGN_URL_CODE } from '../../engine/arm/poll-operation';
import { ArmError, type ArmResponse } from '../../engine/arm/types';
import { annotation } from '../../engine/objects/annotations';
import { operationOf } from '../../engine/objects/poller';
import { POLLER_ID, POLLER_TOKEN } from '../../src/azure/annotations';
import { noAnswer } from '../controller/reconcile/fake-azure';
import { ACCOUNTS, azure, GROUP_ID, GROUPS, NETWORKS, object, SUBNETS, type TestEnvironment } from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const token = (environment: TestEnvironment) => annotation(environment.stored(GROUPS, 'rg')!, POLLER_TOKEN);
const OPERATION = 'https://arm.test/operations/x';
const SECURITY_GROUPS = azure('network', 'v1api20201101', 'networksecuritygroups', 'NetworkSecurityGroup');

/** A group whose PUT is answered so; what the next poll asks for. */
async function begun(environment: TestEnvironment, answer: Partial<ArmResponse>) {
  answering(environment, 'PUT', answer);
  await createdGroup(environment);
  return {
    state: operationOf(environment.stored(GROUPS, 'rg')!, '2020-06-01'),
    poll: async () => {
      const before = environment.azure.requests.length;
      await environment.clock.advance(1_000);
      return environment.azure.requests[before];
    },
  };
}
const running = { properties: { provisioningState: 'Creating' } };

table('docs/spec/arm.md#operation-style', (row) => {
  const headers = {
    'azure-asyncoperation': OPERATION,
    'operation-location': 'https://arm.test/operations/o',
    'location': 'https://arm.test/operations/l',
  };
  const style = (
    name: 'Azure-AsyncOperation' | 'Operation-Location' | 'Location' | 'PUT',
    answer: Partial<ArmResponse>,
    expected: string,
    polled: string,
  ) =>
    row(
      name,
      `${expected}, polls ${polled}`,
      inEnvironment(async (environment) => {
        const { state, poll } = await begun(environment, answer);
        expect(state!.style).toBe(expected);
        expect(await poll()).toBe(`GET ${polled}`);
      }),
    );
  style('Azure-AsyncOperation', { status: 202, headers }, 'azure-asyncoperation', '/operations/x');
  style(
    'Operation-Location',
    { status: 202, headers: { 'operation-location': headers['operation-location'], 'location': headers.location } },
    'operation-location',
    '/operations/o',
  );
  style('Location', { status: 202, headers: { location: headers.location } }, 'location', '/operations/l');
  row('Location', '(better: with 200 and 201 it names the resource and is no operation)', inEnvironment(async (environment) => {
    const { state } = await begun(environment, { status: 201, body: {}, headers: { location: '/subscriptions/relative' } });
    expect(state).toBeUndefined();
  }));
  style('PUT', { status: 201, body: running }, 'body', GROUP_ID);
  row('DELETE with 202', '(better: without a polling URL the resource itself is watched)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', { status: 202 });
    await deleted(environment);
    expect(ready(environment)).toMatchObject({ reason: 'Deleting' });
    environment.azure.resources.clear();
    await environment.clock.advance(1_000);
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
    expect(environment.azure.count('DELETE')).toBe(1);
  }));
  row('otherwise', 'done', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await deleted(environment);
    expect(environment.stored(GROUPS, 'rg')).toBeUndefined();
  }));
});

table('docs/spec/arm.md#first-answer', (row) => {
  row(
    'URLs',
    '(better: one that cannot be read is none, and the resource itself is watched)',
    inEnvironment(async (environment) => {
      const { state } = await begun(environment, { status: 202, headers: { 'azure-asyncoperation': 'not a url' } });
      expect(state).toMatchObject({ style: 'body', pollUrl: `${GROUP_ID}?api-version=2020-06-01` });
    }),
  );
  row(
    'URLs',
    '(better: relative ones are taken)',
    inEnvironment(async (environment) => {
      expect((await begun(environment, { status: 202, headers: { location: '/operations/r' } })).state).toMatchObject({
        style: 'location',
        pollUrl: 'https://arm.test/operations/r',
      });
    }),
  );
  row(
    'terminal',
    'a success needs no poll',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      expect(environment.azure.requests).toEqual([`PUT ${GROUP_ID}`]);
    }),
  );
  for (const word of ['Failed', 'Canceled']) {
    row(
      'terminal',
      `(better: an immediate ${word} is a failure)`,
      inEnvironment(async (environment) => {
        await begun(environment, { status: 200, body: { properties: { provisioningState: word } } });
        expect(ready(environment)).toMatchObject({
          status: 'False',
          severity: 'Warning',
          reason: word,
          message: expect.stringContaining(word),
        });
      }),
    );
  }
});

table('docs/spec/arm.md#status-words', (row) => {
  const ends = (name: 'success' | 'failure' | 'running', words: string[], expected: object) =>
    words.forEach((word) =>
      row(
        name,
        word,
        inEnvironment(async (environment) => {
          environment.azure.polls = 1;
          await createdGroup(environment);
          operation(environment, { body: { status: word } });
          await environment.clock.advance(1_000);
          expect(ready(environment)).toMatchObject(expected);
        }),
      ),
    );
  ends('success', ['Succeeded', 'Completed', 'sUCCEEDED'], { status: 'True' });
  ends('failure', ['Failed', 'Canceled', 'Cancelled', 'FAILED'], { severity: 'Warning' });
  ends('running', ['InProgress', 'Accepted', 'Whatever'], { severity: 'Info', reason: 'Reconciling' });
});

/** An operation of the style, polled with these answers; the requests after the PUT. */
async function followed(environment: TestEnvironment, first: Partial<ArmResponse>, ...answers: Partial<ArmResponse>[]): Promise<string[]> {
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID }, polls: 0 });
  let next = 0;
  const replay = () => answers[Math.min(next++, answers.length - 1)];
  let polls = 0;
  environment.azure.intercept = ({ method, url }) => {
    if (method === 'PUT') return first;
    if (url.includes('/operations/')) return replay();
    return first.headers || polls++ >= answers.length ? undefined : replay();
  };
  await createdGroup(environment);
  await environment.clock.advance(100_000);
  return environment.azure.requests.slice(1).map((request) => request.replace(GROUP_ID, '<id>'));
}

table('docs/spec/arm.md#polling', (row) => {
  const asynchronous = { status: 201, headers: { 'azure-asyncoperation': OPERATION }, body: running };
  row(
    'async',
    'the status tells; then one GET of the resource',
    inEnvironment(async (environment) => {
      expect(await followed(environment, asynchronous, { body: { status: 'InProgress' } }, { body: { status: 'Succeeded' } })).toEqual([
        'GET /operations/x',
        'GET /operations/x',
        'GET <id>',
      ]);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'async',
    '(better: without a status the resource itself is watched)',
    inEnvironment(async (environment) => {
      expect(await followed(environment, asynchronous, { body: {} })).toEqual(['GET /operations/x', 'GET <id>']);
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'operation-location',
    'the status tells',
    inEnvironment(async (environment) => {
      const first = { status: 202, headers: { 'operation-location': OPERATION }, body: { status: 'NotStarted' } };
      expect(await followed(environment, first, { body: { status: 'Running' } }, { body: { status: 'Completed' } })).toEqual([
        'GET /operations/x',
        'GET /operations/x',
        'GET <id>',
      ]);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'location',
    'the status code tells; a new Location is followed',
    inEnvironment(async (environment) => {
      const first = { status: 202, headers: { location: OPERATION } };
      const moved = { status: 202, headers: { location: 'https://arm.test/operations/y' } };
      expect(await followed(environment, first, moved, { status: 202 }, { status: 200, body: {} })).toEqual([
        'GET /operations/x',
        'GET /operations/y',
        'GET /operations/y',
        'GET <id>',
      ]);
    }),
  );
  row(
    'location',
    'a provisioningState goes before the status code',
    inEnvironment(async (environment) => {
      await followed(
        environment,
        { status: 202, headers: { location: OPERATION } },
        { status: 200, body: { properties: { provisioningState: 'Failed' }, error: { code: 'X', message: 'm' } } },
      );
      expect(environment.reconciles[1]?.result).toMatchObject({ failure: { reason: 'X' } });
    }),
  );
  row(
    'body',
    '201 with a running state: GET of the resource until it ends',
    inEnvironment(async (environment) => {
      expect(await followed(environment, { status: 201, body: running }, { body: running }, { body: {} })).toEqual([
        'GET <id>',
        'GET <id>',
      ]);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'body',
    '202 without a header is running, 200 without a state is done',
    inEnvironment(async (environment) => {
      expect(await followed(environment, { status: 202 }, { body: running }, { body: {} })).toEqual(['GET <id>', 'GET <id>']);
      expect(ready(environment)).toMatchObject({ status: 'True' });
    }),
  );
  row(
    'body',
    '200 without a state is done',
    inEnvironment(async (environment) => expect(await followed(environment, { status: 200, body: {} })).toEqual(['GET <id>'])),
  );
});

table('docs/spec/arm.md#poll-failures', (row) => {
  for (const status of [429, 500, 503]) {
    row(
      '429 and 5xx',
      `(better: ${status} keeps the operation; a condition tells from the third in a row)`,
      inEnvironment(async (environment) => {
        environment.azure.polls = 1;
        await createdGroup(environment);
        operation(environment, { status, body: failing('Busy') });
        await environment.clock.advance(3_000);
        expect(ready(environment)).toMatchObject({ severity: 'Info' });
        await environment.clock.advance(4_000);
        expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Busy' });
        expect(token(environment)).toBeDefined();
        expect(environment.azure.count('PUT')).toBe(1);
      }),
    );
  }
  row(
    '429 and 5xx',
    '(better: so does a network failure)',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      let lost = 2;
      environment.azure.before = ({ url }) => (url.includes('/operations/') && lost-- > 0 ? noAnswer() : undefined);
      await environment.clock.advance(10_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'other 4xx',
    'a refusal of the poll is a failure, the token is dropped, a new PUT follows',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      operation(environment, { status: 409, body: failing('Conflict') });
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Conflict' });
      expect(token(environment)).toBeUndefined();
      await environment.clock.advance(1_000);
      expect(environment.azure.count('PUT')).toBe(2);
    }),
  );
  for (const status of [403, 404, 410]) {
    row(
      'other 4xx',
      `(better: ${status} is about the URL, so the resource itself is watched)`,
      inEnvironment(async (environment) => {
        environment.azure.polls = 2;
        await createdGroup(environment);
        operation(environment, { status, body: failing('NotFound') });
        await environment.clock.advance(60_000);
        expect(ready(environment)).toMatchObject({ status: 'True' });
        expect(environment.azure.count('PUT')).toBe(1);
      }),
    );
  }
  row(
    'final GET',
    'is the refresh of the status; its failure is one, and the token is kept (better: no new PUT for it)',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      const giveBack = answering(environment, 'GET', { status: 500, body: failing('Broken') }, GROUP_ID);
      operation(environment, { body: { status: 'Succeeded' } });
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'Failed', message: 'error updating status: said by Azure' });
      giveBack();
      operation(environment, { body: { status: 'Succeeded' } });
      await environment.clock.advance(10_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
});

/** A token in ASO's format. */
const asoToken = (members: object, type = 'GenericResource') => JSON.stringify({ type, token: members });
const request = (method: string) => ({ origURL: `https://arm.test${GROUP_ID}?api-version=2020-06-01`, method, finalState: '' });

/** An object whose operation another controller has begun: the requests and the condition after that operation has ended. */
async function takenOver(environment: TestEnvironment, poller: string): Promise<string[]> {
  environment.azure.polls = 3;
  await createdGroup(environment);
  await environment.kill();
  await environment.cluster.annotate(GROUPS, 'default', 'rg', { [POLLER_TOKEN]: poller, [POLLER_ID]: 'GenericClient.CreateOrUpdateByID' });
  const before = environment.azure.requests.length;
  await environment.start();
  await environment.clock.advance(150_000);
  expect(ready(environment)).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
  expect(token(environment)).toBeUndefined();
  return environment.azure.requests.slice(before);
}

table('docs/spec/arm.md#resume-token', (row) => {
  const url = `https://arm.test/operations${GROUP_ID}`;
  const both = (name: 'Azure-AsyncOperation' | 'Operation-Location' | 'Location' | 'body', answer: Partial<ArmResponse>, members: object) => {
    row(name, 'as ASO writes it', inEnvironment(async (environment) => {
      await begun(environment, answer);
      expect(JSON.parse(token(environment)!)).toEqual({ type: 'GenericResource', token: members });
    }));
    row(name, 'of ASO: followed to its end, without a PUT', inEnvironment(async (environment) => {
      const requests = await takenOver(environment, asoToken(members));
      expect(requests[0]).toBe(name === 'body' ? `GET ${GROUP_ID}` : `GET /operations${GROUP_ID}`);
    }));
  };
  both('Azure-AsyncOperation', { status: 202, headers: { 'azure-asyncoperation': url, 'location': 'https://arm.test/results/1' } }, {
    asyncURL: url, locURL: 'https://arm.test/results/1', ...request('PUT'), state: 'InProgress',
  });
  both('Operation-Location', { status: 202, headers: { 'operation-location': url } }, {
    oplocURL: url, locURL: '', ...request('PUT'), resultPath: '', state: 'InProgress',
  });
  both('Location', { status: 202, headers: { location: url } }, { type: 'loc', pollURL: url, state: 'InProgress' });
  both('body', { status: 201, body: running }, { type: 'body', pollURL: `https://arm.test${GROUP_ID}?api-version=2020-06-01`, state: 'Creating' });
  row('body', '(better: for a DELETE too)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', { status: 202 });
    await deleted(environment);
    expect(JSON.parse(token(environment)!)).toEqual({
      type: 'GenericDeleteResponse',
      token: { type: 'resource', pollURL: `https://arm.test${GROUP_ID}?api-version=2020-06-01`, state: 'InProgress' },
    });
  }));
  row('state', 'of a PUT that was accepted, whatever the resource says', inEnvironment(async (environment) => {
    await begun(environment, { status: 202, body: { properties: { provisioningState: 'Succeeded' } }, headers: { location: url } });
    expect(JSON.parse(token(environment)!)).toMatchObject({ token: { state: 'InProgress' } });
  }));
  row(
    'restart',
    'the operation is followed, without a PUT',
    inEnvironment(async (environment) => {
      environment.azure.polls = 2;
      await createdGroup(environment);
      expect(JSON.parse(token(environment)!)).toMatchObject({ token: { asyncURL: url } });
      await environment.kill();
      await environment.start();
      await environment.clock.advance(10_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  const OTHER = `https://arm.test${GROUP_ID}-other?api-version=2020-06-01`;
  for (const [what, members] of [
    ['origURL', { asyncURL: 'https://arm.test/operations/gone', ...request('PUT'), origURL: OTHER, state: 'InProgress' }],
    ['pollURL', { type: 'body', pollURL: OTHER, state: 'InProgress' }],
  ] as const) {
    row('resource', `(better: ${what} of a token is not read)`, inEnvironment(async (environment) => {
      const requests = await takenOver(environment, asoToken(members));
      expect(requests).toContain(`GET ${GROUP_ID}`);
      expect(requests.filter((line) => line.includes('-other'))).toEqual([]);
    }));
  }
  row('other hosts', '(better: no token is sent there)', inEnvironment(async (environment) => {
    environment.azure.before = ({ url: asked }) => {
      if (asked.includes('evil')) throw new ArmError(FOREIGN_URL_CODE, 'refused');
    };
    const requests = await takenOver(environment, asoToken({ asyncURL: 'https://evil.test/operations/1', ...request('PUT'), state: 'InProgress' }));
    expect(requests).toContain(`GET ${GROUP_ID}`);
  }));
  for (const [what, poller] of [
    ['one that cannot be read', 'of nobody'],
    ['one of another operation', asoToken({ type: 'loc', pollURL: url, state: 'InProgress' }, 'GenericDeleteResponse')],
    ['a long one', asoToken({ type: 'loc', pollURL: `${url}?x=${'x'.repeat(70_000)}`, state: 'InProgress' })],
    ['one of a simulated Azure', asoToken({ apiName: 'x', fakeURL: `https://arm.test${GROUP_ID}/get/fake/status`, status: 'InProgress' })],
  ] as const) {
    row('unusable', `(better: ${what} is replaced by watching the resource; no new PUT)`, inEnvironment(async (environment) => {
      expect((await takenOver(environment, poller))[0]).toBe(`GET ${GROUP_ID}`);
    }));
  }
});

table('docs/spec/arm.md#poll-waits', (row) => {
  const accepted = (headers: Record<string, string>) => ({ status: 202, headers: { 'azure-asyncoperation': OPERATION, ...headers } });
  /** A network's operation was recorded: three seconds. How long its poll waits after the PUT, and after each running answer. */
  const networkWaits = async (environment: TestEnvironment, headers: Record<string, string>, milliseconds: number) => {
    await readyGroup(environment);
    answering(environment, 'PUT', accepted(headers));
    operation(environment, { body: { status: 'InProgress' }, headers });
    await environment.cluster.create(NETWORKS, object(NETWORKS, 'net', { location: 'westeurope', owner: { name: 'rg' } }));
    await environment.clock.advance(milliseconds);
    return environment.reconciles.filter(({ key }) => key.kind === NETWORKS.kind).map(({ nextIn }) => nextIn);
  };
  row('after the PUT that creates', '(better: the median and half a second more)', inEnvironment(async (environment) => {
    expect(await networkWaits(environment, {}, 0)).toEqual([3_500]);
  }));
  row('after the PUT that creates', '(better: the median × 1.02 where that is more)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'PUT', accepted({}));
    await environment.cluster.create(ACCOUNTS, account());
    await environment.clock.advance(0);
    expect(waits(environment).at(-1)).toBe(27_540);
  }));
  row('after the PUT that creates', 'never before Retry-After', inEnvironment(async (environment) => {
    expect(await networkWaits(environment, { 'retry-after': '17' }, 0)).toEqual([17_000]);
  }));
  /** The wait after a change of a subnet, whose update was recorded with a second, and its creation with two. */
  const afterUpdate = async (environment: TestEnvironment, headers: Record<string, string>) => {
    await readyGroup(environment);
    await environment.cluster.create(NETWORKS, object(NETWORKS, 'net', { location: 'westeurope', owner: { name: 'rg' } }));
    await environment.clock.advance(0);
    await environment.cluster.create(SUBNETS, object(SUBNETS, 'sub', { owner: { name: 'net' }, addressPrefix: '10.0.0.0/24' }));
    await environment.clock.advance(0);
    expect(environment.ready(SUBNETS, 'sub')).toMatchObject({ status: 'True' });
    answering(environment, 'PUT', accepted(headers));
    await edit(environment, { addressPrefix: '10.0.1.0/24' }, SUBNETS, 'sub');
    return waits(environment).at(-1);
  };
  row('after the PUT that updates', '(better: the shortest time of an update and half a second more)', inEnvironment(async (environment) => {
    expect(await afterUpdate(environment, {})).toBe(1_500);
  }));
  row('after the PUT that updates', 'never before Retry-After', inEnvironment(async (environment) => {
    expect(await afterUpdate(environment, { 'retry-after': '7' })).toBe(7_000);
  }));
  row('after the PUT that updates', '(better: 1 s where no update was recorded, however long a creation takes)', inEnvironment(async (environment) => {
    await readyGroup(environment);
    await environment.cluster.create(ACCOUNTS, account());
    await environment.clock.advance(0);
    answering(environment, 'PUT', accepted({}));
    await edit(environment, { tags: { team: 'b' } }, ACCOUNTS, 'sa');
    expect(waits(environment).at(-1)).toBe(1_000);
  }));
  row('later polls', '(better: a tenth of the time so far, 1 to 15 s)', inEnvironment(async (environment) => {
    const all = await networkWaits(environment, {}, 400_000);
    expect(all.slice(0, 4)).toEqual([3_500, 1_000, 1_000, 1_000]);
    let elapsed = 0;
    for (const [index, wait] of all.entries()) {
      if (index > 0) expect(wait).toBe(Math.min(Math.max(Math.round(elapsed / 10), 1_000), 15_000));
      elapsed += wait!;
    }
    expect(all.at(-1)).toBe(15_000);
  }));
  row('later polls', 'never before Retry-After', inEnvironment(async (environment) => {
    expect(await networkWaits(environment, { 'retry-after': '9' }, 18_000)).toEqual([9_000, 9_000, 9_000]);
  }));
  row('no time known', '1 s', inEnvironment(async (environment) => {
    await begun(environment, accepted({}));
    expect(waits(environment)).toEqual([1_000]);
  }));
  row('no time known', '(better: Retry-After is honoured)', inEnvironment(async (environment) => {
    await begun(environment, accepted({ 'retry-after': '17' }));
    expect(waits(environment)).toEqual([17_000]);
  }));
  const polled = async (environment: TestEnvironment, headers: Record<string, string>) => {
    await begun(environment, accepted({}));
    operation(environment, { body: { status: 'InProgress' }, headers });
    await environment.clock.advance(1_000);
    return waits(environment).at(-1);
  };
  row(
    'Retry-After',
    'in seconds',
    inEnvironment(async (environment) => expect(await polled(environment, { 'retry-after': '9' })).toBe(9_000)),
  );
  row('Retry-After', '(better: where no time is known, the polls thin out to 15 s)', inEnvironment(async (environment) => {
    await polled(environment, { 'retry-after': '1' });
    await environment.clock.advance(60_000);
    expect(waits(environment).slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  }));
  row(
    'Retry-After',
    'as a date',
    inEnvironment(async (environment) => {
      expect(await polled(environment, { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT', 'date': 'Thu, 01 Jan 2026 00:00:20 GMT' })).toBe(
        40_000,
      );
    }),
  );
  row(
    'Retry-After',
    'a past date counts as none',
    inEnvironment(async (environment) => expect(await polled(environment, { 'retry-after': 'Thu, 01 Jan 2020 00:00:00 GMT' })).toBe(2_000)),
  );
  row(
    'none',
    '1, 2, 4 … (better: at most 15 s)',
    inEnvironment(async (environment) => {
      await polled(environment, {});
      await environment.clock.advance(60_000);
      expect(waits(environment).slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    }),
  );
  const deletedWith = (headers: Record<string, string>, wait: number) =>
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      answering(environment, 'DELETE', accepted(headers));
      await deleted(environment);
      expect(waits(environment).at(-1)).toBe(wait);
    });
  row('after DELETE', 'Retry-After', deletedWith({ 'retry-after': '11' }, 11_000));
  row('after DELETE', 'else the limiter, where no time is known', deletedWith({}, 1_000));
  row('after DELETE', '(better: the shortest time of a deletion)', inEnvironment(async (environment) => {
    environment.types.push(SECURITY_GROUPS);
    await readyGroup(environment);
    await environment.cluster.create(SECURITY_GROUPS, object(SECURITY_GROUPS, 'nsg', { location: 'westeurope', owner: { name: 'rg' } }));
    await environment.clock.advance(0);
    answering(environment, 'DELETE', accepted({}));
    await deleted(environment, SECURITY_GROUPS, 'nsg');
    expect(waits(environment).at(-1)).toBe(1_500);
  }));
});
