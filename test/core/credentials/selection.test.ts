import { parseManifests } from '../../../cli/manifests/manifests';
import { evaluate } from '../../../src/core/credentials/scopes/evaluate';
import { EvaluationOptions } from '../../../src/core/credentials/scopes/evaluation-options';
import { declaredRolesIn } from '../../../src/core/credentials/scopes/role-definitions';
import { ObjectSet } from '../../../src/core/rules/object-set';

const S = '11111111-2222-3333-4444-555555555555';
const T = '22222222-2222-3333-4444-555555555555';
const C = '33333333-2222-3333-4444-555555555555';
const IDS = `AZURE_SUBSCRIPTION_ID: ${S}, AZURE_TENANT_ID: ${T}, AZURE_CLIENT_ID: ${C}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

const doc = (apiVersion: string, kind: string, name: string, body: string, metadata = '', namespace = 'shop') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name}, namespace: ${namespace}${metadata === '' ? '' : `, ${metadata}`} }\n${body}\n`;
const annotated = (...entries: [string, string][]) => `annotations: { ${entries.map(([key, value]) => `${key}: "${value}"`).join(', ')} }`;
const from = (name: string) => annotated(['serviceoperator.azure.com/credential-from', name]);
const policy = (value: string): [string, string] => ['serviceoperator.azure.com/reconcile-policy', value];
const rg = (metadata = '', name = 'rg') =>
  doc('resources.azure.com/v1api20200601', 'ResourceGroup', name, 'spec: { location: uksouth }', metadata);
const secret = (name: string, keys: string, metadata = '', namespace = 'shop') =>
  doc('v1', 'Secret', name, `stringData: { ${keys} }`, metadata, namespace);
const settings = (keys: string) => secret('aso-controller-settings', keys, '', 'aso');
const roles = (text: string): [string, string] => ['aso.cdk8s.io/credential-roles', text];
const identity = (metadata = '', more = '') =>
  doc(
    'managedidentity.azure.com/v1api20230131',
    'UserAssignedIdentity',
    'id',
    `spec: { owner: { name: rg }, location: uksouth${more} }`,
    metadata,
    'platform',
  );
const federated = (subject: string) =>
  doc(
    'managedidentity.azure.com/v1api20230131',
    'FederatedIdentityCredential',
    `fic-${subject.length}`,
    `spec: { owner: { name: id }, issuer: "https://x/", subject: "${subject}", audiences: [a] }`,
    '',
    'platform',
  );

function report(docs: readonly string[], options: EvaluationOptions = {}) {
  const { manifests, problems } = parseManifests(docs.join('---\n'), 'test.yaml');
  expect(problems).toEqual([]);
  return evaluate(ObjectSet.ofManifests(manifests.map(({ object }) => object), { defaultNamespace: 'default' }), options);
}

const first = (...docs: string[]) => report(docs).resources[0];

