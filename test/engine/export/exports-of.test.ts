import fc from 'fast-check';
import { latest, ownerReference, storageAccount } from './fixtures';
import { exportsOf, ExportError, NO_SECRET_VALUES, type SecretValues } from '../../../engine/export';

const storage = latest('storage', 'StorageAccount');
const keys = { values: { key1: 'K1', key2: 'K2' }, notThere: [] };

function refusal(operatorSpec: unknown, secrets: SecretValues = keys): ExportError {
  try {
    exportsOf(storage, storageAccount(operatorSpec), secrets);
  } catch (error) {
    if (error instanceof ExportError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const metadata = (name: string) => ({ name, namespace: 'team', ownerReferences: [ownerReference] });

test('without destinations nothing is exported', () => {
  expect(exportsOf(storage, storageAccount({}), NO_SECRET_VALUES)).toEqual({ secrets: [], configMaps: [] });
  expect(exportsOf(storage, storageAccount(undefined), NO_SECRET_VALUES)).toEqual({ secrets: [], configMaps: [] });
});

describe('destinations', () => {
  test('secrets from calls and from the status, merged by name and sorted', () => {
    const { secrets, configMaps } = exportsOf(storage, storageAccount({
      secrets: {
        key2: { name: 'z', key: 'second' },
        key1: { name: 'a', key: 'first', labels: { team: 'x' } },
        blobEndpoint: { name: 'a', key: 'blob', labels: { team: 'x' }, annotations: { note: 'y' } },
      },
    }), keys);
    expect(secrets).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'Opaque',
        metadata: { ...metadata('a'), labels: { team: 'x' }, annotations: { note: 'y' } },
        stringData: { blob: 'https://acc.blob', first: 'K1' },
      },
      { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: metadata('z'), stringData: { second: 'K2' } },
    ]);
    expect(configMaps).toEqual([]);
  });

  test('config maps from the status; what is absent is left out', () => {
    const { configMaps } = exportsOf(
      storage,
      storageAccount({
        configMaps: {
          blobEndpoint: { name: 'cm', key: 'blob' },
          webEndpoint: { name: 'cm', key: 'web' },
          dfsEndpoint: { name: 'none', key: 'dfs' },
        },
      }),
      NO_SECRET_VALUES,
    );
    expect(configMaps).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('cm'), data: { blob: 'https://acc.blob' } }]);
  });

  test('numbers and the subscription of the id become text', () => {
    const redis = latest('cache', 'Redis');
    const object = storageAccount({ secrets: { port: { name: 's', key: 'port' } } }, { status: { port: 6379 } });
    expect(exportsOf(redis, object, NO_SECRET_VALUES).secrets[0]?.stringData).toEqual({ port: '6379' });
    const identity = latest('managedidentity', 'UserAssignedIdentity');
    const exported = exportsOf(identity, storageAccount({ secrets: { subscriptionId: { name: 's', key: 'sub' } } }), NO_SECRET_VALUES);
    expect(exported.secrets[0]?.stringData).toEqual({ sub: 'sub-1' });
  });

  test('a value that code of the kind finds', () => {
    const endpoint = latest('network', 'PrivateEndpoint');
    const object = storageAccount({ configMaps: { primaryNicPrivateIpAddress: { name: 'cm', key: 'ip' } } });
    expect(exportsOf(endpoint, object, NO_SECRET_VALUES).configMaps).toEqual([]);
    expect(
      exportsOf(endpoint, object, NO_SECRET_VALUES, { configMapValues: { primaryNicPrivateIpAddress: '10.0.0.4' } }).configMaps[0]?.data,
    ).toEqual({ ip: '10.0.0.4' });
  });

  test('a secret that is missing is an error, one that Azure does not have is none', () => {
    const error = refusal({ secrets: { key1: { name: 'a', key: 'k' }, webEndpoint: { name: 'a', key: 'w' } } }, NO_SECRET_VALUES);
    expect(error.message).toBe(
      'extension failed to produce resources for export: could not find secret to save to \'Name: "a", Key: "k"\'; could not find secret to save to \'Name: "a", Key: "w"\'',
    );
    expect([error.reason, error.severity, error.failure]).toEqual(['Failed', 'Warning', 'missingValue']);
    const none = exportsOf(
      storage,
      storageAccount({ secrets: { key1: { name: 'a', key: 'k' }, blobEndpoint: { name: 'b', key: 'k' } } }, { status: {} }),
      { values: {}, notThere: ['key1'] },
    );
    expect(none.secrets).toEqual([]);
  });
});

describe('collisions', () => {
  test('one key twice among destinations', () => {
    const error = refusal({ secrets: { key1: { name: 'a', key: 'k' }, key2: { name: 'a', key: 'k' } } });
    expect(error.message).toBe("extension failed to produce resources for export: key collision, entry exists for key 'k' in StringData");
    expect([error.reason, error.severity]).toEqual(['Failed', 'Warning']);
  });

  test('one key twice between a destination and an expression', () => {
    const error = refusal({
      configMaps: { blobEndpoint: { name: 'a', key: 'k' } },
      configMapExpressions: [{ name: 'a', key: 'k', value: '"x"' }],
    });
    expect(error.message).toBe("key collision, entry exists for key 'k' in Data");
    expect([error.reason, error.severity]).toEqual(['FailedWritingAdditionalKubernetesObjects', 'Error']);
  });

  test('annotations and labels with different values', () => {
    const error = refusal({
      secrets: {
        key1: { name: 'a', key: '1', annotations: { n: 'x' }, labels: { l: 'x' } },
        key2: { name: 'a', key: '2', annotations: { n: 'y' }, labels: { l: 'y' } },
      },
    });
    expect(error.message).toContain('label collision for secret "a": label "l" has conflicting values "x" and "y"');
    expect(error.message).toContain('annotation collision for secret "a": annotation "n" has conflicting values "x" and "y"');
  });

  test('a Secret and a ConfigMap of one name do not collide', () => {
    const { secrets, configMaps } = exportsOf(
      storage,
      storageAccount({ secrets: { key1: { name: 'a', key: 'k' } }, configMaps: { blobEndpoint: { name: 'a', key: 'k' } } }),
      keys,
    );
    expect([secrets.length, configMaps.length]).toEqual([1, 1]);
  });
});

