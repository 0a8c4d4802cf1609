import { differences, parameterized, synthesized, type Manifest } from './converting';

const GROUP = {
  apiVersion: 'resources.azure.com/v1api20200601',
  kind: 'ResourceGroup',
  metadata: { name: '${TEAM}-rg', namespace: 'shop' },
  spec: { location: 'westeurope', tags: { team: '${TEAM}' } },
};

function account(spec: Record<string, unknown>, name = 'data'): Manifest {
  return {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    metadata: { name, namespace: 'shop' },
    spec: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: '${TEAM}-rg' }, ...spec },
  };
}

/** The lines of the props of the one chart that there is. */
function propsOf(code: string): string[] {
  const [head = ''] = code.split('\nexport class ');
  return head.split('\n').map((line) => line.trim()).filter((line) => line.startsWith('readonly '));
}

const typesOf = (...objects: Manifest[]) => propsOf(parameterized(objects).code);

describe('a variable is a prop', () => {
  const { code, notes, lost } = parameterized([GROUP, account({ accessTier: '${TIER:=Hot}' })]);

  test('of the type that its places need, with the default of the files', () => {
    expect(propsOf(code)).toEqual(['readonly team: string;', 'readonly tier?: storage.StorageAccountAccessTier;']);
    expect(code).toContain('const tier = props.tier ?? storage.StorageAccountAccessTier.HOT;');
    expect([...notes, ...lost]).toEqual([]);
  });

  test('and a text with a part that is one is a template; references by that text refer to the construct', () => {
    expect(code).toContain('metadata: { name: `${props.team}-rg` }');
    expect(code).toContain('owner: resourceGroup,');
  });

  test('with its value, the objects are those of the files', () => {
    const team = (object: Manifest) => JSON.parse(JSON.stringify(object).replaceAll('${TEAM}', 'a').replaceAll('${TIER:=Hot}', 'Hot')) as Manifest;
    expect(differences([GROUP, account({ accessTier: '${TIER:=Hot}' })].map(team), synthesized(code, { team: 'a' }))).toEqual([]);
  });
});

test.each<[Record<string, unknown>, string]>([
  [{ allowBlobPublicAccess: '${X}' }, 'readonly x: boolean;'],
  [{ kind: '${X}' }, 'readonly x: storage.StorageAccountKind;'],
  [{ immutableStorageWithVersioning: { immutabilityPolicy: { immutabilityPeriodSinceCreationInDays: '${X}' } } }, 'readonly x: number;'],
  [{ networkAcls: { defaultAction: 'Deny', ipRules: [{ value: '${X}' }] } }, 'readonly x: string;'],
  [{ tags: '${X}' }, 'readonly x: Record<string, string>;'],
  [{ allowBlobPublicAccess: '${X:=true}' }, 'readonly x?: boolean;'],
  // A default that is of another type makes it a text.
  [{ allowBlobPublicAccess: '${X:=maybe}' }, 'readonly x?: string;'],
  // Two places with different types make it a text, which each place converts.
  [{ allowBlobPublicAccess: '${X}', tags: { public: '${X}' } }, 'readonly x: string;'],
  [{ kind: '${X}', tags: { kind: '${X}' } }, 'readonly x: storage.StorageAccountKind;'],
])('the type of %j', (spec, line) => {
  expect(typesOf(account(spec))).toContain(line);
});

test('a list that comes later as a whole is a list', () => {
  const cluster = {
    apiVersion: 'containerservice.azure.com/v1api20250801',
    kind: 'ManagedClustersAgentPool',
    metadata: { name: 'pool', namespace: 'shop' },
    spec: { owner: { name: 'aks' }, availabilityZones: '${ZONES}', count: '${COUNT}' },
  };
  expect(typesOf(cluster)).toEqual(['readonly zones: string[];', 'readonly count: number;']);
});

test.each([
  ['${TEAM_NAME}', 'teamName'],
  ['$(teamName)', 'teamName'],
  ['$TEAM', 'team'],
  ['#{Team.Name}#', 'teamName'],
  ['__TEAM_NAME__', 'teamName'],
  ['<YOUR TEAM>', 'yourTeam'],
  ['{{ .Values.storage.sku }}', 'storageSku'],
  ['{{ .Release.Name }}', 'releaseName'],
  ['{{ include "shop.fullname" . }}', 'shopFullname'],
  ['{{- include "shop.name" . | nindent 4 }}', 'shopName'],
  ['${2ND}', 'value2nd'],
  ['${LABELS}', 'labelsValue'],
  ['${CONSTRUCTOR}', 'constructorValue'],
])('the name of %s', (variable, name) => {
  expect(typesOf(account({ tags: { x: variable } }))).toContain(`readonly ${name}: string;`);
});

