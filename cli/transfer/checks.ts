import { MOST_ITEMS } from './journal';
import { keyOf, titleOf } from './selection';
import { isReady } from './transfer';
import type { Item, Selection, TransferFinding } from './types';
import { valueOf } from './values';
import { controllersOf, storeFactsOf, type StoreFacts } from '../../engine/inspect';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { CREDENTIAL_FROM, FINALIZER, POLLER_TOKEN, TRANSFERRED_FROM } from '../../src/azure/annotations';
import { counted, firstOf } from '../../src/util/words';
import { atATime } from '../cluster/at-a-time';
import { deployersOf } from '../cluster/deployers';
import { listPages, type ClusterReader } from '../cluster/reader';
import { DEPLOYMENTS, LEASES, NAMESPACES, SECRETS } from '../cluster/resource-types';

const NAMESPACE_SECRET = 'aso-credential';
const AT_A_TIME = 8;
const MOST_NAMED = 3;

export interface CheckOptions {
  readonly from: ClusterReader;
  readonly to: ClusterReader;
  readonly fromNamespace: string;
  readonly toNamespace: string;
  /** All Azure objects of the namespace that is left, also those that are not selected. */
  readonly all: readonly KubernetesObject[];
  readonly selection: Selection;
  readonly copyValues: boolean;
  /** Whether objects that a deployer applies may be transferred. */
  readonly allowManaged: boolean;
  readonly now: number;
}

/** Reasons against a transfer, and facts about it. */
export async function checkTransfer(options: CheckOptions): Promise<TransferFinding[]> {
  const { selection: { items, objects } } = options;
  if (items.length === 0) {
    return [{ severity: 'error', object: options.fromNamespace, message: 'has no Azure object that is selected', fix: 'name another namespace, or other labels' }];
  }
  const found: TransferFinding[] = items.flatMap((item) => objectFindings(item, objects.get(item.key), options.allowManaged));
  found.push(...boundaries(options), ...await targetFindings(options));
  found.push(...await valueFindings(options), ...await credentialFindings(options));
  if (items.length > MOST_ITEMS) {
    found.push({ severity: 'error', object: options.fromNamespace, message: `has ${items.length} objects; one transfer takes ${MOST_ITEMS}`, fix: 'transfer parts of it, by --selector' });
  }
  return found;
}

function objectFindings(item: Item, object: KubernetesObject | undefined, allowManaged: boolean): TransferFinding[] {
  const title = titleOf(item);
  if (!object) return [];
  const { metadata: { annotations = {}, deletionTimestamp, finalizers = [] } } = object;
  const error = (message: string, fix: string): TransferFinding => ({ severity: 'error', object: title, message, fix });
  const found: TransferFinding[] = [];
  if (deletionTimestamp !== undefined) found.push(error('is being deleted', 'wait until it is gone'));
  else if (!isReady(object)) found.push(error('is not Ready', `cdk8s-aso why ${item.type.kind}/${item.name} names the cause; transfer what works`));
  if (annotations[POLLER_TOKEN]) found.push({ severity: 'info', object: title, message: 'has an operation under way in Azure', fix: 'the transfer waits for its end' });
  if (!finalizers.includes(FINALIZER) && deletionTimestamp === undefined) found.push(error('was never claimed by a controller', 'wait until it is Ready'));
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
  const there = new Set(all.map(({ apiVersion, kind, metadata }) => keyOf(apiVersion.split('/')[0] ?? '', kind, metadata.name)));
  const missing = items.flatMap((item) => item.needs.filter((need) => there.has(need) && !selected.has(need)).map((need) => `${titleOf(item)} needs ${need}`));
  const left = all.filter((object) => {
    const key = keyOf(object.apiVersion.split('/')[0] ?? '', object.kind, object.metadata.name);
    return !selected.has(key) && (object.metadata.ownerReferences ?? []).some(({ apiVersion, kind, name }) => selected.has(keyOf(apiVersion.split('/')[0] ?? '', kind, name)));
  });
  const found: TransferFinding[] = [];
  if (missing.length > 0) found.push({ severity: 'error', object: fromNamespace, message: `${counted(missing.length, 'reference')} would lead nowhere: ${firstOf(missing, MOST_NAMED)}`, fix: 'select these objects too, or refer to them by armId' });
  if (left.length > 0) {
    const names = left.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    found.push({ severity: 'error', object: fromNamespace, message: `${firstOf(names, MOST_NAMED)} would stay behind, and be deleted with the owner, in Azure too`, fix: 'select them too' });
  }
  return found;
}

