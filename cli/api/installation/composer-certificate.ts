import { labelsOf, type ComposerName } from './names';
import { webhookSecret, webhookService } from '../../../composer/webhooks/webhook-names';
import { INJECT_CA_ANNOTATION } from '../../../src/catalog/webhook-configurations';

const API = 'cert-manager.io/v1';

/** The certificate of a composer's webhooks by cert-manager, with an issuer of its own. */
export function webhookCertificate({ name, namespace }: ComposerName): object[] {
  const labels = labelsOf(name);
  const service = webhookService(name);
  const metadata = { name: service, namespace, labels };
  return [
    { apiVersion: API, kind: 'Issuer', metadata, spec: { selfSigned: {} } },
    {
      apiVersion: API,
      kind: 'Certificate',
      metadata,
      spec: {
        dnsNames: [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`],
        issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: service },
        secretName: webhookSecret(name),
        secretTemplate: { labels },
      },
    },
  ];
}

/** The annotation with which cert-manager writes the authority into a CRD or a webhook configuration. */
export function injectedAuthority({ name, namespace }: ComposerName): Readonly<Record<string, string>> {
  return { [INJECT_CA_ANNOTATION]: `${namespace}/${webhookService(name)}` };
}
