import { readFileSync } from 'node:fs';
import {
  describeWithKubectl,
  kubectl,
  manifestFile,
  startController,
  startSandbox,
  type LoggedRequest,
  type TestCluster,
} from './cluster';
import { clusters } from './clusters';
import { namespaceWithCredential, SERVER, SERVER_PATH, team, teamNamespace } from './objects';
import { atNight } from '../setup/at-night';
import { until } from '../setup/until';

const azureObjects = manifestFile(team.filter((object) => object !== teamNamespace));
const allObjects = manifestFile(team);
const ownNamespace = manifestFile(namespaceWithCredential);
const KINDS =
  'resourcegroups,userassignedidentities,federatedidentitycredentials,roleassignments,flexibleservers.dbforpostgresql.azure.com';
const waitReady = (cluster: TestCluster) =>
  kubectl(cluster, 'wait', '--for=condition=Ready', '--all', '-n', 'team-a', KINDS, '--timeout=90s');

describeWithKubectl('kubectl', () => describe.each(clusters)('against $name, with the controller', ({ start, hasAllKinds }) => {
  let cluster: TestCluster;
  let controller: ReturnType<typeof startController> | undefined;
  beforeAll(async () => {
    cluster = await start();
    controller = startController(cluster);
  });
  afterAll(async () => {
    await controller?.kill();
    await cluster?.close();
  });

  test('apply, get, wait, delete: nothing is left in Azure', async () => {
    kubectl(cluster, 'apply', '-f', allObjects);
    expect(
      waitReady(cluster)
        .split('\n')
        .filter((line) => line.includes('condition met')),
    ).toHaveLength(5);
    // kubectl looks at each kind of a category: with all kinds of the sandbox, that is half a minute of a processor.
    const listed = kubectl(cluster, 'get', hasAllKinds ? atNight('azure', KINDS) : 'azure', '-A');
    for (const name of ['group', 'identity', 'federation', 'reader', SERVER]) {
      expect(listed).toMatch(new RegExp(`team-a\\s+\\S*/${name}\\s+True\\s+Succeeded`));
    }
    expect((await cluster.azure('/__resources')).value).toHaveLength(5);
    expect(kubectl(cluster, 'get', 'configmap', 'identity', '-n', 'team-a', '-o', 'jsonpath={.data.principalId}')).toMatch(
      /^[0-9a-f-]{36}$/,
    );

    kubectl(cluster, 'delete', '-f', azureObjects, '--timeout=90s');
    expect((await cluster.azure('/__resources')).value).toEqual([]);
    expect(kubectl(cluster, 'get', KINDS, '-A').trim()).toBe('');
  });

  test('a namespace and its credential can be deleted with all that needs the credential', async () => {
    kubectl(cluster, 'apply', '-f', ownNamespace);
    kubectl(cluster, 'wait', '--for=condition=Ready', '--all', '-n', 'team-b', 'resourcegroups,userassignedidentities', '--timeout=60s');
    if (!cluster.deletesNamespaces) return; // the line about it is printed once (real-kubernetes.ts)
    kubectl(cluster, 'delete', '-f', ownNamespace, '--timeout=90s');
    expect((await cluster.azure('/__resources')).value).toEqual([]);
    expect(kubectl(cluster, 'get', 'namespaces', '-o', 'name')).not.toContain('team-b');
  });
}));

describeWithKubectl('a controller that is killed in the middle', () => describe.each(clusters)('on $name', ({ start }) => {
  let cluster: TestCluster;
  beforeAll(async () => {
    // Slow enough to be caught in the act: the server's creation takes some 7 s.
    cluster = await start({ timeScale: 10 });
  });
  afterAll(() => cluster?.close());

  test('resumes the operation, makes nothing twice', async () => {
    const first = startController(cluster);
    let second: ReturnType<typeof startController> | undefined;
    try {
      kubectl(cluster, 'apply', '-f', allObjects);
      const token = async () => (
        (await cluster.api.find(SERVER_PATH))?.metadata.annotations?.['serviceoperator.azure.com/poller-resume-token']);
      await until('the server is being made', async () => await token() !== undefined);
      await first.kill();
      const before: LoggedRequest[] = (await cluster.azure('/__requests')).requests;
      expect(await token()).toBeDefined();
      second = startController(cluster);
      waitReady(cluster);
      const all: LoggedRequest[] = (await cluster.azure('/__requests')).requests;
      const puts = all.filter(({ method, path }) => method === 'PUT' && path.toLowerCase().endsWith(`/flexibleservers/${SERVER}`));
      expect(puts).toHaveLength(1);
      expect(all.slice(before.length).some(({ poll }) => poll)).toBe(true);
      const creations = all.filter(({ created }) => created).map(({ path }) => path.toLowerCase());
      expect(creations).toHaveLength(5);
      expect(new Set(creations).size).toBe(5);
    } finally {
      await first.kill();
      await second?.kill();
    }
  });
}),
);

describeWithKubectl('the command sandbox', () => {
  let cluster: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => {
    cluster = await startSandbox();
  });
  afterAll(() => cluster?.close());

  test('starts its controller again when it is killed', async () => {
    const { pid } = cluster.process;
    const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    const [before] = children();
    process.kill(before!, 'SIGKILL');
    await until('it says so', () => cluster.output().includes('the controller was killed by SIGKILL; starting it again'));
    await until('there is another one', () => children().some((other) => other !== before));
    kubectl(cluster, 'apply', '-f', allObjects);
    waitReady(cluster);
  });
});
