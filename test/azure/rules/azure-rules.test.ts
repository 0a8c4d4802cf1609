import type { Case, Parent } from './case';
import { CASES } from './cases';
import { allAzureRules, AZURE_RULE_PARTS, azureRulesOf } from '../../../src/azure/rules/all';
import { concerns, subjectAlone, type AzureSubject } from '../../../src/azure/rules/rule';
import { Catalog, isArray, isConstrained, isMap, isRef, type KindVersion, type TypeExpression, type TypeFacts } from '../../../src/catalog';

const alone = (kind: string, name: string, spec: object) => subjectAlone(kind, name, spec as AzureSubject['spec']);
const subjectOf = ({ kind, name, owner, siblings = [], beside = [], refersTo, known }: Case, spec: object): AzureSubject => ({
  ...alone(kind, name ?? 'one', spec),
  owner: owner && parentOf(owner),
  siblings: siblings.map((other, index) => alone(kind, `other-${index}`, other)),
  beside: (other) => beside.filter((one) => one.kind === other).map((one) => alone(one.kind, one.name ?? 'one', one.spec)),
  referenced: (reference) => (reference === undefined ? undefined : refersTo && parentOf(refersTo)),
  named: (of, text) => (known?.kind === of && known.name === text ? parentOf(known) : undefined),
});
const parentOf = ({ kind, name, spec, owner, beside = [] }: Parent): AzureSubject => ({
  ...alone(kind, name ?? 'parent', spec),
  owner: owner && parentOf(owner),
  beside: (other) => beside.filter((one) => one.kind === other).map((one) => alone(one.kind, one.name ?? 'one', one.spec)),
});
const byId = new Map(allAzureRules().map((rule) => [rule.id, rule]));

test.each(CASES)('$rule: $kind $field', (one) => {
  const { find, kinds } = byId.get(one.rule)!;
  if (kinds.length > 0) expect(kinds).toContain(one.kind);
  const found = find(subjectOf(one, one.wrong));
  expect(found.map(({ field }) => field)).toEqual([one.field]);
  for (const { message, fix, severity } of found) {
    expect([message.length > 3, fix.length > 3, severity]).toEqual([true, true, one.severity]);
  }
  // Where the owner or the name is what is wrong, there is no other spec.
  if (Object.keys(one.right).length > 0) expect(find(subjectOf(one, one.right))).toEqual([]);
});

test.each(CASES)('$rule: $kind $field: the rule is about what is wrong, and finds nothing without the members that it is about', (one) => {
  const { find } = byId.get(one.rule)!;
  expect(concerns(find, { ...one.wrong })).toBe(true);
  const { members } = find;
  if (!members) return;
  const others = Object.fromEntries(Object.entries(one.wrong).filter(([member]) => !members.includes(member)));
  expect(find(subjectOf(one, others))).toEqual([]);
});

test.each(CASES.filter(({ rule }) => rule === 'vm-credentials'))('$kind $field: a machine that is in Azure already keeps its own', (one) => {
  const { find } = byId.get(one.rule)!;
  expect(find({ ...subjectOf(one, one.wrong), exists: true })).toEqual([]);
});

test('every rule has a case', () => {
  expect([...new Set(CASES.map(({ rule }) => rule))].sort()).toEqual(allAzureRules().map(({ id }) => id).sort());
});

test.each(AZURE_RULE_PARTS.map((part) => [part.rules()[0]!.id, part] as const))(
  'the part of %s names the services of its rules, so that no synth leaves one out',
  (_, { services, rules }) => {
    if (!services) return;
    const kinds = rules().map((rule) => rule.kinds);
    expect(kinds.filter((ofOne) => ofOne.length === 0)).toEqual([]);
    expect([...new Set(kinds.flat().map((kind) => kind.slice(0, kind.indexOf('.azure.com/'))))].sort()).toEqual([...services].sort());
  },
);

test('a set of groups gets every rule about a kind of them', () => {
  const groups = new Set(allAzureRules().flatMap(({ kinds }) => kinds.map((kind) => kind.split('/')[0]!)));
  for (const group of groups) {
    const wanted = allAzureRules().filter(({ kinds }) => kinds.length === 0 || kinds.some((kind) => kind.startsWith(`${group}/`)));
    expect(azureRulesOf([group])).toEqual(expect.arrayContaining(wanted));
  }
});

test('ids are unique, and the evidence is a document of Microsoft', () => {
  expect(new Set(allAzureRules().map(({ id }) => id)).size).toBe(allAzureRules().length);
  for (const { id, evidence, code, title } of allAzureRules()) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(evidence).toMatch(/^https:\/\/learn\.microsoft\.com\//);
    expect(code ?? 'none').toMatch(/^[A-Za-z0-9]+$/);
    expect(title).toMatch(/\.$/);
  }
});

test('the catalog has every kind of a rule, and every property of a violation', () => {
  const catalog = Catalog.default();
  for (const kind of new Set(allAzureRules().flatMap(({ kinds }) => kinds))) {
    const [group, name] = kind.split('/');
    expect([kind, catalog.kind(group!, name!) !== undefined]).toEqual([kind, true]);
  }
  const unknown = CASES.filter(({ kind, field }) => !hasProperty(kind, field)).map(({ kind, field }) => `${kind} ${field}`);
  expect(unknown).toEqual([]);
});

/** Whether a version of the kind has the property. */
function hasProperty(kind: string, field: string): boolean {
  const [group, name] = kind.split('/');
  const found = Catalog.default().kind(group!, name!)!;
  return found.versionNames.map((one) => found.version(one)!).some((version) => {
    let type: TypeExpression = { ref: version.facts.spec! };
    for (const step of field.replace(/\[\d+\]/g, '').split('.')) {
      if (isMap(type)) {
        type = type.map;
        continue;
      }
      const facts = typeOf(type, version);
      if (!facts?.props[step]) return false;
      ({ type } = facts.props[step]);
    }
    return true;
  });
}

function typeOf(type: TypeExpression, version: KindVersion): TypeFacts | undefined {
  if (isArray(type)) return typeOf(type.array, version);
  if (isConstrained(type)) return typeOf(type.type, version);
  return isRef(type) ? version.type(type.ref) : undefined;
}
