import { Models } from '../../../cli/explain/models';
import { submoduleOf } from '../../../codegen/names';
import { sample } from '../../../codegen/snippet';
import { Catalog, type Kind } from '../../../src/catalog';
import { runRules } from '../../../src/core/rules/run-rules';
import type { RuleManifest } from '../../../src/core/rules/set-object';
import { isRecord } from '../../../src/util/records';
import { asText, capitalized, uncapitalized } from '../../../src/util/words';

/** The truth of each case is its mutation: one place of a manifest that was right is wrong. */
type Findings = ReturnType<typeof runRules>['findings'];
type Json = Record<string, unknown>;

const GROUP: RuleManifest = {
  apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'rg', namespace: 'shop' }, spec: { location: 'uksouth' },
};
const KINDS = Catalog.default().allKinds;

const check = (manifests: readonly RuleManifest[]): Findings => runRules(manifests, { defaultNamespace: 'shop' }).findings;
// A field's other findings are told under the name that it has after the mutation.
const keyOf = ({ rule, object, message }: Findings[number]) => JSON.stringify([rule, object.index, message]);
const line = ({ rule, object, field, message }: Findings[number]) => `${object.kind}: ${rule} ${field ?? ''} ${message}`;

/** The findings that a mutation adds. */
function added(right: readonly RuleManifest[], wrong: readonly RuleManifest[]): Findings {
  const before = new Set(check(right).map(keyOf));
  return check(wrong).filter((finding) => !before.has(keyOf(finding)));
}

/** A letter twice. */
function misspelt(word: string): string {
  const middle = Math.max(1, Math.floor(word.length / 2));
  return word.slice(0, middle) + word.charAt(middle) + word.slice(middle);
}

const inOtherCase = (word: string) => (word.charAt(0) === word.charAt(0).toUpperCase() ? uncapitalized(word) : capitalized(word));

function exampleOf(kind: Kind): RuleManifest {
  const models = new Models(Catalog.default(), kind, kind.latest.name);
  const service = models.of(submoduleOf(kind.service));
  const found = service?.kinds.find(({ version }) => version.kind.kind === kind.kind);
  if (!service || !found) throw new Error(`no model of ${kind.group}/${kind.kind}`);
  return sample(found, service, models.of, []).object as unknown as RuleManifest;
}

function* fieldsIn(value: unknown, path: readonly (string | number)[]): Generator<readonly (string | number)[]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* fieldsIn(item, [...path, index]);
  if (!isRecord(value)) return;
  for (const [name, item] of Object.entries(value)) {
    yield [...path, name];
    yield* fieldsIn(item, [...path, name]);
  }
}

/** The object with the last name of a path replaced. */
function renamed<T>(object: T, path: readonly (string | number)[], name: string): T {
  const copy = structuredClone(object);
  const parent = path.slice(0, -1).reduce<unknown>((at, step) => (at as Json)[step], copy) as Json;
  const entries = Object.entries(parent).map(([key, value]) => [key === path.at(-1) ? name : key, value] as const);
  for (const key of Object.keys(parent)) Reflect.deleteProperty(parent, key);
  Object.assign(parent, Object.fromEntries(entries));
  return copy;
}

const SUBJECTS = KINDS.map((kind) => [`${kind.group}/${kind.kind}`, exampleOf(kind)] as const);

test.each(SUBJECTS)('%s: a mistake has one finding, at its place', (_, example) => {
  const right = [GROUP, example];
  const cases: [what: string, path: string | undefined, wrong: RuleManifest][] = [
    ['kind', 'kind', { ...example, kind: misspelt(example.kind) }],
    ['version', 'apiVersion', { ...example, apiVersion: example.apiVersion.replace(/\/.*/, '/v20010101') }],
  ];
  for (const path of fieldsIn(example.spec, ['spec'])) {
    const name = path.at(-1);
    if (typeof name !== 'string' || name.length < 4) continue;
    for (const other of [misspelt(name), inOtherCase(name)]) {
      const place = [...path.slice(0, -1), other].map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('').slice(1);
      cases.push([`${path.join('.')} as ${other}`, place, renamed(example, path, other)]);
    }
  }
  for (const [name, value] of Object.entries(isRecord(example.spec) ? example.spec : {})) {
    if (['owner', 'azureName', 'operatorSpec', 'properties'].includes(name)) continue;
    const { [name]: moved, ...rest } = example.spec as Json;
    if ('properties' in rest || Catalog.default().kind(example.apiVersion.split('/')[0]!, example.kind)!.latest.specType.props.properties) continue;
    cases.push([`${name} below properties`, `spec.properties.${name}`, { ...example, spec: { ...rest, properties: { [name]: value } } }]);
    expect(moved).toBe(value);
  }
  const told = cases.map(([what, path, wrong]) => [what, ...added(right, [GROUP, wrong]).map((one) => (one.field === path ? 'found' : line(one)))]);
  expect(told).toEqual(cases.map(([what]) => [what, 'found']));
});

test('findings name the kind as it is written, also where another one is meant', () => {
  const wrong = { ...GROUP, kind: 'ResourceGroups', spec: { location: 'uksouth', properties: { location: 'uksouth' } } };
  expect(check([wrong]).map((one) => [one.object.kind, one.rule, asText(one.field)])).toEqual([
    ['ResourceGroups', 'unknown-kind', 'kind'],
    ['ResourceGroups', 'unknown-field', 'spec.properties.location'],
  ]);
});
