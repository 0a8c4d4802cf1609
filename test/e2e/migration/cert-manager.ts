import type { Api } from '../api';
import { NAMESPACE } from './aso-names';
import type { CustomResourceDefinition } from '../../../src/catalog/crd';

const CERTIFICATES = `/apis/cert-manager.io/v1/namespaces/${NAMESPACE}/certificates`;
const SECRETS = `/api/v1/namespaces/${NAMESPACE}/secrets`;

/** The CRDs of cert-manager that ASO's chart needs, with what their specs require (https://cert-manager.io/docs/reference/api-docs/). */
export const CERT_MANAGER_CRDS: readonly CustomResourceDefinition[] = [crd('Certificate', ['issuerRef', 'secretName']), crd('Issuer', [])];

function crd(kind: string, required: readonly string[]): CustomResourceDefinition {
  const plural = `${kind.toLowerCase()}s`;
  const anything = { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  const spec = { ...anything, ...(required.length > 0 && { required }) };
  const schema = { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec, status: anything } } } as const;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.cert-manager.io` },
    spec: {
      group: 'cert-manager.io',
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      conversion: { strategy: 'None' },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
}

/** Plays cert-manager: a Secret for each Certificate. Its content is of no use, since the webhooks of tests have their own. */
export async function issueCertificates(api: Api): Promise<void> {
  for (const { metadata, spec } of (await api.find(CERTIFICATES))?.items ?? []) {
    if (metadata.deletionTimestamp || await api.find(`${SECRETS}/${spec.secretName}`)) continue;
    const data = Object.fromEntries(['ca.crt', 'tls.crt', 'tls.key'].map((key) => [key, Buffer.from('of cert-manager').toString('base64')]));
    await api.send('POST', SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name: spec.secretName }, type: 'kubernetes.io/tls', data });
  }
}
