import type { Volume } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { plus } from '../env-value';

/** Names that the workload identity webhook uses, so that the manifest matches what the webhook injects. */
export const TOKEN_VOLUME = 'azure-identity-token';
export const TOKEN_DIRECTORY = '/var/run/secrets/azure/tokens';
export const TOKEN_FILE = `${TOKEN_DIRECTORY}/${TOKEN_VOLUME}`;

/**
 * A volume with a token of the pod's service account.
 *
 * cdk8s-plus has no projected volumes, and a JSON patch on the workload would need the volume's index and whether there are others. So this
 * is a volume of cdk8s-plus that renders itself differently and is mounted like any other.
 */
export function tokenVolume(scope: Construct, audience: string, expirationSeconds: number): Volume {
  const volume = plus().Volume.fromEmptyDir(scope, 'Token', TOKEN_VOLUME);
  const projected = { sources: [{ serviceAccountToken: { audience, expirationSeconds, path: TOKEN_VOLUME } }] };
  return Object.assign(volume, { _toKube: () => ({ name: TOKEN_VOLUME, projected }) });
}
