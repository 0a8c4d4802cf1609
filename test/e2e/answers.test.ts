import { answersOf, dialogue, leftOut, ownWords, type Answer } from './answers';
import { installCrds, listCrds } from './install-crds';
import { startReal, type RealCluster } from './real-cluster';
import { describeWithRealKubernetes } from './real-kubernetes';
import { anonymousAccess, Connection } from '../../engine/kubernetes';
import { startKubernetes, type SandboxKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';

const catalog = Catalog.default();
const kinds = [
  catalog.kind('resources.azure.com', 'ResourceGroup')!,
  catalog.kind('managedidentity.azure.com', 'UserAssignedIdentity')!,
  catalog.kind('storage.azure.com', 'StorageAccount')!,
  catalog.kind('dbforpostgresql.azure.com', 'User')!,
];

describeWithRealKubernetes('the sandbox answers as a real kube-apiserver does', () => {
  let real: RealCluster;
  let sandbox: SandboxKubernetes;
  let expected: Map<string, Answer>;
  let actual: Map<string, Answer>;
  beforeAll(async () => {
    [real, sandbox] = await Promise.all([startReal(), startKubernetes({ crds: kinds })]);
    const connection = new Connection(anonymousAccess(sandbox.url));
    // The very same CRDs: those of the sandbox have another column.
    const crds = await listCrds(connection);
    await installCrds(real.connection, crds.map(({ status: _, metadata, ...crd }) => ({ ...crd, metadata: { name: metadata.name } })));
    [expected, actual] = await Promise.all([answersOf(real.connection), answersOf(connection)]);
    await connection.close();
  });
  afterAll(async () => {
    await sandbox?.close();
    await real?.close();
  });

  const refusal = (answer: Answer | undefined) => [answer?.status, (answer?.body as { reason?: string }).reason];
  const alike = dialogue.map(([title]) => title).filter((title) => !ownWords.includes(title) && !leftOut.includes(title));

  test.each(alike)('%s', (title) => expect(actual.get(title)).toEqual(expected.get(title)));

  test.each(ownWords)('%s: the same, in other words', (title) => {
    expect(refusal(actual.get(title))).toEqual(refusal(expected.get(title)));
    expect(actual.get(title)).not.toEqual(expected.get(title));
  });

  test.each(leftOut)('%s: still otherwise', (title) => expect(actual.get(title)).not.toEqual(expected.get(title)));
});
