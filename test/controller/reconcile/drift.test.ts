import { group, GROUP_ID, GROUPS, inSeparateEnvironments, object, SECRETS, TestEnvironment } from './harness';
import type { ResourceType } from '../../../engine/kubernetes/types';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { LATEST_GENERATION, PUT_RECORD, SEND_SECRETS } from '../../../src/azure/annotations';

const HOUR = 3_600_000;
let environment: TestEnvironment;
inSeparateEnvironments((made) => (environment = made));

const record = () =>
  JSON.parse(annotation(environment.stored(GROUPS, 'rg')!, PUT_RECORD)!) as { known?: Record<string, string>; digest: string; at: string };
const events = (reason: string) => environment.events.filter((event) => event.reason === reason);
const requests = async (act: () => Promise<unknown>) => {
  const before = environment.azure.requests.length;
  await act();
  return environment.azure.requests.slice(before).map((request) => request.split(' ')[0]);
};

async function ready(
  spec: Record<string, unknown> = { location: 'westeurope', tags: { team: 'a' } },
  annotations?: Record<string, string>,
): Promise<void> {
  await environment.cluster.create(GROUPS, object(GROUPS, 'rg', spec, annotations));
  await environment.start();
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
}

test('a periodic look at what is as wanted is one GET, and writes nothing', async () => {
  await ready();
  const writes = environment.cluster.writes.length;
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET']);
  expect(environment.cluster.writes).toHaveLength(writes);
  expect(events('Drift')).toEqual([]);
});

test('what somebody changed is sent again; the event names the places, not the values', async () => {
  await ready();
  environment.azure.meddle(GROUP_ID, { location: 'secretplace', tags: { team: 'b' } });
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET', 'PUT']);
  expect(events('Drift')).toEqual([
    { type: 'Normal', reason: 'Drift', message: 'Azure differs from what is wanted at /location, /tags/team; sending the resource again' },
  ]);
  expect(environment.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ location: 'westeurope', tags: { team: 'a' } });
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET']);
});

test('what Azure shows otherwise than it was sent is known from then on, until it shows something else', async () => {
  const spelt = (tags: Record<string, string>) => {
    environment.azure.intercept = ({ method, url }) =>
      method === 'PUT' || (method === 'GET' && !url.includes('/operations/'))
        ? { body: { id: GROUP_ID, location: 'westeurope', tags, properties: { provisioningState: 'Succeeded' } } }
        : undefined;
  };
  spelt({ team: 'A!' });
  await ready();
  expect(Object.keys(record().known!)).toEqual(['/tags/team']);
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET']);
  spelt({ team: 'B!' });
  for (let round = 1; round <= 3; round += 1) expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET']);
});

/** The body that Azure always returns for the group, whatever was sent, in answers to these methods. */
function always(methods: readonly string[], body: Record<string, unknown>, status = 200): void {
  const shown = { status, body: { id: GROUP_ID, ...body, properties: { provisioningState: 'Succeeded' } } };
  environment.azure.intercept = ({ method, url }) => (methods.includes(method) && !url.includes('/operations/') ? shown : undefined);
}

test('the same of a long operation: what the first answer showed is confirmed when it is over', async () => {
  environment.azure.polls = 2;
  const headers = { 'azure-asyncoperation': `https://arm.test/operations${GROUP_ID}` };
  environment.azure.after = ({ method }) => {
    if (method === 'PUT') always(['GET'], { location: 'elsewhere' });
  };
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: {}, polls: 2 });
  environment.azure.intercept = ({ method }) =>
    method === 'PUT'
      ? { status: 201, headers, body: { id: GROUP_ID, location: 'elsewhere', properties: { provisioningState: 'Creating' } } }
      : undefined;
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  expect(record()).toMatchObject({ shown: { '/location': expect.any(String) as string } });
  await environment.clock.advance(30_000);
  expect(Object.keys(record().known!)).toEqual(['/location']);
  expect(record()).not.toHaveProperty('shown');
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET']);
});

test('what somebody changes between a PUT and the read after it is not taken for what Azure made of it', async () => {
  environment.azure.after = ({ method }) => {
    if (method !== 'PUT') return;
    environment.azure.after = () => undefined;
    environment.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
  };
  await ready();
  expect(record().known).toEqual({});
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET', 'PUT']);
  expect(environment.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ tags: { team: 'a' } });
  expect(events('Drift')).toHaveLength(1);
});

