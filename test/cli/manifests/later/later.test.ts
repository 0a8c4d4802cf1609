import { runCommandLine } from '../../../../cli/command-line';
import { laterAsPlaceholders, laterValuesOf } from '../../../../cli/manifests/later/later-values';
import { valuesOf } from '../../../../cli/manifests/later/value-options';
import { variablesIn } from '../../../../cli/manifests/later/variables';
import { parseManifests } from '../../../../cli/manifests/manifests';
import { readManifests } from '../../../../cli/manifests/read-manifests';
import { describePlaceholder, placeholdersIn } from '../../../../cli/plan/live/placeholders';
import { captured, filesIn } from '../../capture';

const run = async (command: string, files: Record<string, string>, ...more: string[]) => {
  const terminal = captured();
  const directory = filesIn(files);
  const status = await runCommandLine([command, ...more.map((one) => one.replace('DIR', directory)), directory], '0', terminal);
  const lines = (texts: readonly string[]) => texts.join('\n').replaceAll(`${directory}/`, '');
  return { status, out: lines(terminal.out), err: lines(terminal.err) };
};

describe('the variables of a text', () => {
  test.each([
    ['${TEAM}', ['TEAM']],
    ['rg-${TEAM}-${ENV:=dev}', ['TEAM', 'ENV=dev']],
    ['${A:-}', ['A=']],
    ['${A,,}', ['A']],
    ['${rg.metadata.name}', ['rg.metadata.name']],
    ['$(REGION)', ['REGION']],
    ['{{ .Values.team }}-x', ['Values.team']],
    ['{{- $x | quote -}}', ['x | quote']],
    ['#{team}#', ['team']],
    ['__TEAM__', ['TEAM']],
    ['/subscriptions/<SUBSCRIPTION_ID>/resourceGroups/<your-group>', ['SUBSCRIPTION_ID', 'your-group']],
    ['TENANT_ID_PLACEHOLDER', ['TENANT_ID_PLACEHOLDER']],
    ['/subscriptions/YOUR_SUBSCRIPTION_ID/resourceGroups/rg-PLACEHOLDER', ['YOUR_SUBSCRIPTION_ID', 'PLACEHOLDER']],
    ['REPLACE_ME', ['REPLACE_ME']],
    ['CHANGEME', ['CHANGEME']],
    ['placeholder-name', []],
    ['Placeholder', []],
    ['YOUR', []],
    ['${TENANT_PLACEHOLDER}', ['TENANT_PLACEHOLDER']],
    ['<TENANT_PLACEHOLDER>', ['TENANT_PLACEHOLDER']],
    ['$${TEAM}', []],
    ['$APP_NAME-db', ['APP_NAME']],
    ['$TEAM', ['TEAM']],
    ['$web', []],
    ['$$TEAM', []],
    ['pa$Sw0rd', []],
    ['a < b && c > d', []],
    ['<policies><inbound /></policies>', []],
    ['<base>', []],
    ['__constructor__', ['constructor']],
    ['__proto__', []],
    ['__defineGetter__', []],
    ['#!/bin/sh\necho ${TEAM}', []],
    ['text', []],
  ])('%s', (text, expected) => {
    expect(variablesIn(text).map((one) => (one.default === undefined ? one.name : `${one.name}=${one.default}`))).toEqual(expected);
  });
});

test('plans recognize the placeholder of each form', () => {
  const texts = ['${TEAM}', '${REGION:=uksouth}', '$TEAM', '$(TEAM)', '{{ .team }}', '#{team}#', '__team__', '<ACCOUNT_NAME>', '<your-name>', 'YOUR_NAME'];
  for (const text of texts) {
    const placeholder = text.startsWith('<') ? text : `<${text}>`;
    const { manifests } = parseManifests(`apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "x-${text}-y" }\n`, 'a.yaml');
    expect(laterAsPlaceholders(manifests)[0]!.object.metadata.name).toBe(`x-${placeholder}-y`);
    const path = `/subscriptions/<subscription:>/a/x-${placeholder}/<configmap:a/b>`;
    expect(placeholdersIn(path)).toEqual(['<subscription:>', placeholder, '<configmap:a/b>']);
    expect(describePlaceholder(placeholder)).toBe(`the variable ${text === 'YOUR_NAME' ? placeholder : text}`);
  }
  expect(placeholdersIn({ a: 'x < y > z', b: '<base>' })).toEqual([]);
});

