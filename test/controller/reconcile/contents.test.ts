import { settled } from './fake-clock';
import { group, GROUPS, IDENTITIES, inSeparateEnvironments, object, SECRETS, TestEnvironment } from './harness';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { FINALIZER } from '../../../src/azure/annotations';

const SERVERS: ResourceType = {
  group: 'dbforpostgresql.azure.com', version: 'v20250801', plural: 'flexibleservers', kind: 'FlexibleServer', namespaced: true,
};
const secret = (name: string, password: string): KubernetesObject => ({
  apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' }, data: { password: Buffer.from(password).toString('base64') },
});
const server = (name = 'db') => object(SERVERS, name, {
  location: 'westeurope',
  owner: { name: 'rg' },
  version: '16',
  administratorLogin: 'admin1',
  administratorLoginPassword: { name: 'login', key: 'password' },
});

let environment: TestEnvironment;
let gets: string[];
/** Refuses the reads of Secrets. */
let refused: KubernetesError | undefined;
/** Ends the wait of the reads that are under way. */
let answer: (() => void) | undefined;
inSeparateEnvironments((made) => {
  environment = made;
  environment.types.push(SERVERS);
  gets = [];
  refused = answer = undefined;
  const get = environment.cluster.get.bind(environment.cluster);
  environment.cluster.get = async (type, name, namespace) => {
    if (type.kind !== 'Secret') return get(type, name, namespace);
    gets.push(name);
    if (refused) throw refused;
    return get(type, name, namespace);
  };
});

const puts = () => environment.azure.requests.filter((request) => request.startsWith('PUT') && request.includes('flexibleServers'));

test('of many Secrets those alone are read that an object uses, once for all of them', async () => {
  await environment.cluster.create(GROUPS, group());
  for (const name of ['login', 'unused', 'unused-too']) await environment.cluster.create(SECRETS, secret(name, 'one'));
  for (const name of ['db', 'db2']) await environment.cluster.create(SERVERS, server(name));
  await environment.start();
  expect(puts()).toHaveLength(2);
  expect(gets).toEqual(['login']);
  await environment.clock.advance(3_600_000 * 3);
  expect(gets).toEqual(['login']);
});

test('a Secret that cannot be read stops the PUT, and the condition says so; its reader goes on when it can', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(SECRETS, secret('login', 'one'));
  await environment.cluster.create(SERVERS, server());
  refused = new KubernetesError(403, 'Forbidden', 'secrets "login" is forbidden');
  await environment.start();
  expect(puts()).toEqual([]);
  expect(environment.ready(SERVERS, 'db')).toMatchObject({
    status: 'False',
    severity: 'Warning',
    reason: 'CacheNotSynced',
    message: 'the Secret "login" cannot be read yet: the read of it failed: 403 Forbidden: secrets "login" is forbidden',
  });
  refused = undefined;
  await environment.clock.advance(2_000);
  expect(puts()).toHaveLength(1);
});

test('while its Secret is being read nothing is written to the object', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(SECRETS, secret('login', 'one'));
  await environment.start();
  const get = environment.cluster.get.bind(environment.cluster);
  environment.cluster.get = async (type, name, namespace) => {
    if (type.kind === 'Secret') await new Promise<void>((resolve) => (answer = resolve));
    return get(type, name, namespace);
  };
  await environment.cluster.create(SERVERS, server());
  await settled();
  expect(environment.stored(SERVERS, 'db')?.status).toBeUndefined();
  answer!();
  await settled();
  expect(puts()).toHaveLength(1);
});

test('a changed Secret is sent, one with the same data is not', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(SECRETS, secret('login', 'one'));
  await environment.cluster.create(SERVERS, server());
  await environment.start();
  const stored = environment.stored(SECRETS, 'login')!;
  await environment.cluster.replace(SECRETS, { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } });
  await settled();
  expect(puts()).toHaveLength(1);
  expect(gets).toHaveLength(2);
  const labelled = environment.stored(SECRETS, 'login')!;
  await environment.cluster.replace(SECRETS, { ...labelled, data: secret('login', 'two').data! });
  await settled();
  expect(puts()).toHaveLength(2);
  expect(JSON.stringify(environment.azure.bodies.at(-1))).toContain('two');
});

test('a Secret that is made later is read, and its reader goes on', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(SERVERS, server());
  await environment.start();
  expect(environment.ready(SERVERS, 'db')).toMatchObject({ reason: 'SecretNotFound' });
  await environment.cluster.create(SECRETS, secret('login', 'one'));
  await settled();
  expect(puts()).toHaveLength(1);
  await environment.cluster.delete(SECRETS, 'login', 'default');
  await settled();
  expect(environment.ready(SERVERS, 'db')).toMatchObject({ reason: 'SecretNotFound' });
});

test('an identity waits for its deletion until it is known which credentials name it', async () => {
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(SECRETS, secret('aso-credential', 'one'));
  await environment.cluster.create(IDENTITIES, object(IDENTITIES, 'id', { location: 'westeurope', owner: { name: 'rg' } }));
  await environment.start();
  await environment.kill();
  refused = new KubernetesError(500, 'InternalError', 'etcd is away');
  await environment.start();
  const stored = environment.stored(IDENTITIES, 'id')!;
  await environment.cluster.replaceStatus(IDENTITIES, { ...stored, status: { ...stored.status, clientId: 'client' } });
  await environment.cluster.delete(IDENTITIES, 'id', 'default');
  await settled();
  expect(environment.stored(IDENTITIES, 'id')?.metadata.finalizers).toEqual([FINALIZER]);
  expect(environment.azure.count('DELETE')).toBe(0);
  expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ reason: 'CacheNotSynced', message: expect.stringContaining('etcd is away') });
  refused = undefined;
  await environment.clock.advance(60_000);
  expect(environment.stored(IDENTITIES, 'id')).toBeUndefined();
});
