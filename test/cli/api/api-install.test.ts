import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Environment } from '@marcbachmann/cel-js';
import { parseAllDocuments } from 'yaml';
import { droppedVersionProblem } from '../../../cli/api/dropped-versions';
import { composerGuard } from '../../../cli/api/installation/composer-guard';
import { uninstallComposer, type UninstallOptions } from '../../../cli/api/installation/uninstall-composer';
import { CONFIG_MAPS, DEPLOYMENTS, VALIDATING_WEBHOOKS } from '../../../cli/cluster/resource-types';
import { runCommandLine } from '../../../cli/command-line';
import { buildBundle } from '../../../composer/bundle/build-bundle';
import { revisionOf } from '../../../composer/bundle/bundle-header';
import type { ApiFacts } from '../../../composer/definition/api-facts';
import { ComposerMetrics } from '../../../composer/process/composer-metrics';
import { readFlags } from '../../../composer/process/flags';
import { CRD_KIND, type KubernetesObject } from '../../../engine/kubernetes';
import { documentation } from '../../../src/documentation';
import { copiedBy, parseDockerfile, valuesOf } from '../../operator/dockerfile';
import { captured, filesIn } from '../capture';
import { LiveCluster } from '../status/live-cluster';

const bucket = join(__dirname, '..', '..', '..', 'examples', 'platform-api', 'bucket.ts');
const directory = filesIn({});
const bundle = join(directory, 'bundle.js');
const NAMESPACE = 'cdk8s-aso-composer';
let code: string;

beforeAll(async () => {
  ({ code } = await buildBundle(bucket));
  writeFileSync(bundle, code);
});

async function api(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['api', ...args], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

const objectsOf = (yaml: string) => parseAllDocuments(yaml).map((document) => document.toJS() as any);
const named = (objects: readonly any[], kind: string) => objects.find((object) => object.kind === kind);

test('a kind with older versions has the Service of its webhook, for pods of this revision', async () => {
  const { status, out } = await api('install', join(__dirname, 'definitions', 'box.ts'), '--name', 'boxes');
  expect(status).toBe(0);
  const objects = objectsOf(out);
  const { spec: { template, selector } } = named(objects, 'Deployment');
  const [container] = template.spec.containers;
  expect(container.args).toContain('--webhook-port=9443');
  expect(container.ports).toContainEqual({ name: 'webhooks', containerPort: 9443, protocol: 'TCP' });
  const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'boxes-webhooks');
  expect(service.metadata.name).toBe(named(objects, 'CustomResourceDefinition').spec.conversion.webhook.clientConfig.service.name);
  expect(service.spec).toMatchObject({ publishNotReadyAddresses: true, ports: [{ port: 443, targetPort: 'webhooks' }] });
  expect(template.metadata.labels).toMatchObject(service.spec.selector);
  expect(service.spec.selector).toMatchObject({ ...selector.matchLabels, 'aso.cdk8s.io/definition-revision': expect.any(String) });
  expect(named(objects, 'NetworkPolicy').spec.ingress[0].ports).toContainEqual({ protocol: 'TCP', port: 9443 });
  // Also where Secrets are composed, the composer may write that of its certificate.
  expect(named(objects, 'ValidatingAdmissionPolicy').spec.matchConditions[1].expression).toContain("request.name == 'boxes-webhook-certificate'");
});

