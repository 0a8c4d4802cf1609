import { rowsOfList, rowsOfTable } from '../../../controller/drift-detection/queries';
import { ArmError, type ArmClient } from '../../../engine/arm/types';
import { Azure, GROUP, SUBSCRIPTION } from '../../sandbox/azure/client';

const IDENTITIES = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
let azure: Azure;
let client: ArmClient;
const counts: number[] = [];

beforeAll(async () => {
  azure = await Azure.start();
  await azure.group();
  client = {
    subscriptionId: SUBSCRIPTION,
    endpoint: azure.simulator.endpoint,
    send: async ({ method, url, apiVersion, body }) => {
      const path = url.replace(azure.simulator.endpoint, '');
      const reply = await azure.send(method, path.includes('?') ? path : `${path}?api-version=${apiVersion}`, body);
      return { ...reply, text: '' };
    },
  };
  for (let index = 0; index < 3; index += 1) {
    await azure.put(`${IDENTITIES}/id${index}`, { location: 'uksouth', tags: { index: String(index) } });
  }
  for (let index = 0; index < 120; index += 1) {
    await azure.put(`${IDENTITIES}/id0/federatedIdentityCredentials/f${index}`, {
      properties: { issuer: 'https://i', subject: `s${index}`, audiences: ['a'] },
    });
    azure.clock.advance(10);
  }
});
afterAll(() => azure.close());

test('the simulator understands what a detection asks', async () => {
  const ids = [0, 1, 2, 3].map((index) => `${IDENTITIES}/id${index}`);
  const rows = await rowsOfTable(client, 'resources', SUBSCRIPTION, ids, (count) => counts.push(count));
  expect(rows.map(({ id, tags }) => [id, tags])).toEqual([0, 1, 2].map((index) => [ids[index], { index: String(index) }]));
  expect(counts).toEqual([3]);
  expect(await rowsOfTable(client, 'resourcecontainers', SUBSCRIPTION, [GROUP.toUpperCase()], () => undefined)).toHaveLength(1);
});

test('a list of several pages', async () => {
  const rows = await rowsOfList(client, `${IDENTITIES}/id0/federatedIdentityCredentials`, '2023-01-31', () => undefined);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(120);
});

test('what is refused is an error that says why', async () => {
  await expect(rowsOfList(client, `${IDENTITIES}/nobody/federatedIdentityCredentials`, '2023-01-31', () => undefined)).rejects.toThrow(
    ArmError,
  );
});
