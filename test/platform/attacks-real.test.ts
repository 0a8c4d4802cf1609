// A user with every right in the team's namespace against the guard rails of a real kube-apiserver, as the onboarding emits them.
import { spawn } from 'node:child_process';
import { App, Chart } from 'cdk8s';
import { ATTACKS, pod } from './attacks';
import { FIN, PLATFORM_GROUP, POLICY } from './guarded-team';
import { account, core } from './objects-of-team';
import { Catalog } from '../../src/catalog/catalog';
import { TeamOnboarding } from '../../src/platform/onboarding';
import { hasKubectl } from '../e2e/cluster';
import { startReal, type RealCluster } from '../e2e/real-cluster';
import { describeWithRealKubernetes } from '../e2e/real-kubernetes';
import { until } from '../setup/until';

const MALLORY = ['--as=mallory'];
const KINDS = [
  'storage.azure.com/StorageAccount',
  'managedidentity.azure.com/UserAssignedIdentity',
  'managedidentity.azure.com/FederatedIdentityCredential',
  'keyvault.azure.com/Vault',
  'cdn.azure.com/Route',
  'cdn.azure.com/AfdCustomDomain',
];

interface Answer {
  readonly status: number | null;
  readonly said: string;
}

it('the attacks are many, and differ', () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(45);
  expect(new Set(ATTACKS.map(({ what }) => what)).size).toBe(ATTACKS.length);
});

