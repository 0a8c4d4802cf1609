import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { MISTAKES } from './mistakes';
import { expressionRule } from '../../../cli/check/expression-rule';
import { parseManifests } from '../../../cli/manifests/manifests';
import { allAzureRules } from '../../../src/azure/rules/all';
import { Catalog } from '../../../src/catalog';
import { allRules } from '../../../src/core/rules/all-rules';
import { runRules } from '../../../src/core/rules/run-rules';
import type { RuleManifest } from '../../../src/core/rules/set-object';
import { suppressionsOf, withSuppression } from '../../../src/core/rules/suppression';

const MORE = [expressionRule()];
/** `test/azure/rules` has a case of each of Azure's rules, and compares the documentation. */
const OF_AZURE = new Set(allAzureRules().map(({ id }) => id));
const RULES = [...allRules().filter(({ id }) => !OF_AZURE.has(id)), ...MORE];

function check(yaml: string) {
  const { manifests, problems } = parseManifests(yaml, 'test.yaml');
  expect(problems).toEqual([]);
  return runRules(manifests.map(({ object }) => object), { defaultNamespace: 'default', more: MORE });
}

const line = ({ severity, rule, object, field }: ReturnType<typeof check>['findings'][number]) =>
  `${severity} ${rule} ${object.name} ${field ?? ''}`.trim();

test.each(MISTAKES)('$rule: $what', ({ rule, wrong, right, expected }) => {
  const found = check(wrong).findings.filter((finding) => finding.rule === rule);
  expect(found.map(line)).toEqual(expected);
  for (const { message, why, fix } of found) expect([message, why, fix].every((text) => text.length > 3)).toBe(true);
  for (const good of right) expect(check(good).findings.filter((finding) => finding.rule === rule)).toEqual([]);
});

test('every rule has a mistake that it finds, and a section of its own in the documentation', () => {
  const ids = RULES.map(({ id }) => id);
  expect(new Set([...ids, ...OF_AZURE]).size).toBe(ids.length + OF_AZURE.size);
  expect([...new Set(MISTAKES.map(({ rule }) => rule))].sort()).toEqual([...ids].sort());
  const docs = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'checks.md'), 'utf8');
  const documented = [...docs.matchAll(/^### `([a-z-]+)` \((\w+)\)$/gm)].map(([, id, severity]) => `${id} ${severity}`);
  for (const { id, title, why } of RULES) {
    const section = docs.slice(docs.indexOf(`### \`${id}\``)).split('\n### ')[0]!.replace(/\s+/g, ' ');
    expect(section).toContain(title);
    expect(section).toContain(`- Why: ${why}.`);
  }
  expect(documented).toEqual([
    ...RULES.map(({ id, severity }) => `${id} ${severity}`),
    'ignore-rules warning',
    'duplicate-key error',
    'unreadable error',
  ]);
});

test.each([
  ['/subscriptions/1/resourceGroups/rg', 'spec.owner.armId: /subscriptions/1/resourceGroups/rg'],
  ['shop', 'spec.owner: { group: resources.azure.com, kind: ResourceGroup, name: shop }'],
  ['shop-in-azure', 'spec.owner: { group: resources.azure.com, kind: ResourceGroup, name: shop }'],
  ['someone else', 'spec.owner with group, kind and name of the object, or its armId'],
])('scope: %s', (scope, owner) => {
  const { findings } = check(`apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata: { name: shop }
spec: { location: uksouth, azureName: shop-in-azure }
---
apiVersion: authorization.azure.com/v20220401
kind: RoleAssignment
metadata: { name: reader }
spec: { scope: ${scope}, principalId: 3c1d5a8e-0000-4000-8000-000000000001, roleDefinitionReference: { wellKnownName: Reader } }
`);
  const [found, ...others] = findings.filter(({ severity }) => severity === 'error');
  expect([found?.field, found?.fix, others]).toEqual(['spec.scope', `write it as the owner: ${owner}`, []]);
});

