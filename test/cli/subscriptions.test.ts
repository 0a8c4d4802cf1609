import { rmSync } from 'node:fs';
import { parse } from 'yaml';
import { captured, filesIn } from './capture';
import { check } from '../../cli/check/check';
import { compare } from '../../cli/diff/compare';
import { graphOfManifests } from '../../cli/graph/manifest-graph';
import { parseManifests, type Manifest } from '../../cli/manifests/manifests';
import { planLive } from '../../cli/plan/live/plan-live';
import { planRequests } from '../../cli/plan/requests';
import { subscriptionNotes } from '../../cli/plan/text';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { Azure, SUBSCRIPTION } from '../sandbox/azure/client';

const [ONE, TWO, GIVEN] = ['11111111', '22222222', '33333333'].map((start) => `${start}-1111-1111-1111-111111111111`) as [string, string, string];
const TENANT = '44444444-1111-1111-1111-111111111111';
const IDS = (subscription: string) => `AZURE_SUBSCRIPTION_ID: ${subscription}, AZURE_TENANT_ID: ${TENANT}, AZURE_CLIENT_ID: c`;

const group = (namespace: string, more = '', name = 'rg') => `
apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata: { name: ${name}, namespace: ${namespace}${more} }
spec: { location: uksouth }
`;
const annotated = (name: string) => `, annotations: { serviceoperator.azure.com/credential-from: ${name} }`;
const secret = (namespace: string, name: string, subscription: string) =>
  `\napiVersion: v1\nkind: Secret\nmetadata: { name: ${name}, namespace: ${namespace} }\nstringData: { ${IDS(subscription)} }\n`;
const sealed = (namespace: string, name = 'aso-credential') => `
apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: { name: ${name}, namespace: ${namespace} }
spec: { encryptedData: { AZURE_SUBSCRIPTION_ID: x, AZURE_TENANT_ID: x, AZURE_CLIENT_ID: x } }
`;
const external = (namespace: string, subscription: string) => `
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: { name: login, namespace: ${namespace} }
spec: { target: { name: aso-credential, template: { data: { ${IDS(subscription)} } } } }
`;
const identity = (namespace: string, to: string) => `
apiVersion: managedidentity.azure.com/v1api20230131
kind: UserAssignedIdentity
metadata: { name: team, namespace: ${namespace}, annotations: { aso.cdk8s.io/propagate-credentials-to: ${to} } }
spec: { owner: { name: rg }, location: uksouth }
`;
const files = (...documents: string[]): Manifest[] => parseManifests(documents.join('---'), 'all.yaml').manifests;
const objects = (...documents: string[]): KubernetesObject[] => documents.map((text) => parse(text) as KubernetesObject);

/** The subscriptions of the resource groups in the requests, by namespace, and the problems. */
function planned(manifests: readonly Manifest[], given?: string): Record<string, string | readonly string[]> {
  const { requests, problems } = planRequests(manifests, given);
  const groups = requests.filter(({ manifest: { object } }) => object.kind === 'ResourceGroup');
  return {
    ...Object.fromEntries(groups.map(({ manifest: { object }, path }) => [object.metadata.namespace, path.split('/')[2]!])),
    problems: problems.map(({ message }) => message),
  };
}

const CASES: readonly [string, Manifest[], string | undefined, Record<string, string>][] = [
  ['Secrets of the namespaces', files(group('dev'), group('prod'), secret('dev', 'aso-credential', ONE), secret('prod', 'aso-credential', TWO)),
    GIVEN, { dev: ONE, prod: TWO }],
  ['the annotation of the object before the namespace', files(group('dev', annotated('login')), secret('dev', 'login', TWO),
    secret('dev', 'aso-credential', ONE)), undefined, { dev: TWO }],
  ['the settings of the controller last', files(group('dev'), group('prod'), secret('dev', 'aso-credential', ONE),
    secret('azureserviceoperator-system', 'aso-controller-settings', TWO)), undefined, { dev: ONE, prod: TWO }],
  ['an ExternalSecret that writes the ids', files(group('dev'), external('dev', ONE)), GIVEN, { dev: ONE }],
  ['a Secret to which an identity is propagated', files(group('ops'), identity('ops', 'Secret/dev/aso-credential'), group('dev', '', 'other'),
    secret('ops', 'aso-credential', TWO)), GIVEN, { ops: TWO, dev: TWO }],
  ['what is given, for the only credential without a subscription', files(group('dev'), sealed('dev'), group('prod'),
    secret('prod', 'aso-credential', TWO)), GIVEN, { dev: GIVEN, prod: TWO }],
  ['two sealed credentials', files(group('dev'), sealed('dev'), group('prod'), sealed('prod')), GIVEN,
    { dev: '<subscription:dev.aso-credential>', prod: '<subscription:prod.aso-credential>' }],
  ['a sealed one and none: what is given is that of the operator', files(group('dev'), sealed('dev'), group('prod')), GIVEN,
    { dev: '<subscription:dev.aso-credential>', prod: GIVEN }],
  ['an annotation whose Secret is elsewhere', files(group('dev', annotated('login')), group('prod', annotated('login'))), undefined,
    { dev: '<subscription:dev.login>', prod: '<subscription:prod.login>' }],
  ['none in the files', files(group('dev'), group('prod')), undefined,
    { dev: '00000000-0000-0000-0000-000000000000', prod: '00000000-0000-0000-0000-000000000000' }],
  ['a resource that is made with the same credential', files(sealed('dev'),
    group('dev', `, annotations: { serviceoperator.azure.com/resource-id: /subscriptions/${ONE}/resourceGroups/rg }`),
    sealed('prod'), group('prod')), undefined, { dev: ONE, prod: '<subscription:prod.aso-credential>' }],
];

