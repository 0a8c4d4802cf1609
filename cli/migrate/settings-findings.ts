import { MODE, TARGET_NAMESPACES } from './asos-installation';
import { secretsOf, secretsWith, settingOf, type SecretData } from './controller-settings';
import { note, stop, warning, type Finding } from './finding';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';

/** Settings that decide which objects are reconciled, and where their resources are. */
const DECISIVE: readonly { readonly name: string; readonly otherwise: string; readonly why: string }[] = [
  { name: TARGET_NAMESPACES, otherwise: '', why: 'objects of other namespaces would be sent to Azure for the first time, or no more' },
  { name: 'AZURE_SUBSCRIPTION_ID', otherwise: '', why: 'resources would be looked for in another subscription' },
  { name: 'AZURE_TENANT_ID', otherwise: '', why: 'the credential would be one of another tenant' },
  { name: 'AZURE_RESOURCE_MANAGER_ENDPOINT', otherwise: 'https://management.azure.com', why: 'resources would be looked for in another cloud' },
  { name: 'DEFAULT_RECONCILE_POLICY', otherwise: 'manage', why: 'objects without a policy of their own would be treated in another way, deletions included' },
];
const BOTH = 'watchers-and-webhooks';

/** Differences between the settings of two controllers that would send something else to Azure. Values are not printed. */
export async function settingsFindings(
  client: KubernetesClient, deployment: KubernetesObject, install: readonly KubernetesObject[],
): Promise<Finding[]> {
  const { namespace = '' } = deployment.metadata;
  const here = secretsOf(client, namespace);
  try {
    const mode = (await settingOf(deployment, MODE, here)).toLowerCase();
    const findings = mode === '' || mode === BOTH || mode === 'webhooks'
      ? []
      : [stop('settings', `${MODE} of the Deployment ${namespace}/${deployment.metadata.name} is none with webhooks, and they have to convert`, 'migrate an installation with watchers and webhooks; a split one is not supported')];
    const next = install.find(({ kind }) => kind === 'Deployment');
    return next ? [...findings, ...await differences(deployment, next, here, secretsWith(install, here))] : findings;
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status === 0) throw error;
    return [warning('settings', `the settings cannot be read: ${error.message}`, 'compare those of both controllers by hand: target namespaces, subscription, default policy')];
  }
}

async function differences(
  deployment: KubernetesObject, next: KubernetesObject, here: SecretData, there: SecretData,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, otherwise, why } of DECISIVE) {
    const before = await settingOf(deployment, name, here) || otherwise;
    const after = await settingOf(next, name, there) || otherwise;
    if (normal(before) !== normal(after)) findings.push(stop('settings', `${name} of the new installation is another one: ${why}`, 'use the same, and change it after the migration'));
  }
  return findings.length > 0 ? findings : [note('settings', 'the new installation has the same namespaces, subscription, cloud and default policy')];
}

/** A list in any order, an endpoint with or without the last slash. */
function normal(value: string): string {
  return value.split(',').map((part) => part.trim().replace(/\/$/, '').toLowerCase()).filter((part) => part !== '').sort().join(',');
}