describe('expressions', () => {
  test('text and map, with labels that are expressions', () => {
    const { secrets, configMaps } = exportsOf(
      storage,
      storageAccount({
        secretExpressions: [
          {
            name: 's',
            key: 'url',
            value: '"%s?sig=%s".format([self.status.primaryEndpoints.blob, secret.key1])',
            labels: { l: 'self.metadata.name' },
          },
        ],
        configMapExpressions: [
          { name: 'c', value: '{"where": self.spec.location, "name": self.metadata.name}', annotations: { empty: '""' } },
        ],
      }),
      keys,
    );
    expect(secrets).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'Opaque',
        metadata: { ...metadata('s'), labels: { l: 'acc' } },
        stringData: { url: 'https://acc.blob?sig=K1' },
      },
    ]);
    expect(configMaps).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { ...metadata('c'), annotations: { empty: '' } },
        data: { name: 'acc', where: 'westeurope' },
      },
    ]);
  });

  test.each([
    ['without one the name of the object, as the defaulting webhook writes it', {}, 'acc'],
    ['an empty one counts as none', { azureName: '' }, 'acc'],
    ['the one of the spec', { azureName: 'own' }, 'own'],
  ])('self.spec.azureName: %s', (_, spec, name) => {
    const operatorSpec = {
      configMapExpressions: [{ name: 'c', key: 'k', value: 'self.spec.azureName + "/" + string(has(self.spec.azureName))' }],
    };
    const object = storageAccount(operatorSpec, { spec: { location: 'westeurope', operatorSpec, ...spec } });
    expect(exportsOf(storage, object, NO_SECRET_VALUES).configMaps[0]?.data).toEqual({ k: `${name}/true` });
  });

  test.each([
    [
      { secretExpressions: [{ name: 's', key: 'k', value: 'self.spec.nothing' }] },
      'compile',
      'Warning',
      /^failed to compile CEL expression: "self.spec.nothing": /,
    ],
    [
      { configMapExpressions: [{ name: 's', key: 'k', value: 'self.spec.nothing' }] },
      'compile',
      'Error',
      /^failed to parse configmap expressions for export: failed to compile CEL expression/,
    ],
    [
      { configMapExpressions: [{ name: 's', key: 'k', value: 'secret.key1' }] },
      'evaluate',
      'Error',
      /^failed to parse configmap expressions for export: failed to eval CEL expression: "secret.key1": no such key: key1$/,
    ],
    [
      { secretExpressions: [{ name: 's', key: 'k', value: 'self.status.kind' }] },
      'missingValue',
      'Error',
      /^failed to parse secret expressions for export: unexpected expression output/,
    ],
    [
      { secretExpressions: [{ name: 's', value: '"text"' }] },
      'compile',
      'Error',
      /output type string must specify destination 'key', Name: "s", Key: "", Value: ""text""$/,
    ],
    [
      { secretExpressions: [{ name: 's', key: 'k', value: '{"a": "b"}' }] },
      'compile',
      'Error',
      /output type map\[string\]string must not specify destination 'key'/,
    ],
    [
      { secretExpressions: [{ name: 's', value: '{"a": ""}' }] },
      'missingValue',
      'Error',
      /could not find secret to save to 'Name: "s", Key: "a"/,
    ],
    [
      { secretExpressions: [{ name: 's', key: 'k', value: '"x"', labels: { l: '{"a": "b"}' } }] },
      'compile',
      'Error',
      /expression for key "l" must return a string, got map\(string, string\)/,
    ],
  ])('%j fails: %s, %s', (operatorSpec, failure, severity, message) => {
    const error = refusal(operatorSpec);
    expect(error.message).toMatch(message);
    expect([error.failure, error.severity]).toEqual([failure, severity]);
  });

  test('an error about colliding annotations quotes expressions, never what they make of secrets', () => {
    const error = refusal({
      secretExpressions: [
        { name: 's', key: 'a', value: 'secret.key1', annotations: { n: 'secret.key1' } },
        { name: 's', key: 'b', value: 'secret.key2', annotations: { n: 'secret.key2' } },
      ],
    });
    expect(error.message).toContain('annotation "n" has conflicting values "secret.key1" and "secret.key2"');
    expect(error.message).not.toMatch(/K1|K2/);
  });
});

test('equal input gives equal output whatever the order of the properties', () => {
  const names = ['blobEndpoint', 'queueEndpoint', 'key1', 'key2'];
  fc.assert(
    fc.property(fc.shuffledSubarray(names), fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 4, maxLength: 4 }), (order, targets) => {
      const destination = (name: string) => ({ name: targets[names.indexOf(name)], key: name });
      const spec = (list: string[]) => ({ secrets: Object.fromEntries(list.map((name) => [name, destination(name)])) });
      const text = (list: string[]) => JSON.stringify(exportsOf(storage, storageAccount(spec(list)), keys));
      expect(text(order)).toBe(text([...order].sort()));
      const written = exportsOf(storage, storageAccount(spec(order)), keys).secrets.map(({ metadata: { name } }) => name);
      expect(written).toEqual([...new Set(written)].sort());
    }),
  );
});