test('a template may have a default', () => {
  const { code } = parameterized([account({ tags: { a: '{{ .Values.size | default "small" | quote }}', b: '{{- default 3 .Values.count -}}' } })]);
  expect(propsOf(code)).toContain('readonly size?: string;');
  expect(code).toContain("const count = props.count ?? '3';");
});

test('forms of one variable are one prop; functions that change the value are another', () => {
  const { code } = parameterized([account({ tags: { a: '${TEAM}', b: '$(TEAM)', c: '${TEAM:-x}', d: '${TEAM,,}' } })]);
  expect(propsOf(code)).toEqual(['readonly team2: string;', 'readonly team?: string;']);
  expect(code).toContain('/** `${TEAM}`, `$(TEAM)`, `${TEAM:-x}` in the files; `x` by default. */');
});

test('two defaults are none: the prop has to be given', () => {
  expect(typesOf(account({ tags: { a: '${X:=1}', b: '${X:=2}' } }))).toContain('readonly x: string;');
});

describe('variables in odd places', () => {
  test.each<[string, Manifest, Record<string, unknown>]>([
    ['a key', account({ tags: { '${KEY}': 'x', 'a-${KEY}': 'y' } }), { key: 'k' }],
    ['a kind and a version', { apiVersion: 'storage.azure.com/${V}', kind: '${KIND}', metadata: { name: 'x', namespace: 'shop' } }, { v: 'v1', kind: 'Queue' }],
    ['an annotation', { ...GROUP, metadata: { ...GROUP.metadata, name: 'rg', annotations: { 'serviceoperator.azure.com/reconcile-policy': '${P}' } } }, { p: 'skip' }],
    ['the id of an owner', account({ owner: { armId: '${RG_ID}' } }), { rgId: '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg' }],
    ['the id of an owner of another type than the first that comes to mind', {
      apiVersion: 'network.azure.com/v1api20240301',
      kind: 'VirtualNetworksSubnet',
      metadata: { name: 'x', namespace: 'shop' },
      spec: { addressPrefix: '10.0.0.0/24', owner: { armId: '${VNET}' } },
    }, { vnet: '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/x' }],
    ['a part of an id', account({ owner: { armId: '/subscriptions/${SUB}/resourceGroups/rg' } }), { sub: '00000000-0000-0000-0000-000000000000' }],
    ['a part of an enum', account({ sku: { name: 'Standard_${R}' } }), { r: 'GRS' }],
    ['a property that the class lacks', account({ someday: { a: '${A}', list: ['${A}-b'] } }), { a: 'x' }],
    ['an object without a schema', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: '${N}', namespace: 'shop' }, spec: { replicas: '${R}', x: '${Y}' } }, { n: 'a', r: 3, y: true }],
  ])('%s', (_, object, props) => {
    const all: Record<string, unknown> = { team: 'a', ...props };
    const filled = (value: unknown): unknown => {
      if (typeof value === 'string') {
        const whole = /^\$\{(\w+)\}$/.exec(value)?.[1];
        const valueOf = (name: string) => all[name.toLowerCase().replace(/_(\w)/g, (__, letter: string) => letter.toUpperCase())];
        return whole === undefined ? value.replace(/\$\{(\w+)\}/g, (__, name: string) => String(valueOf(name))) : valueOf(whole);
      }
      if (Array.isArray(value)) return value.map(filled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [filled(key), filled(item)]));
    };
    const { code, lost } = parameterized([object]);
    expect(lost).toEqual([]);
    expect(code.includes('new ApiObject')).toBe(object.apiVersion === 'apps/v1' || object.kind === '${KIND}');
    expect(differences([filled(object) as Manifest], synthesized(code, all))).toEqual([]);
  });
});

test('the namespace of a chart may be a prop', () => {
  const inTeam = { ...GROUP, metadata: { name: 'rg', namespace: '${TEAM}-apps' } };
  const { code } = parameterized([inTeam]);
  expect(code).toContain('super(scope, id, { namespace: `${props.team}-apps`, ...props });');
  expect(code).toContain('class TeamAppsChart');
  const whole = { ...GROUP, metadata: { name: 'rg', namespace: '${NAMESPACE}' } };
  expect(parameterized([whole]).code).toContain('super(scope, id, props);');
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '${NAMESPACE}' } };
  const both = parameterized([namespace, whole]).code;
  expect(both).toContain('super(scope, id, { namespace: props.namespaceName, ...props });');
  expect(differences(
    [{ ...namespace, metadata: { name: 'n' } }, { ...GROUP, metadata: { name: 'rg', namespace: 'n' }, spec: { location: 'westeurope', tags: { team: 't' } } }],
    synthesized(both, { namespaceName: 'n', team: 't' }),
  )).toEqual([]);
});

