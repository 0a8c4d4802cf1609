import { group, GROUPS, object, SECRETS, World } from './harness';
import type { ResourceType } from '../../engine/kubernetes/types';

const SERVERS: ResourceType = { group: 'dbforpostgresql.azure.com', version: 'v20250801', plural: 'flexibleservers', kind: 'FlexibleServer', namespaced: true };
const secret = (password: string) => ({
  apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login', namespace: 'default' }, data: { password: Buffer.from(password).toString('base64') },
});

test('what Azure quotes of the body is hidden, even if the Secret has changed since it was sent', async () => {
  const world = new World();
  world.types.push(SERVERS);
  await world.cluster.create(GROUPS, group());
  await world.cluster.create(SECRETS, secret('password-that-was-sent'));
  await world.cluster.create(SERVERS, object(SERVERS, 'db', {
    location: 'westeurope', owner: { name: 'rg' }, version: '16', administratorLogin: 'admin1', administratorLoginPassword: { name: 'login', key: 'password' },
  }));
  world.azure.intercept = ({ method, url, body }) => {
    if (method !== 'PUT' || !url.includes('/flexibleServers/')) return undefined;
    const stored = world.stored(SECRETS, 'login')!;
    void world.cluster.replace(SECRETS, { ...stored, data: secret('the-next-one').data });
    return { status: 500, body: { error: { code: 'InternalServerError', message: `Cannot handle ${JSON.stringify(body)}` } } };
  };
  await world.start();
  await world.kill();

  const said = JSON.stringify([world.ready(SERVERS, 'db'), world.events]);
  expect(said).toContain('Cannot handle');
  expect(said).not.toContain('password-that-was-sent');
});
