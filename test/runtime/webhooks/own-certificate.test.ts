import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { KubernetesError, type KubernetesObject, type ObjectList, type ResourceType } from '../../../engine/kubernetes/types';
import { certificatesIn, isFor, problemOf, validityOf } from '../../../runtime/certificates/check-certificate';
import { makeCertificate } from '../../../runtime/certificates/make-certificate';
import type { ServingCertificate } from '../../../runtime/certificates/serving-certificate';
import { OwnCertificate } from '../../../runtime/webhooks/certificates/own';
import {
  LIFETIME,
  nextState,
  storedIn,
  TRUST_TIME,
  withStored,
  type StoredCertificate,
} from '../../../runtime/webhooks/certificates/stored-certificate';
import { Catalog } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import { webhookConfigurations, webhookConversion } from '../../../src/catalog/webhook-configurations';
import { isRecord } from '../../../src/util/records';
import { FakeClock } from '../../controller/reconcile/fake-clock';
import { FakeCluster } from '../../controller/reconcile/fake-cluster';

const SERVICE = { namespace: 'aso', name: 'azureserviceoperator-webhook-service' };
const NAMES = ['webhooks.aso.svc'];
const START = Date.parse('2026-01-01T00:00:00Z');
const metadata = { name: 'webhook-server-cert', namespace: 'aso' };
const secret = (data: Record<string, string> = {}): KubernetesObject => ({ apiVersion: 'v1', kind: 'Secret', metadata, data });
const trusts = (bundle: string, { cert }: ServingCertificate) =>
  certificatesIn(bundle).some((ca) => new X509Certificate(cert).verify(new X509Certificate(ca).publicKey));

test('a made certificate is for its names, signed by its authority, and can be served', async () => {
  const { cert, key, ca } = await makeCertificate([...NAMES, '127.0.0.1'], Date.now(), LIFETIME);
  expect(problemOf({ cert, key })).toBeUndefined();
  expect(isFor(cert, [...NAMES, '127.0.0.1'])).toBe(true);
  expect(isFor(cert, ['other.aso.svc'])).toBe(false);
  expect(new X509Certificate(cert).checkIssued(new X509Certificate(ca))).toBe(true);
  expect(new X509Certificate(cert).ca).toBe(false);
  expect(() => createSecureContext({ cert, key })).not.toThrow();
});

describe('the states of the certificates', () => {
  const at = (days: number) => START + days * 24 * 3_600_000;
  let first: StoredCertificate;
  beforeAll(async () => {
    first = (await nextState(undefined, NAMES, START, false))!;
  });

  test('none: a new one, which its bundle trusts, and which the Secret gives back', () => {
    expect(trusts(first.bundle, first.current)).toBe(true);
    expect(storedIn(withStored(secret({ foreign: 'eA==' }), first))).toEqual(first);
    expect(withStored(secret({ foreign: 'eA==' }), first).data!.foreign).toBe('eA==');
  });
  test('before two thirds of its life nothing happens', async () => {
    expect(await nextState(first, NAMES, at(59), true)).toBeUndefined();
  });
  test('then a successor is trusted before it is served, and the old authority after', async () => {
    const prepared = (await nextState(first, NAMES, at(61), true))!;
    expect(prepared.current).toEqual(first.current);
    expect([trusts(prepared.bundle, first.current), trusts(prepared.bundle, prepared.next!)]).toEqual([true, true]);
    expect(storedIn(withStored(secret(), prepared))).toEqual(prepared);
    expect(await nextState(prepared, NAMES, at(61) + TRUST_TIME - 1, true)).toBeUndefined();
    expect(await nextState(prepared, NAMES, at(61) + TRUST_TIME, false)).toBeUndefined();
    const promoted = (await nextState(prepared, NAMES, at(61) + TRUST_TIME, true))!;
    expect(promoted).toEqual({ current: { cert: prepared.next!.cert, key: prepared.next!.key }, bundle: prepared.bundle });
    expect(withStored(withStored(secret(), prepared), promoted).data).not.toHaveProperty('next-tls.key');
    const again = (await nextState(promoted, NAMES, at(61 + 61), true))!;
    expect(certificatesIn(again.bundle)).toHaveLength(2);
    expect([trusts(again.bundle, first.current), trusts(again.bundle, promoted.current)]).toEqual([false, true]);
  });
  test.each<[string, () => StoredCertificate, string[], number]>([
    ['expired', () => first, NAMES, 91],
    ['for other names', () => first, ['other.aso.svc'], 1],
    ['no certificate', () => ({ ...first, current: { cert: 'x', key: 'y' } }), NAMES, 1],
  ])('%s: a new one', async (_, stored, names, day) => {
    const next = (await nextState(stored(), names, at(day), true))!;
    expect(next.current.cert).not.toBe(first.current.cert);
    expect(isFor(next.current.cert, names)).toBe(true);
    expect(validityOf(next.current.cert)!.to).toBe(at(day) + LIFETIME);
    expect(trusts(next.bundle, next.current)).toBe(true);
  });
  test.each([[{}], [{ 'tls.crt': 'eA==', 'tls.key': 'eA==' }]])('a Secret without a usable certificate has none: %j', (data) => {
    expect(storedIn(secret(data))).toBeUndefined();
  });
});

