import { describeWithKubectl, kubectl, manifestFile, startController, startSandbox, type LoggedRequest } from './cluster';
import { SERVER_PATH, team } from './objects';
import { until } from '../setup/until';

const allObjects = manifestFile(team);
const KINDS =
  'resourcegroups,userassignedidentities,federatedidentitycredentials,roleassignments,flexibleservers.dbforpostgresql.azure.com';

describeWithKubectl('two controllers with --enable-leader-election', () => {
  let cluster: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => {
    cluster = await startSandbox({ args: ['--no-controller'], timeScale: 10 });
    // Where there is a pod, there is its namespace.
    kubectl(cluster, 'create', 'namespace', 'azureserviceoperator-system');
  });
  afterAll(() => cluster?.close());

  test('one leads; it is killed; the other one takes over, and nothing is created twice', async () => {
    const first = startController(cluster, ['--enable-leader-election']);
    let second: ReturnType<typeof startController> | undefined;
    try {
      await until('the first leads', () => first.log().includes('INFO  leads'));
      second = startController(cluster, ['--enable-leader-election']);
      await until('the second waits', () => second!.log().includes('waits: another replica leads'));
      kubectl(cluster, 'apply', '-f', allObjects);
      await until('the server is being made', async () => (
        (await cluster.api.find(SERVER_PATH))?.metadata.annotations?.['serviceoperator.azure.com/poller-resume-token'] !== undefined
      ));
      expect(second.log()).not.toContain(' pass ');
      await first.kill();
      kubectl(cluster, 'wait', '--for=condition=Ready', '--all', '-n', 'team-a', KINDS, '--timeout=110s');
      await until('the second says so', () => second!.log().includes('INFO  leads'));
      const holder = kubectl(
        cluster,
        'get',
        'lease',
        'controllers-leader-election-azinfra-generated',
        '-n',
        'azureserviceoperator-system',
        '-o',
        'jsonpath={.spec.leaseTransitions}',
      );
      expect(holder).toBe('1');
      const creations = ((await cluster.azure('/__requests')) as { requests: LoggedRequest[] }).requests
        .filter(({ created }) => created)
        .map(({ path }) => path.toLowerCase());
      expect(creations).toHaveLength(5);
      expect(new Set(creations).size).toBe(5);
    } finally {
      await first.kill();
      await second?.kill();
    }
  });

  test('a leader whose Lease is taken away ends with status 1 and says so', async () => {
    const leader = startController(cluster, ['--enable-leader-election']);
    try {
      await until('it leads', () => leader.log().includes('INFO  leads'));
      kubectl(
        cluster,
        'patch',
        'lease',
        'controllers-leader-election-azinfra-generated',
        '-n',
        'azureserviceoperator-system',
        '--type=merge',
        '-p',
        '{"spec":{"holderIdentity":"somebody"}}',
      );
      expect(await leader.ended).toBe(1);
      expect(leader.log()).toContain('leader election lost: somebody holds the Lease');
    } finally {
      await leader.kill();
    }
  });
});