describe('which credential applies', () => {
  test.each([
    [
      'the annotated Secret before that of the namespace',
      [rg(from('own')), secret('own', IDS), secret('aso-credential', IDS), settings(IDS)],
      'resource',
      'shop/own',
    ],
    ['the namespace before the controller', [rg(), secret('aso-credential', IDS), settings(IDS)], 'namespace', 'shop/aso-credential'],
    [
      'the controller where the namespace has none',
      [rg(), secret('aso-credential', IDS, '', 'other'), settings(IDS)],
      'global',
      'aso/aso-controller-settings',
    ],
    [
      'none where settings have no subscription',
      [rg(), settings('AZURE_SUBSCRIPTION_ID: "", AZURE_TENANT_ID: "", AZURE_CLIENT_ID: ""')],
      'none',
      undefined,
    ],
    ['none', [rg()], 'none', undefined],
    ['a Secret that is annotated and missing, and no other one', [rg(from('own')), secret('aso-credential', IDS)], 'resource', 'shop/own'],
    [
      'a Secret that is incomplete, and no other one',
      [rg(), secret('aso-credential', 'AZURE_CLIENT_ID: x'), settings(IDS)],
      'namespace',
      'shop/aso-credential',
    ],
    [
      'what the External Secrets Operator makes',
      [
        rg(),
        doc(
          'external-secrets.io/v1',
          'ExternalSecret',
          'x',
          `spec: { target: { name: aso-credential, template: { data: { ${IDS}, AZURE_CLIENT_SECRET: "{{ .v }}" } } } }`,
        ),
      ],
      'namespace',
      'shop/aso-credential',
    ],
    [
      'a sealed one',
      [
        rg(),
        doc(
          'bitnami.com/v1alpha1',
          'SealedSecret',
          'aso-credential',
          'spec: { encryptedData: { AZURE_SUBSCRIPTION_ID: a, AZURE_TENANT_ID: b, AZURE_CLIENT_ID: c } }',
        ),
      ],
      'namespace',
      'shop/aso-credential',
    ],
    [
      'what an identity of another namespace propagates',
      [rg(), identity(annotated(['aso.cdk8s.io/propagate-credentials-to', 'Secret/shop/aso-credential']))],
      'namespace',
      'shop/aso-credential',
    ],
  ])('%s', (_, docs, level, name) => {
    const { level: found, secret: used } = first(...docs)!;
    expect([found, used]).toEqual([level, name]);
  });

  test.each([
    ['an annotation without a name', [rg(from(''))], 'is empty'],
    ['an annotation with a namespace', [rg(from('other/own'))], "contains '/'"],
    [
      'an annotated Secret that is missing',
      [rg(from('own')), secret('aso-credential', IDS)],
      'the Secret shop/own is not here, and no other credential steps in',
    ],
    ['empty keys', [rg(), secret('aso-credential', IDS.replace(C, '""'))], 'no value for AZURE_CLIENT_ID'],
    [
      'two writers',
      [rg(), secret('aso-credential', IDS), identity(annotated(['aso.cdk8s.io/propagate-credentials-to', 'Secret/shop/aso-credential']))],
      'is written by the manifest and by the controller, from UserAssignedIdentity platform/id',
    ],
    ['no credential', [rg()], 'no credential is here'],
    [
      'a namespace that does not accept what is propagated to it',
      [
        rg(),
        identity(annotated(['aso.cdk8s.io/propagate-credentials-to', 'Secret/shop/aso-credential'])),
        'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n',
      ],
      'Annotate the Namespace aso.cdk8s.io/accepts-credentials-from: platform/id',
    ],
    [
      'another subscription',
      [
        doc(
          'managedidentity.azure.com/v1api20230131',
          'UserAssignedIdentity',
          'i',
          `spec: { location: uksouth, owner: { armId: /subscriptions/${T}/resourceGroups/x } }`,
        ),
        secret('aso-credential', IDS),
      ],
      `give it a credential for ${T}`,
    ],
  ])('says what is wrong with %s', (_, docs, problem) => expect(first(...docs)!.problems.join('\n')).toContain(problem));

  test('a good one has no problems', () => {
    expect(first(rg(), secret('aso-credential', IDS))?.problems).toEqual([]);
    expect(
      first(
        rg(),
        identity(annotated(['aso.cdk8s.io/propagate-credentials-to', 'Secret/shop/aso-credential'])),
        'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, annotations: { aso.cdk8s.io/accepts-credentials-from: platform } }\n',
      )?.problems,
    ).toEqual([]);
  });
});

describe('how the controller signs in', () => {
  const mode = (...docs: string[]) => report([rg(), ...docs]).credentials[0]!.mode;

  test.each([
    ['', 'workload identity'],
    [', AUTH_MODE: workloadidentity', 'workload identity'],
    [', AUTH_MODE: podidentity', 'managed identity'],
    [', AUTH_MODE: podidentity, AZURE_CLIENT_CERTIFICATE: x', 'client certificate'],
    [', AZURE_CLIENT_SECRET: "", AZURE_CLIENT_CERTIFICATE: x', 'client secret'],
    [', AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS: /x', 'identity file'],
  ])('with keys%s', (keys, expected) => expect(mode(secret('aso-credential', IDS + keys))).toBe(expected));

  test.each([
    [', USE_WORKLOAD_IDENTITY_AUTH: "true"', 'workload identity'],
    ['', 'managed identity'],
    [', AZURE_CLIENT_SECRET: ""', 'managed identity'],
    [', AZURE_CLIENT_SECRET: x', 'client secret'],
  ])('with settings%s', (keys, expected) => expect(mode(settings(IDS + keys))).toBe(expected));

  test('with encoded data', () => {
    const data = `data: { AZURE_SUBSCRIPTION_ID: ${base64(S)}, AZURE_TENANT_ID: ${base64(T)}, AZURE_CLIENT_ID: ${base64(C)}, AUTH_MODE: ${base64('podidentity')} }`;
    const { credentials } = report([rg(), doc('v1', 'Secret', 'aso-credential', data)]);
    expect(credentials[0]).toMatchObject({ mode: 'managed identity', clientId: C, subscriptionId: S, tenantId: T });
  });

  test('no secret value gets into the report', () => {
    const text = JSON.stringify(
      report([
        rg(),
        secret('aso-credential', `${IDS}, AZURE_CLIENT_SECRET: hunter2, OTHER: hunter3`),
        doc('v1', 'Secret', 'own', `data: { AZURE_CLIENT_CERTIFICATE: ${base64('hunter4')} }`),
        rg(from('own'), 'rg2'),
      ]),
      (key, value: unknown) => (key === 'object' ? undefined : value),
    );
    expect(text).toContain('client secret');
    expect(text).not.toMatch(/hunter/);
    expect(text).not.toContain(base64('hunter4'));
  });
});