describe('the subscription of an object is that of its credential', () => {
  test.each(CASES)('plan: %s', (_, manifests, given, expected) => {
    expect(planned(manifests, given)).toEqual({ ...expected, problems: [] });
  });

  test.each(CASES.filter(([, manifests]) => manifests.length > 0))('graph: %s', (_, manifests, given, expected) => {
    const { nodes } = graphOfManifests(manifests, given === undefined ? {} : { subscriptionId: given }).graph;
    const groups = nodes.filter(({ kind }) => kind === 'ResourceGroup');
    const known = Object.fromEntries(Object.entries(expected).map(([namespace, id]) => [namespace, /^[1-9]/.test(id) ? id : undefined]));
    expect(Object.fromEntries(groups.map(({ namespace, armId }) => [namespace, armId?.split('/')[2]]))).toEqual(known);
  });
});

test('equal groups are one Azure resource only in one subscription', () => {
  const same = 'is the same Azure resource as ResourceGroup dev/rg';
  const problems = (manifests: Manifest[], given?: string) => planned(manifests, given).problems;
  expect(problems(files(group('dev'), group('prod')), GIVEN)).toEqual([expect.stringContaining(same)]);
  expect(problems(files(group('dev'), group('prod'), secret('dev', 'aso-credential', ONE), secret('prod', 'aso-credential', ONE))))
    .toEqual([expect.stringContaining(same)]);
  expect(problems(files(group('dev'), group('dev', '', 'again').replace('spec: {', 'spec: { azureName: rg,'))))
    .toEqual([expect.stringContaining(same)]);
});

test('what stands for a subscription in the ids is said', () => {
  expect(subscriptionNotes(planRequests(files(group('dev'), group('prod', annotated('login'))), undefined))).toEqual([
    expect.stringContaining('zeros'), expect.stringContaining('<subscription:NAMESPACE.SECRET>'),
  ]);
  expect(subscriptionNotes(planRequests(files(group('dev')), GIVEN))).toEqual([]);
});

test('check warns of equal names only where both objects have the operator\'s own credential', () => {
  const found = (...documents: string[]) => {
    const directory = filesIn({ 'all.yaml': documents.join('---') });
    const terminal = captured();
    check([directory], { output: 'text', severity: 'info', strict: false, verbose: true }, terminal);
    rmSync(directory, { recursive: true });
    return [...terminal.out, ...terminal.err].join('\n').match(/azure-name-taken/g)?.length ?? 0;
  };
  expect(found(group('dev'), group('prod'))).toBe(1);
  expect(found(group('dev'), group('prod'), secret('sys', 'aso-controller-settings', ONE))).toBe(1);
  expect(found(group('dev'), sealed('dev'), group('prod'), sealed('prod'))).toBe(0);
  expect(found(group('dev'), external('dev', ONE), group('prod'), external('prod', TWO))).toBe(0);
  expect(found(group('dev'), external('dev', ONE), group('prod'), external('prod', ONE))).toBe(1);
});

test('diff: an equal group of another subscription is created, not moved', () => {
  const fates = (old: KubernetesObject[], next: KubernetesObject[]) =>
    compare(old, next).resources.map(({ fate, namespace, armId }) => `${fate} ${namespace} ${armId?.split('/')[2]}`);
  const dev = [group('dev'), external('dev', ONE)];
  expect(fates(objects(...dev), objects(...dev, group('prod'), external('prod', TWO)))).toEqual([`created prod ${TWO}`]);
  expect(fates(objects(...dev), objects(group('prod'), external('prod', ONE)))).toEqual([`moved prod ${ONE}`]);
  expect(fates(objects(group('dev'), sealed('dev')), objects(group('dev'), sealed('dev'), group('prod'), sealed('prod'))))
    .toEqual(['created prod <subscription:prod.aso-credential>']);
});

describe('plan --live', () => {
  let azure: Azure;
  beforeAll(async () => { azure = await Azure.start(); });
  afterAll(() => azure.close());

  const live = async (documents: readonly string[], environment: Record<string, string>, tenants: string[] = []) => {
    const directory = filesIn({ 'all.yaml': documents.join('---') });
    const terminal = captured();
    const client = {
      subscriptionId: SUBSCRIPTION,
      endpoint: azure.simulator.endpoint,
      send: async ({ method, url, apiVersion }: { method: string; url: string; apiVersion: string }) => {
        const { status, headers, body } = await azure.send(method, `${url}?api-version=${apiVersion}`);
        return { status, headers, body: body === '' ? undefined : body, text: JSON.stringify(body) };
      },
    };
    const access = (env: Readonly<Record<string, string | undefined>>) =>
      ({ client: client as never, signIn: async () => void tenants.push(env.AZURE_TENANT_ID ?? '') });
    try {
      await planLive([directory], { output: 'json', live: true }, terminal, environment, access);
      const { changes } = JSON.parse(terminal.out.join('\n')) as { changes: { change: string; namespace: string; armId?: string; reason?: string }[] };
      return changes.map(({ change, namespace, armId, reason }) => [namespace, change, armId?.split('/')[2], reason]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  };

  test('reads each subscription, with a token of its tenant; what is not known is unknown', async () => {
    const tenants: string[] = [];
    const documents = [group('dev'), secret('dev', 'aso-credential', SUBSCRIPTION), group('prod')];
    expect(await live(documents, { AZURE_TENANT_ID: 'home' }, tenants)).toEqual([
      ['dev', 'create', SUBSCRIPTION, undefined],
      ['prod', 'unknown', undefined, expect.stringContaining('--subscription')],
    ]);
    expect(tenants).toEqual(['home', TENANT]);
  });

  test('without any subscription it is asked for', async () => {
    await expect(live([group('dev'), sealed('dev')], {})).rejects.toThrow('--subscription');
  });
});
