import {
  account,
  advised,
  changesOf,
  credential,
  detach,
  federation,
  group,
  identity,
  namespace,
  object,
  OTHER_SUBSCRIPTION,
  SUBSCRIPTION,
} from './objects';
import type { CredentialChange } from '../../../cli/diff/changes';

const from = (name: string) => ({ annotations: { 'serviceoperator.azure.com/credential-from': name } });
const lines = (changes: readonly CredentialChange[]) => changes.map(({ of, change, subject }) => `${of} ${change}: ${subject}`);
const SECRET = 'very-secret-value';

describe('Secrets of credentials', () => {
  test('another identity', () => {
    const changes = changesOf([credential()], [credential('aso-credential', { AZURE_CLIENT_ID: 'd' })]);
    expect(changes.credentials).toEqual([
      {
        of: 'secret',
        change: 'changed',
        subject: 'Secret shop/aso-credential',
        properties: [{ path: 'AZURE_CLIENT_ID', old: 'c', new: 'd' }],
        advice: [],
      },
    ]);
    expect(changes.summary).toMatchObject({ credentials: 1, otherObjects: 0 });
  });

  test('another subscription: what is there does not move', () => {
    const changes = changesOf(
      [credential(), group(), account()],
      [credential('aso-credential', { AZURE_SUBSCRIPTION_ID: OTHER_SUBSCRIPTION }), group(), account()],
    );
    expect(changes.credentials[0]?.properties).toEqual([{ path: 'AZURE_SUBSCRIPTION_ID', old: SUBSCRIPTION, new: OTHER_SUBSCRIPTION }]);
    expect(advised(changes.credentials[0]!)).toContain('2 objects will have the condition SubscriptionMismatch');
    expect(changes.resources).toEqual([]);
  });

  test.each(['AZURE_CLIENT_SECRET', 'AZURE_CLIENT_CERTIFICATE', 'AZURE_CLIENT_CERTIFICATE_PASSWORD', 'something'])(
    '%s is never shown',
    (key) => {
      const changes = changesOf([credential('aso-credential', { [key]: SECRET })], [credential('aso-credential', { [key]: `${SECRET}2` })]);
      expect(changes.credentials[0]?.properties).toEqual([{ path: key, secret: 'value' }]);
      expect(JSON.stringify(changes)).not.toContain(SECRET);
    },
  );

  test('encoded or written, a value is the same', () => {
    const { stringData, ...rest } = credential();
    const data = Object.fromEntries(Object.entries(stringData!).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    expect(changesOf([credential()], [{ ...rest, data }]).credentials).toEqual([]);
  });

  test('a namespace gets one of its own', () => {
    const changes = changesOf([group()], [group(), credential()]);
    expect(lines(changes.credentials)).toEqual(['secret added: Secret shop/aso-credential']);
    expect(advised(changes.credentials[0]!)).toContain('1 object will use it from now on');
  });

  test('a namespace loses its own: what stays falls back, what goes hangs', () => {
    expect(advised(changesOf([group(), credential()], [group()]).credentials[0]!)).toContain(
      'will use the credential of the operator itself',
    );
    const gone = changesOf([group(), account('files', {}, detach), credential()], []);
    expect(advised(gone.credentials[0]!)).toBe('1 object that the operator deletes with it goes at the same time: without the credential, the deletion hangs; remove the objects first, and the Secret when they are gone');
  });

  test('by its keys, by its name, by who asks for it', () => {
    const plain = (name: string) => object('v1', 'Secret', name, undefined, { stringData: { x: SECRET } });
    const changes = changesOf(
      [group('rg', {}, from('asked'))],
      [group('rg', {}, from('asked')), plain('asked'), plain('other'), credential('named'), plain('aso-controller-settings')],
    );
    expect(lines(changes.credentials)).toEqual([
      'secret added: Secret shop/asked',
      'secret added: Secret shop/aso-controller-settings',
      'secret added: Secret shop/named',
    ]);
    expect(changes.otherObjects.map(({ name }) => name)).toEqual(['other']);
    expect(JSON.stringify(changes)).not.toContain(SECRET);
  });
});

test('which credential resources use, together for all of a namespace', () => {
  const old = [group(), ...['a', 'b', 'c', 'd'].map((name) => account(name, { azureName: name }))];
  const next = [group(), ...['a', 'b', 'c', 'd'].map((name) => account(name, { azureName: name }, from('other')))];
  const changes = changesOf(old, next);
  expect(changes.credentials).toEqual([{
    of: 'assignment',
    change: 'changed',
    subject: '4 resources in shop: StorageAccount a, StorageAccount b, StorageAccount c and 1 more',
    properties: [{ path: 'credential', old: 'that of namespace shop', new: 'Secret shop/other' }],
    advice: [],
  }]);
  expect(changes.otherObjects).toEqual([]);
});

describe('whose tokens an identity accepts', () => {
  const base = [group(), identity()];
  const of = (old: ReturnType<typeof federation>[], next: ReturnType<typeof federation>[]) =>
    changesOf([...base, ...old], [...base, ...next]);
  const subject = 'UserAssignedIdentity shop/api (FederatedIdentityCredential shop/pods)';

  test('added and removed, with issuer and subject', () => {
    const tokens = (side: 'old' | 'new') => [
      { path: 'issuer', [side]: 'https://issuer.example/' },
      { path: 'subject', [side]: 'system:serviceaccount:shop:api' },
    ];
    expect(of([], [federation()]).credentials).toEqual([
      { of: 'federation', change: 'added', subject, properties: tokens('new'), advice: [] },
    ]);
    expect(of([federation()], []).credentials).toEqual([
      { of: 'federation', change: 'removed', subject, properties: tokens('old'), advice: [] },
    ]);
    expect(of([], [federation()]).resources).toEqual([]);
    expect(advised(of([federation('pods', {}, detach)], []).credentials[0]!)).toContain('nothing is deleted in Azure');
  });

  test('changed', () => {
    expect(of([federation()], [federation('pods', { subject: 'x', audiences: ['y'] })]).credentials).toEqual([
      {
        of: 'federation',
        change: 'changed',
        subject,
        advice: [],
        properties: [
          { path: 'audiences', old: ['api://AzureADTokenExchange'], new: ['y'] },
          { path: 'subject', old: 'system:serviceaccount:shop:api', new: 'x' },
        ],
      },
    ]);
  });

  test('another object for the same subject collides', () => {
    const [found] = of([federation()], [federation('other')]).credentials;
    expect(found).toMatchObject({ change: 'renamed' });
    expect(advised(found!)).toContain('only once');
    expect(advised(of([federation('pods', { azureName: 'n' })], [federation('other', { azureName: 'n' })]).credentials[0]!)).toContain(
      'deletes the resource',
    );
  });

  test('two objects for one subject', () => {
    expect(of([federation()], [federation(), federation('other')]).credentials).toEqual([
      expect.objectContaining({ change: 'renamed', subject: subject.replace('pods', 'other') }),
    ]);
    expect(advised(of([federation(), federation('other')], [federation()]).credentials[0]!)).toContain('say the same');
  });

  test('from a ConfigMap', () => {
    const changes = of([], [federation('pods', { issuer: undefined, issuerFromConfig: { name: 'oidc', key: 'url' } })]);
    expect(changes.credentials[0]?.properties[0]).toEqual({ path: 'issuer', new: 'ConfigMap shop/oidc, key url' });
  });
});

test('the identity of pods', () => {
  const pods = (id?: string) =>
    object('v1', 'ServiceAccount', 'api', undefined, id ? { annotations: { 'azure.workload.identity/client-id': id } } : {});
  expect(changesOf([pods('a')], [pods('b')])).toMatchObject({
    credentials: [
      {
        of: 'serviceAccount',
        change: 'changed',
        subject: 'ServiceAccount shop/api',
        properties: [{ path: 'client-id', old: 'a', new: 'b' }],
      },
    ],
    otherObjects: [],
  });
  expect(changesOf([], [pods()]).credentials).toEqual([]);
});

test('a namespace that goes', () => {
  const changes = changesOf([namespace(), group()], [group()]);
  expect(advised(changes.otherObjects[0]!)).toContain('Kubernetes deletes every object in it');
  expect(advised(changesOf([namespace('empty'), group()], [group()]).otherObjects[0]!)).toBe('');
});
