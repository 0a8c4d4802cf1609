import { conditionOf, createCrds, listCrds } from './install-crds';
import { startReal, type RealCluster } from './real-cluster';
import { describeWithRealKubernetes } from './real-kubernetes';
import { Catalog } from '../../src/catalog';
import { crdManifest } from '../../src/catalog/crd';
import { until } from '../setup/until';

describeWithRealKubernetes('the CRDs of all kinds in all versions, on a real kube-apiserver', () => {
  const kinds = Catalog.default().allKinds;
  const crds = kinds.map((kind) => crdManifest(kind));
  let cluster: RealCluster;
  beforeAll(async () => {
    cluster = await startReal();
  });
  afterAll(() => cluster?.close());

  test('are accepted, established, structural, kept as they are and served in every version', async () => {
    const refused = await createCrds(cluster.connection, crds);
    expect(refused).toEqual([]);
    const established = async () => (await listCrds(cluster.connection)).filter((crd) => conditionOf(crd, 'Established') === 'True');
    await until('all are established', async () => (await established()).length === crds.length);
    const installed = await established();
    expect(
      installed.filter((crd) => conditionOf(crd, 'NamesAccepted') !== 'True' || conditionOf(crd, 'NonStructuralSchema') === 'True'),
    ).toEqual([]);
    // Nothing of the schemas was dropped or filled in.
    const sent = new Map(crds.map((crd) => [crd.metadata.name, crd]));
    for (const crd of installed) {
      for (const [index, version] of crd.spec.versions.entries()) {
        const { schema } = sent.get(crd.metadata.name)!.spec.versions[index]!;
        expect([crd.metadata.name, version.name, version.schema]).toEqual([crd.metadata.name, version.name, schema]);
      }
    }

    const wanted = crds.flatMap((crd) => crd.spec.versions.map(({ name }) => `${crd.spec.group}/${name}/${crd.spec.names.plural}`)).sort();
    let served: string[] = [];
    await until('discovery has all of them', async () => {
      served = await servedResources(cluster);
      return served.length >= wanted.length;
    });
    expect(served).toEqual(wanted);
  });
});

interface DiscoveredGroup {
  readonly metadata: { readonly name: string };
  readonly versions: readonly { readonly version: string; readonly resources: readonly { readonly resource: string }[] }[];
}

/** `group/version/plural` of the groups of Azure and of this project, sorted. */
async function servedResources({ connection }: RealCluster): Promise<string[]> {
  const { text } = await connection.request({
    method: 'GET',
    path: '/apis',
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  });
  const { items } = JSON.parse(text) as { items: DiscoveredGroup[] };
  return items
    .filter(({ metadata: { name } }) => name.endsWith('.azure.com') || name.endsWith('.aso.cdk8s.io'))
    .flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources }) => resources.map(({ resource }) => `${metadata.name}/${version}/${resource}`)),
    )
    .sort();
}
