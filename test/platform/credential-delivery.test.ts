import { Chart, Testing } from 'cdk8s';
import { app, CLIENT, CREDENTIAL, deliverIn, environment, exported, IDENTITY, INCOMPLETE, READY, team, written } from './delivery-fixture';
import { decidePropagation } from '../../controller/credential-propagation/decide';
import { propagationTargets } from '../../src/azure/credential-propagation';
import { CredentialDelivery, Team, TeamOnboarding } from '../../src/platform';
import type { CredentialTarget, ICredentialDelivery } from '../../src/platform';

function synthesized(
  delivery: ICredentialDelivery,
  more: Partial<CredentialTarget> = {},
): { readonly objects: any[]; readonly result: any } {
  const chart = Testing.chart();
  const { result } = deliverIn(chart, delivery, more);
  return { objects: Testing.synth(chart), result };
}

const find = (objects: any[], kind: string) => objects.find((object) => object.kind === kind);

describe('a client id that is known', () => {
  test('stands in the credential and on the service accounts', () => {
    const { objects, result } = synthesized(CredentialDelivery.knownClientId(CLIENT));
    expect(find(objects, 'Secret')).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'aso-credential', namespace: 'ledger' },
      stringData: CREDENTIAL,
    });
    expect(find(objects, 'ServiceAccount').metadata).toEqual({
      name: 'ledger', namespace: 'ledger', labels: { app: 'ledger' }, annotations: { 'azure.workload.identity/client-id': CLIENT },
    });
    expect(result.secret.name).toBe('aso-credential');
    expect(result.clientId.secretName).toBe('aso-credential');
  });

  test.each(['', 'client', '${clientId}'])('%p is none', (wrong) => {
    expect(() => CredentialDelivery.knownClientId(wrong)).toThrow(/client id .* is no UUID/);
  });
});

describe('parts can be left out', () => {
  const ways: [string, () => ICredentialDelivery][] = [
    ['knownClientId', () => CredentialDelivery.knownClientId(CLIENT)],
    ['controller', () => CredentialDelivery.controller()],
    ['celMirror', () => CredentialDelivery.celMirror()],
  ];

  test.each(ways)('%s: no credential', (_name, way) => {
    const { objects, result } = synthesized(way(), { credential: false });
    expect(JSON.stringify(objects.filter(({ kind }) => kind !== 'UserAssignedIdentity'))).not.toContain('aso-credential');
    expect(result.clientId).toBeUndefined();
  });

  test.each(ways)('%s: no service accounts, another name', (_name, way) => {
    const { objects, result } = synthesized(way(), { serviceAccounts: [], secretName: 'blue' });
    expect(find(objects, 'ServiceAccount')).toBeUndefined();
    expect(result).toMatchObject({ secretName: 'blue', serviceAccounts: [], clientId: { secretName: 'blue', key: 'AZURE_CLIENT_ID' } });
    expect(JSON.stringify(objects)).toContain('blue');
    expect(JSON.stringify(objects)).not.toContain('aso-credential');
  });
});

describe('propagated by the controller', () => {
  test('the identity names its targets, the Namespace the identities that it accepts, and no manifest has a credential', () => {
    const { objects } = synthesized(CredentialDelivery.controller());
    expect(find(objects, 'UserAssignedIdentity').metadata.annotations).toEqual({
      'aso.cdk8s.io/propagate-credentials-to': 'Secret/ledger/aso-credential,ServiceAccount/ledger/ledger',
    });
    expect(find(objects, 'Namespace').metadata.annotations).toEqual({ 'aso.cdk8s.io/accepts-credentials-from': `platform/${IDENTITY}` });
    expect(find(objects, 'Secret')).toBeUndefined();
    expect(find(objects, 'ServiceAccount').metadata.annotations).toBeUndefined();
  });

  test('a second identity of the same namespace is added', () => {
    const chart = Testing.chart();
    const { namespace } = deliverIn(chart, CredentialDelivery.controller());
    const inner = new Chart(chart, 'service');
    const { identity } = deliverIn(inner, CredentialDelivery.controller(), {
      identityName: 'id-other',
      credential: false,
      serviceAccounts: [{ name: 'other' }],
    });
    CredentialDelivery.controller().deliver(new Chart(chart, 'again'), {
      team,
      identity,
      identityName: 'id-other',
      credential: false,
      serviceAccounts: [{ name: 'third' }],
      namespace,
    });
    expect((namespace.metadata.toJson() as any).annotations['aso.cdk8s.io/accepts-credentials-from']).toBe(
      `platform/${IDENTITY},platform/id-other`,
    );
    expect((identity.metadata.toJson() as any).annotations['aso.cdk8s.io/propagate-credentials-to']).toBe(
      'ServiceAccount/ledger/other,ServiceAccount/ledger/third',
    );
  });

  /** The controller's decision about the Secret, with the synthesized manifests. */
  function verdict(status: object) {
    const { objects } = synthesized(CredentialDelivery.controller());
    const identity = { ...find(objects, 'UserAssignedIdentity'), status };
    const namespace = find(objects, 'Namespace');
    const [target] = propagationTargets(identity.metadata.annotations['aso.cdk8s.io/propagate-credentials-to']).entries;
    return decidePropagation({ identity, target: target!, namespace, existing: undefined, isWatched: true, isWantedBy: () => false });
  }

  test('the controller writes it when all ids are there', () => {
    const made = verdict(READY);
    expect(made).toMatchObject({ do: 'create', object: { metadata: { name: 'aso-credential', namespace: 'ledger' } } });
    const data = (made as any).object.data as Record<string, string>;
    expect(Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))).toEqual(
      CREDENTIAL,
    );
  });

  test.each(INCOMPLETE)('and waits with %s', (_what, status) => {
    expect(verdict(status)).toMatchObject({ do: 'wait' });
  });
});

