import { Testing, type Chart } from 'cdk8s';
import { ArgoApplication, ArgoProject, CrdPattern, type ArgoApplicationProps, type ArgoProjectProps } from '../../src/gitops';

const git = { repoUrl: 'https://git.example.com/shop.git' };

function synthesized(make: (chart: Chart) => unknown): any {
  const chart = Testing.chart();
  make(chart);
  return Testing.synth(chart).at(-1);
}
const application = (props: ArgoApplicationProps) => synthesized((chart) => new ArgoApplication(chart, 'app', props));
const project = (props: ArgoProjectProps) => synthesized((chart) => new ArgoProject(chart, 'project', props));

describe('ArgoApplication', () => {
  test('defaults: you start each sync, the server merges, nothing is deleted', () => {
    expect(application({ metadata: { name: 'shop' }, sources: [git] })).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: 'argocd' },
      spec: {
        project: 'default',
        source: { repoURL: git.repoUrl, targetRevision: 'HEAD', path: '.' },
        destination: { server: 'https://kubernetes.default.svc' },
        syncPolicy: {
          syncOptions: ['ServerSideApply=true'],
          retry: { limit: 5, backoff: { duration: '10s', factor: 2, maxDuration: '3m' } },
        },
      },
    });
  });

  test('everything', () => {
    const { metadata, spec } = application({
      metadata: { name: 'shop', namespace: 'gitops', finalizers: ['mine'] },
      project: 'shops',
      sources: [
        { repoUrl: 'https://charts.example.com', chart: 'shop', targetRevision: '1.2.3', helm: { releaseName: 'a', values: { b: 1 }, valueFiles: ['$values/c.yaml'], skipCrds: true } },
        { ...git, targetRevision: 'main', path: 'deploy', recurse: true, ref: 'values' },
      ],
      destination: { name: 'prod', namespace: 'shop' },
      syncPolicy: {
        automated: { prune: true, selfHeal: false },
        createNamespace: true,
        serverSideApply: false,
        options: ['ApplyOutOfSyncOnly=true'],
        retry: { limit: -1, duration: '5s', maxDuration: '1m' },
      },
      ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }, { kind: 'Service', jqPathExpressions: ['.spec'] }],
      deleteObjects: true,
      revisionHistoryLimit: 3,
    });
    expect(metadata).toEqual({ name: 'shop', namespace: 'gitops', finalizers: ['mine', 'resources-finalizer.argocd.argoproj.io'] });
    expect(spec).toEqual({
      project: 'shops',
      sources: [
        {
          repoURL: 'https://charts.example.com',
          chart: 'shop',
          targetRevision: '1.2.3',
          helm: { releaseName: 'a', valuesObject: { b: 1 }, valueFiles: ['$values/c.yaml'], skipCrds: true },
        },
        { repoURL: git.repoUrl, targetRevision: 'main', path: 'deploy', directory: { recurse: true }, ref: 'values' },
      ],
      destination: { name: 'prod', namespace: 'shop' },
      syncPolicy: {
        automated: { prune: true, selfHeal: false },
        syncOptions: ['ServerSideApply=false', 'CreateNamespace=true', 'RespectIgnoreDifferences=true', 'ApplyOutOfSyncOnly=true'],
        retry: { limit: -1, backoff: { duration: '5s', factor: 2, maxDuration: '1m' } },
      },
      ignoreDifferences: [
        { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }, { group: '', kind: 'Service', jqPathExpressions: ['.spec'] },
      ],
      revisionHistoryLimit: 3,
    });
  });

  test('automated syncs correct the cluster, and delete nothing', () => {
    const { syncPolicy } = application({ sources: [git], syncPolicy: { automated: {} } }).spec;
    expect(syncPolicy.automated).toEqual({ prune: false, selfHeal: true });
  });

  test.each<[string, Partial<ArgoApplicationProps>, RegExp]>([
    ['no source', { sources: [] }, /^\[test\/app\] sources: required/],
    ['a source without repository', { sources: [{ repoUrl: '' }] }, /sources\[0\]\.repoUrl: required/],
    ['a chart without version', { sources: [{ ...git, chart: 'a' }] }, /sources\[0\]\.targetRevision: required/],
    ['a chart with a folder', { sources: [{ ...git, chart: 'a', targetRevision: '1', path: 'b' }] }, /sources\[0\]\.path: is given together/],
    ['a chart with folders', { sources: [{ ...git, chart: 'a', targetRevision: '1', recurse: true }] }, /sources\[0\]\.recurse: is given/],
    ['a chart without name', { sources: [{ ...git, chart: '' }] }, /sources\[0\]\.chart: is empty/],
    ['a registry with its scheme', { sources: [{ repoUrl: 'oci://a/b' }] }, /'oci:\/\/a\/b' has a scheme/],
    ['two clusters', { destination: { server: 'https://a', name: 'a' } }, /destination: has both/],
    ['a bad namespace', { destination: { namespace: 'A' } }, /destination\.namespace: 'A' is no namespace/],
    ['Replace', { syncPolicy: { options: ['Replace=true'] } }, /syncPolicy\.options\[0\]: 'Replace=true' takes the annotations away/],
    ['no option', { syncPolicy: { options: ['prune'] } }, /syncPolicy\.options\[0\]: 'prune' is no option/],
    ['a bad delay', { syncPolicy: { retry: { duration: '5' } } }, /syncPolicy\.retry\.duration: '5' is no duration/],
    ['a bad number', { syncPolicy: { retry: { limit: -2 } } }, /syncPolicy\.retry\.limit: '-2' is no number/],
    ['nothing to ignore', { ignoreDifferences: [{ kind: 'A' }] }, /ignoreDifferences\[0\]: names no property/],
    ['a kind that is missing', { ignoreDifferences: [{ kind: '', jsonPointers: ['/a'] }] }, /ignoreDifferences\[0\]\.kind: required/],
    ['a bad pointer', { ignoreDifferences: [{ kind: 'A', jsonPointers: ['spec'] }] }, /'spec' is no JSON pointer/],
  ])('refuses %s', (_, props, message) => expect(() => application({ sources: [git], ...props })).toThrow(message));

  test('lists all problems at once', () => {
    expect(() => application({ sources: [], destination: { namespace: 'A' } })).toThrow(/sources: .*\n {2}destination\.namespace: /);
  });
});