test('all objects are printed, for kubectl and GitOps', async () => {
  const { status, out, err } = await api('install', bundle);
  expect([status, err]).toEqual([0, []]);
  const objects = objectsOf(out);
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`.replace(revisionOf(code), 'REVISION'))).toEqual([
    'Namespace /cdk8s-aso-composer',
    'CustomResourceDefinition /buckets.platform.freight.example.com',
    'ServiceAccount cdk8s-aso-composer/composer',
    'ClusterRole /composer.cdk8s-aso-composer',
    'ClusterRoleBinding /composer.cdk8s-aso-composer',
    'Role cdk8s-aso-composer/composer',
    'RoleBinding cdk8s-aso-composer/composer',
    'ValidatingAdmissionPolicy /composer.cdk8s-aso-composer',
    'ValidatingAdmissionPolicyBinding /composer.cdk8s-aso-composer',
    'NetworkPolicy cdk8s-aso-composer/composer',
    'ConfigMap cdk8s-aso-composer/composer-REVISION',
    'Service cdk8s-aso-composer/composer-metrics',
    'PodDisruptionBudget cdk8s-aso-composer/composer',
    'Deployment cdk8s-aso-composer/composer',
  ]);
  expect(named(objects, 'ConfigMap').data['bundle.js']).toBe(code);
  expect(named(objects, 'ConfigMap').immutable).toBe(true);
  expect(named(objects, 'CustomResourceDefinition').metadata.annotations).toEqual({ 'aso.cdk8s.io/definition': 'cdk8s-aso-composer/composer' });
  const rest = objects.filter(({ kind }) => !['CustomResourceDefinition', 'ConfigMap'].includes(kind));
  expect(JSON.stringify(rest, undefined, 2).replaceAll(revisionOf(code), 'REVISION')).toMatchSnapshot();
});

test('the pods meet the restricted Pod Security Standard, and select what the policies select', async () => {
  const objects = objectsOf((await api('install', bundle)).out);
  const { spec: { selector, template } } = named(objects, 'Deployment');
  const [container] = template.spec.containers;
  expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(container.securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  for (const kind of ['NetworkPolicy', 'PodDisruptionBudget']) {
    const { spec } = named(objects, kind);
    expect((spec.podSelector ?? spec.selector).matchLabels).toEqual(selector.matchLabels);
  }
  expect(template.metadata.labels).toEqual(selector.matchLabels);
  expect(readFlags(container.args)).toEqual({
    bundle: '/bundle/bundle.js',
    name: 'composer',
    leaderElect: true,
    threads: 2,
    metricsAddr: ':8080',
    healthAddr: ':8081',
    verbosity: 2,
    json: true,
    webhookPort: 0,
    admission: false,
  });
  expect(template.spec.volumes[0].configMap.name).toBe(named(objects, 'ConfigMap').metadata.name);
  expect(container.volumeMounts).toEqual([{ name: template.spec.volumes[0].name, mountPath: '/bundle', readOnly: true }]);
});

test('an image with the bundle: no ConfigMap, and a larger bundle needs it', async () => {
  const image = 'registry.example.com/buckets:1';
  const objects = objectsOf((await api('install', bundle, '--image', image, '--bundle-in-image', '--replicas', '1')).out);
  expect(objects.map(({ kind }) => kind)).not.toContain('ConfigMap');
  const { spec } = named(objects, 'Deployment');
  expect(spec.replicas).toBe(1);
  expect([spec.template.spec.containers[0].image, spec.template.spec.volumes]).toEqual([image, undefined]);
  expect(spec.template.spec.containers[0].args).toContain('--bundle=/bundle/bundle.js');
  const large = join(directory, 'large.js');
  writeFileSync(large, `${code}\n//${'x'.repeat(1_048_576)}`);
  const refused = await api('install', large);
  expect([refused.status, refused.out]).toEqual([1, '']);
  expect(refused.err[0]).toMatch(/^the bundle has 11\d\d KiB, more than a ConfigMap takes \(1 MiB\): build an image with it/);
  expect((await api('install', large, '--image', image, '--bundle-in-image')).status).toBe(0);
  expect(await api('install', large, '--bundle-in-image')).toMatchObject({ status: 2, err: [expect.stringContaining('--bundle-in-image needs --image')] });
});

test('a context for an image: the Dockerfile copies the bundle into the image of the release', async () => {
  const out = join(directory, 'image');
  const { status, out: printed } = await api('build', bucket, '--image-context', out);
  expect([status, printed.includes('image/Dockerfile')]).toEqual([0, true]);
  const instructions = parseDockerfile(readFileSync(join(out, 'Dockerfile'), 'utf8'));
  expect(instructions.map(({ name }) => name)).toEqual(['ARG', 'FROM', 'COPY', 'LABEL', 'CMD']);
  expect(valuesOf(instructions, 'ARG')[0]).toMatch(/^COMPOSER_IMAGE=ghcr\.io\/cdk8s-aso\/cdk8s-aso-composer:\d+\.\d+\.\d+$/);
  expect(copiedBy(instructions)).toEqual(['bundle.js']);
  expect(JSON.parse(valuesOf(instructions, 'CMD')[0]!)).toEqual(['--bundle=/bundle/bundle.js']);
  expect(readFileSync(join(out, 'bundle.js'), 'utf8')).toBe(code);
  expect(existsSync(join(out, '.dockerignore'))).toBe(true);
});

