import { compileError, runError, self, version } from './run';
import {
  exportsOf,
  ExportError,
  exportWrite,
  NO_SECRET_VALUES,
  ownerReferenceOf,
  secretsWanted,
  type SecretValues,
} from '../../../../engine/export';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { Catalog } from '../../../../src/catalog';
import { table } from '../../../docs/spec-tables';
import { latest, ownerReference, storageAccount, stored } from '../fixtures';

const storage = latest('storage', 'StorageAccount');
const KEYS: SecretValues = { values: { key1: 'K1', key2: 'K2' }, notThere: [] };
const exported = (operatorSpec: unknown, secrets = KEYS) => exportsOf(storage, storageAccount(operatorSpec), secrets);
const secretData = (operatorSpec: unknown) => exported(operatorSpec).secrets.map(({ metadata, stringData }) => [metadata.name, stringData]);

function refusal(operatorSpec: unknown, secrets: SecretValues = KEYS): ExportError {
  try {
    exported(operatorSpec, secrets);
  } catch (error) {
    if (error instanceof ExportError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const WARNING = { reason: 'Failed', severity: 'Warning' };
const ERROR = { reason: 'FailedWritingAdditionalKubernetesObjects', severity: 'Error' };
const key = (name: string, of = 's', more: object = {}) => ({ name: of, key: name, ...more });

table('docs/spec/exports.md#export-paths', (row) => {
  row('secrets', 'a fixed set a kind', () => {
    expect(secretData({ secrets: { key1: key('k'), blobEndpoint: key('b'), notOfThisKind: key('x') } })).toEqual([
      ['s', { b: 'https://acc.blob', k: 'K1' }],
    ]);
  });
  row('configMaps', 'a fixed set a kind, from the status', () => {
    expect(exported({ configMaps: { blobEndpoint: key('b'), notOfThisKind: key('x') } }).configMaps.map(({ data }) => data)).toEqual([
      { b: 'https://acc.blob' },
    ]);
  });
  row('secretExpressions', 'CEL to a Secret', () =>
    expect(secretData({ secretExpressions: [{ name: 's', key: 'k', value: 'secret.key1' }] })).toEqual([['s', { k: 'K1' }]]),
  );
  row('configMapExpressions', 'CEL to a ConfigMap', () => {
    expect(exported({ configMapExpressions: [{ name: 'c', key: 'k', value: 'self.metadata.name' }] }).configMaps[0]?.data).toEqual({
      k: 'acc',
    });
  });
});

table('docs/spec/exports.md#destinations', (row) => {
  row('plain', 'name and key; annotations and labels as they are written', () => {
    const { metadata } = exported({ secrets: { key1: key('k', 's', { annotations: { a: 'self.metadata.name' }, labels: { l: 'v' } }) } })
      .secrets[0]!;
    expect(metadata).toMatchObject({ annotations: { a: 'self.metadata.name' }, labels: { l: 'v' } });
  });
  row('plain', 'what is half a destination is none', () => expect(exported({ secrets: { key1: { name: 's' } } }).secrets).toEqual([]));
  row('expression', 'annotations and labels are expressions', () => {
    const { metadata } = exported({
      configMapExpressions: [{ name: 'c', key: 'k', value: '"v"', annotations: { a: 'self.metadata.name' }, labels: { l: '"x" + "y"' } }],
    }).configMaps[0]!;
    expect(metadata).toMatchObject({ annotations: { a: 'acc' }, labels: { l: 'xy' } });
  });
  row('expression', 'a key for a text, none for a map', () => {
    expect(refusal({ secretExpressions: [{ name: 's', value: '"v"' }] }).message).toContain(
      "CEL expression with output type string must specify destination 'key'",
    );
    expect(refusal({ secretExpressions: [{ name: 's', key: 'k', value: '{"a": "b"}' }] }).message).toContain(
      "CEL expression with output type map[string]string must not specify destination 'key'",
    );
    expect(secretData({ secretExpressions: [{ name: 's', value: '{"a": "b"}' }] })).toEqual([['s', { a: 'b' }]]);
  });
  row('printed', 'name, key, and the expression', () => {
    expect(refusal({ secrets: { key1: key('k') } }, NO_SECRET_VALUES).message).toContain('Name: "s", Key: "k"');
    expect(refusal({ secretExpressions: [{ name: 's', value: '"v"' }] }).message).toContain('Name: "s", Key: "", Value: ""v""');
  });
});

table('docs/spec/exports.md#export-steps', (row) => {
  row('compile', 'a secret expression that does not compile is a Warning, before Azure is asked', () => {
    const spec = { operatorSpec: { secretExpressions: [{ name: 's', key: 'k', value: 'nothing' }] } };
    expect(() => secretsWanted(storage, spec)).toThrow(
      expect.objectContaining({ ...WARNING, message: expect.stringMatching(/^failed to compile CEL expression: "nothing": /) as string }),
    );
  });
  row('secrets', 'a Warning that says what failed', () => {
    expect(refusal({ secrets: { key1: key('k') } }, NO_SECRET_VALUES)).toMatchObject({
      ...WARNING,
      message: expect.stringMatching(/^extension failed to produce resources for export: /) as string,
    });
  });
  row('generated ConfigMaps', 'absent values are skipped', () => {
    expect(
      exported({ configMaps: { blobEndpoint: key('b', 'c'), webEndpoint: key('w', 'c'), dfsEndpoint: key('d', 'none') } }).configMaps.map(
        ({ data }) => data,
      ),
    ).toEqual([{ b: 'https://acc.blob' }]);
  });
  row('hand-written ConfigMaps', 'the address of a private endpoint', () => {
    const endpoint = latest('network', 'PrivateEndpoint');
    const object = storageAccount({ configMaps: { primaryNicPrivateIpAddress: key('ip', 'c') } });
    expect(
      exportsOf(endpoint, object, NO_SECRET_VALUES, { configMapValues: { primaryNicPrivateIpAddress: '10.0.0.4' } }).configMaps[0]?.data,
    ).toEqual({ ip: '10.0.0.4' });
  });
  row('configMapExpressions', 'an Error', () => {
    expect(refusal({ configMapExpressions: [{ name: 'c', key: 'k', value: 'secret.key1' }] })).toMatchObject({
      ...ERROR,
      message: expect.stringMatching(/^failed to parse configmap expressions for export: /) as string,
    });
  });
  row('secretExpressions', 'an Error', () => {
    expect(refusal({ secretExpressions: [{ name: 's', key: 'k', value: 'self.metadata.labels["x"]' }] })).toMatchObject({
      ...ERROR,
      message: expect.stringMatching(/^failed to parse secret expressions for export: /) as string,
    });
  });
  row('merge', 'an Error', () => {
    expect(refusal({ secrets: { key1: key('k') }, secretExpressions: [{ name: 's', key: 'k', value: '"v"' }] })).toMatchObject({
      ...ERROR,
      message: "key collision, entry exists for key 'k' in StringData",
    });
  });
});

table('docs/spec/exports.md#merge', (row) => {
  row('missing value', 'names the destination, all of them at once', () => {
    expect(refusal({ secrets: { key1: key('k'), webEndpoint: key('w') } }, NO_SECRET_VALUES).message).toBe(
      'extension failed to produce resources for export: could not find secret to save to \'Name: "s", Key: "k"\'; could not find secret to save to \'Name: "s", Key: "w"\'',
    );
  });
  row('key collision', 'in Secrets and in ConfigMaps', () => {
    expect(refusal({ secrets: { key1: key('k'), key2: key('k') } }).message).toContain(
      "key collision, entry exists for key 'k' in StringData",
    );
    expect(refusal({ configMaps: { blobEndpoint: key('k'), queueEndpoint: key('k') } }).message).toContain(
      "key collision, entry exists for key 'k' in Data",
    );
    expect(secretData({ secrets: { key1: key('k', 'a'), key2: key('k', 'b') } })).toHaveLength(2);
  });
  const marked = (a: string, b: string, member: string) => ({
    secrets: { key1: key('1', 's', { [member]: { m: a } }), key2: key('2', 's', { [member]: { m: b } }) },
  });
  row('different annotations', 'annotations and labels', () => {
    expect(refusal(marked('x', 'y', 'annotations')).message).toContain(
      'annotation collision for secret "s": annotation "m" has conflicting values "x" and "y"',
    );
    expect(refusal(marked('x', 'y', 'labels')).message).toContain(
      'label collision for secret "s": label "m" has conflicting values "x" and "y"',
    );
  });
  row('different annotations', '(better) made of secrets they are told by their expressions', () => {
    const expression = (n: number) => ({ name: 's', key: `${n}`, value: `secret.key${n}`, annotations: { m: `secret.key${n}` } });
    const { message } = refusal({ secretExpressions: [expression(1), expression(2)] });
    expect(message).toContain('conflicting values "secret.key1" and "secret.key2"');
    expect(message).not.toMatch(/K1|K2/);
  });
  row('equal annotations', 'are fine', () => expect(exported(marked('x', 'x', 'labels')).secrets[0]?.metadata.labels).toEqual({ m: 'x' }));
  row('namespaces', "always the object's", () =>
    expect(exported({ secrets: { key1: key('k') } }).secrets[0]?.metadata.namespace).toBe('team'),
  );
  row('order', 'by name', () => {
    expect(
      secretData({ secrets: { blobEndpoint: key('b', 'z'), key1: key('k', 'a'), key2: key('k', 'm') } }).map(([name]) => name),
    ).toEqual(['a', 'm', 'z']);
  });
  row('binary values', '(better) are texts as well: a kubeconfig is decoded once and written as it is', () => {
    const cluster = latest('containerservice', 'ManagedCluster');
    const object = storageAccount({ secrets: { adminCredentials: key('k') } });
    expect(
      exportsOf(cluster, object, { values: { adminCredentials: 'apiVersion: v1\nname: ü' }, notThere: [] }).secrets[0]?.stringData,
    ).toEqual({ k: 'apiVersion: v1\nname: ü' });
  });
});

table('docs/spec/exports.md#export-objects', (row) => {
  const owner = storageAccount({ secrets: { key1: key('k') } });
  const [secret] = exportsOf(storage, owner, KEYS).secrets;
  row('absent', 'is created', () => expect(exportWrite(undefined, secret!, owner).action).toBe('create'));
  row('present', 'needs an ownerReference with the exporter\'s uid', () => {
    const foreign = { ...stored(secret!), metadata: { ...secret!.metadata, ownerReferences: [{ ...ownerReference, name: 'other', uid: 'other' }] } };
    expect(() => exportWrite(foreign, secret!, owner)).toThrow(
      expect.objectContaining({
        ...ERROR,
        message: 'cannot overwrite Secret team/s which is not owned by StorageAccount.storage.azure.com team/acc',
      }),
    );
  });
  row('predecessor', '(better) is waited for', () => {
    const before = { ...stored(secret!), metadata: { ...secret!.metadata, ownerReferences: [{ ...ownerReference, uid: 'before' }] } };
    expect(() => exportWrite(before, secret!, owner)).toThrow(expect.objectContaining({
      ...ERROR,
      severity: 'Warning',
      message: 'cannot overwrite Secret team/s which is not owned by StorageAccount.storage.azure.com team/acc, but by an object of this name that is gone: '
        + 'Kubernetes deletes it with that one, and it is then written again',
    }));
  });
  const created = (exporter = secret!) => {
    const write = exportWrite(undefined, exporter, owner);
    return stored((write as { object: KubernetesObject }).object);
  };
  row('content', '(better) keys, labels, annotations and ownerReferences of others stay', () => {
    const own = created();
    const labels = { 'cluster.x-k8s.io/cluster-name': 'c' };
    const references = [...own.metadata.ownerReferences!, { ...ownerReference, kind: 'Cluster', uid: 'capi' }];
    const existing: KubernetesObject = {
      ...own,
      data: { k: 'b2xk', foreign: 'eA==' },
      metadata: {
        ...own.metadata, labels, annotations: { ...own.metadata.annotations, foreign: 'x' }, finalizers: ['f'], ownerReferences: references,
      },
    };
    const write = exportWrite(existing, secret!, owner) as { object: KubernetesObject };
    expect(write.object).toEqual({ ...existing, data: { k: 'SzE=', foreign: 'eA==' } });
  });
  row('content', '(better) what the object exported before goes', () => {
    const two = exportsOf(storage, storageAccount({ secrets: { key1: key('k'), key2: key('gone', 's', { labels: { l: 'v' } }) } }), KEYS).secrets[0]!;
    const own = created(two);
    const foreign = { ...own, data: { ...own.data, foreign: 'eA==' } };
    const { object } = exportWrite(foreign, secret!, owner) as { object: KubernetesObject };
    expect([object.data, object.metadata.labels]).toEqual([{ k: 'SzE=', foreign: 'eA==' }, undefined]);
  });
  row('record', '(better) the annotation names keys, and no values; without it nothing is taken away', () => {
    expect(created().metadata.annotations).toEqual({ 'aso.cdk8s.io/exported': '{"StorageAccount.storage.azure.com/acc":{"data":["k"]}}' });
    const ofAso = { ...stored(secret!), data: { k: 'SzE=', gone: 'eA==' } };
    const { object } = exportWrite(ofAso, secret!, owner) as { object: KubernetesObject };
    expect(object).toEqual({ ...ofAso, metadata: { ...ofAso.metadata, annotations: created().metadata.annotations } });
  });
  row('immutable', '(better) is told, where the data would change', () => {
    const own = { ...created(), immutable: true };
    expect(exportWrite(own, secret!, owner)).toEqual({ action: 'none' });
    expect(() => exportWrite({ ...own, data: { k: 'b2xk' } }, secret!, owner)).toThrow(expect.objectContaining({
      ...ERROR, message: 'cannot change Secret team/s, which is immutable: delete it, and it is created again with the current values',
    }));
  });
  row('ownerReference', 'apiVersion, kind, name, uid and nothing else', () => {
    expect(secret?.metadata.ownerReferences).toEqual([ownerReference]);
    expect(ownerReferenceOf(owner)).toEqual(ownerReference);
  });
  row('type', 'Opaque, not immutable', () => expect([secret!.type, 'immutable' in secret!]).toEqual(['Opaque', false]));
  row('type', '(better) an existing Secret keeps its type, which cannot be changed', () => {
    const typed = { ...created(), type: 'cluster.x-k8s.io/secret', data: {} };
    expect(exportWrite(typed, secret!, owner)).toMatchObject({ action: 'replace', object: { type: 'cluster.x-k8s.io/secret' } });
  });
  row('frequency', '(better) each reconcile compares, and writes only what differs', () =>
    expect(exportWrite(created(), secret!, owner)).toEqual({ action: 'none' }),
  );
  row('two exporters', 'cannot share a Secret', () => {
    const other = { ...owner, metadata: { ...owner.metadata, name: 'other', uid: 'uid-2' } };
    expect(() => exportWrite(stored(secret!), secret!, other)).toThrow('cannot overwrite Secret');
  });
});

table('docs/spec/exports.md#configmap-values', (row) => {
  const configMaps = (group: string, kind: string, names: string[], status: Record<string, unknown>) => {
    const object = storageAccount({ configMaps: Object.fromEntries(names.map((name) => [name, key(name, 'c')])) }, { status });
    return exportsOf(latest(group, kind), object, NO_SECRET_VALUES).configMaps[0]?.data;
  };
  row('members', "of the kind's schema, by their paths in the status", () => {
    expect(
      configMaps('managedidentity', 'UserAssignedIdentity', ['clientId', 'principalId', 'tenantId'], {
        clientId: 'c',
        principalId: 'p',
        tenantId: 't',
      }),
    ).toEqual({ clientId: 'c', principalId: 'p', tenantId: 't' });
    expect(
      configMaps('containerservice', 'ManagedCluster', ['oidcIssuerProfile', 'principalId'], {
        oidcIssuerProfile: { issuerURL: 'https://i' },
        identity: { principalId: 'p' },
      }),
    ).toEqual({ oidcIssuerProfile: 'https://i', principalId: 'p' });
  });
  row('members', 'every path of the catalog leads to a property of the status', () => {
    for (const { latest: found } of Catalog.default().allKinds) {
      for (const path of Object.values(found.facts.exports?.configMaps ?? {})) {
        if (path !== null) expect(found.statusTypeNamed(found.facts.status!).props).toHaveProperty([path.split('.')[0]]);
      }
    }
  });
  row('strings', 'numbers and booleans become text', () => {
    expect(configMaps('managedidentity', 'UserAssignedIdentity', ['clientId', 'tenantId'], { clientId: 7, tenantId: true })).toEqual({
      clientId: '7',
      tenantId: 'true',
    });
  });
});

table('docs/spec/cel.md#output', (row) => {
  row('static type', 'text or map of texts', () => {
    expect(compileError('1')).toBe('expression "1" must return one of [string,map(string, string)], but was int');
    expect(runError('self.metadata.labels["x"]')).toContain('no such key');
  });
  row('other types', 'dyn, optional, int, list and so on are rejected', () => {
    const types = [
      ['dyn("a")', 'dyn'],
      ['optional.of("a")', 'optional_type(string)'],
      ['self.spec.zones', 'list(string)'],
      ['{"a": 1}', 'map(string, int)'],
      ['1.5', 'double'],
      ['1u', 'uint'],
      ['true', 'bool'],
      ['null', 'null_type'],
      ['b"a"', 'bytes'],
      ['{1: "a"}', 'map(int, string)'],
      ['[]', 'list(dyn)'],
      ['self.spec.sku', 'spec.Sku'],
      ['duration("1s")', 'google.protobuf.Duration'],
    ];
    for (const [text, type] of types) {
      expect(compileError(text!)).toBe(`expression "${text}" must return one of [string,map(string, string)], but was ${type}`);
    }
  });
  row('annotation that is a map', 'is rejected', () => {
    expect(refusal({ configMapExpressions: [{ name: 'c', key: 'k', value: '"v"', labels: { l: '{"a": "b"}' } }] }).message).toContain(
      'expression for key "l" must return a string, got map(string, string)',
    );
  });
  row('empty', 'a text or map without anything is an Error', () => {
    for (const value of ['""', 'self.status.kind', 'self.metadata.labels']) {
      const output = value === 'self.metadata.labels' ? { name: 'c', value } : { name: 'c', key: 'k', value };
      expect(refusal({ configMapExpressions: [output] })).toMatchObject({
        ...ERROR,
        message: expect.stringContaining('unexpected expression output') as string,
      });
    }
  });
  row('empty annotation', 'is allowed', () => {
    expect(
      exported({ configMapExpressions: [{ name: 'c', key: 'k', value: '"v"', annotations: { a: '""' } }] }).configMaps[0]?.metadata
        .annotations,
    ).toEqual({ a: '' });
  });
  row('empty in a map', 'of a Secret is a missing value', () => {
    expect(refusal({ secretExpressions: [{ name: 's', value: '{"a": ""}' }] }).message).toContain(
      'could not find secret to save to \'Name: "s", Key: "a"',
    );
    expect(exported({ configMapExpressions: [{ name: 'c', value: '{"a": ""}' }] }).configMaps[0]?.data).toEqual({ a: '' });
  });
});

table('docs/spec/cel.md#secrets-in-expressions', (row) => {
  const wanted = (...expressions: object[]) =>
    secretsWanted(storage, {
      operatorSpec: { secretExpressions: expressions.map((expression) => ({ name: 's', key: 'k', value: '"v"', ...expression })) },
    });
  row('dot', 'found wherever it stands', () => {
    expect(
      wanted(
        { value: '"%s".format([secret.key1]) + ["a"].map(x, x + secret.key2).join("")' },
        { value: 'string({"a": secret.key3}.size())' },
      ),
    ).toEqual(['key1', 'key2', 'key3']);
  });
  row('index', '(better) found as well', () => expect(wanted({ value: 'secret["key1"]' })).toEqual(['key1']));
  row('annotations and labels', '(better) found as well', () =>
    expect(wanted({ labels: { l: 'secret.key1' }, annotations: { a: 'secret.key2' } })).toEqual(['key1', 'key2']),
  );
  row('names', 'are those of operatorSpec.secrets; any other is missing when it is evaluated', () => {
    expect(refusal({ secretExpressions: [{ name: 's', key: 'k', value: 'secret.nothing' }] }).message).toContain('no such key: nothing');
    expect(secretData({ secretExpressions: [{ name: 's', key: 'k', value: 'secret.key2' }] })).toEqual([['s', { k: 'K2' }]]);
  });
  row('names', '(better) those that the status feeds are offered, too', () => {
    expect(secretData({ secretExpressions: [{ name: 's', key: 'k', value: 'secret.blobEndpoint' }] })).toEqual([
      ['s', { k: 'https://acc.blob' }],
    ]);
  });
});

describe('many expressions of one object', () => {
  const loop = 'self.spec.zones.map(a, self.spec.zones.map(b, self.spec.zones.map(c, "x").join("")).join("")).join("")';
  const object = (count: number): KubernetesObject => ({
    ...self,
    metadata: { ...self.metadata, uid: 'u' },
    spec: {
      ...self.spec,
      zones: Array<string>(40).fill('1'),
      operatorSpec: {
        configMapExpressions: Array.from({ length: count }, (_, index) => ({ name: 'c', key: `k${index}`, value: `${loop} + "${index}"` })),
      },
    },
  });

  test('cost no more than one: the budget is the object\'s', () => {
    expect(exportsOf(version, object(1), NO_SECRET_VALUES).configMaps).toHaveLength(1);
    expect(() => exportsOf(version, object(20), NO_SECRET_VALUES)).toThrow(
      expect.objectContaining({ ...ERROR, message: expect.stringContaining('cost more than') as string }),
    );
  });

  test('the texts of expressions cost as well', () => {
    const operatorSpec = {
      secretExpressions: Array.from({ length: 100 }, (_, index) => ({
        name: 's',
        key: `${index}`,
        value: `"${'x'.repeat(16_000)}${index}"`,
      })),
    };
    expect(() => secretsWanted(storage, { operatorSpec })).toThrow(expect.objectContaining(WARNING));
  });
});
