import { ExportError } from '../../../engine/export';
import { exportWrite } from '../../../engine/export/export-write';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { runJob } from '../../../engine/workers/jobs';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { expressionCheck } from '../../../src/core/cel/expression-check';
import { isRecord } from '../../../src/util/records';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutate, mutateText } from '../mutate';

const VERSIONS: readonly KindVersion[] = [
  'resources.azure.com/ResourceGroup',
  'storage.azure.com/StorageAccount',
  'managedidentity.azure.com/UserAssignedIdentity',
  'network.azure.com/VirtualNetwork',
].map((name) => Catalog.default().kind(name.split('/')[0]!, name.split('/')[1]!)!.latest);

const EXPRESSIONS = [
  'self.metadata.name',
  'self.spec.azureName + "-x"',
  'string(self.metadata.generation) + r"\\d"',
  "{\"a\": self.metadata.name, \"b\": '''x'''}",
  'has(self.spec.tags) ? self.spec.tags["a"] : "none"',
  'self.metadata.labels.map(k, k + self.metadata.labels[k]).join(",")',
  '[1, 2, 3].all(x, x > 0) && "abc".matches("^[a-z]+$") ? "y" : "n"',
  '"a,b,c".split(",")[1].upperAscii().replace("B", "x", 1)',
  'self.?status.?id.orValue("")',
  'secret.key1',
  '"%s and %d".format(["x", 5])',
  'base64.encode(b"hello")',
  'timestamp("2026-01-01T00:00:00Z").getFullYear() > 2000 ? "a" : "b"',
  'aso.resourceId(self.status.id).name',
  'duration("1h") > duration("1m") ? "a" : "b"',
  '// a comment\n"x"',
  '0x1F == 31u ? `a` : "b"',
];
const PIECES = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"""',
  "'",
  '"',
  '.',
  '.?',
  '[?',
  '&&',
  '||',
  '!',
  '- ',
  '?',
  ':',
  'self',
  'secret.',
  '.map(x, ',
  '.all(',
  '.matches("(a+)+$")',
  '1e999',
  '9223372036854775808',
  '0x',
  '\\u{1F600}',
  '.repeat',
  'in ',
  '.format(',
  '//',
];

function expressionOf(random: Random): string {
  let text = random.pick(EXPRESSIONS);
  for (let count = random.between(0, 3); count > 0; count -= 1) {
    const at = random.between(0, text.length);
    text = text.slice(0, at) + random.pick(PIECES).repeat(random.pick([1, 1, 1, 5, 200])) + text.slice(at);
  }
  if (random.chance(0.2)) text = `${text} + ${random.pick(EXPRESSIONS)}`;
  return random.chance(0.4) ? mutateText(text, random) : text;
}

const typeOf = (version: KindVersion) => ({ group: version.kind.group, kind: version.kind.kind, version: version.name });

interface ExportsCase {
  readonly kind: number;
  readonly object: KubernetesObject;
  readonly secrets: { readonly values: Record<string, string>; readonly notThere: string[] };
  readonly existing: unknown;
}

function exportsCase(random: Random): ExportsCase {
  const kind = random.between(0, VERSIONS.length - 1);
  const { facts, apiVersion, kind: { kind: name } } = VERSIONS[kind]!;
  const destination = () => {
    const [to, key] = [random.pick(['out', 'other', 'Out', '__proto__']), random.pick(['k', 'constructor', ''])];
    return { name: to, key, labels: { a: 'b' }, annotations: { c: 'd' } };
  };
  const properties = (names: readonly string[]) => Object.fromEntries(names.map((property) => [property, destination()]));
  const entries = () => [{ ...destination(), value: expressionOf(random), labels: { a: '"x"' } }];
  const configMapsProperty = facts.exports?.configMapsProperty ?? 'configMaps';
  const operatorSpec = {
    secrets: properties(facts.exports?.secrets ?? []),
    [configMapsProperty]: properties(Object.keys(facts.exports?.configMaps ?? {})),
    ...(random.chance(0.2) ? { configMapExpressions: entries(), secretExpressions: entries() } : {}),
  };
  const spec = mutate({ azureName: 'x', location: 'uksouth', tags: { a: 'b' }, operatorSpec }, operatorSpec, random);
  const id = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg';
  const status = mutate(
    { id, principalId: 'p', clientId: 'c', tenantId: 't', primaryEndpoints: { blob: 'https://x' } },
    operatorSpec,
    random,
  );
  const objectOf = (value: unknown) => (isRecord(value) ? value : {});
  const metadata = { name: 'x', namespace: 'ns', uid: 'u', generation: 1, resourceVersion: '1', labels: { a: 'b' } };
  return {
    kind,
    object: { apiVersion, kind: name, metadata, spec: objectOf(spec), status: objectOf(status) } as unknown as KubernetesObject,
    secrets: {
      values: Object.fromEntries(
        (facts.exports?.secrets ?? []).filter(() => random.chance(0.7)).map((secret) => [secret, mutateText('value', random)]),
      ),
      notThere: [],
    },
    existing: mutate(
      {
        data: { k: 'eA==' },
        type: 'Opaque',
        metadata: {
          name: 'out',
          namespace: 'ns',
          resourceVersion: '3',
          ownerReferences: [{ uid: 'u', kind: name, name: 'x', apiVersion }],
          labels: {},
          annotations: {},
        },
      },
      {},
      random,
    ),
  };
}

export const expressionEntrances: readonly Entrance[] = [
  {
    name: 'cel-check',
    make: (random) => ({ kind: random.between(0, VERSIONS.length - 1), text: expressionOf(random) }),
    enter: (input) => {
      const { kind, text } = input as { kind: number; text: string };
      return expressionCheck(VERSIONS[kind]!)(text);
    },
  },
  {
    name: 'cel-compile',
    make: (random) => ({ kind: random.between(0, VERSIONS.length - 1), text: expressionOf(random) }),
    enter: (input) => {
      const { kind, text } = input as { kind: number; text: string };
      return runJob('expressions', { type: typeOf(VERSIONS[kind]!), texts: [text] });
    },
  },
  {
    name: 'exports',
    make: exportsCase,
    enter: (input) => {
      const { kind, object, secrets, existing } = input as ExportsCase;
      const { exports } = runJob('exports', { type: typeOf(VERSIONS[kind]!), object, secrets }) as { exports?: { secrets: []; configMaps: [] } };
      const stored = Object(existing) as { metadata?: { ownerReferences?: unknown } | null };
      // An API server gives back only what has the form of an object.
      const isStored = Array.isArray(stored.metadata?.ownerReferences);
      const before = isStored ? (stored as KubernetesObject) : undefined;
      for (const desired of [...exports?.secrets ?? [], ...exports?.configMaps ?? []]) exportWrite(before, desired, object);
    },
    expected: (error) => error instanceof ExportError,
  },
];
