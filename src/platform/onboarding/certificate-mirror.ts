import { UUID } from '../../azure/uuid';
import { suggestion } from '../../util/nearest';
import { resourceNameOf } from '../model/arm-id-parts';
import type { Environment } from '../model/environment';
import type { PlatformProblems } from '../model/problems';
import type { SharedService } from '../model/shared-service';
import { APP_CONFIGURATION } from '../model/shared-service-types';

const DURATION = /^(?=\d)(\d+h)?(\d+m)?(\d+s)?$/;
const DEFAULT_NAME = 'trusted-certificates';

/** Adds problems for missing settings of the copy of trusted certificates. */
export function checkCertificates(environment: Environment, problems: PlatformProblems): void {
  const { appConfigurationReaderClientId: reader, trustedCertificates } = environment.shared;
  checkStore(environment, problems);
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

function checkStore(environment: Environment, problems: PlatformProblems): void {
  const on = environment.shared.trustedCertificates?.on;
  const names = environment._sharedOfType(APP_CONFIGURATION).map(({ name }) => name);
  if (names.length === 0) {
    problems.add('shared.services', 'required: an App Configuration store, SharedService.appConfiguration({ … }). The trusted certificates are read from it.');
  } else if (on !== undefined && !names.includes(on)) {
    problems.add('shared.trustedCertificates.on', `'${on}' is no App Configuration store of the environment.${suggestion(on, names)} It has ${names.join(', ')}.`);
  } else if (on === undefined && names.length > 1) {
    problems.add('shared.trustedCertificates.on', `required: the environment has the App Configuration stores ${names.join(', ')}. Give the one with the certificates.`);
  }
}

/** The App Configuration store with the certificates. */
function storeOf(environment: Environment): SharedService {
  const stores = environment._sharedOfType(APP_CONFIGURATION);
  return stores.find(({ name }) => name === environment.shared.trustedCertificates!.on) ?? stores[0]!;
}

/**
 * The spec of an AzureAppConfigurationProvider that copies the certificates into the namespace.
 * @see https://learn.microsoft.com/azure/azure-app-configuration/reference-kubernetes-provider
 */
export function certificateMirrorSpec(environment: Environment): Record<string, unknown> {
  const { appConfigurationReaderClientId, trustedCertificates } = environment.shared;
  const { keyFilter, labelFilter, configMapName, secretName, refreshInterval } = trustedCertificates!;
  const auth = { workloadIdentity: { managedIdentityClientId: appConfigurationReaderClientId } };
  return {
    endpoint: `https://${resourceNameOf(environment.armIdOf(storeOf(environment).resource))}.azconfig.io`,
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