test('reviews of claims: a webhook that a dead composer does not turn into a stop', async () => {
  const { status, out } = await api('install', bundle, '--admission');
  expect(status).toBe(0);
  const objects = objectsOf(out);
  const [webhook] = named(objects, 'ValidatingWebhookConfiguration').webhooks;
  expect(webhook).toMatchObject({
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    timeoutSeconds: 10,
    clientConfig: { service: { name: 'composer-webhooks', path: '/admit' } },
    rules: [{ apiGroups: ['platform.freight.example.com'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['buckets'] }],
  });
  expect(named(objects, 'Deployment').spec.template.spec.containers[0].args).toEqual(expect.arrayContaining(['--webhook-port=9443', '--admission']));
  expect(named(objects, 'ClusterRole').rules).toContainEqual({
    apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingwebhookconfigurations'], verbs: ['patch'], resourceNames: [named(objects, 'ValidatingWebhookConfiguration').metadata.name],
  });
});

test('cert-manager makes the certificate of the webhooks, and the composer needs no right for it', async () => {
  const { out } = await api('install', join(__dirname, 'definitions', 'box.ts'), '--admission', '--cert-manager');
  const objects = objectsOf(out);
  const { spec } = named(objects, 'Certificate');
  expect(spec).toMatchObject({
    dnsNames: expect.arrayContaining(['composer-webhooks.cdk8s-aso-composer.svc']),
    issuerRef: { name: named(objects, 'Issuer').metadata.name },
    secretName: 'composer-webhook-certificate',
  });
  const authority = { 'cert-manager.io/inject-ca-from': `cdk8s-aso-composer/${named(objects, 'Certificate').metadata.name}` };
  for (const kind of ['CustomResourceDefinition', 'ValidatingWebhookConfiguration']) expect(named(objects, kind).metadata.annotations).toMatchObject(authority);
  const { containers: [{ args, volumeMounts }], volumes } = named(objects, 'Deployment').spec.template.spec;
  expect(readFlags(args)).toMatchObject({ webhookCertDir: '/certificates', admission: true });
  expect(volumeMounts[1]).toEqual({ name: 'certificate', mountPath: '/certificates', readOnly: true });
  expect(volumes[1]).toEqual({ name: 'certificate', secret: { secretName: spec.secretName } });
  const rules = [...named(objects, 'ClusterRole').rules, ...named(objects, 'Role').rules] as { resources: string[]; verbs: string[] }[];
  expect(rules.filter(({ resources }) => resources.includes('secrets') || resources.includes('validatingwebhookconfigurations'))).toEqual([]);
  expect(rules.filter(({ resources }) => resources.includes('customresourcedefinitions'))).toEqual([expect.objectContaining({ verbs: ['get', 'list', 'watch'] })]);
});

test('metrics have a Service, and with --service-monitor Prometheus scrapes it', async () => {
  const objects = objectsOf((await api('install', bundle, '--service-monitor', '--name', 'buckets')).out);
  const service = named(objects, 'Service');
  const { spec: { selector, endpoints } } = named(objects, 'ServiceMonitor');
  expect(service.metadata).toMatchObject({ name: 'buckets-metrics', labels: selector.matchLabels });
  expect(endpoints).toEqual([{ port: service.spec.ports[0].name, path: '/metrics', scheme: 'http' }]);
  const { metadata: { labels }, spec: { containers: [{ ports }] } } = named(objects, 'Deployment').spec.template;
  expect(labels).toMatchObject(service.spec.selector);
  expect(ports).toContainEqual({ name: service.spec.ports[0].targetPort, containerPort: 8080, protocol: 'TCP' });
  expect(named(objects, 'NetworkPolicy').spec.ingress[0].ports).toContainEqual({ protocol: 'TCP', port: 8080 });
});

test('alerts name metrics that there are, and each has a section in the document', async () => {
  const objects = objectsOf((await api('install', bundle, '--alerts')).out);
  const { rules } = named(objects, 'PrometheusRule').spec.groups[0] as { rules: { alert: string; expr: string; annotations: { runbook_url: string } }[] };
  const metrics = new ComposerMetrics();
  metrics.watch({ claims: () => [], depth: () => 0, rolloutLeft: () => 0, isRolloutPaused: () => false, isLeading: () => false });
  const registered = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  const used = rules.flatMap(({ expr }) => [...expr.matchAll(/cdk8s_aso_\w+/g)].map(([name]) => name!.replace(/_bucket$/, '')));
  expect(used.filter((name) => !registered.includes(name))).toEqual([]);
  const text = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'composer.md'), 'utf8');
  for (const { alert, expr, annotations } of rules) {
    expect(expr).toContain('job="composer-metrics",namespace="cdk8s-aso-composer"');
    expect([alert, text.includes(`\n### ${alert}\n`), annotations.runbook_url === `${documentation('docs/composer.md')}#${alert.toLowerCase()}`]).toEqual([alert, true, true]);
  }
});