/** The fake cluster with lists and deep merge patches. */
class Cluster extends FakeCluster {
  public forbidden = false;
  public override async list(type: ResourceType): Promise<ObjectList> {
    if (this.forbidden) throw new KubernetesError(403, 'Forbidden', 'you may not');
    return { resourceVersion: '1', items: this.watch(type).store.list() };
  }

  public override async patch(type: ResourceType, name: string, namespace: string | undefined, patch: unknown): Promise<KubernetesObject> {
    const old = (await this.get(type, name, namespace))!;
    return this.replace(type, merge(old, patch) as KubernetesObject);
  }
}

function merge(old: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const before = typeof old === 'object' && old !== null ? (old as Record<string, unknown>) : {};
  return { ...before, ...Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, merge(before[key], value)])) };
}

const crds: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const registration = (kind: string): ResourceType => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
});
const group = Catalog.default().kind('resources.azure.com', 'ResourceGroup')!;

async function environment() {
  const cluster = new Cluster();
  const clock = new FakeClock();
  for (const configuration of webhookConfigurations([group], SERVICE)) {
    await cluster.create(registration(configuration.kind), configuration as unknown as KubernetesObject);
  }
  await cluster.create(
    crds,
    crdManifest(group, { conversion: webhookConversion(SERVICE), lazySchemas: false }) as unknown as KubernetesObject,
  );
  const served: string[] = [];
  const problems: string[] = [];
  const replica = (index: number) => new OwnCertificate({
    secret: 'webhook-server-cert',
    isOurs: (crd) => crd.endsWith('.azure.com'),
    client: cluster,
    clock,
    service: SERVICE,
    onCertificate: ({ cert }) => void (served[index] = cert),
    onProblem: (message) => problems.push(message),
  });
  const stored = () => cluster.objects.get('/Secret/aso/webhook-server-cert');
  const bundles = () => {
    const text = JSON.stringify([...cluster.objects.values()].filter(({ kind }) => kind !== 'Secret'));
    return [...new Set([...text.matchAll(/"caBundle":"([^"]*)"/g)].map(([, encoded]) => Buffer.from(encoded!, 'base64').toString()))];
  };
  return { cluster, clock, served, problems, replica, stored, bundles };
}

describe('the certificate of our own', () => {
  test('two replicas that begin together serve the same, and everything that names the service trusts it', async () => {
    const { served, replica, bundles, stored, problems, clock } = await environment();
    const ends = await Promise.all([replica(0).start(), replica(1).start()]);
    await clock.advance(60_000);
    expect(served[0]).toBe(served[1]);
    expect(stored()!.type).toBe('kubernetes.io/tls');
    expect(bundles()).toHaveLength(1);
    expect(trusts(bundles()[0]!, { cert: served[0]!, key: '' })).toBe(true);
    expect(problems).toEqual([]);
    ends.forEach((end) => end());
    expect(clock.next).toBeUndefined();
  });

  test('an API server that has missed the change of a webhook configuration loads it a moment later', async () => {
    const { cluster, clock, replica, stored } = await environment();
    const loaded = new Map<string, string>();
    const missed = new Set<string>();
    cluster.after = (what, { kind, ...object }) => {
      if (!kind.endsWith('WebhookConfiguration')) return;
      if (what.startsWith('replace') && !missed.has(kind)) missed.add(kind);
      else loaded.set(kind, JSON.stringify(object));
    };
    const end = await replica(0).start();
    const bundle = stored()!.data!['ca.crt']!;
    const trusting = () => [...loaded.values()].filter((text) => text.includes(`"caBundle":"${bundle}"`)).length;
    expect([missed.size, trusting()]).toEqual([2, 0]);
    await clock.advance(1_000);
    expect(trusting()).toBe(0);
    await clock.advance(4_000);
    expect(trusting()).toBe(2);
    const writes = cluster.writes.length;
    await clock.advance(600_000);
    expect(cluster.writes).toHaveLength(writes);

    // The same after each later change, and for a replica that has just begun.
    const [{ kind, metadata: { name } }] = webhookConfigurations([group], SERVICE) as unknown as [KubernetesObject];
    const change = async () => {
      await cluster.patch(registration(kind), name, undefined, { webhooks: [] });
      await cluster.patch(registration(kind), name, undefined, webhookConfigurations([group], SERVICE)[0]);
    };
    const isLoaded = async () => {
      const { metadata: { annotations, generation } } = (await cluster.get(registration(kind), name))!;
      return annotations?.['aso.cdk8s.io/loaded-generation'] === String(generation);
    };
    const madeAnew = async () => {
      await cluster.delete(registration(kind), name);
      cluster.objects.delete([...cluster.objects.keys()].find((key) => key.endsWith(`/${name}`) && key.includes(kind))!);
      await cluster.create(registration(kind), webhookConfigurations([group], SERVICE)[0] as unknown as KubernetesObject);
    };
    for (const [act, own] of [[madeAnew, undefined], [change, undefined], [change, replica(1)]] as const) {
      await act();
      const { length } = cluster.writes;
      const endOther = await own?.start();
      // The next check is at most 30 s away.
      for (let second = 0; second < 30 && cluster.writes.length === length; second += 1) await clock.advance(1_000);
      expect(await isLoaded()).toBe(false);
      await clock.advance(4_000);
      expect(await isLoaded()).toBe(true);
      endOther?.();
    }
    end();
  });

  test('at every moment of a renewal what is served is trusted', async () => {
    const { clock, served, replica, bundles } = await environment();
    const own = [replica(0), replica(1)];
    const certificates = new Set<string>();
    for (let hour = 0; hour < 24 * 130; hour += 12) {
      const soon = hour > 24 * 59 && hour < 24 * 61;
      for (const [index, one] of own.entries()) {
        // The second replica looks later than the first; between the two everything must fit as well.
        await one.tick();
        for (const cert of served) {
          expect([hour, index, bundles().every((bundle) => trusts(bundle, { cert, key: '' }))]).toEqual([hour, index, true]);
        }
        served.forEach((cert) => certificates.add(cert));
        if (soon) await clock.advance(1_000);
      }
      await clock.advance(12 * 3_600_000);
    }
    expect(certificates.size).toBe(3);
  });

  test('without the right to write it is reported once, and nothing is renewed before it is trusted', async () => {
    const { cluster, clock, replica, problems, stored } = await environment();
    cluster.forbidden = true;
    const end = await replica(0).start();
    await clock.advance(10_000);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('could not be written into mutatingwebhookconfigurations (list): you may not');
    expect(problems.join()).not.toContain('PRIVATE');
    const first = stored()!.data!['tls.crt'];
    await clock.advance(600_000);
    expect(problems).toHaveLength(3);
    expect(stored()!.data!['tls.crt']).toBe(first);
    end();
  });

  test('the Secret of cert-manager is served and left alone, and so are objects that it injects into', async () => {
    const { cluster, replica, served } = await environment();
    const { cert, key, ca } = await makeCertificate(NAMES, Date.now(), LIFETIME);
    const managed = withStored(secret(), { current: { cert, key }, bundle: ca });
    const annotations = { 'cert-manager.io/certificate-name': 'x' };
    await cluster.create(
      { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
      { ...managed, metadata: { ...metadata, annotations } },
    );
    const [injected] = webhookConfigurations([group], { ...SERVICE, certManager: true });
    await cluster.create(registration(injected!.kind), {
      ...injected,
      metadata: { ...injected!.metadata, name: 'injected' },
    } as unknown as KubernetesObject);
    await replica(0).tick();
    expect(served[0]).toBe(cert);
    expect(cluster.writes.filter((write) => write.includes('Secret'))).toEqual(['create Secret/webhook-server-cert']);
    expect(cluster.writes.filter((write) => write.startsWith('replace') && write.endsWith('/injected'))).toEqual([]);
  });

  test('a certificate of cert-manager that has expired is replaced, and what it injects into trusts the new one', async () => {
    const { cluster, clock, replica, served, stored } = await environment();
    const { cert, key, ca } = await makeCertificate(NAMES, clock.now() - 2 * LIFETIME, LIFETIME);
    const managed = withStored(secret(), { current: { cert, key }, bundle: ca });
    const annotations = { 'cert-manager.io/certificate-name': 'x' };
    await cluster.create(
      { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
      { ...managed, metadata: { ...metadata, annotations } },
    );
    const [injected] = webhookConfigurations([group], { ...SERVICE, certManager: true });
    await cluster.create(registration(injected!.kind), {
      ...injected,
      metadata: { ...injected!.metadata, name: 'injected' },
    } as unknown as KubernetesObject);
    await replica(0).tick();
    expect(validityOf(served[0]!)!.to).toBe(clock.now() + LIFETIME);
    expect(stored()!.metadata.annotations).toEqual({ 'aso.cdk8s.io/replaced-certificate': 'x' });
    const { webhooks } = (await cluster.get(registration(injected!.kind), 'injected')) as unknown as {
      webhooks: readonly { clientConfig: { caBundle: string } }[];
    };
    const bundle = Buffer.from(webhooks[0]!.clientConfig.caBundle, 'base64').toString();
    expect(bundle).toContain(certificatesIn(Buffer.from(stored()!.data!['ca.crt']!, 'base64').toString()).at(-1));
  });
});
