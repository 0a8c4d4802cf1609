import { group, GROUPS, object, SECRETS, TestEnvironment } from './harness';
import { KubernetesError, type ResourceType } from '../../../engine/kubernetes/types';

const SERVERS: ResourceType = {
  group: 'dbforpostgresql.azure.com',
  version: 'v20250801',
  plural: 'flexibleservers',
  kind: 'FlexibleServer',
  namespaced: true,
};
const secret = (password: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login', namespace: 'default' },
  data: { password: Buffer.from(password).toString('base64') },
});

test('what Azure quotes of the body is hidden, even if the Secret has changed since it was sent', async () => {
  const environment = new TestEnvironment();
  environment.types.push(SERVERS);
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(SECRETS, secret('password-that-was-sent'));
  await environment.cluster.create(
    SERVERS,
    object(SERVERS, 'db', {
      location: 'westeurope',
      owner: { name: 'rg' },
      version: '16',
      administratorLogin: 'admin1',
      administratorLoginPassword: { name: 'login', key: 'password' },
    }),
  );
  environment.azure.intercept = ({ method, url, body }) => {
    if (method !== 'PUT' || !url.includes('/flexibleServers/')) return undefined;
    const stored = environment.stored(SECRETS, 'login')!;
    void environment.cluster.replace(SECRETS, { ...stored, data: secret('the-next-one').data });
    return {
      status: 500,
      headers: { 'x-ms-request-id': `id of ${/"administratorLoginPassword":"([^"]*)"/.exec(JSON.stringify(body))![1]}` },
      body: { error: { code: 'InternalServerError', message: `Cannot handle ${JSON.stringify(body)}` } },
    };
  };
  await environment.start();
  await environment.kill();

  const said = JSON.stringify([environment.ready(SERVERS, 'db'), environment.events]);
  expect(said).toContain('Cannot handle');
  expect(said).toContain('id of ***');
  expect(said).not.toContain('password-that-was-sent');
});

test('what a failed resource quotes of the body is hidden', async () => {
  const environment = new TestEnvironment();
  environment.types.push(SERVERS);
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(SECRETS, secret('password-that-was-sent'));
  await environment.cluster.create(SERVERS, object(SERVERS, 'db', {
    location: 'westeurope',
    owner: { name: 'rg' },
    version: '16',
    administratorLogin: 'admin1',
    administratorLoginPassword: { name: 'login', key: 'password' },
  }));
  environment.azure.answersWithoutId = true;
  environment.azure.after = ({ method, url }) => {
    if (method !== 'PUT' || !url.includes('/flexibleServers/')) return;
    const error = { code: 'BadPassword', message: '"password-that-was-sent" is too short' };
    environment.azure.states.set(url.toLowerCase(), { provisioningState: 'Failed', provisioningError: error });
  };
  await environment.start();
  await environment.clock.advance(3 * 3_600_000);
  await environment.kill();

  const texts = JSON.stringify([environment.ready(SERVERS, 'db'), environment.events]);
  expect(environment.ready(SERVERS, 'db')).toMatchObject({ status: 'False', reason: 'BadPassword' });
  expect(texts).toContain('is too short');
  expect(texts).not.toContain('password-that-was-sent');
});

test('what the API server quotes of an exported Secret is hidden, also the values that others have in it', async () => {
  const environment = new TestEnvironment();
  const spec = (value: string) => ({ location: 'westeurope', operatorSpec: { secretExpressions: [{ name: 'out', key: 'own', value }] } });
  await environment.cluster.create(GROUPS, object(GROUPS, 'rg', spec('"first-of-the-export"')));
  await environment.start();
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const stored = environment.stored(SECRETS, 'out')!;
  await environment.cluster.replace(SECRETS, { ...stored, data: { ...stored.data, other: base64('value-of-another-writer') } });
  environment.cluster.before = (what, { data = {}, stringData = {} }) => {
    if (what !== 'replace Secret') return;
    const values = [...Object.values(data).map((value) => Buffer.from(value, 'base64').toString()), ...Object.values(stringData)];
    throw new KubernetesError(422, 'Invalid', `Secret "out" is refused: ${values.join()}`);
  };
  await environment.cluster.edit(GROUPS, 'default', 'rg', spec('"second-of-the-export"'));
  await environment.clock.advance(60_000);
  await environment.kill();

  const texts = JSON.stringify([environment.ready(GROUPS, 'rg'), environment.events]);
  expect(texts).toContain('is refused');
  for (const value of ['value-of-another-writer', 'first-of-the-export', 'second-of-the-export']) expect(texts).not.toContain(value);
});