describe('whether roles suffice', () => {
  const credential = (...stated: string[]) => secret('aso-credential', IDS, annotated(roles(stated.join('; '))));
  const subscription = `/subscriptions/${S}`;

  test.each([
    ['the whole subscription', rg(), [`Contributor @ ${subscription}`], 'sufficient', []],
    ['two roles together', rg(), [`Reader @ ${subscription}`, `Contributor @ ${subscription}`], 'sufficient', []],
    ['a management group', rg(), ['Owner @ /providers/Microsoft.Management/managementGroups/all'], 'sufficient', []],
    [
      'only reading',
      rg(),
      [`Reader @ ${subscription}`],
      'too-narrow',
      ['Microsoft.Resources/subscriptions/resourceGroups/write', 'Microsoft.Resources/subscriptions/resourceGroups/delete'],
    ],
    ['only reading, and no more is needed', rg(annotated(policy('skip'))), [`Reader @ ${subscription}`], 'sufficient', []],
    [
      'another subscription',
      rg(),
      [`Owner @ /subscriptions/${T}`],
      'too-narrow',
      [
        'Microsoft.Resources/subscriptions/resourceGroups/read',
        'Microsoft.Resources/subscriptions/resourceGroups/write',
        'Microsoft.Resources/subscriptions/resourceGroups/delete',
      ],
    ],
    ['a group whose name only begins alike', rg(), [`Owner @ ${subscription}/resourceGroups/r`], 'too-narrow', expect.any(Array)],
    [
      'the group itself, whatever the case',
      rg(),
      [`Owner @ ${subscription.toUpperCase().replace('SUBSCRIPTIONS', 'subscriptions')}/resourcegroups/RG`],
      'sufficient',
      [],
    ],
    ['no role at all', rg(), [''], 'too-narrow', expect.any(Array)],
    ['a role that nobody knows', rg(), [`44444444-2222-3333-4444-555555555555 @ ${subscription}`], 'unknown', []],
    [
      'a role that nobody knows, elsewhere',
      rg(),
      [`44444444-2222-3333-4444-555555555555 @ /subscriptions/${T}`],
      'too-narrow',
      expect.any(Array),
    ],
  ])('%s', (_, object, stated, verdict, missing) => {
    const { resources: [found] } = report([object, credential(...stated)]);
    expect([found!.verdict, found!.missingActions]).toEqual([verdict, missing]);
  });

  test('nothing is said of roles where nobody says anything', () => {
    expect(first(rg(), secret('aso-credential', IDS))).toMatchObject({ verdict: 'unknown', missingActions: [] });
  });

  test('a role that is given in a resource does not create it', () => {
    const assignment = doc(
      'authorization.azure.com/v20220401',
      'RoleAssignment',
      'a',
      `spec: { owner: { group: resources.azure.com, kind: ResourceGroup, name: rg }, principalId: ${T}, roleDefinitionReference: { wellKnownName: Owner } }`,
    );
    const {
      resources: [group],
    } = report([rg(), assignment, secret('aso-credential', IDS, annotated(['aso.cdk8s.io/credential-principal', T]))]);
    expect(group?.missingActions).toEqual(['Microsoft.Resources/subscriptions/resourceGroups/write']);
  });

  test('keys that are exported, and what is joined', () => {
    const account = doc(
      'storage.azure.com/v20250601',
      'StorageAccount',
      'data',
      'spec: { location: uksouth, kind: StorageV2, sku: { name: Standard_LRS }, owner: { name: rg }, operatorSpec: { secrets: { key1: { name: s, key: k }, blobEndpoint: { name: s, key: e } } } }',
    );
    const endpoint = doc(
      'network.azure.com/v1api20240301',
      'PrivateEndpoint',
      'pe',
      `spec: { location: uksouth, owner: { name: rg }, subnet: { reference: { armId: ${subscription}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/s } } }`,
    );
    const { resources } = report([
      rg(),
      account,
      endpoint,
      credential(`Reader @ ${subscription}`, `Contributor @ ${subscription}/resourceGroups/rg`),
    ]);
    expect(resources[1]?.neededActions).toContain('Microsoft.Storage/storageAccounts/listKeys/action');
    expect(resources[1]?.verdict).toBe('sufficient');
    expect(resources[2]?.missingActions).toEqual([`Microsoft.Network/virtualNetworks/subnets/join/action on ${subscription}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/s`]);
  });

  test('by definitions that Azure lists, or that the files define', () => {
    const id = '55555555-2222-3333-4444-555555555555';
    const stated = credential(`${id} @ ${subscription}`);
    const listed = [
      {
        name: id,
        roleName: 'Groups',
        permissions: [{ actions: ['Microsoft.Resources/subscriptions/resourceGroups/*'], notActions: ['*/delete'] }],
      },
    ];
    expect(report([rg(), stated], { roles: declaredRolesIn(listed) }).resources[0]?.missingActions).toEqual([
      'Microsoft.Resources/subscriptions/resourceGroups/delete',
    ]);
    expect(report([rg(), stated], { roles: declaredRolesIn({ value: [{ name: id, properties: listed[0] }] }) }).resources[0]?.verdict).toBe(
      'too-narrow',
    );
    const definition = doc(
      'authorization.azure.com/v20220401',
      'RoleDefinition',
      'd',
      `spec: { azureName: ${id}, owner: { armId: ${subscription} }, roleName: Groups, permissions: [{ actions: ["*"] }] }`,
    );
    expect(report([rg(), stated, definition]).resources[0]?.verdict).toBe('sufficient');
    expect(declaredRolesIn([{ name: 'x' }, null, 3, { permissions: [] }])).toEqual([]);
  });

  test('a principal is the same whichever Secret names it', () => {
    const other = secret('own', IDS, annotated(roles(`Owner @ ${subscription}`)));
    const { resources } = report([rg(), rg(from('own'), 'rg2'), secret('aso-credential', IDS), other]);
    expect(resources.map(({ verdict }) => verdict)).toEqual(['sufficient', 'sufficient']);
  });

  test('what is not of Azure Resource Manager takes no role', () => {
    const user = doc('dbforpostgresql.azure.com/v1', 'User', 'u', 'spec: { owner: { name: db }, localUser: { serverAdminUsername: a, serverAdminPassword: { name: s, key: k }, password: { name: s, key: k } } }');
    expect(first(user, credential(''))?.verdict).toBe('not-applicable');
  });
});

