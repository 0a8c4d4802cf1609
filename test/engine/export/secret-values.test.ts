import { answer, ARM_ID, fakeArm, latest } from './fixtures';
import type { ArmClient, ArmResponse } from '../../../engine/arm/types';
import { fetchSecretValues, secretCallsNeeded, secretsWanted } from '../../../engine/export';
import { PendingCalls } from '../../../engine/export/pending-calls';
import { findInAnswer, parseSource } from '../../../engine/export/secret-source';
import { Catalog } from '../../../src/catalog';

const storage = latest('storage', 'StorageAccount');

describe('what is wanted', () => {
  test('destinations and the names in expressions, labels included', () => {
    const spec = {
      operatorSpec: {
        secrets: { blobEndpoint: { name: 's', key: 'k' }, unknown: { name: 's', key: 'u' } },
        secretExpressions: [{ name: 'x', key: 'k', value: 'secret.key2', labels: { l: 'secret.key1' } }],
      },
    };
    expect(secretsWanted(storage, spec)).toEqual(['blobEndpoint', 'key1', 'key2']);
    expect(secretCallsNeeded(storage, spec)).toEqual(['keys']);
  });

  test('no call for what the status tells', () => {
    expect(secretCallsNeeded(storage, { operatorSpec: { secrets: { blobEndpoint: { name: 's', key: 'k' } } } })).toEqual([]);
    expect(secretCallsNeeded(storage, {})).toEqual([]);
  });
});

