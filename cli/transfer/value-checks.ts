import { isDeepStrictEqual } from 'node:util';
import { exportsOf } from './selection';
import type { CheckOptions, TransferFinding } from './types';
import { valueOf } from './values';
import { storeFactsOf, type StoreFacts } from '../../engine/inspect';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { CREDENTIAL_FROM, RESOURCE_ID } from '../../src/azure/annotations';
import { parseArmId } from '../../src/azure/arm-id';
import { atATime } from '../cluster/at-a-time';
import type { ClusterReader } from '../cluster/reader';
import { SECRETS } from '../cluster/resource-types';

const NAMESPACE_SECRET = 'aso-credential';
const AT_A_TIME = 8;

/** Secrets and ConfigMaps that objects read. */
export async function valueFindings(options: CheckOptions): Promise<TransferFinding[]> {
  const { from, to, fromNamespace, toNamespace, selection: { values }, copyValues } = options;
  const found: TransferFinding[] = [];
  await atATime(values, AT_A_TIME, async (key) => {
    const [type, name] = valueOf(key);
    const [source, target] = [await from.get(type, name, fromNamespace), await to.get(type, name, toNamespace)];
    if (!source) return;
    if (target && !isDeepStrictEqual(source.data ?? {}, target.data ?? {})) {
      found.push({ severity: 'error', object: `${type.kind} ${name}`, message: `is read by objects, and has other values in ${toNamespace} than in ${fromNamespace}: the resources would get them`, fix: 'make both equal' });
    }
    if (!target && !copyValues) found.push({ severity: 'error', object: `${type.kind} ${name}`, message: `is read by objects, and not in ${toNamespace}`, fix: '--copy-values copies it; or create it there' });
  });
  return found;
}

/** An export is refused where another object, or a user, has made the Secret or ConfigMap. */
export async function exportFindings({ to, toNamespace, selection }: CheckOptions): Promise<TransferFinding[]> {
  const found: TransferFinding[] = [];
  await atATime(exportsOf([...selection.objects.values()]), AT_A_TIME, async ({ key, exporter }) => {
    const [type, name] = valueOf(key);
    const finding = (severity: TransferFinding['severity'], message: string, fix: string) =>
      found.push({ severity, object: `${type.kind} ${toNamespace}/${name}`, message, fix });
    const title = `${exporter.kind} ${exporter.metadata.name}`;
    try {
      const existing = await to.get(type, name, toNamespace);
      const owners = existing?.metadata.ownerReferences ?? [];
      const isOwn = owners.some((owner) => owner.kind === exporter.kind && owner.name === exporter.metadata.name);
      if (existing && !isOwn) finding('error', `is there already, and ${title} writes one of this name`, 'remove or rename it');
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
      finding('warning', `may not be read: whether it is in the way of what ${title} writes is not known`, 'look whether there is one of this name');
    }
  });
  return found;
}

/** A credential of another subscription means other resources. */
export async function credentialFindings(options: CheckOptions): Promise<TransferFinding[]> {
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
    } else if (!one && other && isElsewhere(other, [...objects.values()], name)) {
      found.push({ severity: 'error', object, message: 'is of another subscription than the resources: the objects would mean other ones', fix: 'put AZURE_SUBSCRIPTION_ID right, or remove it' });
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

/** Whether the credential would put resource groups into another subscription; the ids of other resources follow their owners. */
function isElsewhere({ subscriptionId }: StoreFacts, objects: readonly KubernetesObject[], name: string): boolean {
  const ids = objects
    .filter(({ kind, metadata }) => kind === 'ResourceGroup' && (metadata.annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_SECRET) === name)
    .flatMap(({ metadata }) => parseArmId(metadata.annotations?.[RESOURCE_ID] ?? '')?.subscriptionId ?? []);
  return subscriptionId !== undefined && ids.some((id) => id.toLowerCase() !== subscriptionId.toLowerCase());
}