test('labels that come later as a whole are a map', () => {
  const labelled = { ...GROUP, metadata: { ...GROUP.metadata, labels: '{{ include "labels" . | nindent 4 }}', annotations: '${ANNOTATIONS}' } };
  const { code, notes } = parameterized([labelled]);
  expect(notes).toEqual([]);
  expect(propsOf(code)).toContain('readonly labelsValue: Record<string, string>;');
  expect(differences(
    [{ ...GROUP, metadata: { name: 'a-rg', namespace: 'shop', labels: { x: 'y' }, annotations: { z: '' } }, spec: { location: 'westeurope', tags: { team: 'a' } } }],
    synthesized(code, { team: 'a', labelsValue: { x: 'y' }, annotations: { z: '' } }),
  )).toEqual([]);
});

test('a credential whose ids come later is one', () => {
  const { code } = parameterized([{
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'aso-credential', namespace: 'shop' },
    stringData: { AZURE_SUBSCRIPTION_ID: '${SUB}', AZURE_TENANT_ID: '${TENANT}', AZURE_CLIENT_ID: '${CLIENT}', USE_WORKLOAD_IDENTITY_AUTH: 'true' },
  }]);
  expect(code).toContain('authentication: AsoAuthentication.workloadIdentity(props.client),');
});

test('variables of containers, and of other controllers, stay texts', () => {
  const { code, parameters } = parameterized([
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', namespace: 'shop' },
      spec: { containers: [{ name: 'x', image: 'x', args: ['$(POD_IP)'], env: [{ name: 'A', value: '$(B)' }] }] },
    },
    { apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition', metadata: { name: 'x', namespace: 'shop' }, spec: { a: '${schema.spec.name}' } },
    { apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret', metadata: { name: 'x', namespace: 'shop' }, spec: { a: '{{ .password }}' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'shop' }, data: { a: '{{ .Values }} {{ $labels.x }}' } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'y', namespace: 'shop', annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } },
      data: { a: '${TEAM}' },
    },
  ]);
  expect(parameters).toEqual([]);
  expect(code).toContain("args: ['$(POD_IP)']");
});

test('texts of the files are never code', () => {
  const { code } = parameterized([account({ tags: { a: '`${TEAM}\\${process.exit(1)}`${X}\n', b: '${TEAM}`', c: '*/ ${A/*/b} @x' } })]);
  const props = Object.fromEntries(['team', 'x', 'a', 'processExit1'].map((name) => [name, name]));
  expect(() => synthesized(code, props)).not.toThrow();
});

test('texts that the code does not fill in are named', () => {
  const script = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'shop' }, data: { a: 'echo ${TEAM}\nexit 0\n', b: '$${HOME}' } };
  expect(parameterized([GROUP, script]).notes).toEqual([
    expect.stringContaining('has ${TEAM} in a text of several lines, where it stays'),
    expect.stringContaining('has $${…}, for which envsubst and Flux write ${…}'),
  ]);
});

test('checks at synth know the values: what they refuse is refused then', () => {
  const { code, notes } = parameterized([account({}, '${NAME}')]);
  expect(notes).toEqual([]);
  expect(() => synthesized(code, { team: 'a', name: 'NOT A NAME' })).toThrow(/name/);
});

test('what is wrong whatever the values are, is still found', () => {
  const { code, notes } = parameterized([account({ tags: { x: '${X}' }, accessTier: 'Warm' }), account({ tags: { x: '${X}' } }, '${TEAM}'), account({}, '${TEAM}')]);
  expect(notes).toEqual([
    expect.stringContaining('spec.accessTier'),
    expect.stringContaining('the object stands already in'),
  ]);
  expect(code).toContain("additionalSpec: { accessTier: 'Warm' }");
});

test('values that SOPS has encrypted are props of their own', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'keys', namespace: 'shop' },
    stringData: { A: 'ENC[AES256_GCM,data:abc,iv:x,tag:y,type:str]', B: 'ENC[AES256_GCM,data:zzz,iv:x,tag:y,type:str]' },
  };
  const { code } = parameterized([secret]);
  expect(propsOf(code)).toEqual(['readonly encryptedValue: string;', 'readonly encryptedValue2: string;']);
  expect(code).toContain('stringData: { A: props.encryptedValue, B: props.encryptedValue2 }');
  expect(code).not.toContain('ENC[');
});

test('a variable with several defaults has none, and its prop says so', () => {
  expect(parameterized([GROUP, account({ accessTier: '${TIER:=Hot}', tags: { tier: '${TIER:=Cool}' } })]).code)
    .toContain('/** `${TIER:=Hot}`, `${TIER:=Cool}` in the files, with several defaults: none is taken. */');
});