test('the same while an operation runs, which a restart follows', async () => {
  environment.azure.polls = 3;
  await environment.cluster.create(GROUPS, object(GROUPS, 'rg', { location: 'westeurope', tags: { team: 'a' } }));
  await environment.start();
  await environment.kill();
  environment.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
  await environment.start();
  await environment.clock.advance(60_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(await requests(() => environment.clock.advance(HOUR))).toContain('PUT');
  expect(environment.azure.resources.get(GROUP_ID.toLowerCase())!.body).toMatchObject({ tags: { team: 'a' } });
});

test('an answer that still shows what is being corrected makes it nobody\'s way', async () => {
  await ready();
  always(['PUT', 'GET'], { location: 'westeurope', tags: { team: 'b' } });
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(record().known).toEqual({});
  environment.azure.intercept = () => undefined;
  environment.azure.meddle(GROUP_ID, { tags: { team: 'b' } });
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET', 'PUT']);
});

test('an answer to an update whose operation runs may show what was before: nothing is learnt from it', async () => {
  await ready();
  const headers = { 'azure-asyncoperation': `https://arm.test/operations${GROUP_ID}` };
  const before = { id: GROUP_ID, location: 'westeurope', tags: { team: 'a' } };
  environment.azure.intercept = ({ method, url }) => {
    if (method === 'PUT') return { status: 200, headers, body: { ...before, properties: { provisioningState: 'Updating' } } };
    return url.includes('/operations/')
      ? { body: { status: 'Succeeded' } }
      : { body: { ...before, properties: { provisioningState: 'Succeeded' } } };
  };
  await environment.cluster.edit(GROUPS, 'default', 'rg', { location: 'westeurope', tags: { team: 'c' } });
  await environment.clock.advance(60_000);
  expect(record().known).toEqual({});
  expect(await requests(() => environment.clock.advance(HOUR))).toContain('PUT');
});

test('what the answers to three PUTs in a row show is how Azure is, and told', async () => {
  await ready();
  always(['PUT', 'GET'], { location: 'westeurope', tags: { team: 'b' } });
  for (let round = 1; round <= 3; round += 1) expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET', 'PUT', 'GET']);
  expect(await requests(() => environment.clock.advance(2 * HOUR))).toEqual(['GET', 'GET']);
  expect(events('KnownDifference')).toMatchObject([{ type: 'Warning', message: expect.stringContaining('/tags/team') }]);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True', reason: 'Succeeded' });
});

test('a restart after the sync was due, and a digest of another controller version, send nothing where nothing differs', async () => {
  await ready();
  await environment.kill();
  await environment.cluster.replace(
    GROUPS,
    withAnnotations(environment.stored(GROUPS, 'rg')!, { [PUT_RECORD]: JSON.stringify({ ...record(), digest: 'x'.repeat(43) }) }),
  );
  await environment.clock.advance(5 * HOUR);
  expect(await requests(() => environment.start())).toEqual(['GET']);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(record().digest).not.toBe('x'.repeat(43));
  expect(await requests(() => environment.clock.advance(1.3 * HOUR))).toEqual(['GET']);
});

test('a restart finds what was changed meanwhile', async () => {
  await ready();
  await environment.kill();
  environment.azure.meddle(GROUP_ID, { location: 'elsewhere' });
  expect(await requests(() => environment.start())).toEqual(['GET', 'PUT']);
});

test('an object that Azure Service Operator has sent is taken over without a PUT where nothing differs', async () => {
  await ready();
  await environment.kill();
  const stored = environment.stored(GROUPS, 'rg')!;
  await environment.cluster.replace(GROUPS, withAnnotations(stored, { [PUT_RECORD]: undefined, [LATEST_GENERATION]: '1' }));
  expect(await requests(() => environment.start())).toEqual(['GET']);
  expect(record()).toMatchObject({ answered: true, generation: 1 });
});

test('a kill before the first PUT arrived costs no PUT where the resource is as wanted already', async () => {
  environment.azure.resources.set(GROUP_ID.toLowerCase(), { body: { id: GROUP_ID, location: 'westeurope' }, polls: 0 });
  environment.azure.before = ({ method }) => {
    if (method === 'PUT') void environment.kill();
    if (method === 'PUT') throw new Error('killed');
  };
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  environment.errors.length = 0;
  environment.azure.before = () => undefined;
  expect(await requests(() => environment.start())).toEqual(['GET']);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('ignoreChanges: what others may change is no difference', async () => {
  await ready({ location: 'westeurope', tags: { team: 'a', cost: '1' } }, { 'aso.cdk8s.io/ignore-changes': '["tags.cost"]' });
  environment.azure.meddle(GROUP_ID, { tags: { team: 'a', cost: '2' } });
  expect((await requests(() => environment.clock.advance(HOUR))).filter((method) => method === 'PUT')).toEqual([]);
});

test('a resource that is gone is made again', async () => {
  await ready();
  environment.azure.resources.clear();
  expect(await requests(() => environment.clock.advance(HOUR))).toEqual(['GET', 'PUT']);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
});

test('an operation of somebody else is waited for', async () => {
  await ready();
  environment.azure.intercept = ({ method }) =>
    method === 'GET' ? { body: { id: GROUP_ID, location: 'x', properties: { provisioningState: 'Updating' } } } : undefined;
  await environment.clock.advance(HOUR + 60_000);
  expect(environment.azure.count('PUT')).toBe(1);
  environment.azure.intercept = () => undefined;
  await environment.clock.advance(60_000);
  expect(environment.ready(GROUPS, 'rg')).toMatchObject({ status: 'True' });
  expect(environment.azure.count('PUT')).toBe(1);
});

describe('values of Secrets, which Azure does not show, at a takeover', () => {
  const SERVERS: ResourceType = { group: 'dbforpostgresql.azure.com', version: 'v20250801', plural: 'flexibleservers', kind: 'FlexibleServer', namespaced: true };
  const secret = (password: string) => ({
    apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login', namespace: 'default' }, data: { password: Buffer.from(password).toString('base64') },
  });
  const putRecord = () => JSON.parse(annotation(environment.stored(SERVERS, 'db')!, PUT_RECORD)!) as { unsent?: boolean; hidden: string };
  const puts = async (act: () => Promise<unknown>) => (await requests(act)).filter((method) => method === 'PUT').length;

  /** A server as ASO has left it, whose record of this controller is not there. */
  async function takenOver(annotations: Record<string, string> = {}): Promise<void> {
    environment.types.push(SERVERS);
    await environment.cluster.create(GROUPS, group());
    await environment.cluster.create(SECRETS, secret('first'));
    await environment.cluster.create(SERVERS, object(SERVERS, 'db', {
      location: 'westeurope', owner: { name: 'rg' }, version: '16', administratorLogin: 'admin1', administratorLoginPassword: { name: 'login', key: 'password' },
    }));
    await environment.start();
    expect(environment.ready(SERVERS, 'db')).toMatchObject({ status: 'True' });
    await environment.kill();
    const stored = environment.stored(SERVERS, 'db')!;
    await environment.cluster.replace(SERVERS, withAnnotations(stored, { [PUT_RECORD]: undefined, [LATEST_GENERATION]: '1', ...annotations }));
  }

  test('are not sent, and the condition says so', async () => {
    await takenOver();
    expect(await puts(() => environment.start())).toBe(0);
    expect(environment.ready(SERVERS, 'db')).toMatchObject({ status: 'True', reason: 'Succeeded', message: expect.stringContaining('aso.cdk8s.io/send-secrets') });
    expect(putRecord()).toMatchObject({ unsent: true });
    expect(await puts(() => environment.clock.advance(2 * HOUR))).toBe(0);
    await environment.kill();
    expect(await puts(() => environment.start())).toBe(0);
  });

  test('are sent when the Secret changes', async () => {
    await takenOver();
    await environment.start();
    const stored = environment.stored(SECRETS, 'login')!;
    expect(await puts(async () => {
      await environment.cluster.replace(SECRETS, { ...stored, data: secret('second').data });
      await environment.clock.advance(60_000);
    })).toBe(1);
    expect(putRecord()).not.toHaveProperty('unsent');
    expect(environment.ready(SERVERS, 'db')?.message ?? '').not.toContain('send-secrets');
  });

  test('are sent once by the annotation, and not again when it goes', async () => {
    await takenOver();
    await environment.start();
    const annotate = async (value: string | undefined) => {
      await environment.cluster.replace(SERVERS, withAnnotations(environment.stored(SERVERS, 'db')!, { [SEND_SECRETS]: value }));
      await environment.clock.advance(60_000);
    };
    expect(await puts(() => annotate('2026-11-30'))).toBe(1);
    expect(putRecord()).not.toHaveProperty('unsent');
    expect(await puts(() => environment.clock.advance(2 * HOUR))).toBe(0);
    expect(await puts(() => annotate(undefined))).toBe(0);
    expect(await puts(() => annotate('2026-11-30'))).toBe(0);
    expect(await puts(() => annotate('again'))).toBe(1);
  });

  test('are sent at once where the annotation is there before', async () => {
    await takenOver({ [SEND_SECRETS]: 'now' });
    expect(await puts(() => environment.start())).toBe(1);
  });
});