(hasKubectl ? describeWithRealKubernetes : describe.skip)('attacks on a real kube-apiserver', () => {
  let cluster: RealCluster;

  function run(args: readonly string[], input?: object): Promise<Answer> {
    return new Promise((resolve) => {
      const child = spawn('kubectl', ['--kubeconfig', cluster.kubeconfig, ...args]);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
      child.on('close', (status) => resolve({ status, said }));
      child.stdin.end(input ? JSON.stringify(input) : '');
    });
  }

  async function applied(as: readonly string[], ...objects: object[]): Promise<void> {
    for (const object of objects) {
      const { status, said } = await run([...as, 'apply', '--server-side', '--force-conflicts', '-f', '-'], object);
      if (status !== 0) throw new Error(said);
    }
  }

  beforeAll(async () => {
    cluster = await startReal({ kinds: KINDS.map((type) => Catalog.default().kind(type.split('/')[0]!, type.split('/')[1]!)!) });
    const app = new App();
    const chart = new Chart(app, 'onboarding');
    const clientIds = { clientId: '943310b3-beac-56fe-824f-a1d38be086cb', workloadClientId: 'de712ef4-797e-5591-bb0a-21d685538aa4' };
    new TeamOnboarding(chart, 'fin', { team: FIN, policy: POLICY, ...clientIds });
    const inTeam = (chart.toJson() as { metadata: { namespace?: string } }[])
      .filter(({ metadata: { namespace } }) => namespace === undefined || namespace === FIN.namespace);
    await applied([], ...inTeam);
    // More than `edit` and `admin` give: only admission is in the way.
    const rule = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
    await applied(
      [],
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'everything' }, rules: [rule] },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'everything', namespace: FIN.namespace },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'everything' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'mallory' }],
      },
      account({}, { name: 'there' }),
    );
    await until(
      'the policies hold',
      async () => {
        const answers = await Promise.all([
          run([...MALLORY, 'delete', 'resourcequota', 'team', '-n', 'fin', '--dry-run=server']),
          run([...MALLORY, 'create', '--dry-run=server', '-f', '-'], account({ location: 'mars' }, { name: 'probe' })),
        ]);
        return answers.every(({ said }) => said.includes('[self-service-'));
      },
    );
  });

  afterAll(() => cluster?.close());

  it.each(ATTACKS.map((attack) => [attack.what, attack] as const))('%s', async (_, { kubectl, input, refusedBy }) => {
    const { status, said } = await run([...MALLORY, ...kubectl], input);
    expect(said).toContain(`[self-service-${refusedBy}]`);
    expect(status).not.toBe(0);
  });

  // Controllers of Kubernetes create pods for every author of a Deployment or a Job.
  it.each(['replicaset-controller', 'job-controller', 'daemon-set-controller', 'statefulset-controller', 'some-addon'])(
    '%s of kube-system makes no pod with the service account of the operator',
    async (name) => {
      await applied([], {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'everything' },
        subjects: [{ kind: 'ServiceAccount', namespace: 'kube-system', name }],
      });
      const as = [
        `--as=system:serviceaccount:kube-system:${name}`,
        '--as-group=system:serviceaccounts:kube-system',
        '--as-group=system:serviceaccounts',
      ];
      expect((await run([...as, 'create', '-f', '-'], pod('made', { serviceAccountName: 'aso-workload' }))).said).toContain(
        '[self-service-operator-account-pod]',
      );
      expect((await run([...as, 'delete', 'resourcequota', 'team', '-n', 'fin'])).said).toContain('[self-service-delete]');
      expect((await run([...as, 'create', 'token', 'aso-workload', '-n', 'fin'])).said).toContain('[self-service-operator-account-token]');
    },
  );

  it('a controller of the platform gets no token of that service account, whoever has it act', async () => {
    const user = 'system:serviceaccount:flux-system:kustomize-controller';
    await applied([], {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'kustomize-controller' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'everything' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'flux-system', name: 'kustomize-controller' }],
    });
    const as = [`--as=${user}`];
    const secret = core('Secret', 'of-flux', {
      type: 'kubernetes.io/service-account-token',
      metadata: { name: 'of-flux', namespace: FIN.namespace, annotations: { 'kubernetes.io/service-account.name': 'aso-workload' } },
    });
    expect((await run([...as, 'create', 'token', 'aso-workload', '-n', 'fin'])).said).toContain('[self-service-operator-account-token]');
    expect((await run([...as, 'create', '-f', '-'], secret)).said).toContain('[self-service-operator-account-secret]');
    expect((await run([...as, 'create', '-f', '-'], pod('of-flux', { serviceAccountName: 'aso-workload' }))).said)
      .toContain('[self-service-operator-account-pod]');
    for (const [args, input] of [
      [['create', 'token', 'fin', '-n', 'fin'], undefined],
      [['create', '-f', '-'], pod('of-flux', { serviceAccountName: 'fin' })],
      [['delete', 'pod', 'of-flux', '-n', 'fin', '--now'], undefined],
      [['label', 'resourcequota', 'team', '-n', 'fin', 'by=flux'], undefined],
      [['annotate', 'secret', 'aso-credential', '-n', 'fin', 'by=flux'], undefined],
    ] as const) expect(await run([...as, ...args], input)).toMatchObject({ status: 0 });
  });

  it('a container cannot be added to a pod that the platform runs with that service account', async () => {
    await applied([], pod('of-platform', { serviceAccountName: 'aso-workload' }));
    const { said: text } = await run(['get', 'pod', 'of-platform', '-n', 'fin', '-o', 'json']);
    const there = JSON.parse(text) as { spec: object };
    const changed = {
      ...there,
      spec: {
        ...there.spec,
        ephemeralContainers: [
          { name: 'e', image: 'x', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
        ],
      },
    };
    const { status, said } = await run(
      [...MALLORY, 'replace', '--raw', '/api/v1/namespaces/fin/pods/of-platform/ephemeralcontainers', '-f', '-'],
      changed,
    );
    expect([status, said]).toEqual([1, expect.stringContaining('[self-service-operator-account-pod]')]);
    await run(['delete', 'pod', 'of-platform', '-n', 'fin', '--now']);
  });

  it('what is not in a namespace is out of reach by roles', async () => {
    const request = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'mallory' },
      spec: { request: 'eA==', signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
    };
    expect((await run([...MALLORY, 'create', '-f', '-'], request)).said).toContain(
      'User "mallory" cannot create resource "certificatesigningrequests"',
    );
    for (const what of ['validatingadmissionpolicies', 'validatingadmissionpolicybindings']) {
      expect((await run([...MALLORY, 'delete', what, 'self-service-fin'])).said).toContain('forbidden');
    }
    expect(
      (await run([...MALLORY, '-n', 'azureserviceoperator-system', 'create', 'token', 'azureserviceoperator-default'])).said,
    ).toContain('forbidden');
  });

  it('all that the platform has put there is still there', async () => {
    const names = [
      'secret/aso-credential',
      'resourcequota/team',
      'limitrange/team',
      'networkpolicy/allow-own-namespace',
      'serviceaccount/aso-workload',
      'serviceaccount/fin',
      'role/self-service',
      'rolebinding/self-service',
    ];
    const { status, said } = await run(['get', ...names, '-n', 'fin']);
    expect([status, said]).toEqual([0, expect.stringContaining('aso-credential')]);
  });

  it('what a team does every day passes', async () => {
    for (const [args, input] of [
      [['create', '-f', '-'], pod('mine', { serviceAccountName: 'fin' })],
      [['delete', 'pod', 'mine', '-n', 'fin', '--now'], undefined],
      [['create', 'token', 'fin', '-n', 'fin'], undefined],
      [['create', 'secret', 'generic', 'mine', '-n', 'fin'], undefined],
      [['delete', 'secret', 'mine', '-n', 'fin'], undefined],
      [['create', 'serviceaccount', 'mine', '-n', 'fin'], undefined],
      [['create', 'rolebinding', 'mine', '-n', 'fin', '--clusterrole=view', '--serviceaccount=fin:mine'], undefined],
      [['delete', 'rolebinding', 'mine', '-n', 'fin'], undefined],
      [['delete', 'storageaccounts', 'there', '-n', 'fin', '--wait=false'], undefined],
    ] as const) expect(await run([...MALLORY, ...args], input)).toMatchObject({ status: 0 });
  });

  it('the platform, the operator and the controllers of Kubernetes do their work', async () => {
    const platform = ['--as=pat', `--as-group=${PLATFORM_GROUP}`];
    await applied([], {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'pat' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'everything' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: PLATFORM_GROUP }],
    });
    expect(await run([...platform, 'create', 'token', 'aso-workload', '-n', 'fin'])).toMatchObject({ status: 0 });
    expect(await run([...platform, 'label', 'resourcequota', 'team', '-n', 'fin', 'seen=yes'])).toMatchObject({ status: 0 });
    expect(await run([...platform, 'delete', 'namespace', 'fin', '--wait=false'])).toMatchObject({ status: 0 });
    if (cluster.deletesNamespaces) {
      await until(
        'the namespace is gone, with all that is protected',
        async () => (await run(['get', 'namespace', 'fin'])).said.includes('NotFound'),
      );
    }
  });
});
