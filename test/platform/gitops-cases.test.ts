import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { Testing } from 'cdk8s';
import { gitops, operator } from '../../scripts/accept-platform/gitops';

const folder = join(__dirname, '..', 'fixtures', 'platform', 'gitops');
const cases = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));

function synthesized(scope: string, inputs: Record<string, unknown>): any[] {
  const chart = Testing.chart();
  (scope === 'operator' ? operator : gitops)(inputs, chart);
  return Testing.synth(chart);
}

const byName = (a: any, b: any) => `${a.kind}/${a.metadata.name}`.localeCompare(`${b.kind}/${b.metadata.name}`);

describe('Flux objects of a platform with prefixed names', () => {
  test.each(cases)('$name', ({ scope, inputs, expected }) => {
    expect(synthesized(scope, inputs).sort(byName)).toEqual([...expected].sort(byName));
  });

  const [service, team, install] = ['gitops-service-dev1', 'gitops-team-dev1', 'operator-install'].map((name) =>
    cases.find((one) => one.name === name),
  );

  test('quotas that are not reported have their defaults', () => {
    const { cpuQuota, memoryQuota, podsQuota, containerMaxCpu, containerMaxMemory, ...inputs } = team.inputs;
    const [{ spec }] = synthesized('gitops', inputs);
    expect([cpuQuota, memoryQuota, podsQuota, containerMaxCpu, containerMaxMemory]).not.toContain(undefined);
    expect(spec.postBuild.substitute).toMatchObject({
      TEAM_CPU_QUOTA: '5000', TEAM_MEMORY_QUOTA: '5000Mi', TEAM_PODS_QUOTA: '50', CONTAINER_MAX_CPU: '500m', CONTAINER_MAX_MEMORY: '1000Mi',
    });
  });

  test('other inputs, other names and paths', () => {
    const [{ metadata, spec }] = synthesized('gitops', {
      ...team.inputs,
      environment: 'prd',
      environmentInstance: '02',
      namespace: 'fin-ledger',
      programme: 'fin',
      platformNamespace: 'flux-system',
    });
    expect(metadata).toMatchObject({ name: 'fin-ledger-base', namespace: 'flux-system' });
    expect(spec.path).toBe('./services/fin/fin-ledger/prd/02');
    expect(spec.sourceRef.namespace).toBe('flux-system');
    expect(spec.postBuild.substituteFrom[0].name).toBe('fin-ledger-mi-credential');
  });

  test('a service without private endpoints keeps the network, and says so', () => {
    const release = synthesized('gitops', { ...service.inputs, privateEndpoints: false }).find(({ kind }) => kind === 'HelmRelease');
    expect(release.spec.values).toMatchObject({ enablePrivateEndpoint: 'disable', virtualNetworkName: service.inputs.virtualNetwork });
  });

  test('a service of an environment without Service Bus has no values for it', () => {
    const { serviceBusNamespace, ...inputs } = service.inputs;
    const release = synthesized('gitops', inputs).find(({ kind }) => kind === 'HelmRelease');
    expect(serviceBusNamespace).toBeDefined();
    expect(Object.keys(release.spec.values).filter((key) => key.startsWith('serviceBus'))).toEqual([]);
    expect(release.spec.values).not.toHaveProperty('serviceBusNamespaceName');
  });

  test.each([
    ['chartVersion: ', { chartVersion: '' }],
    ['chartVersion: ', { chartVersion: 'latest' }],
    ['crdGroups: ', { crdGroups: [] }],
    ['crdGroups[0]: ', { crdGroups: ['storage'] }],
    ['platformNamespace: ', { platformNamespace: 'Flux' }],
    ['operatorNamespace: ', { operatorNamespace: 'A' }],
  ])('the installation refuses a wrong %s', (field, wrong) => {
    expect(() => synthesized('operator', { ...install.inputs, ...wrong })).toThrow(field);
  });

  test.each([
    ['chartVersion: ', { chartVersion: '' }],
    ['containerRegistryName: ', { containerRegistryName: undefined }],
    ['serviceName: ', { serviceName: 'a'.repeat(50) }],
    ['input clusterName: required', { clusterName: undefined }],
    ['input identityPrefix: required', { identityPrefix: undefined }],
    ['podsQuota: ', { podsQuota: 'many' }],
  ])('a service without a proper %s is refused', (field, wrong) => {
    expect(() => synthesized('gitops', { ...service.inputs, ...wrong })).toThrow(field);
  });
});