describe('fetching', () => {
  test('one call for all keys', async () => {
    const arm = fakeArm({
      [`${ARM_ID}/listKeys`]: {
        keys: [
          { keyName: 'key2', value: 'two' },
          { keyName: 'key1', value: 'one' },
        ],
      },
    });
    await expect(fetchSecretValues(arm, ARM_ID, storage, ['blobEndpoint', 'key1', 'key2'])).resolves.toEqual({
      values: { key1: 'one', key2: 'two' },
      notThere: [],
    });
    expect(arm.requests).toEqual([{ method: 'POST', url: `${ARM_ID}/listKeys`, apiVersion: '2024-01-01', purpose: 'export' }]);
  });

  test('nothing wanted, nothing asked', async () => {
    const arm = fakeArm({});
    await expect(fetchSecretValues(arm, ARM_ID, storage, ['blobEndpoint'])).resolves.toEqual({ values: {}, notThere: [] });
    expect(arm.requests).toEqual([]);
  });

  test('base64 is decoded, each call is made only for what needs it', async () => {
    const cluster = latest('containerservice', 'ManagedCluster');
    const arm = fakeArm({
      '/id/listClusterAdminCredential': { kubeconfigs: [{ value: Buffer.from('apiVersion: v1').toString('base64') }] },
    });
    await expect(fetchSecretValues(arm, '/id', cluster, ['adminCredentials'])).resolves.toEqual({
      values: { adminCredentials: 'apiVersion: v1' },
      notThere: [],
    });
    expect(arm.requests.map(({ url }) => url)).toEqual(['/id/listClusterAdminCredential']);
  });

  test('an entry of a list that is not there is not exported; the key without a name is the automatic one', async () => {
    const search = latest('search', 'SearchService');
    const arm = fakeArm({ '/id/listQueryKeys': { value: [{ name: 'mine', key: 'no' }, { name: null, key: 'query' }] } });
    await expect(fetchSecretValues(arm, '/id', search, ['queryKey'])).resolves.toEqual({ values: { queryKey: 'query' }, notThere: [] });
    const none = fakeArm({ '/id/listQueryKeys': { value: [{ name: 'mine', key: 'no' }] } });
    await expect(fetchSecretValues(none, '/id', search, ['queryKey'])).resolves.toEqual({ values: {}, notThere: ['queryKey'] });
  });

  test('further pages are followed; a cycle of pages, and a page of another resource, export nothing', async () => {
    const store = latest('appconfiguration', 'ConfigurationStore');
    const arm = fakeArm({
      '/id/listKeys': { value: [{ name: 'Primary', value: 'p' }], nextLink: 'https://arm.example/id/listKeys?page=2' },
      'https://arm.example/id/listKeys?page=2': { value: [{ name: 'Secondary', value: 's' }] },
    });
    const { values } = await fetchSecretValues(arm, '/id', store, ['primaryKey', 'secondaryKey']);
    expect(values).toEqual({ primaryKey: 'p', secondaryKey: 's' });
    const cycle = fakeArm({ '/id/listKeys': { value: [], nextLink: '/id/listKeys' } });
    await expect(fetchSecretValues(cycle, '/id', store, ['primaryKey'])).rejects.toThrow('more than 20 pages');
    expect(cycle.requests).toHaveLength(20);
    const elsewhere = fakeArm({ '/id/listKeys': { value: [], nextLink: 'https://arm.example/other/listKeys' } });
    await expect(fetchSecretValues(elsewhere, '/id', store, ['primaryKey'])).rejects.toThrow('its next page is one of something else');
    expect(elsewhere.requests).toHaveLength(1);
  });

  test('without a recorded api-version the kind\'s own is used', async () => {
    const account = latest('documentdb', 'DatabaseAccount');
    const arm = fakeArm({ '/id/listKeys': { primaryMasterKey: 'm' } });
    await fetchSecretValues(arm, '/id', account, ['primaryMasterKey']);
    expect(arm.requests[0]!.apiVersion).toBe(account.facts.arm!.apiVersion);
  });

  test('a refusal is an export error with Azure\'s code', async () => {
    await expect(fetchSecretValues(fakeArm({}), ARM_ID, storage, ['key1'])).rejects.toMatchObject({
      failure: 'fetch',
      reason: 'Failed',
      severity: 'Warning',
      message: 'extension failed to produce resources for export: ResourceNotFound: no such thing',
    });
  });

  describe('a call that takes a while', () => {
    const cluster = latest('redhatopenshift', 'OpenShiftCluster');
    const OPERATION = 'https://arm.example/operations/1';
    const answers = (...polls: ArmResponse[]) => {
      const asked: string[] = [];
      const arm: ArmClient = {
        ...fakeArm({}),
        send: async ({ method, url }) => {
          asked.push(`${method} ${url}`);
          return method === 'POST' ? answer(202, undefined, { location: OPERATION }) : polls.shift()!;
        },
      };
      const pending = new PendingCalls();
      return { asked, fetch: () => fetchSecretValues(arm, '/id', cluster, ['adminCredentials'], undefined, pending) };
    };
    const POST = 'POST /id/listAdminCredentials';

    test('is begun once and looked at once a reconcile', async () => {
      const { asked, fetch } = answers(answer(202, undefined), answer(200, { kubeconfig: 'K' }));
      for (let i = 0; i < 2; i += 1) {
        await expect(fetch()).rejects.toMatchObject({
          severity: 'Warning',
          message: expect.stringContaining('listAdminCredentials and is not done yet') as string,
        });
      }
      await expect(fetch()).resolves.toEqual({ values: { adminCredentials: 'K' }, notThere: [] });
      expect(asked).toEqual([POST, `GET ${OPERATION}`, `GET ${OPERATION}`]);
    });

    test('that fails is begun anew with the next reconcile', async () => {
      const { asked, fetch } = answers(answer(400, { error: { code: 'Broken', message: 'no credential' } }));
      await expect(fetch()).rejects.toThrow('not done yet');
      await expect(fetch()).rejects.toThrow('Broken: no credential');
      await expect(fetch()).rejects.toThrow('not done yet');
      expect(asked).toEqual([POST, `GET ${OPERATION}`, POST]);
    });

    test('and never ends is given up', async () => {
      const { fetch } = answers(...Array.from({ length: 100 }, () => answer(202, undefined)));
      for (let i = 0; i < 100; i += 1) await expect(fetch()).rejects.toThrow('not done yet');
      await expect(fetch()).rejects.toThrow('has not ended after 100 looks');
    });
  });

  test('an answer without keys gives no values; what is no JSON object is no answer, and nothing of it is shown', async () => {
    const answered = (body: unknown) =>
      fetchSecretValues({ ...fakeArm({}), send: async () => answer(200, body) }, ARM_ID, storage, ['key1']);
    await expect(answered({})).resolves.toEqual({ values: {}, notThere: [] });
    await expect(answered(undefined)).rejects.toThrow('HTTP 200 with an empty body');
    const refusal = await answered([{ value: 'KEY' }]).catch((error: Error) => error) as Error;
    expect(refusal.message).toContain('which may hold keys and are not shown');
    expect(refusal.message).not.toContain('KEY');
  });
});

test('every source of the catalog can be read, and names a call that exists', () => {
  for (const { facts } of Catalog.default().allKinds) {
    for (const text of Object.values(facts.secretSources?.values ?? {})) {
      const source = parseSource(text);
      if (source.from === 'call') expect(Object.keys(facts.secretSources!.calls!)).toContain(source.call);
    }
  }
});

test('nested objects that are absent mean nothing to export', () => {
  const source = parseSource('keys:notebookAccessKeys/primaryAccessKey');
  if (source.from !== 'call') throw new Error('a call was expected');
  expect(findInAnswer({}, source.path)).toBe('nowhere');
  expect(findInAnswer({ notebookAccessKeys: {} }, source.path)).toBe('missing');
  expect(findInAnswer({ notebookAccessKeys: { primaryAccessKey: 'k' } }, source.path)).toEqual({ value: 'k' });
});
