import { CredentialPropagator, type CredentialPropagatorOptions, type PropagationReport } from '../../../controller/credential-propagation';
import { SERVICE_ACCOUNTS } from '../../../controller/credential-propagation/service-accounts';
import { Cluster, type WatchedType } from '../../../controller/reconcile/cluster';
import { type KubernetesObject, type ObjectEvent } from '../../../engine/kubernetes/types';
import type { EventText } from '../../../runtime/events/event-text';
import { ACCEPTS_CREDENTIALS_FROM, FINALIZER, OPERATOR_NAMESPACE, PROPAGATE_TO } from '../../../src/azure/annotations';
import { FakeClock, settled } from '../reconcile/fake-clock';
import { FakeCluster } from '../reconcile/fake-cluster';
import { CONFIG_MAPS, GROUPS, IDENTITIES, NAMESPACES, SECRETS } from '../reconcile/harness';

export const uuid = (digit: number) => `${`${digit}`.repeat(8)}-1111-4111-8111-111111111111`;
export const statusOf = (digit: number) => ({
  clientId: uuid(digit),
  principalId: uuid(digit),
  tenantId: uuid(9),
  id: `/subscriptions/${uuid(8)}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/x`,
});
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Options {
  readonly targetNamespaces?: readonly string[];
}

export class TestEnvironment {
  public readonly cluster = new FakeCluster();
  public readonly clock = new FakeClock();
  public readonly events: (EventText & { readonly of: string })[] = [];
  public readonly reports: PropagationReport[] = [];
  public readonly known = new Cluster();
  public readonly types: Record<string, Mutable<WatchedType>> = {};
  public forbidden = false;
  public propagator!: CredentialPropagator;
  private change?: () => void;

  public readonly failures: unknown[] = [];

  public constructor(
    private readonly options: Options = {},
    private readonly shares: Pick<CredentialPropagatorOptions, 'share' | 'fence' | 'foreign'> = {},
  ) {
    for (const type of [GROUPS, IDENTITIES, SECRETS, CONFIG_MAPS, NAMESPACES]) {
      this.types[type.kind] = this.cluster.watch(type);
      this.known.add(this.types[type.kind]!);
    }
    this.types.ServiceAccount = this.cluster.watch(SERVICE_ACCOUNTS);
  }

  /** A process begins: it receives all objects. */
  public async start(): Promise<void> {
    let listen: (event: ObjectEvent) => void = () => undefined;
    const propagator = new CredentialPropagator({
      cluster: this.known,
      client: this.cluster,
      clock: this.clock,
      operatorNamespace: 'aso',
      targetNamespaces: this.options.targetNamespaces ?? [],
      events: { record: (object, text) => this.events.push({ ...text, of: object.metadata.name }) },
      serviceAccounts: {
        watched: () => ({ ...this.types.ServiceAccount!, isForbidden: this.forbidden }),
        listen: (onEvent, onChange) => {
          listen = onEvent;
          this.change = onChange;
        },
      },
      onReport: (report) => this.reports.push(report),
      onError: (_, error) => this.failures.push(error),
      ...this.shares,
    });
    this.propagator = propagator;
    for (const object of this.cluster.objects.values()) propagator.handle({ type: 'ADDED', object });
    this.cluster.listeners = [(type, event) => (type.kind === 'ServiceAccount' ? listen(event) : propagator.handle(event))];
    propagator.start();
    await settled();
  }

  public accountsChanged(): Promise<void> {
    this.change?.();
    return settled();
  }

  public async namespace(name: string, accepts?: string): Promise<void> {
    const annotations = accepts === undefined ? {} : { annotations: { [ACCEPTS_CREDENTIALS_FROM]: accepts } };
    await this.cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...annotations } });
    await settled();
  }

  public async identity(name: string, targets: string | undefined, digit?: number, more: Record<string, string> = {}): Promise<void> {
    const annotations = { [OPERATOR_NAMESPACE]: 'aso', ...(targets === undefined ? {} : { [PROPAGATE_TO]: targets }), ...more };
    const metadata = { name, namespace: 'platform', annotations, finalizers: [FINALIZER] };
    await this.cluster.create(IDENTITIES, { apiVersion: `${IDENTITIES.group}/${IDENTITIES.version}`, kind: IDENTITIES.kind, metadata });
    if (digit !== undefined) await this.made(name, digit);
    await settled();
  }

  /** Azure has given the identity its ids. */
  public async made(name: string, digit: number): Promise<void> {
    const object = await this.cluster.get(IDENTITIES, name, 'platform');
    await this.cluster.replaceStatus(IDENTITIES, { ...object!, status: statusOf(digit) });
    await settled();
  }

  public async gone(name: string): Promise<void> {
    await this.cluster.delete(IDENTITIES, name, 'platform');
    await settled();
    await this.cluster.patch(IDENTITIES, name, 'platform', { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await settled();
  }

  public async annotate(name: string, targets: string | null): Promise<void> {
    await this.cluster.annotate(IDENTITIES, 'platform', name, { [PROPAGATE_TO]: targets });
    await settled();
  }

  public async accept(namespace: string, from: string | null): Promise<void> {
    await this.cluster.annotate(NAMESPACES, undefined, namespace, { [ACCEPTS_CREDENTIALS_FROM]: from });
    await settled();
  }

  /** An object in Azure that needs the namespace's credential. */
  public async user(name: string, namespace = 'team-a'): Promise<void> {
    await this.cluster.create(GROUPS, {
      apiVersion: `${GROUPS.group}/${GROUPS.version}`,
      kind: GROUPS.kind,
      metadata: { name, namespace, finalizers: [FINALIZER] },
    });
    await settled();
  }

  public async userGone(name: string, namespace = 'team-a'): Promise<void> {
    await this.cluster.delete(GROUPS, name, namespace);
    await this.cluster.patch(GROUPS, name, namespace, { metadata: { finalizers: [] } }, 'application/merge-patch+json');
    await settled();
  }

  public find(kind: string, name = 'aso-credential', namespace = 'team-a'): KubernetesObject | undefined {
    return this.cluster.objects.get(`/${kind}/${namespace}/${name}`);
  }

  public get clientId(): string | undefined {
    const encoded = this.find('Secret')?.data?.AZURE_CLIENT_ID;
    return encoded && Buffer.from(encoded, 'base64').toString();
  }

  public eventsOf(reason: string): string[] {
    return this.events.filter((event) => event.reason === reason).map(({ message }) => message);
  }

  public get writes(): string[] {
    return this.cluster.writes.filter((write) => /Secret|ConfigMap|ServiceAccount/.test(write));
  }
}

export const TARGET = 'Secret/team-a/aso-credential';

export async function environment(options?: Options): Promise<TestEnvironment> {
  const made = new TestEnvironment(options);
  await made.start();
  return made;
}
