import { App, Testing, Yaml } from 'cdk8s';
import { dev1 } from '../../examples/onboarding/environment';
import { onboard } from '../../examples/onboarding/onboarding';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Record<string, string> };
  readonly spec?: any;
  readonly stringData?: Record<string, string>;
}

function manifests(): Map<string, Manifest[]> {
  const app: App = Testing.app();
  onboard(app, dev1);
  app.synth();
  return new Map(app.charts.map((chart) => [chart.node.id, Yaml.load(`${app.outdir}/${fileOf(app, chart.node.id)}`) as Manifest[]]));
}

const fileOf = (app: App, chart: string) =>
  `${String(app.charts.findIndex(({ node }) => node.id === chart)).padStart(4, '0')}-${chart}.k8s.yaml`;

describe('the onboarding example', () => {
  const charts = manifests();
  const all = [...charts.values()].flat();
  const byKind = (kind: string) => all.filter((manifest) => manifest.kind === kind);

  test('gives the manifests that were reviewed', () => {
    expect(Object.fromEntries(charts)).toMatchSnapshot();
  });

  test('puts every object behind its namespace and its owner', () => {
    const position = new Map(all.map((manifest, index) => [`${manifest.kind}/${manifest.metadata.name}`, index]));
    for (const [index, manifest] of all.entries()) {
      if (manifest.metadata.namespace) expect(position.get(`Namespace/${manifest.metadata.namespace}`)).toBeLessThan(index);
    }
    for (const federation of byKind('FederatedIdentityCredential')) {
      expect(position.get(`UserAssignedIdentity/${federation.spec.owner.name}`)).toBeLessThan(all.indexOf(federation));
    }
  });

  test.each(dev1.teams.map((team) => [team.namespace, team] as const))('gives %s what the platform promises', (namespace, team) => {
    const group = all.find((manifest) => manifest.kind === 'ResourceGroup' && manifest.metadata.name === team.resourceGroup)!;
    expect(group.metadata).toMatchObject({
      namespace: dev1.platformNamespace,
      annotations: { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' },
    });

    const exported = { name: `${namespace}-mi-credential`, key: 'principalId' };
    const roles = byKind('RoleAssignment').filter((role) => role.spec.principalIdFromConfig.name === exported.name);
    expect(roles.map((role) => role.spec.owner.kind).sort()).toEqual(['FlexibleServer', 'Namespace', 'ResourceGroup']);
    for (const role of roles) {
      expect(role.spec.principalIdFromConfig).toEqual(exported);
      expect(role.spec.azureName).toMatch(/^[0-9a-f-]{36}$/);
    }

    const credential = all.find((manifest) => manifest.kind === 'Secret' && manifest.metadata.namespace === namespace)!;
    expect(credential.metadata.name).toBe('aso-credential');
    expect(credential.stringData).toEqual({
      AZURE_CLIENT_ID: team.identityClientId,
      AZURE_SUBSCRIPTION_ID: dev1.subscriptionId,
      AZURE_TENANT_ID: dev1.tenantId,
      USE_WORKLOAD_IDENTITY_AUTH: 'true',
    });

    const own = all.filter((manifest) => manifest.metadata.namespace === namespace && manifest.spec);
    expect(own.map((manifest) => manifest.kind).sort()).toEqual(['NamespacesQueue', 'StorageAccount']);
    for (const { spec } of own) expect(spec.owner.armId).toContain(`/subscriptions/${dev1.subscriptionId}/`);
  });

  test('has no secret in it', () => {
    for (const { stringData = {} } of byKind('Secret')) expect(Object.keys(stringData).join()).not.toMatch(/SECRET|PASSWORD|CERTIFICATE/);
    expect(JSON.stringify(all)).not.toMatch(/administratorLoginPassword/);
  });
});
