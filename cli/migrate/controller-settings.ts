import { containersOf } from './asos-installation';
import type { KubernetesClient, KubernetesObject } from '../../engine/kubernetes/types';
import { isRecord } from '../../src/util/records';
import { decodeSecretData } from '../../src/util/secret-data';
import { SECRETS } from '../cluster/resource-types';

/** The Secret with the settings of ASO and of this package's controller. */
export const SETTINGS = 'aso-controller-settings';

/** The data of a Secret, decoded; undefined: it is not there. */
export type SecretData = (name: string) => Promise<Readonly<Record<string, string>> | undefined>;

/** Secrets of a namespace of the cluster. */
export function secretsOf(client: KubernetesClient, namespace: string): SecretData {
  return async (name) => {
    const secret = await client.get(SECRETS, name, namespace);
    return secret && decodeSecretData(secret.data);
  };
}

/** Secrets of manifests, and for those that they do not have, of the cluster. */
export function secretsWith(install: readonly KubernetesObject[], others: SecretData): SecretData {
  const given = new Map(install.filter(({ kind }) => kind === 'Secret').map((secret) => [secret.metadata.name, secret]));
  return async (name) => {
    const secret = given.get(name);
    return secret ? { ...decodeSecretData(secret.data), ...secret.stringData } : others(name);
  };
}

/** The value of a setting as the pods of a Deployment have it. Empty: absent, as for the controllers. */
export async function settingOf(deployment: KubernetesObject, name: string, secrets: SecretData): Promise<string> {
  for (const { env = [] } of containersOf(deployment)) {
    const found = env.find((each) => each.name === name) as { readonly value?: string; readonly valueFrom?: unknown } | undefined;
    if (found?.value !== undefined) return found.value;
    const reference = isRecord(found?.valueFrom) ? found.valueFrom.secretKeyRef : undefined;
    if (isRecord(reference)) return (await secrets(String(reference.name)))?.[String(reference.key)] ?? '';
  }
  // Some releases of ASO read the Secret as a volume.
  return (await secrets(SETTINGS))?.[name] ?? '';
}