/** Kyverno's two steps, as far as this policy needs them: preconditions, and values in the place of variables. */
function kyverno(rule: any, secret: any): any {
  const at = (expression: string): string => {
    const inner = expression.replace(/^\{\{\s*|\s*\}\}$/g, '').replace(/ \|\| ''$/, '');
    const decode = /^base64_decode\((.*)\)$/.exec(inner);
    const value =
      (decode ? decode[1] : inner)!.split('.').reduce((object: any, step) => object?.[step], { request: { object: secret } }) ?? '';
    return decode ? Buffer.from(value, 'base64').toString() : value;
  };
  if (!rule.preconditions.all.every(({ key, operator, value }: any) => operator === 'NotEquals' && at(key) !== value)) return undefined;
  return JSON.parse(JSON.stringify(rule.generate), (_key, value) =>
    typeof value === 'string' && value.startsWith('{{') ? at(value) : value,
  );
}

const base64 = (data: Record<string, string>) =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));

describe('CEL and a mirror', () => {
  const { objects } = synthesized(CredentialDelivery.celMirror());
  const identity = find(objects, 'UserAssignedIdentity');
  const policy = find(objects, 'ClusterPolicy');

  test('golden objects', () => {
    expect(objects.filter(({ kind }) => kind !== 'Namespace')).toMatchSnapshot();
  });

  test('the operator exports a whole credential', () => {
    expect(exported(identity, READY).secrets).toMatchObject([
      { metadata: { name: `${IDENTITY}-credential`, namespace: 'platform' }, stringData: CREDENTIAL },
    ]);
  });

  test.each([...INCOMPLETE, ['no tenant', { ...READY, tenantId: undefined }], ['no id', { ...READY, id: undefined }]] as const)(
    'or nothing with %s',
    (_what, status) => {
      expect(() => exported(identity, status)).toThrow();
    },
  );

  test('the policy is triggered by that Secret and makes Secret and service account from it', () => {
    const { metadata, stringData } = exported(identity, READY).secrets[0]!;
    expect(policy.spec.rules.map((rule: any) => rule.match.any[0].resources)).toEqual(
      [0, 1].map(() => ({ kinds: ['v1/Secret'], names: [metadata.name], namespaces: [metadata.namespace] })),
    );
    const source = { metadata, data: base64(stringData!) };
    const [secret, account] = policy.spec.rules.map((rule: any) => kyverno(rule, source));
    expect(secret).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      name: 'aso-credential',
      namespace: 'ledger',
      synchronize: true,
      data: { type: 'Opaque', data: base64(CREDENTIAL) },
    });
    expect(account).toMatchObject({
      kind: 'ServiceAccount',
      name: 'ledger',
      data: { metadata: { labels: { app: 'ledger' }, annotations: { 'azure.workload.identity/client-id': CLIENT } } },
    });
  });

  test.each(Object.keys(CREDENTIAL))('a Secret without %s makes nothing', (key) => {
    for (const rule of policy.spec.rules) {
      expect(kyverno(rule, { data: { ...base64(CREDENTIAL), [key]: '' } })).toBeUndefined();
      expect(kyverno(rule, { data: { ...base64(CREDENTIAL), [key]: undefined } })).toBeUndefined();
    }
  });

  test('Kyverno elsewhere; without rights', () => {
    const others = synthesized(CredentialDelivery.celMirror({ kyvernoNamespace: 'policies', kyvernoServiceAccount: 'background' })).objects;
    expect(find(others, 'RoleBinding').subjects).toEqual([{ kind: 'ServiceAccount', name: 'background', namespace: 'policies' }]);
    expect(find(synthesized(CredentialDelivery.celMirror({ rights: false })).objects, 'Role')).toBeUndefined();
  });
});