async function targetFindings(options: CheckOptions): Promise<TransferFinding[]> {
  const { to, toNamespace, selection: { items } } = options;
  const found: TransferFinding[] = [];
  if (!(await to.get(NAMESPACES, toNamespace))) found.push({ severity: 'error', object: `Namespace ${toNamespace}`, message: 'is not there', fix: 'create it, with its policies and quotas' });
  const { types } = await to.discovery((group) => group.endsWith('.azure.com'));
  const served = new Set(types.map(({ group, kind, version }) => `${group}/${kind} ${version}`));
  const unserved = new Map<string, Item>();
  for (const item of items) if (!served.has(`${item.type.group}/${item.type.kind} ${item.type.version}`)) unserved.set(`${item.type.group}/${item.type.kind}`, item);
  for (const [kind, { type }] of unserved) {
    found.push({ severity: 'error', object: `CRD of ${kind}`, message: `the target does not serve ${type.version}`, fix: `cdk8s-aso crds --kind ${kind} | kubectl apply --server-side -f -` });
  }
  const present = items.filter(({ type }) => !unserved.has(`${type.group}/${type.kind}`));
  await atATime(present, AT_A_TIME, async (item) => {
    const existing = await to.get(item.type, item.name, toNamespace);
    if (existing && existing.metadata.annotations?.[TRANSFERRED_FROM] !== options.fromNamespace) {
      found.push({ severity: 'error', object: titleOf(item), message: `is in ${toNamespace} already`, fix: 'remove it there, or leave it out by --selector' });
    }
  });
  return [...found, ...await controllerFindings(options)];
}

async function controllerFindings({ to, now }: CheckOptions): Promise<TransferFinding[]> {
  try {
    const controllers = controllersOf(await listPages(to, DEPLOYMENTS, { labelSelector: 'control-plane=controller-manager' }), await listPages(to, LEASES), now);
    const running = controllers.filter(({ isRunning, reconciles }) => isRunning !== false && reconciles);
    if (running.length === 0) return [{ severity: 'error', object: 'target', message: 'no controller runs there', fix: 'install it first: cdk8s-aso doctor' }];
    if (running.every(({ product }) => product === 'ASO')) {
      return [{ severity: 'warning', object: 'target', message: 'ASO reconciles there: it sends each resource once when it takes over', fix: 'none is needed while the specs are equal' }];
    }
    return [];
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
    return [{ severity: 'warning', object: 'target', message: `you may not read its Deployments and Leases: whether a controller runs there is not known (${error.message})`, fix: 'ask its administrator' }];
  }
}

async function valueFindings(options: CheckOptions): Promise<TransferFinding[]> {
  const { from, to, fromNamespace, toNamespace, selection: { values }, copyValues } = options;
  const found: TransferFinding[] = [];
  await atATime(values, AT_A_TIME, async (key) => {
    const [type, name] = valueOf(key);
    if (await to.get(type, name, toNamespace)) return;
    if (!(await from.get(type, name, fromNamespace))) return;
    if (!copyValues) found.push({ severity: 'error', object: `${type.kind} ${name}`, message: `is read by objects, and not in ${toNamespace}`, fix: '--copy-values copies it; or create it there' });
  });
  return found;
}

/** A credential of another subscription means other resources. */
async function credentialFindings(options: CheckOptions): Promise<TransferFinding[]> {
  const { from, to, fromNamespace, toNamespace, selection: { objects } } = options;
  const named = new Set([...objects.values()].map(({ metadata }) => metadata.annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET));
  const found: TransferFinding[] = [];
  for (const name of [...named].sort()) {
    const [one, other] = [await credentialOf(from, fromNamespace, name), await credentialOf(to, toNamespace, name)];
    const object = `Secret ${toNamespace}/${name}`;
    if (one === 'unknown' || other === 'unknown') {
      found.push({ severity: 'warning', object, message: 'may not be read: whether both credentials are of one subscription is not known', fix: 'compare AZURE_SUBSCRIPTION_ID of both' });
    } else if (one && !other) {
      found.push({ severity: 'error', object, message: 'is not there: the objects would be without their credential, or use that of the controller', fix: `create it for the same subscription${one.authMode === undefined && !one.keys.includes('AZURE_CLIENT_SECRET') ? ', with a federated credential for the new controller' : ''}` });
    } else if (one && other && one.subscriptionId !== other.subscriptionId) {
      found.push({ severity: 'error', object, message: 'is of another subscription: the objects would mean other resources', fix: 'put AZURE_SUBSCRIPTION_ID right' });
    }
  }
  return found;
}

async function credentialOf(reader: ClusterReader, namespace: string, name: string): Promise<StoreFacts | 'unknown' | undefined> {
  try {
    const secret = await reader.get(SECRETS, name, namespace);
    return secret && storeFactsOf(secret);
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
    return 'unknown';
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
