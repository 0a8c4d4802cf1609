import { ID, isReady } from './facts';
import { ACCOUNTS, AZURE_TYPES, FEDERATIONS, GROUPS, IDENTITIES, NAMESPACES, ROLES, typeOf } from './kinds';
import type { KubeModel } from './kube-model';
import { Random } from './random';
import { refusedBy } from './truth/guard-rails';
import { POLICY } from './truth/policy';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';

export interface MembersOptions {
  readonly seed: number;
  readonly kube: KubeModel;
  readonly namespaces: readonly string[];
  readonly subscription: string;
  /** Whether the guard rails are in force. Without them it has to be seen that members reach other teams. */
  readonly isGuarded: boolean;
  readonly after: (milliseconds: number, act: () => void) => void;
  readonly log: (line: string) => void;
}

const MEMBER_SEED = 0x3e3b;
const MINUTE = 60_000;
const ROLE = '/subscriptions/11111111-1111-1111-1111-111111111111/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7';
const BY_HAND = 'hand';

interface Made {
  readonly type: ResourceType;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Members of teams with every right in their namespaces: they make objects that are in nobody's files, delete some of them, and try to
 * reach other teams. The API server refuses what the guard rails refuse. Drawn apart from all else, so that a run without them stays as
 * it is.
 */
export class Members {
  public readonly refused = new Map<string, number>();
  public made = 0;
  private readonly random: Random;
  private isOver = false;

  public constructor(private readonly options: MembersOptions) {
    this.random = new Random(options.seed + MEMBER_SEED);
  }

  public begin(): void {
    this.options.after(this.random.between(10_000, 4 * MINUTE), () => {
      if (this.isOver) return;
      this.act();
      this.begin();
    });
  }

  /** No more is made; objects whose owner is not there go, as nobody applies it again. */
  public stop(): void {
    this.isOver = true;
    const { kube } = this.options;
    for (const object of this.objects()) {
      const { name = '' } = (object.spec?.owner ?? {}) as { readonly name?: string };
      const owner = AZURE_TYPES.map((type) => kube.get(type, object.metadata.namespace, name)).find(Boolean);
      if (!isReady(owner)) this.remove(object);
    }
  }

  /** The platform takes a team away: its data stays, or goes. */
  public leave(namespace: string): void {
    const { kube, log } = this.options;
    if (!kube.get(NAMESPACES, undefined, namespace)) return;
    const policy = this.random.pick(['detach-on-delete', 'manage']);
    log(`the team ${namespace} leaves under ${policy}`);
    kube.edit(NAMESPACES, undefined, namespace, (object) => (
      { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [POLICY]: policy } } }));
    kube.delete(NAMESPACES, undefined, namespace, 'user');
  }

  public left(namespace: string): readonly string[] {
    return this.options.kube.get(NAMESPACES, undefined, namespace) ? [`the namespace ${namespace} of a team that has left is still there`] : [];
  }

  private act(): void {
    const { random } = this;
    const namespace = random.pick(this.options.namespaces);
    const other = random.pick(this.options.namespaces.filter((one) => one !== namespace));
    const mine = this.objects().filter(({ metadata }) => metadata.namespace === namespace);
    if (mine.length > 0 && random.chance(0.25)) this.remove(random.pick(mine));
    else this.make(namespace, random.pick(random.chance(0.6) ? this.honest(namespace) : this.dishonest(namespace, other)));
  }

  private make(namespace: string, { type, spec, annotations = {} }: Made): void {
    const { kube, subscription, isGuarded, log } = this.options;
    const home = kube.get(NAMESPACES, undefined, namespace);
    if (!home || home.metadata.deletionTimestamp) return;
    this.made += 1;
    const name = `${namespace}${BY_HAND}${this.made}`;
    const object = { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata: { name, namespace, annotations }, spec };
    const limit = refusedBy(object, subscription);
    if (limit !== undefined && isGuarded) {
      this.refused.set(limit, (this.refused.get(limit) ?? 0) + 1);
      return log(`a member of ${namespace} is refused ${type.kind} ${name}: ${limit}`);
    }
    log(`a member of ${namespace} makes ${type.kind} ${name}`);
    kube.create(type, object, 'user');
  }

  /** Within the limits. */
  private honest(namespace: string): readonly Made[] {
    const owner = { name: `${namespace}rg` };
    const common = { location: 'westeurope', owner, tags: { step: BY_HAND } };
    return [
      { type: ACCOUNTS, spec: { ...common, kind: 'StorageV2', sku: { name: 'Standard_LRS' } } },
      { type: IDENTITIES, spec: common },
      { type: FEDERATIONS, spec: this.trust({ name: `${namespace}id` }) },
      {
        type: ROLES,
        spec: {
          owner: { group: GROUPS.group, kind: GROUPS.kind, ...owner },
          azureName: `00000000-0000-0000-0001-${String(this.made).padStart(12, '0')}`,
          principalIdFromConfig: { name: `${namespace}out`, key: 'principal' },
          roleDefinitionReference: { armId: ROLE },
        },
      },
    ];
  }

  /** Attempts to reach another team. */
  private dishonest(namespace: string, other: string): readonly Made[] {
    const group = `/subscriptions/${this.options.subscription}/resourceGroups/${other}rg`;
    const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, tags: { step: BY_HAND } };
    const beyond: readonly Made[] = [
      { type: ACCOUNTS, spec: { ...account, owner: { armId: group } } },
      { type: FEDERATIONS, spec: this.trust({ armId: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${other}id` }) },
      { type: GROUPS, spec: { location: 'westeurope', azureName: `${other}rg2` } },
    ];
    if (!this.options.isGuarded) return beyond;
    const own = { ...account, owner: { name: `${namespace}rg` } };
    return [
      ...beyond,
      { type: ACCOUNTS, spec: { ...own, azureName: `../../${other}rg/x` } },
      { type: ACCOUNTS, spec: own, annotations: { [ID]: `${group}/providers/Microsoft.Storage/storageAccounts/${other}store` } },
      { type: ACCOUNTS, spec: own, annotations: { 'serviceoperator.azure.com/credential-from': 'other' } },
      { type: ACCOUNTS, spec: { ...own, operatorSpec: { secrets: { key1: { name: 'aso-credential', key: 'AZURE_CLIENT_ID' } } } } },
    ];
  }

  private trust(owner: object): Readonly<Record<string, unknown>> {
    return { owner, audiences: ['api://AzureADTokenExchange'], issuer: 'https://issuer.test', subject: `system:serviceaccount:x:${BY_HAND}${this.made}` };
  }

  private objects(): readonly KubernetesObject[] {
    return AZURE_TYPES.flatMap((type) => this.options.kube.all(type))
      .filter(({ metadata }) => /hand\d+$/.test(metadata.name) && metadata.deletionTimestamp === undefined);
  }

  private remove(object: KubernetesObject): void {
    const { namespace, name } = object.metadata;
    this.options.log(`a member of ${namespace} deletes ${name}`);
    this.options.kube.delete(typeOf(object), namespace, name, 'user');
  }
}