const ACCOUNT = `apiVersion: storage.azure.com/v20250601
kind: StorageAccount
metadata: { name: "\${NAME}", namespace: "\${TEAM}" }
spec:
  location: \${REGION:=uksouth}
  kind: \${KIND}
  sku: { name: "\${SKU}" }
  owner: { name: "rg-\${TEAM}" }
  isHnsEnabled: \${HNS}
  supportsHttpsTrafficOnly: yess
`;

describe('check', () => {
  test('does not know what comes later, checks what is known, and counts once', async () => {
    const { status, out, err } = await run('check', { 'a.yaml': ACCOUNT });
    expect(status).toBe(1);
    expect(out).toMatch(/^a\.yaml:10: error invalid-value StorageAccount \$\{TEAM\}\/\$\{NAME\}: spec\.supportsHttpsTrafficOnly: /m);
    expect(out).toMatch(/, 1 error/);
    expect(err).toBe('note: 7 values come later: ${NAME}, ${TEAM}, ${REGION:=uksouth}, ${KIND}, ${SKU} and 1 more; the rest is known. --set NAME=VALUE and --env-file FILE fill them in');
  });

  test('a variable in a key, of which YAML leaves a part', async () => {
    const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: a\n  annotations:\n    ${ROLE/#arn/example.com/role-arn: arn}\n';
    const { status, out } = await run('check', { 'a.yaml': account });
    expect([status, out]).toEqual([0, expect.stringMatching(/^Check: 1 object, /)]);
  });

  test('--strict takes variables as they are written', async () => {
    const { out, err } = await run('check', { 'a.yaml': ACCOUNT }, '--strict');
    expect(out).toMatch(/spec\.kind: /);
    expect(err).toBe('');
  });

  test('--set and --env-file fill them in, with the types that their texts have', async () => {
    const { out, err } = await run('check', { 'a.yaml': ACCOUNT, 'prod.env': '# of prod\nHNS=true\nexport SKU="Standard_LRS"\nKIND=StorageV2\n' },
      '--env-file', 'DIR/prod.env', '--set', 'SKU=Standard_LRSS', '--set', 'TEAM=shop', '--set', 'NAME=data');
    expect(out).toMatch(/spec\.sku\.name: /);
    expect(out).not.toMatch(/isHnsEnabled|spec\.kind/);
    expect(err).toMatch(/^note: 1 value comes later: \$\{REGION:=uksouth\};/);
  });

  test('a quoted text stays a text', async () => {
    const { out } = await run('check', { 'a.yaml': ACCOUNT.replace('${HNS}', '"${HNS}"') }, '--set', 'HNS=true');
    expect(out).toMatch(/spec\.isHnsEnabled: /);
  });

  test("the substitutions of Flux's objects are known; --set comes first; names with two values are not known", async () => {
    const flux = (name: string, team: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: ${name}, namespace: flux-system }
spec:
  postBuild:
    substitute: { TEAM: ${team}, SKU: Standard_LRS }
    substituteFrom: [{ kind: Secret, name: hidden }, { kind: ConfigMap, name: vars }]
`;
    const vars = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: vars, namespace: flux-system }\ndata: { HNS: "true", SKU: wrong }\n';
    const { out, err } = await run('check', { 'a.yaml': ACCOUNT.replace('${HNS}', '"${HNS}"'), 'f.yaml': `${flux('a', 'x')}---\n${flux('b', 'y')}---\n${vars}` },
      '--set', 'KIND=StorageV2');
    expect(out).not.toMatch(/isHnsEnabled|spec\.kind|spec\.sku/);
    expect(err).toMatch(/^note: 4 values come later: \$\{NAME\}, \$\{TEAM\}, \$\{REGION:=uksouth\};/);
  });

  test.each([
    ['that is not in the files may override what is before it', 'absent', '', 1],
    ['of the files overrides its own keys', 'there', '---\napiVersion: v1\nkind: Secret\nmetadata: { name: there }\nstringData: { HNS: "false" }\n', 1],
    ['of the files leaves other keys', 'there', '---\napiVersion: v1\nkind: Secret\nmetadata: { name: there }\nstringData: { OTHER: "false" }\n', 0],
  ])('a Secret of substituteFrom %s', async (_, name, secret, later) => {
    const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: a }
spec: { postBuild: { substituteFrom: [{ kind: ConfigMap, name: vars }, { kind: Secret, name: ${name} }] } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: vars }
data: { HNS: "true" }
${secret}`;
    const others = ['NAME=data', 'TEAM=shop', 'REGION=uksouth', 'KIND=StorageV2', 'SKU=Standard_LRS'].flatMap((one) => ['--set', one]);
    const { err } = await run('check', { 'a.yaml': ACCOUNT, 'f.yaml': flux }, ...others);
    expect(err.includes('${HNS}')).toBe(later === 1);
  });

  const BAD_CREDENTIAL = `apiVersion: v1
kind: Secret
metadata: { name: aso-credential, namespace: shop }
stringData: { AZURE_TENANT_ID: 00000000-0000-4000-8000-000000000001 }
---
apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata: { name: rg, namespace: shop, annotations: { serviceoperator.azure.com/credential-from: platform/other } }
spec: { location: uksouth }
`;
  const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: app, namespace: shop }
spec: { template: { spec: { containers: [{ name: app, command: ["$(BIN)"], args: ["--id=$(POD_NAME)"], env: [{ name: URL, value: "http://$(HOST)" }] }] } } }
`;
  const ALERT = 'apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: { name: a, namespace: shop }\nspec: { text: "{{ $value }}" }\n';
  const PAGE = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: page, namespace: shop }\ndata: { text: <YOUR-NAME> }\n';

  test.each([
    ['$(NAME) of a container', DEPLOYMENT, 0],
    ['an alert', ALERT, 1],
    ['a ConfigMap', PAGE, 1],
  ])('errors of credentials are certain beside %s', async (_, other, count) => {
    const { status, out, err } = await run('check', { 'a.yaml': BAD_CREDENTIAL, 'b.yaml': other });
    expect(status).toBe(1);
    expect(out).toMatch(/error credential-secret Secret shop\/aso-credential/);
    expect(out).toMatch(/error credential-from ResourceGroup shop\/rg/);
    expect(err).toMatch(count === 0 ? /^$/ : new RegExp(`^note: ${count} value comes later`));
  });

  test('a variable of an Azure object may be the one that decides about a credential; not about the name of its Secret', async () => {
    const { out } = await run('check', { 'a.yaml': BAD_CREDENTIAL.replace('location: uksouth', 'location: "${REGION}"') });
    expect(out).not.toMatch(/credential-secret/);
    expect(out).toMatch(/error credential-from ResourceGroup shop\/rg/);
  });

  test('$(NAME) elsewhere in a pod, and in containers of Azure, comes later', () => {
    const pod = DEPLOYMENT.replace('name: app, command', 'name: app, image: "$(IMAGE)", command');
    const azure = 'apiVersion: containerinstance.azure.com/v1api20211001\nkind: ContainerGroup\nmetadata: { name: a }\nspec: { containers: [{ name: a, args: ["$(ARG)"] }] }\n';
    const { manifests } = parseManifests(`${pod}---\n${azure}`, 'a.yaml');
    expect(laterValuesOf(manifests).variables).toEqual(['$(IMAGE)', '$(ARG)']);
  });

  describe("Flux' substitutions", () => {
    const flux = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: a, namespace: flux-system }
spec: { postBuild: { substitute: { TEAM: shop } } }
`;
    const named = (name: string, more = '') => `apiVersion: v1
kind: ConfigMap
metadata: { name: a, namespace: shop${more} }
data: { text: "${name}" }
`;
    const textsOf = (file: string, set: readonly string[] = []) => {
      const { manifests } = readManifests([filesIn({ 'a.yaml': flux, 'b.yaml': file })], 'keep', valuesOf({ set }));
      return manifests.filter(({ object }) => object.kind === 'ConfigMap').map(({ object }) => object.data?.text);
    };

    test.each(['$TEAM', '$(TEAM)', '{{ TEAM }}', '{{ .TEAM }}', '<TEAM>', '__TEAM__', '#{TEAM}#', '$${TEAM}'])('leave %s', (text) => {
      expect(textsOf(named(`x-${text}-y`))).toEqual([`x-${text}-y`]);
      // The command line fills in every form.
      if (text !== '$${TEAM}') expect(textsOf(named(`x-${text}-y`), ['TEAM=hr'])).toEqual(['x-hr-y']);
    });

    test('fill ${TEAM} in beside other forms', () => {
      expect(textsOf(named('${TEAM}-$(TEAM)-${TEAM:=x}'))).toEqual(['shop-$(TEAM)-shop']);
    });

    test.each(['labels', 'annotations'])('leave an object with %s that disable them', (field) => {
      const disabled = named('${TEAM}', `, ${field}: { kustomize.toolkit.fluxcd.io/substitute: disabled }`);
      expect(textsOf(`${disabled}---\n${named('${TEAM}').replace('name: a', 'name: b')}`)).toEqual(['${TEAM}', 'shop']);
      expect(textsOf(disabled, ['TEAM=hr'])).toEqual(['hr']);
      expect(textsOf(disabled.replace('disabled', 'enabled'))).toEqual(['shop']);
      const items = [disabled, named('${TEAM}').replace('name: a', 'name: b')].map((one) => `- ${one.trim().replaceAll('\n', '\n  ')}`);
      expect(textsOf(`apiVersion: v1\nkind: List\nitems:\n${items.join('\n')}\n`)).toEqual(['${TEAM}', 'shop']);
    });

    test('the mark of a part of an object is none', () => {
      const template = 'spec: { template: { metadata: { labels: { kustomize.toolkit.fluxcd.io/substitute: disabled } } } }\n';
      expect(textsOf(`${named('${TEAM}')}${template}`)).toEqual(['shop']);
    });
  });

  test.each([
    [['--set', 'TEAM'], '--set: give NAME=VALUE'],
    [['--env-file', '/nowhere'], '--env-file /nowhere: no such file'],
  ])('%j is a wrong command line', async (more, message) => {
    const { status, err } = await run('check', { 'a.yaml': ACCOUNT }, ...more);
    expect([status, err]).toEqual([2, message]);
  });

  test('the value of --set is in no message', async () => {
    const { out, err } = await run('check', { 'a.yaml': ACCOUNT }, '--set', '1=hidden');
    expect(`${out}${err}`).not.toContain('hidden');
  });
});