describe('what the API server and Azure both refuse is told once', () => {
  const meta = (name: string) => `metadata: { name: ${name} }`;
  const registry = (name: string, more = '') =>
    `apiVersion: containerregistry.azure.com/v1api20230701\nkind: Registry\n${meta(name)}\nspec: { owner: { name: rg }, location: uksouth, sku: { name: Basic }${more} }\n`;
  const vault = (tenant: string) =>
    `apiVersion: keyvault.azure.com/v1api20230701\nkind: Vault\n${meta('shop-vault')}\nspec: { owner: { name: rg }, location: uksouth, `
    + `properties: { tenantId: ${tenant}, sku: { family: A, name: standard }, enableRbacAuthorization: true } }\n`;
  const account = (name: string, more = '') =>
    `apiVersion: storage.azure.com/v20250601\nkind: StorageAccount\n${meta(name)}\nspec: { owner: { name: rg }, location: uksouth, kind: StorageV2, sku: { name: Standard_LRS }${more} }\n`;
  const errors = (yaml: string) => check(yaml).findings.filter(({ severity }) => severity === 'error');

  test.each([
    ['a name in metadata', registry('shop-images'), 'error azure-name shop-images metadata.name', 'write 5 to 50 letters and digits, in spec.azureName'],
    ['a name in the spec', registry('a', ', azureName: shop-images'), 'error invalid-value a spec.azureName', 'write 5 to 50 letters and digits'],
    ['a value', vault('contoso'), 'error invalid-value shop-vault spec.properties.tenantId', 'write the UUID of the tenant'],
  ])('%s', (_, yaml, expected, fix) => {
    const found = errors(yaml);
    expect([found.map(line), found[0]?.fix]).toEqual([[expected], fix]);
  });

  test('a name that only Azure refuses is found where the file has it', () => {
    const group = (more = '') =>
      `apiVersion: network.azure.com/v1api20240301\nkind: VirtualNetwork\n${meta(`n${'x'.repeat(90)}`)}\nspec: { owner: { name: rg }, location: uksouth, addressSpace: { addressPrefixes: [10.0.0.0/16] }${more} }\n`;
    expect(errors(group()).map(({ rule, field }) => [rule, field])).toEqual([['resource-name', 'metadata.name']]);
    expect(errors(group(`, azureName: n${'x'.repeat(90)}`)).map(({ rule, field }) => [rule, field])).toEqual([['resource-name', 'spec.azureName']]);
  });

  test('a union as Azure\'s templates have it, with what belongs to a member beside it', () => {
    const cosmos = (policy: string) =>
      `apiVersion: documentdb.azure.com/v1api20210515\nkind: DatabaseAccount\n${meta('a-cosmos')}\nspec: { owner: { name: rg }, location: uksouth, databaseAccountOfferType: Standard, locations: [{ locationName: uksouth }], backupPolicy: ${policy} }\n`;
    expect(errors(cosmos('{ type: Periodic }')).map(({ rule, field, fix }) => [rule, field, fix])).toEqual([
      ['unknown-field', 'spec.backupPolicy.type', 'did you mean periodic.type?'],
    ]);
    expect(errors(cosmos('{ periodic: { type: Periodic } }'))).toEqual([]);
    expect(errors(cosmos('{}')).map(({ rule }) => rule)).toEqual(['one-of']);
  });

  test('another mistake of the same object stays', () => {
    expect(errors(account('shop-data', ', accessTier: Lukewarm')).map(line)).toEqual([
      'error invalid-value shop-data spec.accessTier', 'error azure-name shop-data metadata.name',
    ]);
  });

  test('a suppression of one of the two leaves the other', () => {
    const yaml = registry('shop-images').replace(meta('shop-images'), 'metadata: { name: shop-images, annotations: { aso.cdk8s.io/ignore-rules: "azure-name: later" } }');
    expect(errors(yaml).map(line)).toEqual(['error resource-name shop-images metadata.name']);
  });
});

describe('suppression', () => {
  const group = (rules: string) => `apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata:\n  name: rg\n  annotations: { aso.cdk8s.io/ignore-rules: "${rules}" }\nspec: { location: uksouth, loction: x }\n`;

  test('takes a finding out of the list, with its reason', () => {
    const { findings, suppressed } = check(group('unknown-field: kept for a newer operator'));
    expect(findings).toEqual([]);
    expect(suppressed.map(({ rule, reason }) => [rule, reason])).toEqual([['unknown-field', 'kept for a newer operator']]);
  });

  test.each([
    ['unknown-field', ["gives no reason for 'unknown-field'"]],
    ['unknown-feild: x', ["there is no rule 'unknown-feild'"]],
    ['unknown-field: x; cycle: y', ["the rule 'cycle' has nothing to say here any more"]],
    ['ignore-rules: x', ['cannot be suppressed itself']],
    [' ; ', ['suppresses nothing']],
  ])('%s', (rules, messages) => {
    const { findings } = check(group(rules));
    expect(findings.filter(({ rule }) => rule === 'ignore-rules').map(({ message }) => message)).toEqual(messages);
  });

  test('of another object is none', () => {
    const yaml = `${group('unknown-field: x')}---\n${group('cycle').replace('name: rg', 'name: other').replace(/ {2}annotations.*\n/, '')}`;
    expect(check(yaml).findings.map(line)).toEqual(['error unknown-field other spec.loction']);
  });

  test('what is written is what is read', () => {
    const ids = fc.constantFrom(...allRules().map(({ id }) => id));
    const reasons = fc.stringMatching(/^[a-z:, ]*[a-z]$/).map((text) => text.trim());
    fc.assert(fc.property(fc.array(fc.tuple(ids, reasons)), (entries) => {
      const annotation = entries.reduce<string | undefined>((text, [id, reason]) => withSuppression(text, id, reason), undefined);
      expect([...suppressionsOf(annotation).reasons].sort()).toEqual([...new Map(entries)].sort());
    }));
  });
});

test('rules never throw, whatever a spec contains', () => {
  const services = ['authorization', 'storage', 'managedidentity', 'dbformysql', 'communication'];
  const kinds = services.flatMap((service) => Catalog.default().kindsOf(service));
  const names = [
    'owner',
    'azureName',
    'operatorSpec',
    'identity',
    'userAssignedIdentities',
    'reference',
    'secrets',
    'configMapExpressions',
    'roles',
    'name',
    'armId',
    'key',
    'aadUser',
    'roleDefinitionReference',
    'principalIdFromConfig',
  ];
  const junk = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, 1, '', 'x', '/subscriptions/x', '__proto__'),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  })).object;
  const annotations = fc.constantFrom(null, undefined, {}, { 'serviceoperator.azure.com/resource-id': '/' });
  const manifest = fc.record({ kind: fc.constantFrom(...kinds), spec: junk, name: fc.constantFrom('a', 'b'), annotations });
  fc.assert(fc.property(fc.array(manifest, { maxLength: 4 }), (list) => {
    const manifests = list.map(({ kind, spec, name, annotations: given }) => (
      { apiVersion: kind.latest.apiVersion, kind: kind.kind, metadata: { name, annotations: given }, spec } as RuleManifest));
    expect(() => runRules(manifests, { more: MORE })).not.toThrow();
  }), { numRuns: 300 });
});
