import { violations } from './structural';
import { Catalog } from '../../../src/catalog';
import type { Kind } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import type { CustomResourceDefinition, JsonSchema } from '../../../src/catalog/crd-types';
import { toRegExp } from '../../../src/util/go-pattern';

const catalog = Catalog.default();
const storageAccount = catalog.kind('storage.azure.com', 'StorageAccount')!;

const schemaOf = (kind: Kind, version: string): JsonSchema =>
  crdManifest(kind, { versions: [version] }).spec.versions[0]!.schema!.openAPIV3Schema!;
const at = (schema: JsonSchema, ...path: string[]): JsonSchema =>
  path.reduce((node, name) => (name === '[]' ? node.items! : node.properties![name])!, schema);

describe('the CRDs of all kinds', () => {
  const kinds = catalog.allKinds;
  // The limits of a server: 3 MiB a request, 1.5 MiB an object in etcd.
  const MOST_BYTES = 1.5 * 1024 * 1024;

  test('are structural and small enough for a server', () => {
    const problems: string[] = [];
    const sizes: number[] = [];
    for (const kind of kinds) {
      const crd = crdManifest(kind);
      problems.push(...violations(crd).map((problem) => `${crd.metadata.name}: ${problem}`));
      sizes.push(JSON.stringify(crd).length);
    }
    expect(problems).toEqual([]);
    expect(kinds.length).toBeGreaterThan(280);
    expect(Math.max(...sizes)).toBeLessThan(MOST_BYTES);
  });

  test('have patterns that the sandbox understands', () => {
    const patterns = new Set<string>();
    const collect = (schema: JsonSchema): void => {
      if (schema.pattern) patterns.add(schema.pattern);
      Object.values(schema.properties ?? {}).forEach(collect);
      if (schema.items) collect(schema.items);
      if (typeof schema.additionalProperties === 'object') collect(schema.additionalProperties);
    };
    for (const kind of kinds) collect(schemaOf(kind, kind.facts.latest));
    expect([...patterns].filter((pattern) => !toRegExp(pattern))).toEqual([]);
    expect(patterns.size).toBeGreaterThan(20);
  });
});

describe('the checker of structural schemas', () => {
  const broken = (schema: object): CustomResourceDefinition => {
    const crd = crdManifest(storageAccount, { versions: [storageAccount.facts.latest] });
    return {
      ...crd,
      spec: {
        ...crd.spec,
        versions: [
          {
            ...crd.spec.versions[0]!,
            schema: { openAPIV3Schema: { type: 'object', properties: { metadata: { type: 'object' }, spec: schema } } },
          },
        ],
      },
    };
  };

  test.each([
    [{}, 'has a type'],
    [{ type: 'object', properties: {}, additionalProperties: { type: 'string' } }, 'exclude each other'],
    [{ type: 'array' }, 'have items'],
    [{ type: 'object', required: ['a'], properties: {} }, 'required names'],
    [{ type: 'integer', enum: ['a'] }, 'enum values'],
    [{ type: 'string', pattern: '(?=a)' }, 'RE2'],
    [{ type: 'string', $ref: '#/x' }, 'only known keywords'],
  ])('finds what is wrong with %j', (schema, problem) => expect(violations(broken(schema)).join()).toContain(problem));
});

test('a CRD tells names, categories, versions, columns, and status', () => {
  const crd = crdManifest(storageAccount);
  expect(crd).toMatchObject({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'storageaccounts.storage.azure.com', labels: { 'app.kubernetes.io/name': 'azure-service-operator' } },
    spec: {
      group: 'storage.azure.com',
      scope: 'Namespaced',
      conversion: { strategy: 'None' },
      names: {
        kind: 'StorageAccount',
        listKind: 'StorageAccountList',
        plural: 'storageaccounts',
        singular: 'storageaccount',
        categories: ['azure', 'storage'],
      },
    },
  });
  expect(crd.spec.versions.map((version) => version.name)).toEqual(storageAccount.versionNames);
  expect(crd.spec.versions.every((version) => version.served && version.subresources?.status)).toBe(true);
  expect(crd.spec.versions.find((version) => version.storage)!.name).toBe(storageAccount.facts.storageVersion);
  expect(crd.spec.versions[0]!.additionalPrinterColumns!.map((column) => column.name)).toEqual(['Ready', 'Severity', 'Reason', 'Message']);
});

