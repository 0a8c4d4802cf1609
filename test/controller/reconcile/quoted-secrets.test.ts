import { group, GROUPS, object, SECRETS, TestEnvironment } from './harness';
import type { ResourceType } from '../../../engine/kubernetes/types';

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
