import { GROUP_ID, GROUP_OWNER, objectOf, RESOURCE_ID, versionOf } from './objects';
import { listenForReviews } from '../../../controller/admission/webhook-server';
import { systemClock } from '../../../engine/clock';
import { CRD_KIND } from '../../../engine/kubernetes';
import { RestClient } from '../../../engine/kubernetes/rest-client';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { certificatesIn } from '../../../runtime/certificates/check-certificate';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import type { ServingCertificate } from '../../../runtime/certificates/serving-certificate';
import { OwnCertificate } from '../../../runtime/webhooks/certificates/own';
import type { WebhookServer, WebhookObservation } from '../../../runtime/webhooks/webhook-server';
import { KEPT_MEMBERS } from '../../../src/azure/annotations';
import { Catalog, type Kind, type KindVersion } from '../../../src/catalog';
import { crdManifest, type CustomResourceDefinition } from '../../../src/catalog/crd';
import { webhookConfigurations, webhookConversion, type WebhookConfiguration } from '../../../src/catalog/webhook-configurations';
import { startReal, type RealCluster } from '../../e2e/real-cluster';
import { describeWithRealKubernetes } from '../../e2e/real-kubernetes';
import { randomSpec } from '../../engine/convert/random-spec';
import { until } from '../../setup/until';

const KINDS = [
  ['storage', 'StorageAccount'],
  ['network', 'VirtualNetwork'],
  ['authorization', 'RoleAssignment'],
  ['containerservice', 'ManagedCluster'],
].map(([service, kind]) => Catalog.default().kind(`${service}.azure.com`, kind!)!);
const SERVICE = { namespace: 'azureserviceoperator-system', name: 'azureserviceoperator-webhook-service' };
const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const registration = (kind: string, plural: string): ResourceType => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});
const MUTATING = registration('MutatingWebhookConfiguration', 'mutatingwebhookconfigurations');
const VALIDATING = registration('ValidatingWebhookConfiguration', 'validatingwebhookconfigurations');

const typeOf = ({ kind: { group, kind, facts }, name: version }: KindVersion): ResourceType => (
  { group, version, plural: facts.plural, kind, namespaced: true });
const versionsOf = (kind: Kind) => kind.versionNames.map((name) => kind.version(name)!);