test('the schema carries the validations of the catalog', () => {
  const schema = schemaOf(storageAccount, 'v1api20230101');
  const spec = at(schema, 'spec');
  expect(spec.required).toEqual(expect.arrayContaining(['kind', 'location', 'owner', 'sku']));
  expect(at(spec, 'azureName')).toEqual({ type: 'string', minLength: 3, maxLength: 24, pattern: '^[a-z0-9]+$' });
  expect(at(spec, 'kind').enum).toContain('StorageV2');
  expect(at(spec, 'tags')).toEqual({ type: 'object', additionalProperties: { type: 'string' } });
  expect(at(spec, 'owner', 'armId').pattern).toMatch(/^\(\?i\)/);
  expect(at(spec, 'sku').required).toEqual(['name']);
  const condition = at(schema, 'status', 'conditions', '[]');
  expect(condition.required).toEqual(expect.arrayContaining(['lastTransitionTime', 'reason', 'status', 'type']));
  expect(at(condition, 'lastTransitionTime')).toEqual({ type: 'string', format: 'date-time' });
});

test('values of any shape are kept as they are, numbers may be enumerated, and defaults are reported', () => {
  const all = JSON.stringify(catalog.kindsOf('insights').map((kind) => crdManifest(kind)));
  expect(all).toContain('{"x-kubernetes-preserve-unknown-fields":true}');
  const rule = catalog.kind('insights.azure.com', 'ScheduledQueryRule')!;
  expect(at(schemaOf(rule, 'v1api20220615'), 'spec', 'severity')).toEqual({ type: 'integer', enum: [0, 1, 2, 3, 4] });
  const user = catalog.kind('dbforpostgresql.azure.com', 'User')!;
  expect(at(schemaOf(user, 'v1'), 'spec', 'roleOptions').default).toEqual({ login: true });
});

test('options choose versions, labels, annotations and conversion', () => {
  const [newest, second] = storageAccount.versionNames;
  const webhook = {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { namespace: 'ns', name: 'svc', path: '/convert', port: 443 } } },
  } as const;
  const crd = crdManifest(storageAccount, {
    versions: [second!, newest!],
    storage: second!,
    release: 'v2.20.0',
    labels: { 'team': 'a', 'app.kubernetes.io/name': 'other' },
    annotations: { note: 'b' },
    conversion: webhook,
  });
  expect(crd.spec.versions.map(({ name, storage }) => [name, storage])).toEqual([
    [newest, false],
    [second, true],
  ]);
  expect(crd.metadata.labels).toEqual({
    'team': 'a',
    'app.kubernetes.io/name': 'azure-service-operator',
    'app.kubernetes.io/version': 'v2.20.0',
  });
  expect(crd.metadata.annotations).toEqual({ note: 'b' });
  expect(crd.spec.conversion).toEqual(webhook);
  expect(crdManifest(storageAccount, { versions: ['v1api20210401'] }).spec.versions).toMatchObject([
    { name: 'v1api20210401', storage: true },
  ]);
});

test('versions that do not exist are refused, with those that do', () => {
  expect(() => crdManifest(storageAccount, { versions: ['v9'] })).toThrow(
    /storage\.azure\.com\/StorageAccount: there is no version v9; the catalog has v/,
  );
  expect(() => crdManifest(storageAccount, { versions: [] })).toThrow(/no version chosen/);
  expect(() => crdManifest(storageAccount, { versions: ['v1api20230101'], storage: 'v1api20210401' })).toThrow(
    /storage version v1api20210401 is not among/,
  );
});

test('lazy schemas are the same schemas', () => {
  const lazy = crdManifest(storageAccount, { lazySchemas: true });
  expect(JSON.stringify(lazy)).toBe(JSON.stringify(crdManifest(storageAccount)));
});
