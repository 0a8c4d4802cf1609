import { MOST_ITEMS } from './journal';
import { isReady } from './object-state';
import { childrenLeft, itemKeyOf, itemTitleOf } from './selection';
import { markOf, type CheckOptions, type Item, type TransferFinding } from './types';
import { credentialFindings, exportFindings, valueFindings } from './value-checks';
import { controllersOf, type ControllerFacts } from '../../engine/inspect';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { FINALIZER, POLICY_BEFORE_TRANSFER, POLLER_TOKEN, RECONCILE_POLICY, TRANSFERRED_FROM } from '../../src/azure/annotations';
import { groupOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { counted, firstOf } from '../../src/util/words';
import { atATime } from '../cluster/at-a-time';
import { deployersOf } from '../cluster/deployers';
import { listPages, type ClusterReader } from '../cluster/reader';
import { DEPLOYMENTS, LEASES, NAMESPACES } from '../cluster/resource-types';

const AT_A_TIME = 8;
const MOST_NAMED = 3;

/** Reasons against a transfer, and facts about it. */
export async function checkTransfer(options: CheckOptions): Promise<TransferFinding[]> {
  const { selection: { items, objects } } = options;
  if (items.length === 0) {
    return [{ severity: 'error', object: options.fromNamespace, message: 'has no Azure object that is selected', fix: 'name another namespace, or other labels' }];
  }
  const found: TransferFinding[] = items.flatMap((item) => objectFindings(item, objects.get(item.key), options.allowManaged));
  found.push(...boundaries(options), ...await namespaceFindings(options));
  found.push(...await targetFindings(options), ...await controllerFindings(options));
  found.push(...await valueFindings(options), ...await exportFindings(options), ...await credentialFindings(options));
  if (items.length > MOST_ITEMS) {
    found.push({ severity: 'error', object: options.fromNamespace, message: `has ${items.length} objects; one transfer takes ${MOST_ITEMS}`, fix: 'transfer parts of it, by --selector' });
  }
  return found;
}

function objectFindings(item: Item, object: KubernetesObject | undefined, allowManaged: boolean): TransferFinding[] {
  const title = itemTitleOf(item);
  if (!object) return [];
  const { metadata: { annotations = {}, deletionTimestamp, finalizers = [], ownerReferences = [] } } = object;
  const error = (message: string, fix: string): TransferFinding => ({ severity: 'error', object: title, message, fix });
  const found: TransferFinding[] = [];
  if (deletionTimestamp !== undefined) found.push(error('is being deleted', 'wait until it is gone'));
  else if (!isReady(object)) found.push(error('is not Ready', `cdk8s-aso why ${item.type.kind}/${item.name} names the cause; transfer what works`));
  if (annotations[POLLER_TOKEN]) found.push({ severity: 'info', object: title, message: 'has an operation under way in Azure', fix: 'the transfer waits for its end' });
  if (!finalizers.includes(FINALIZER) && deletionTimestamp === undefined) found.push(error('was never claimed by a controller', 'wait until it is Ready'));
  if (annotations[POLICY_BEFORE_TRANSFER] !== undefined) {
    found.push({ severity: 'info', object: title, message: `is held by a transfer whose journal is gone; its policy before was ${item.policy ?? 'none'}`, fix: '--run takes the transfer up, --undo takes it back' });
  }
  const others = finalizers.filter((name) => name !== FINALIZER);
  if (others.length > 0) {
    found.push({ severity: 'warning', object: title, message: `has the finalizer ${firstOf(others, MOST_NAMED)} of another program: the old object goes only when that program lets it go`, fix: 'see that the program runs, or take its finalizer away' });
  }
  const foreign = ownerReferences.find((owner) => !mayBeInCatalog(groupOf(owner)));
  if (foreign && !allowManaged) {
    found.push(error(`belongs to ${foreign.kind} ${foreign.name}, whose controller would make it again or delete it`, 'move that object instead, or take the ownerReference away; --managed goes on nevertheless'));
  }
  const [by] = deployersOf(object);
  if (by !== undefined && !allowManaged) {
    const deployer = `${by.by} (${by.name})`;
    found.push(error(`is applied by ${deployer}, which would take the policy skip away and make the object again`, `suspend ${deployer}, and remove the object from its source; --managed goes on nevertheless`));
  }
  return found;
}

/** Owners that stay behind cannot be found; children that stay behind are deleted with their owner, in Azure too. */
function boundaries({ selection: { items }, all, fromNamespace }: CheckOptions): TransferFinding[] {
  const selected = new Set(items.map(({ key }) => key));
  const there = new Set(all.map(itemKeyOf));
  const missing = items.flatMap((item) => item.needs.filter((need) => there.has(need) && !selected.has(need)).map((need) => `${itemTitleOf(item)} needs ${need}`));
  const left = childrenLeft(all, items);
  const found: TransferFinding[] = [];
  if (missing.length > 0) found.push({ severity: 'error', object: fromNamespace, message: `${counted(missing.length, 'reference')} would lead nowhere: ${firstOf(missing, MOST_NAMED)}`, fix: 'select these objects too, or refer to them by armId' });
  if (left.length > 0) {
    const names = left.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    found.push({ severity: 'error', object: fromNamespace, message: `${firstOf(names, MOST_NAMED)} would stay behind, and be deleted with the owner, in Azure too`, fix: 'select them too' });
  }
  return found;
}

async function namespaceFindings({ from, to, fromNamespace, toNamespace, selection: { items } }: CheckOptions): Promise<TransferFinding[]> {
  const [old, target] = [await from.get(NAMESPACES, fromNamespace), await to.get(NAMESPACES, toNamespace)];
  const error = (message: string, fix: string): TransferFinding[] => [{ severity: 'error', object: `Namespace ${toNamespace}`, message, fix }];
  if (!target) return error('is not there', 'create it, with its policies and quotas');
  if (target.metadata.deletionTimestamp !== undefined) return error('is being deleted', 'wait until it is gone and create it again, or choose another one');
  const [was, becomes] = [old, target].map((namespace) => namespace?.metadata.annotations?.[RECONCILE_POLICY] ?? 'none');
  if (was === becomes || items.every(({ policy }) => policy !== undefined)) return [];
  return error(`has the annotation ${RECONCILE_POLICY} ${becomes}, and ${fromNamespace} has ${was}: objects without a policy of their own would get another one`, 'give both namespaces the same');
}

async function targetFindings(options: CheckOptions): Promise<TransferFinding[]> {
  const { to, toNamespace, selection: { items } } = options;
  const found: TransferFinding[] = [];
  const { types } = await to.discovery((group) => mayBeInCatalog(group));
  const served = new Set(types.map(({ group, kind, version }) => `${group}/${kind} ${version}`));
  const unserved = new Map<string, Item>();
  for (const item of items) if (!served.has(`${item.type.group}/${item.type.kind} ${item.type.version}`)) unserved.set(`${item.type.group}/${item.type.kind}`, item);
  for (const [kind, { type }] of unserved) {
    found.push({ severity: 'error', object: `CRD of ${kind}`, message: `the target does not serve ${type.version}`, fix: `cdk8s-aso crds --kind ${kind} | kubectl apply --server-side -f -` });
  }
  const present = items.filter(({ type }) => !unserved.has(`${type.group}/${type.kind}`));
  await atATime(present, AT_A_TIME, async (item) => {
    const existing = await to.get(item.type, item.name, toNamespace);
    if (existing && existing.metadata.annotations?.[TRANSFERRED_FROM] !== markOf(options, item)) {
      found.push({ severity: 'error', object: itemTitleOf(item), message: `is in ${toNamespace} already`, fix: 'remove it there, or leave it out by --selector' });
    }
  });
  return found;
}

/** The old side needs a controller too: it ends operations under way, and takes its finalizers away. */
async function controllerFindings({ from, to, now }: CheckOptions): Promise<TransferFinding[]> {
  const found: TransferFinding[] = [];
  for (const [reader, object] of from === to ? [[to, 'target'] as const] : [[from, 'cluster that is left'] as const, [to, 'target'] as const]) {
    const running = await runningControllers(reader, now);
    if (running instanceof KubernetesError) {
      found.push({ severity: 'warning', object, message: `you may not read its Deployments and Leases: whether a controller runs there is not known (${running.message})`, fix: 'ask its administrator' });
    } else if (running.length === 0) {
      const why = object === 'target' ? 'no controller runs there' : 'no controller runs there: none would end operations under way, or let the objects go';
      found.push({ severity: 'error', object, message: why, fix: `${object === 'target' ? 'install it first' : 'start it'}: cdk8s-aso doctor` });
    } else if (object === 'target' && running.every(({ product }) => product === 'ASO')) {
      found.push({ severity: 'warning', object, message: 'ASO reconciles there: it sends each resource once when it takes over', fix: 'none is needed while the specs are equal' });
    }
  }
  return found;
}

/** The error where the user may not read them. */
async function runningControllers(reader: ClusterReader, now: number): Promise<ControllerFacts[] | KubernetesError> {
  try {
    const deployments = await listPages(reader, DEPLOYMENTS, { labelSelector: 'control-plane=controller-manager' });
    const controllers = controllersOf(deployments, await listPages(reader, LEASES), now);
    return controllers.filter(({ isRunning, reconciles }) => isRunning !== false && reconciles);
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
    return error;
  }
}

/** Sentences about what is left to the user, because no tool can do it. */
export function afterwards(options: Pick<CheckOptions, 'selection' | 'fromNamespace' | 'toNamespace'>): string[] {
  const { selection: { objects }, fromNamespace, toNamespace } = options;
  const exporting = [...objects.values()].filter(({ spec }) => spec !== undefined && 'operatorSpec' in spec).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const federated = [...objects.values()].some(({ kind }) => kind === 'FederatedIdentityCredential');
  return [
    ...(exporting.length === 0 ? [] : [`Pods of ${fromNamespace} lose the Secrets and ConfigMaps that ${firstOf(exporting, MOST_NAMED)} write, and those of ${toNamespace} get them: move the pods first, between the steps applied and removed.`]),
    ...(federated ? ['Federated credentials name a service account, its namespace and the issuer of its cluster: pods elsewhere need credentials of their own.'] : []),
    `Change the source of the objects (Git, the app) from ${fromNamespace} to ${toNamespace} before you go on with it.`,
  ];
}