describe('ArgoProject', () => {
  const required = { sourceRepos: ['https://git.example.com/*'], destinations: [{ namespace: 'shop' }] };

  test('without kinds all of a namespace are allowed, and none without one', () => {
    expect(project({ metadata: { name: 'shops' }, ...required })).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'shops', namespace: 'argocd' },
      spec: { sourceRepos: required.sourceRepos, destinations: [{ server: 'https://kubernetes.default.svc', namespace: 'shop' }] },
    });
  });

  test('kinds of Azure and of Kubernetes', () => {
    expect(project({
      ...required,
      destinations: [{ name: 'prod' }],
      azureKinds: CrdPattern.of(['storage.azure.com/*', 'sql.azure.com/Server']),
      kinds: [{ kind: 'ConfigMap' }],
      clusterKinds: [{ kind: 'Namespace' }],
      description: 'Shops',
    }).spec).toEqual({
      description: 'Shops',
      sourceRepos: required.sourceRepos,
      destinations: [{ name: 'prod', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
      namespaceResourceWhitelist: [
        { group: 'storage.azure.com', kind: '*' }, { group: 'sql.azure.com', kind: 'Server' }, { group: '', kind: 'ConfigMap' },
      ],
    });
  });

  test.each<[string, Partial<ArgoProjectProps>, RegExp]>([
    ['no repository', { sourceRepos: [] }, /sourceRepos: is empty/],
    ['no destination', { destinations: [] }, /destinations: is empty/],
    ['a kind without name', { kinds: [{ kind: '' }] }, /kind: required/],
  ])('refuses %s', (_, props, message) => expect(() => project({ ...required, ...props })).toThrow(message));
});