test('plan shows a variable in angle brackets', async () => {
  const group = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: "rg-${TEAM}"}\nspec: {location: "${REGION:=uksouth}"}\n';
  const { status, out, err } = await run('plan', { 'a.yaml': group });
  expect(status).toBe(0);
  expect(out).toContain('resourcegroups/rg-<${TEAM}>'.replace('resourcegroups', 'resourceGroups'));
  expect(out).toContain('<${REGION:=uksouth}>');
  expect(err).toContain('2 values come later: ${TEAM}, ${REGION:=uksouth}');
});

test('graph follows variables', async () => {
  const group = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: "rg-${TEAM}", namespace: "${TEAM}"}\nspec: {location: uksouth}\n';
  const { status, out } = await run('graph', { 'a.yaml': `${group}---\n${ACCOUNT.replace('yess', 'true')}` });
  expect([status, out]).toEqual([0, expect.stringContaining('rg-${TEAM}')]);
  expect(out).toContain('${NAME}');
});

test('convert fills variables in, so that objects become classes; other variables are props', async () => {
  const values = ['SKU=Standard_LRS', 'KIND=StorageV2', 'HNS=true', 'TEAM=shop', 'NAME=data'].flatMap((value) => ['--set', value]);
  const { status, out, err } = await run('convert', { 'a.yaml': ACCOUNT.replace('yess', 'true') }, ...values);
  expect(status).toBe(0);
  expect(out).toContain('new storage.StorageAccount(');
  expect(out).toContain('isHnsEnabled: true');
  expect(out).toContain("props.region ?? 'uksouth'");
  expect(err).toContain('1 variable is a prop of the charts (region for ${REGION:=uksouth})');
});

test('a key that is wrong is an error, whatever its value will be', async () => {
  const group = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: { name: rg, namespace: shop }\n';
  const { status, out } = await run('check', { 'rg.yaml': `${group}spec: { location: uksouth, locatoin: "\${X}" }\n` });
  expect({ status, out }).toEqual({ status: 1, out: expect.stringContaining('error unknown-field ResourceGroup shop/rg: spec.locatoin') });
  expect((await run('check', { 'rg.yaml': `${group}spec: { location: uksouth, "\${X}": a }\n` })).status).toBe(0);
});
