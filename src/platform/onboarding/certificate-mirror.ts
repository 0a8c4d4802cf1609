import { UUID } from '../../azure/uuid';
import { resourceNameOf } from '../model/arm-id-parts';
import type { Environment } from '../model/environment';
import type { PlatformProblems } from '../model/problems';

const DURATION = /^(?=\d)(\d+h)?(\d+m)?(\d+s)?$/;
const DEFAULT_NAME = 'trusted-certificates';

/** Adds problems for missing settings of the copy of trusted certificates. */
export function checkCertificates({ shared }: Environment, problems: PlatformProblems): void {
  const { appConfiguration, appConfigurationReaderClientId: reader, trustedCertificates } = shared;
  problems.require('shared.appConfiguration', appConfiguration, 'The trusted certificates are read from it.');
  if (!UUID.test(reader ?? '')) {
    problems.add(
      'shared.appConfigurationReaderClientId',
      `'${reader ?? ''}' is no UUID. Give the client id of the identity that reads the App Configuration store.`,
    );
  }
  if (!trustedCertificates) {
    problems.add('shared.trustedCertificates', 'required. Say which keys of the App Configuration store are the certificates.');
    return;
  }
  problems.require(
    'shared.trustedCertificates.keyFilter',
    trustedCertificates.keyFilter,
    "Give the keys of the certificates, e.g. 'egress-firewall-cert*'.",
  );
  const { refreshInterval } = trustedCertificates;
  if (refreshInterval !== undefined && !DURATION.test(refreshInterval)) {
    problems.add('shared.trustedCertificates.refreshInterval', `'${refreshInterval}' is no duration. Write it like 5m or 1h30m.`);
  }
}

/**
 * The spec of an AzureAppConfigurationProvider that copies the certificates into the namespace.
 * @see https://learn.microsoft.com/azure/azure-app-configuration/reference-kubernetes-provider
 */
export function certificateMirrorSpec(environment: Environment): Record<string, unknown> {
  const { appConfiguration, appConfigurationReaderClientId, trustedCertificates } = environment.shared;
  const { keyFilter, labelFilter, configMapName, secretName, refreshInterval } = trustedCertificates!;
  const auth = { workloadIdentity: { managedIdentityClientId: appConfigurationReaderClientId } };
  return {
    endpoint: `https://${resourceNameOf(environment.armIdOf(appConfiguration!))}.azconfig.io`,
    target: { configMapName: configMapName ?? DEFAULT_NAME },
    auth,
    configuration: { selectors: [{ keyFilter, labelFilter }] },
    secret: {
      target: { secretName: secretName ?? DEFAULT_NAME },
      auth,
      refresh: { enabled: true, interval: refreshInterval ?? '5m' },
    },
  };
}