describeWithRealKubernetes('webhooks of a real kube-apiserver', () => {
  let cluster: RealCluster;
  let client: RestClient;
  let server: WebhookServer;
  const requests: WebhookObservation[] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    cluster = await startReal();
    client = new RestClient(cluster.connection);
    server = await listenForReviews({
      port: 0, host: '127.0.0.1', onRequest: (request) => requests.push(request), onError: (_, error) => errors.push(error),
    });
    const { cert, key, ca } = await makeCertificate(['127.0.0.1'], Date.now(), 3_600_000);
    server.use({ cert, key });
    const caBundle = Buffer.from(ca).toString('base64');
    for (const kind of KINDS) {
      const crd = crdManifest(kind, { conversion: webhookConversion({ ...SERVICE, caBundle }) });
      await client.create(CRD_KIND, byUrl(crd) as unknown as KubernetesObject);
    }
    for (const configuration of webhookConfigurations(KINDS, { ...SERVICE, caBundle })) {
      const type = configuration.kind === MUTATING.kind ? MUTATING : VALIDATING;
      await client.create(type, byUrl(configuration) as unknown as KubernetesObject);
    }
    await until('the kinds are served, and the webhooks called', async () => {
      for (const version of KINDS.flatMap(versionsOf)) {
        const list = await client.list(typeOf(version), { limit: 1 }).catch((error: KubernetesError) => error);
        if (list instanceof Error && list.status === 404) return false;
        if (list instanceof Error) throw list;
      }
      const probe = versionOf('storage', 'StorageAccount');
      const made = await client.create(typeOf(probe), objectOf(probe, { ...MINIMAL, owner: { name: 'rg' } }, `probe${Date.now()}`));
      return made.spec?.azureName !== undefined;
    });
  });

  afterAll(async () => {
    await server?.close();
    await cluster?.close();
  });

  /** There is no service in front of a process on this machine. */
  function byUrl(manifest: WebhookConfiguration | CustomResourceDefinition): unknown {
    return JSON.parse(JSON.stringify(manifest), (key, value: unknown) => {
      if (key !== 'clientConfig') return value;
      const { service, ...rest } = value as { service: { path: string } };
      return { ...rest, url: `https://127.0.0.1:${server.port}${service.path}` };
    });
  }

  const MINIMAL = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
  const account = versionOf('storage', 'StorageAccount');
  const create = (version: KindVersion, name: string, spec: Record<string, unknown>, metadata = {}) =>
    client.create(typeOf(version), objectOf(version, spec, name, metadata));

  test('the server takes what webhookConfigurations gives, and calls all of them', async () => {
    const made = await create(account, 'defaulted', { ...MINIMAL, owner: { name: 'rg' } });
    expect(made.spec!.azureName).toBe('defaulted');
    const role = versionOf('authorization', 'RoleAssignment', 'v1api20220401');
    const spec = { owner: GROUP_OWNER, principalId: 'p', roleDefinitionReference: { wellKnownName: 'Reader' } };
    expect((await create(role, 'myroleassignment', { ...spec, owner: { ...GROUP_OWNER, name: 'myrg' } })).spec!.azureName).toBe(
      '69e1d155-c4e0-5c75-a5fc-7d990bc7325d',
    );
    expect(requests.map(({ webhook }) => webhook)).toEqual(
      expect.arrayContaining([
        `/mutate-storage-azure-com-${account.name}-storageaccount`,
        `/validate-storage-azure-com-${account.name}-storageaccount`,
      ]),
    );
  });

  test('a refusal reaches the user, and an object with a resource-id keeps its owner', async () => {
    const place = { name: 'n', key: 'k' };
    await expect(
      create(account, 'refused', { ...MINIMAL, owner: { name: 'rg' }, operatorSpec: { secrets: { key1: place, key2: place } } }),
    ).rejects.toThrow(
      `admission webhook "validate.${account.name}.storageaccounts.storage.azure.com" denied the request: cannot write more than one secret to destination Name: "n", Key: "k"`,
    );
    const made = await create(account, 'owned', { ...MINIMAL, owner: { name: 'rg' } }, { annotations: { [RESOURCE_ID]: GROUP_ID } });
    const moved = { ...made, spec: { ...made.spec, owner: { name: 'other' } } };
    await expect(client.replace(typeOf(account), moved)).rejects.toThrow("updating 'spec.owner.name' is not allowed for");
  });

  test.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    '%s: what is applied in one version is the same after a write in another',
    async (_, kind) => {
      const versions = versionsOf(kind);
      let kept = 0;
      for (const [index, version] of versions.entries()) {
        const name = `journey-${version.name}`;
        const owner = version.facts.owner === 'any' ? GROUP_OWNER : { name: 'rg' };
        const spec = await firstAccepted(version, name, owner);
        for (const other of versions) {
          const seen = (await client.get(typeOf(other), name, 'default'))!;
          if (seen.metadata.annotations?.[KEPT_MEMBERS]) kept += 1;
        }
        // A write of metadata in another version must not change any other field.
        const other = versions[(index + 1) % versions.length];
        await client
          .patch(typeOf(other!), name, 'default', { metadata: { labels: { touched: 'yes' } } }, 'application/merge-patch+json')
          .catch((error: unknown) => {
            // The other version's schema may not take the spec; then nothing is written at all.
            if (!(error instanceof KubernetesError) || error.status !== 422) throw error;
          });
        const back = (await client.get(typeOf(version), name, 'default'))!;
        expect(back.spec).toEqual(spec);
        expect(back.metadata.annotations ?? {}).not.toHaveProperty([KEPT_MEMBERS]);
        const watched = (await client.list(typeOf(kind.version(kind.facts.storageVersion)!), {})).items.find(
          (item) => item.metadata.name === name,
        )!;
        expect(watched.apiVersion).toBe(version.apiVersion);
      }
      process.stderr.write(`${kind.kind}: ${versions.length} versions, ${kept} views of another version keep members\n`);
    },
  );

  test('a status keeps what the stored version has no place for, until it is written anew', async () => {
    const kind = KINDS.find((candidate) => statusOnly(candidate) !== undefined)!;
    const [version, member, value] = statusOnly(kind)!;
    await firstAccepted(version, 'status', version.facts.owner === 'any' ? GROUP_OWNER : { name: 'rg' });
    const write = async (status: Record<string, unknown>) => {
      const current = (await client.get(typeOf(version), 'status', 'default'))!;
      await client.replaceStatus(typeOf(version), { ...current, status });
      return (await client.get(typeOf(version), 'status', 'default'))!.status;
    };
    expect(await write({ id: 'i', [member]: value })).toEqual({ id: 'i', [member]: value });
    const stored = (await client.get(typeOf(kind.version(kind.facts.storageVersion)!), 'status', 'default'))!;
    expect(stored.status).toEqual({ id: 'i' });
    expect(stored.metadata.annotations).toHaveProperty([KEPT_MEMBERS]);
    expect(await write({ id: 'j' })).toEqual({ id: 'j' });
  });

  /** A version, and a member of its status that the stored version does not have. */
  function statusOnly(kind: Kind): [KindVersion, string, unknown] | undefined {
    const known = kind.version(kind.facts.storageVersion)!.statusType.props;
    for (const version of versionsOf(kind)) {
      for (const [name, { type }] of Object.entries(version.statusType.props)) {
        const value =
          typeof type === 'string' ? { string: 'v', integer: 1, number: 1, boolean: true, json: 'v' }[type] : 'ref' in type ? {} : [];
        if (!(name in known)) return [version, name, value];
      }
    }
    return undefined;
  }

  /** The first of some random specs that the server's schema and our rules take; as stored. */
  async function firstAccepted(version: KindVersion, name: string, owner: unknown): Promise<unknown> {
    for (let seed = 1; seed < 200; seed += 1) {
      const { operatorSpec: _, ...spec } = randomSpec(version, seed);
      try {
        return (await create(version, name, { ...spec, owner, azureName: 'somename' })).spec;
      } catch (error) {
        if (!(error instanceof KubernetesError) || ![403, 422].includes(error.status)) throw error;
      }
    }
    throw new Error(`no spec of ${version.apiVersion} was taken`);
  }

  test('no request ended in an internal error', () => {
    expect(errors).toEqual([]);
    expect(requests.filter(({ code }) => code !== 200)).toEqual([]);
  });

  test('replicas agree on a certificate of their own, and write its authority where our service is named', async () => {
    const named = webhookConfigurations(KINDS.slice(0, 1), SERVICE)
      .map((configuration) => ({ ...configuration, metadata: { name: `own-${configuration.metadata.name}` } }));
    // Rules that match nothing: no server is behind the service.
    const harmless = named.map((configuration) => ({
      ...configuration,
      webhooks: configuration.webhooks.map((webhook) => ({ ...webhook, rules: [{ ...webhook.rules[0], apiGroups: ['nobody.example'] }] })),
    }));
    for (const configuration of harmless) {
      await client.create(configuration.kind === MUTATING.kind ? MUTATING : VALIDATING, configuration as unknown as KubernetesObject);
    }
    const kind = Catalog.default().kind('resources.azure.com', 'ResourceGroup')!;
    await client.create(CRD_KIND, crdManifest(kind, { conversion: webhookConversion(SERVICE) }) as unknown as KubernetesObject);
    const problems: string[] = [];
    const served: ServingCertificate[] = [];
    const replicas = Array.from({ length: 3 }, (_, index) => new OwnCertificate({
      secret: 'webhook-server-cert',
      isOurs: (crd) => crd.endsWith('.azure.com'),
      client,
      clock: systemClock,
      service: SERVICE,
      onCertificate: (certificate) => (served[index] = certificate),
      onProblem: (message) => problems.push(message),
    }));
    await until('all replicas are settled', async () => (await Promise.all(replicas.map((replica) => replica.tick()))).every(Boolean));
    expect(new Set(served.map(({ cert }) => cert)).size).toBe(1);
    const secret = (await client.get(SECRETS, 'webhook-server-cert', SERVICE.namespace))!;
    const bundle = Buffer.from(secret.data!['ca.crt']!, 'base64').toString('utf8');
    expect(certificatesIn(bundle)).toHaveLength(1);
    for (const { kind: of, metadata } of harmless) {
      const found = (await client.get(of === MUTATING.kind ? MUTATING : VALIDATING, metadata.name)) as unknown as WebhookConfiguration;
      expect(found.webhooks.map(({ clientConfig }) => clientConfig.caBundle === secret.data!['ca.crt'])).toEqual(
        found.webhooks.map(() => true),
      );
    }
    const crd = (await client.get(CRD_KIND, kind.crdName)) as unknown as CustomResourceDefinition;
    expect(crd.spec.conversion).toMatchObject({ webhook: { clientConfig: { caBundle: secret.data!['ca.crt'] } } });
    expect(problems).toEqual([]);
  });
});