test('the guard leaves alone the kinds that users make claims of', () => {
  const kind = (group: string, plural: string) => ({ group, plural, kind: plural });
  const facts = (plural: string, ...composes: object[]) => ({ group: 'platform.example.com', plural, composes, versions: [{ name: 'v1' }] }) as unknown as ApiFacts;
  const composer = { name: 'composer', namespace: NAMESPACE, admission: false, certManager: false };
  const [policy] = composerGuard([facts('teams', kind('platform.example.com', 'services'), kind('', 'secrets'), kind('', 'configmaps')), facts('services', kind('apps', 'deployments'))], composer) as any[];
  expect(policy.spec.matchConstraints.resourceRules.map(({ apiGroups, resources }: any) => [...apiGroups, ...resources])).toEqual([['', 'configmaps', 'secrets'], ['apps', 'deployments']]);
  expect(composerGuard([facts('environments')], composer)).toEqual([]);
});

test('the guard lets objects outside of namespaces pass, whose requests have no namespace', () => {
  const facts = { group: 'platform.example.com', plural: 'teams', composes: [{ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', plural: 'clusterroles' }], versions: [{ name: 'v1' }] };
  const [policy] = composerGuard([facts as unknown as ApiFacts], { name: 'composer', namespace: NAMESPACE, admission: false, certManager: false }) as {
    spec: { validations: { expression: string }[] };
  }[];
  const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
  const object = { metadata: { labels: { 'applyset.kubernetes.io/part-of': 'x' } } };
  const allows = (request: object) => policy!.spec.validations.every(
    ({ expression }) => cel.evaluate(expression, { request: { operation: 'CREATE', ...request }, object, oldObject: null }),
  );
  expect([{}, { namespace: 'shop' }, { namespace: NAMESPACE }, { namespace: 'kube-system' }].map(allows)).toEqual([true, true, false, false]);
});

test('a wrong command line', async () => {
  expect((await api('install', bundle, '--replicas', '0')).status).toBe(2);
  expect(await api('install', bundle, '--context', 'x')).toMatchObject({ status: 2, err: [expect.stringContaining('without --apply or --dry-run')] });
});

describe('in a cluster', () => {
  let cluster: LiveCluster;
  const live = (...args: string[]) => api('install', ...args, '--kubeconfig', cluster.kubeconfig);
  const bundles = async () => {
    const { items } = await cluster.client.list(CONFIG_MAPS, { namespace: NAMESPACE });
    return items.map(({ metadata }) => metadata.name);
  };
  const revised = (change: string) => {
    const file = join(directory, `${change}.js`);
    writeFileSync(file, `${code}\n//${change}`);
    return file;
  };
  const mounted = async () => {
    const { spec } = (await cluster.client.get(DEPLOYMENTS, 'composer', NAMESPACE))! as any;
    return spec.template.spec.volumes[0].configMap.name as string;
  };
  const uninstall = async (options: Partial<UninstallOptions> = {}) => {
    const terminal = captured();
    const all: UninstallOptions = {
      name: 'composer', namespace: NAMESPACE, withClaims: false, dryRun: false, yes: true, output: 'text', kubeconfig: cluster.kubeconfig, ...options,
    };
    const status = await uninstallComposer(all, terminal, { environment: {} });
    return { status, out: terminal.out.join('\n'), err: terminal.err };
  };

  beforeEach(async () => {
    cluster = await LiveCluster.start('StorageAccount', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer');
  });
  afterEach(() => cluster.close());

  test('a dry run says what is created, and creates nothing', async () => {
    const { status, out, err } = await live(bundle, '--dry-run');
    expect([status, err]).toEqual([0, []]);
    expect(out).toContain('created CustomResourceDefinition buckets.platform.freight.example.com');
    expect(out).toMatch(/14 objects created, 0 changed, 0 as they are$/);
    expect(await cluster.client.get(DEPLOYMENTS, 'composer', NAMESPACE)).toBeUndefined();
  });

  test('applied twice nothing changes; a new revision has its own ConfigMap, and the one before the last goes', async () => {
    expect((await live(bundle, '--apply')).out).toMatch(/14 objects created/);
    expect((await live(bundle, '--apply')).out).toMatch(/0 objects created, 0 changed, 14 as they are$/);
    const second = await live(revised('second'), '--apply');
    expect(second.out).toMatch(/^created ConfigMap .*\nchanged Deployment cdk8s-aso-composer\/composer\n/);
    expect(second.out).toContain(`-         aso.cdk8s.io/definition-revision: ${revisionOf(code)}\n`);
    expect(second.out).toMatch(/1 object created, 1 changed, 12 as they are$/);
    expect(await bundles()).toHaveLength(2);
    const third = await live(revised('third'), '--apply', '-o', 'json');
    expect(JSON.parse(third.out)).toMatchObject({ applied: true, deleted: [{ kind: 'ConfigMap', name: `composer-${revisionOf(code)}` }], problems: [] });
    expect(await bundles()).toHaveLength(2);
    expect(await bundles()).toContain(await mounted());
  });

  test('what an earlier installation made and this one does not is deleted', async () => {
    expect((await live(bundle, '--apply', '--admission')).status).toBe(0);
    const labels = { 'app.kubernetes.io/name': 'composer', 'app.kubernetes.io/component': 'composer' };
    await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'composer-webhook-certificate', namespace: NAMESPACE, labels }, type: 'Opaque' });
    expect((await live(bundle, '--apply', '--admission')).out).toMatch(/ 0 changed, \d+ as they are$/);
    const gone = ['deleted ValidatingWebhookConfiguration composer.cdk8s-aso-composer', 'deleted Service cdk8s-aso-composer/composer-webhooks', 'deleted Secret cdk8s-aso-composer/composer-webhook-certificate'];
    const dry = await live(bundle, '--dry-run');
    expect(dry.out.split('\n').filter((line) => line.startsWith('deleted'))).toEqual(gone);
    expect(await cluster.client.get(VALIDATING_WEBHOOKS, 'composer.cdk8s-aso-composer')).toBeDefined();
    const { out } = await live(bundle, '--apply', '-o', 'json');
    expect(JSON.parse(out).deleted).toEqual([
      { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', name: 'composer.cdk8s-aso-composer' },
      { apiVersion: 'v1', kind: 'Service', namespace: NAMESPACE, name: 'composer-webhooks' },
      { apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name: 'composer-webhook-certificate' },
    ]);
    expect(await cluster.client.get(VALIDATING_WEBHOOKS, 'composer.cdk8s-aso-composer')).toBeUndefined();
    // Of that name, and not the composer's.
    await cluster.apply({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'composer-webhooks', namespace: NAMESPACE }, spec: { ports: [{ port: 443 }] } });
    expect((await live(bundle, '--apply')).out).not.toContain('deleted');
  });

  test('a Deployment of others is refused, and one that a tool applies has a note', async () => {
    const pods = { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'x', image: 'x' }] } } };
    await cluster.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'composer', namespace: NAMESPACE }, spec: pods },
    );
    expect((await live(bundle, '--apply')).err.at(-1)).toBe('the Deployment cdk8s-aso-composer/composer exists already and is no composer: choose another --name');
    expect((await live(bundle, '--apply', '--name', 'other')).status).toBe(0);
    const annotations = { 'argocd.argoproj.io/tracking-id': 'platform:apps/Deployment:cdk8s-aso-composer/other' };
    await cluster.client.patch(DEPLOYMENTS, 'other', NAMESPACE, { metadata: { annotations } }, 'application/merge-patch+json');
    expect((await live(bundle, '--dry-run', '--name', 'other')).err).toContain('note: Argo CD platform applies the composer, and will undo this: give it the output of api install');
  });

  test('a kind that the definition has no more', async () => {
    await live(bundle, '--apply');
    const [crd] = objectsOf((await api('install', bundle)).out).filter(({ kind }) => kind === 'CustomResourceDefinition');
    const names = { kind: 'Tin', listKind: 'TinList', plural: 'tins', singular: 'tin' };
    await cluster.apply({ ...crd, metadata: { ...crd.metadata, name: 'tins.platform.freight.example.com' }, spec: { ...crd.spec, names } });
    const { status, err } = await live(bundle, '--apply');
    expect([status, err[0]]).toEqual([0, expect.stringContaining('the CRD tins.platform.freight.example.com is not in the definition any more: it stays')]);
  });

  test('a version in which claims may be stored stays', async () => {
    await live(bundle, '--apply');
    const name = 'buckets.platform.freight.example.com';
    const stored = async (...storedVersions: string[]) => {
      const crd = (await cluster.client.get(CRD_KIND, name))!;
      const { versions: [version] } = crd.spec as { versions: object[] };
      await cluster.client.patch(CRD_KIND, name, undefined, { spec: { versions: [version, { ...version, name: 'v1beta1', storage: false }] } }, 'application/merge-patch+json');
      const next = (await cluster.client.get(CRD_KIND, name))!;
      await cluster.client.replaceStatus(CRD_KIND, { ...next, status: { ...next.status, storedVersions } as NonNullable<KubernetesObject['status']> });
      const { status, err } = await live(bundle, '--apply');
      return [status, err.at(-1)];
    };
    expect(await stored('v1beta1', 'v1')).toEqual([1, expect.stringMatching(/claims may be stored in v1beta1, which the definition does not have any more\. The composer .* writes all claims in v1/)]);
    expect((await stored('v1'))[0]).toBe(0);
    expect((await cluster.client.get(CRD_KIND, name))!.spec!.versions).toHaveLength(1);
  });

  test('a version that the definition has instead of another needs a conversion', () => {
    const crd = (version: string, storedVersions: string[] = []) => ({ metadata: { name: 'boxes.example.com' }, spec: { versions: [{ name: version }] }, status: { storedVersions } }) as unknown as KubernetesObject;
    expect(droppedVersionProblem(crd('v2'), crd('v1', ['v1']))).toContain('nothing converts them to v2. Name it in olderVersions');
    expect(droppedVersionProblem(crd('v1'), crd('v1', ['v1']))).toBeUndefined();
    expect(droppedVersionProblem(crd('v1'), undefined)).toBeUndefined();
  });

  test('kinds that the cluster does not serve have a note', async () => {
    const bare = await LiveCluster.start('StorageAccount');
    const { status, err } = await api('install', bundle, '--dry-run', '--kubeconfig', bare.kubeconfig);
    await bare.close();
    expect([status, err]).toEqual([0, [expect.stringMatching(
      /^note: the cluster does not serve StorageAccountsBlobService\.storage\.azure\.com, StorageAccountsBlobServicesContainer\.storage\.azure\.com: /,
    )]]);
  });

  test("another composer's CRD, and one of no definition, stay as they are", async () => {
    await live(bundle, '--apply', '-n', 'other');
    const refused = await live(bundle, '--apply');
    expect(refused.status).toBe(1);
    expect(refused.err[0]).toMatch(/^the CRD buckets\.\S+ belongs to the composer other\/composer, and this is cdk8s-aso-composer\//);
    expect(await cluster.client.get(DEPLOYMENTS, 'composer', NAMESPACE)).toBeUndefined();
    const name = 'buckets.platform.freight.example.com';
    await cluster.client.patch(CRD_KIND, name, undefined, { metadata: { annotations: null, labels: null } }, 'application/merge-patch+json');
    expect((await live(bundle, '--apply')).err[0]).toMatch(/exists already and is of no definition/);
  });

  test('where the cluster does not tell the rights of this user, nothing is applied', async () => {
    cluster.refuse('/selfsubjectaccessreviews');
    const { status, err } = await live(bundle, '--apply');
    expect([status, err]).toEqual([1, [expect.stringContaining('selfsubjectaccessreviews is forbidden')]]);
    expect(await cluster.client.get(DEPLOYMENTS, 'composer', NAMESPACE)).toBeUndefined();
  });

  test('a namespace that was there before stays as it is', async () => {
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const { err } = await live(bundle, '--apply');
    expect(err[0]).toBe('note: the namespace cdk8s-aso-composer exists already, and stays as it is');
    const found = await cluster.client.get({ group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }, NAMESPACE);
    expect(found!.metadata.labels?.['pod-security.kubernetes.io/enforce']).toBeUndefined();
  });

  const claimType = { group: 'platform.freight.example.com', version: 'v1', plural: 'buckets', kind: 'Bucket', namespaced: true };
  const claim: KubernetesObject = {
    apiVersion: 'platform.freight.example.com/v1', kind: 'Bucket', metadata: { name: 'logs', namespace: 'default', finalizers: ['aso.cdk8s.io/composed-objects'] }, spec: { containers: ['web'] },
  };

  test('uninstalled, CRD and claims stay', async () => {
    await live(bundle, '--apply');
    await cluster.client.create(claimType, claim);
    expect((await uninstall({ dryRun: true })).out).toContain('would delete Deployment cdk8s-aso-composer/composer');
    const { status, out, err } = await uninstall();
    expect(status).toBe(0);
    expect(out.split('\n').sort()).toEqual([
      `deleted ConfigMap cdk8s-aso-composer/composer-${revisionOf(code)}`,
      'deleted Service cdk8s-aso-composer/composer-metrics',
      ...['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Role', 'RoleBinding', 'ServiceAccount'].map((kind) => `deleted ${kind} cdk8s-aso-composer/composer`),
      ...['ClusterRole', 'ClusterRoleBinding', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'].map((kind) => `deleted ${kind} composer.cdk8s-aso-composer`),
    ].sort());
    expect(err[0]).toContain('buckets.platform.freight.example.com stays, with its claims and all that was composed for them');
    expect(await cluster.client.get(claimType, 'logs', 'default')).toBeDefined();
    expect(await uninstall()).toMatchObject({ status: 1, err: ['there is no composer cdk8s-aso-composer/composer: see --namespace and --name'] });
  });

  test('--with-claims: CRD and claims go without a composer too, and what was composed stays', async () => {
    await live(bundle, '--apply');
    await cluster.client.create(claimType, claim);
    const composed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'composed', namespace: 'default', labels: { 'applyset.kubernetes.io/part-of': 'x' } } };
    await cluster.apply(composed);
    await expect(uninstall({ withClaims: true, yes: false })).rejects.toThrow('not confirmed');
    const { status, out, err } = await uninstall({ withClaims: true });
    expect([status, out.split('\n')[0]]).toEqual([0, 'deleted CustomResourceDefinition buckets.platform.freight.example.com, with its claims']);
    expect(err[0]).toContain('objects that were composed for the claims stay');
    expect(await cluster.client.get(CRD_KIND, 'buckets.platform.freight.example.com')).toBeUndefined();
    expect(await cluster.client.get(CONFIG_MAPS, 'composed', 'default')).toBeDefined();
  });
});