describe('who can borrow an identity', () => {
  const CONTROLLER = 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default';
  const WORKLOAD = 'system:serviceaccount:shop:aso-workload';
  const propagating = identity(annotated(['aso.cdk8s.io/propagate-credentials-to', 'Secret/shop/aso-credential']));
  const strict = settings('AZURE_WORKLOAD_IDENTITY_AUTH_MODE: strict');

  test.each([
    ['that trusts the controller', [propagating, federated(CONTROLLER)], 'any-namespace'],
    ['that trusts the controller, which is strict', [propagating, federated(CONTROLLER), strict], 'unknown'],
    ['that trusts the namespace', [propagating, federated(WORKLOAD)], 'named-namespaces'],
    ['that trusts both', [propagating, federated(WORKLOAD), federated(CONTROLLER)], 'any-namespace'],
    ['that trusts both, and the controller is strict', [propagating, federated(WORKLOAD), federated(CONTROLLER), strict], 'named-namespaces'],
    ['of which no federation is known', [secret('aso-credential', IDS)], 'any-namespace'],
    ['of the nodes', [secret('aso-credential', `${IDS}, AUTH_MODE: podidentity`), strict], 'any-namespace'],
    ['with a secret', [secret('aso-credential', `${IDS}, AZURE_CLIENT_SECRET: x`)], 'secret-holders'],
    [
      'of the controller, which is strict',
      [settings(`${IDS}, USE_WORKLOAD_IDENTITY_AUTH: "true", AZURE_WORKLOAD_IDENTITY_AUTH_MODE: strict`)],
      'controller-only',
    ],
  ])('%s', (_, docs, reach) => expect(report([rg(), ...docs]).identities.map((one) => one.reach)).toEqual([reach]));

  test.each([
    [
      'strict, and the namespace is not trusted',
      'strict',
      [CONTROLLER],
      `no federated credential of its identity has the subject ${WORKLOAD}`,
    ],
    ['strict, and the namespace is trusted', 'strict', [WORKLOAD], undefined],
    ['relaxed, and the controller is not trusted', 'relaxed', [WORKLOAD], 'trusts the controller'],
    ['relaxed, and the controller is trusted', 'relaxed', [CONTROLLER], undefined],
  ])('the controller is %s', (_, workloadMode, subjects, problem) => {
    const { problems } = report([rg(), propagating, ...subjects.map(federated)], { workloadMode }).resources[0]!;
    if (problem === undefined) expect(problems).toEqual([]);
    else expect(problems.join('\n')).toContain(problem);
  });
});

test('an annotated identity without a name is no object of the files, whatever its name', () => {
  const named = doc(
    'managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', 'undefined', 'spec: { owner: { name: rg }, location: uksouth }',
  );
  const resource = first(rg(), named, secret('aso-credential', IDS, annotated(['aso.cdk8s.io/credential-identity', 'shop'])));
  expect(resource?.principal).toBe('UserAssignedIdentity shop');
});
