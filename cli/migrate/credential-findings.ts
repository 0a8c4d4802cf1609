import type { KindObjects } from './cluster-state';
import { SETTINGS } from './controller-settings';
import { note, warning, type Finding } from './finding';
import { KubernetesError, type KubernetesClient } from '../../engine/kubernetes/types';
import { CREDENTIAL_FROM } from '../../src/azure/annotations';
import { counted, listed } from '../../src/util/words';
import { SECRETS } from '../cluster/resource-types';
import { NAMESPACE_CREDENTIAL } from '../plan/live/cluster-objects';

const KEYS = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID'];

/** Which credentials there are, by the names of their keys. Values are neither kept nor printed. */
export async function credentialFindings(
  client: KubernetesClient, operatorNamespace: string, kinds: readonly KindObjects[],
): Promise<Finding[]> {
  const keys = async (namespace: string, name: string): Promise<readonly string[] | undefined> => {
    const secret = await client.get(SECRETS, name, namespace);
    return secret && Object.entries(secret.data ?? {}).flatMap(([key, value]) => (value === '' ? [] : [key]));
  };
  const findings: Finding[] = [];
  const read = async (namespace: string, name: string): Promise<readonly string[] | undefined> => {
    try {
      return await keys(namespace, name);
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status === 0) throw error;
      findings.push(warning('credentials', `the Secret ${namespace}/${name} cannot be read: ${error.message}`, 'see whether it is there'));
      return KEYS;
    }
  };
  const global = await read(operatorNamespace, SETTINGS);
  const globalMissing = KEYS.filter((key) => !global?.includes(key));
  const wanted = new Map<string, { readonly namespace: string; readonly name: string; readonly isNamed: boolean; objects: number }>();
  for (const { metadata } of kinds.flatMap(({ objects }) => objects)) {
    const named = metadata.annotations?.[CREDENTIAL_FROM];
    const { namespace = '' } = metadata;
    const entry = wanted.get(`${namespace}/${named ?? ''}`) ?? { namespace, name: named || NAMESPACE_CREDENTIAL, isNamed: Boolean(named), objects: 0 };
    entry.objects += 1;
    wanted.set(`${namespace}/${named ?? ''}`, entry);
  }
  let scoped = 0;
  let withGlobal = 0;
  for (const { namespace, name, isNamed, objects } of wanted.values()) {
    const found = await read(namespace, name);
    const missing = KEYS.filter((key) => !found?.includes(key));
    if (found && missing.length === 0) scoped += 1;
    else if (found) findings.push(warning('credentials', `the Secret ${namespace}/${name} lacks ${listed(missing)}; ${counted(objects, 'object')} use it`, 'add the keys'));
    else if (isNamed) findings.push(warning('credentials', `the Secret ${namespace}/${name} of ${counted(objects, 'object')} (${CREDENTIAL_FROM}) is not there`, 'create it; ASO cannot reconcile these objects either'));
    else withGlobal += objects;
  }
  if (withGlobal > 0 && globalMissing.length > 0) {
    findings.push(warning('credentials', `${counted(withGlobal, 'object')} need the controller's own credential, and the Secret ${operatorNamespace}/${SETTINGS} lacks ${listed(globalMissing)}`, 'see whether the new installation has it (settings.credential)'));
  }
  return [...findings, note('credentials', `${counted(scoped, 'Secret')} of namespaces or objects; ${counted(withGlobal, 'object')} with the controller's own credential`)];
}