/** The template functions that the ExternalSecret uses: a value that is no UUID fails all of it. */
function externalSecrets(externalSecret: any, source: any): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (const { secretKey, remoteRef } of externalSecret.spec.data) {
    const value = remoteRef.key === source?.metadata.name ? source.stringData[remoteRef.property] : undefined;
    if (value === undefined) return undefined;
    values[secretKey] = value;
  }
  const rendered: Record<string, string> = {};
  for (const [key, text] of Object.entries<string>(externalSecret.spec.target.template.data)) {
    const guarded = /^\{\{ if regexMatch "(.*)" \.(\w+) \}\}\{\{ \.(\w+) \}\}\{\{ else \}\}\{\{ fail ".*" \}\}\{\{ end \}\}$/.exec(text);
    if (!guarded) {
      rendered[key] = text;
    } else {
      if (!new RegExp(guarded[1]!).test(values[guarded[2]!]!)) return undefined;
      rendered[key] = values[guarded[3]!]!;
    }
  }
  return rendered;
}

describe('External Secrets', () => {
  const { objects } = synthesized(CredentialDelivery.externalSecrets());
  const external = find(objects, 'ExternalSecret');

  test('golden objects', () => {
    expect(objects.filter(({ kind }) => kind !== 'Namespace')).toMatchSnapshot();
  });

  test('what the operator exports becomes the credential', () => {
    const [source] = exported(find(objects, 'UserAssignedIdentity'), READY).secrets;
    expect(externalSecrets(external, source)).toEqual(CREDENTIAL);
  });

  test('without a source, or with a value that is no id, there is none', () => {
    expect(externalSecrets(external, undefined)).toBeUndefined();
    const [source] = exported(find(objects, 'UserAssignedIdentity'), READY).secrets;
    for (const key of ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_SUBSCRIPTION_ID']) {
      for (const wrong of ['', ' ', 'unknown', undefined]) {
        expect(externalSecrets(external, { ...source, stringData: { ...source!.stringData, [key]: wrong } })).toBeUndefined();
      }
    }
  });

  test('the reader may read the one Secret, and nothing else', () => {
    const role = find(objects, 'Role');
    expect(role.metadata.namespace).toBe('platform');
    expect(role.rules).toEqual([{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: [`${IDENTITY}-credential`] }]);
    expect(find(objects, 'RoleBinding').subjects).toEqual([
      { kind: 'ServiceAccount', name: find(objects, 'SecretStore').spec.provider.kubernetes.auth.serviceAccount.name, namespace: 'ledger' },
    ]);
  });

  test('options and their faults', () => {
    const others = synthesized(CredentialDelivery.externalSecrets({ refreshInterval: '1h', name: 'reader' })).objects;
    expect(find(others, 'ExternalSecret').spec).toMatchObject({ refreshInterval: '1h', secretStoreRef: { name: 'reader' } });
    expect(() => CredentialDelivery.externalSecrets({ refreshInterval: 'often' })).toThrow('refreshInterval');
    expect(() => synthesized(CredentialDelivery.externalSecrets(), { credential: false })).toThrow('serviceAccounts');
  });
});

test.each<[string, ICredentialDelivery]>([
  ['controller', CredentialDelivery.controller()],
  ['celMirror', CredentialDelivery.celMirror()],
  ['externalSecrets', CredentialDelivery.externalSecrets()],
])('%s: no object is lost where cdk8s calls files after kind and name', (_name, way) => {
  const root = app();
  const chart = new Chart(root, 'team');
  new TeamOnboarding(chart, 'ledger', { team, delivery: way });
  expect(written(root).team).toHaveLength(Testing.synth(chart).length);
});

test('two teams in one chart do not get into each other\'s way', () => {
  for (const way of [CredentialDelivery.celMirror(), CredentialDelivery.externalSecrets(), CredentialDelivery.controller()]) {
    const chart = Testing.chart();
    for (const name of ['ledger', 'tax']) {
      deliverIn(new Chart(chart, name), way, { team: new Team({ name }).in(environment), identityName: `id-${name}` });
    }
    const all = chart.node
      .findAll()
      .filter((one) => Chart.isChart(one))
      .flatMap((one) => (one as Chart).toJson());
    const keys = all.map(({ kind, metadata }) => `${kind}/${metadata.namespace}/${metadata.name}`);
    expect(new Set(keys).size).toBe(keys.length);
  }
});
