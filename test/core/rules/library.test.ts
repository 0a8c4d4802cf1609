import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, Chart, Testing, Yaml } from 'cdk8s';
import { Rules, RuleValidation } from '../../../src/core/rules';

function app() {
  const chart = new Chart(Testing.app(), 'c', { namespace: 'shop' });
  const group = new ApiObject(chart, 'rg', {
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name: 'rg' },
    spec: { location: 'uksouth', loction: 1 },
  } as never);
  return { chart, group };
}

test('findings carry the path of the construct', () => {
  const { chart, group } = app();
  expect(Rules.check(chart)).toEqual([
    expect.objectContaining({
      rule: 'unknown-field',
      severity: 'error',
      constructPath: group.node.path,
      object: 'ResourceGroup shop/rg',
      field: 'spec.loction',
    }),
  ]);
});

test('suppress writes the annotation, and a second one beside the first', () => {
  const { chart, group } = app();
  Rules.suppress(group, 'unknown-field', 'for a newer operator');
  Rules.suppress(group, 'azure-name', 'shared');
  expect(group.toJson().metadata.annotations).toEqual({
    'aso.cdk8s.io/ignore-rules': 'unknown-field: for a newer operator; azure-name: shared',
  });
  expect(Rules.check(chart).map(({ rule, severity }) => [rule, severity])).toEqual([['ignore-rules', 'info']]);
});

test.each([
  ['unknown-feild', 'x', /there is no rule 'unknown-feild'\. Did you mean 'unknown-field'\?/],
  ['cycle', ' ', /without a reason/],
  ['cycle', 'a; b', /';'/],
])('refuses %s: %s', (id, reason, message) => {
  const { group } = app();
  expect(() => Rules.suppress(group, id, reason)).toThrow(message);
  expect(() => Rules.suppress(group, id, reason)).toThrow(group.node.path);
});

test('the plugin reports errors, and warnings when it is strict', async () => {
  const run = async (properties?: object) => {
    const path = join(mkdtempSync(join(tmpdir(), 'rules-')), 'a.yaml');
    const account = {
      apiVersion: 'keyvault.azure.com/v1api20230701',
      kind: 'Vault',
      metadata: { name: 'v', annotations: { 'serviceoperator.azure.com/reconcile-policy': 'x' } },
      spec: {},
    };
    writeFileSync(path, Yaml.stringify(account, { metadata: {} }, null));
    const rules: string[] = [];
    let status = '';
    const report = {
      addViolation: ({ ruleName }: { ruleName: string }) => rules.push(ruleName),
      submit: (result: string) => void (status = result),
    };
    await new RuleValidation(properties).validate({ manifests: [path], report, parseManifest: (file: string) => Yaml.load(file) });
    return { rules, status };
  };
  const { rules, status } = await run();
  expect(status).toBe('failure');
  expect(rules).toContain('reconcile-policy');
  expect((await run({ strict: true })).rules.length).toBeGreaterThanOrEqual(rules.length);
});
