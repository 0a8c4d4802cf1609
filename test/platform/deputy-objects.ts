// Objects with which a team lets controllers act for it: https://external-secrets.io, https://cert-manager.io, https://fluxcd.io, …
import { FIN } from './guarded-team';
import type { TeamObject } from './objects-of-team';

/** API versions of the kinds that the tests write. */
const VERSIONS: Readonly<Record<string, string>> = {
  'external-secrets.io': 'v1',
  'generators.external-secrets.io': 'v1alpha1',
  'cert-manager.io': 'v1',
  'acme.cert-manager.io': 'v1',
  'kustomize.toolkit.fluxcd.io': 'v1',
  'helm.toolkit.fluxcd.io': 'v2',
  'source.toolkit.fluxcd.io': 'v1',
  'kyverno.io': 'v1',
  'policies.kyverno.io': 'v1',
  'argoproj.io': 'v1alpha1',
  'helm.cattle.io': 'v1',
  'networking.k8s.io': 'v1',
  'secrets-store.csi.x-k8s.io': 'v1',
  'secret-sync.x-k8s.io': 'v1alpha1',
  'azconfig.io': 'v1',
  'secrets.hashicorp.com': 'v1beta1',
  'bitnami.com': 'v1alpha1',
  'onepassword.com': 'v1',
  'spv.no': 'v2beta1',
  'kubernetes.m.crossplane.io': 'v1alpha1',
  'helm.m.crossplane.io': 'v1beta1',
  'apps': 'v1',
  'example.com': 'v1',
};
const OF_KUBERNETES = ['networking.k8s.io', 'apps'];
const READER = 'id-fin-dev-credential-reader';

/** An object of a kind of another project. */
export function deputy(group: string, kind: string, spec: object, name = 'mine'): TeamObject {
  return { apiVersion: `${group}/${VERSIONS[group]!}`, kind, metadata: { name, namespace: FIN.namespace }, spec };
}

const externalSecret = (spec: object, name?: string) => deputy('external-secrets.io', 'ExternalSecret', {
  secretStoreRef: { name: 'mine', kind: 'SecretStore' }, data: [{ secretKey: 'AZURE_CLIENT_ID', remoteRef: { key: 'mine' } }], ...spec,
}, name);
const pushSecret = (selector: object, remoteKey = 'mine') => deputy('external-secrets.io', 'PushSecret', {
  secretStoreRefs: [{ name: 'mine', kind: 'SecretStore' }], selector, data: [{ match: { secretKey: 'a', remoteRef: { remoteKey } } }],
});
const store = (provider: object) => deputy('external-secrets.io', 'SecretStore', { provider });
const certificate = (secretName: string) => deputy('cert-manager.io', 'Certificate', { secretName, dnsNames: ['shop.example.com'], issuerRef: { name: 'mine' } });
const issuer = (spec: object) => deputy('cert-manager.io', 'Issuer', spec);
const kustomization = (spec: object) => deputy('kustomize.toolkit.fluxcd.io', 'Kustomization', {
  interval: '10m', path: './', prune: true, sourceRef: { kind: 'GitRepository', name: 'mine' }, ...spec,
});
const release = (spec: object) => deputy('helm.toolkit.fluxcd.io', 'HelmRelease', {
  interval: '10m', chart: { spec: { chart: 'shop', sourceRef: { kind: 'HelmRepository', name: 'mine' } } }, ...spec,
});
const ingress = (secretName: string) => deputy('networking.k8s.io', 'Ingress', {
  defaultBackend: { service: { name: 'shop', port: { number: 80 } } }, tls: [{ hosts: ['shop.example.com'], secretName }],
});
const providerClass = (object: object) => deputy('secrets-store.csi.x-k8s.io', 'SecretProviderClass', {
  provider: 'azure', parameters: { keyvaultName: 'kv' }, secretObjects: [{ secretName: 'other', type: 'Opaque', data: [] }, { data: [], ...object }],
});
const keyVaultSecret = (output: object) => deputy('spv.no', 'AzureKeyVaultSecret', {
  vault: { name: 'kv', object: { name: 'mine', type: 'secret' } }, output,
});
const sealedSecret = (spec: object, name?: string) => deputy('bitnami.com', 'SealedSecret', { encryptedData: { a: 'AgBy3i4OJSWK' }, ...spec }, name);
const annotated = (annotations: Readonly<Record<string, string>>) => ({ name: 'mine', namespace: FIN.namespace, annotations });
const item = (more: object, name?: string) => ({ ...deputy('onepassword.com', 'OnePasswordItem', { itemPath: 'vaults/a/items/b' }, name), ...more });
const deployment = (annotations: Readonly<Record<string, string>>, ofPods: object = {}) => ({
  ...deputy('apps', 'Deployment', {
    selector: { matchLabels: { app: 'shop' } },
    template: { metadata: { labels: { app: 'shop' }, annotations: ofPods }, spec: { containers: [{ name: 'shop', image: 'shop' }] } },
  }),
  metadata: annotated(annotations),
});
const deep = (levels: number): object => (levels === 0 ? { name: 'aso-workload' } : { inside: deep(levels - 1) });

/** Objects with which the platform's Secrets or accounts would be had. */
export const FORBIDDEN_DEPUTIES: readonly (readonly [why: string, object: TeamObject])[] = [
  ['an ExternalSecret that merges into the credential', externalSecret({ target: { name: 'aso-credential', creationPolicy: 'Merge' } })],
  ['an ExternalSecret that owns a further credential', externalSecret({ target: { name: 'archive-credential' } })],
  ['an ExternalSecret that is called like the Secret of the platform', externalSecret({}, 'trusted-certificates')],
  ['an ExternalSecret that shows the credential', externalSecret({
    target: { name: 'other', template: { templateFrom: [{ secret: { name: 'aso-credential', items: [{ key: 'AZURE_CLIENT_SECRET' }] } }] } },
  })],
  ['an ExternalSecret into which Kubernetes writes a token', externalSecret({
    target: { name: 'other', template: { type: 'kubernetes.io/service-account-token' } },
  })],
  ['an ExternalSecret that makes objects of other kinds', externalSecret({ target: { name: 'other', manifest: { apiVersion: 'v1', kind: 'ConfigMap' } } })],
  ['a PushSecret that shows the credential', pushSecret({ secret: { name: 'aso-credential' } })],
  ['a PushSecret of what has a label', pushSecret({ secret: { selector: { matchLabels: { app: 'shop' } } } })],
  ['a PushSecret into the credential', pushSecret({ secret: { name: 'mine' } }, 'aso-credential')],
  ['a store that is read as the operator', store({ azurekv: { authType: 'WorkloadIdentity', vaultUrl: 'https://kv', serviceAccountRef: { name: 'aso-workload' } } })],
  ['a store that gets a token of the operator', store({
    vault: {
      server: 'https://evil.example.com',
      auth: { jwt: { path: 'x', kubernetesServiceAccountToken: { serviceAccountRef: { name: 'aso-workload', audiences: ['api://AzureADTokenExchange'] } } } },
    },
  })],
  ['a store with the account that reads the credential', store({ kubernetes: { remoteNamespace: 'platform', auth: { serviceAccount: { name: READER } } } })],
  ['a store that goes too deep', store({ webhook: deep(9) })],
  ['a generator that signs in as the operator', deputy('generators.external-secrets.io', 'ACRAccessToken', {
    registry: 'x.azurecr.io', auth: { workloadIdentity: { serviceAccountRef: { name: 'aso-workload' } } },
  })],
  ['a Certificate in the credential', certificate('aso-credential')],
  ["a Certificate in the platform's Secret", certificate('trusted-certificates')],
  ['an Issuer that gets a token of the operator', issuer({
    vault: { path: 'x', server: 'https://evil.example.com', auth: { kubernetes: { role: 'x', serviceAccountRef: { name: 'aso-workload' } } } },
  })],
  ['an Issuer with its key in the credential', issuer({ acme: { server: 'https://acme', privateKeySecretRef: { name: 'aso-credential' }, solvers: [] } })],
  ['an Issuer whose pods run as the operator', issuer({
    acme: {
      server: 'https://acme',
      privateKeySecretRef: { name: 'key' },
      solvers: [{ http01: { ingress: { podTemplate: { spec: { serviceAccountName: 'aso-workload' } } } } }],
    },
  })],
  ['a Challenge whose pod runs as the operator', deputy('acme.cert-manager.io', 'Challenge', {
    solver: { http01: { ingress: { podTemplate: { spec: { serviceAccountName: 'aso-workload' } } } } },
  })],
  ['an Ingress whose certificate goes into the credential', ingress('aso-credential')],
  ['a Kustomization with the rights of Flux', kustomization({})],
  ['a Kustomization as the operator', kustomization({ serviceAccountName: 'aso-workload' })],
  ['a Kustomization that decrypts as the operator', kustomization({
    serviceAccountName: 'fin', decryption: { provider: 'sops', serviceAccountName: 'aso-workload' },
  })],
  ['a Kustomization with a ConfigMap that says how it signs in', kustomization({
    serviceAccountName: 'fin', kubeConfig: { configMapRef: { name: 'mine' } },
  })],
  ['a HelmRelease with the rights of Flux', release({ serviceAccountName: '' })],
  ['a HelmRelease as the operator', release({ serviceAccountName: 'aso-workload' })],
  ['a repository that Flux reads as the operator', deputy('source.toolkit.fluxcd.io', 'OCIRepository', {
    interval: '10m', url: 'oci://x.azurecr.io/x', provider: 'azure', serviceAccountName: 'aso-workload',
  })],
  ['a policy of Kyverno that generates', deputy('kyverno.io', 'Policy', {
    rules: [{ name: 'a', generate: { apiVersion: 'v1', kind: 'Secret', name: '{{request.object.data.name}}', namespace: 'fin' } }],
  })],
  ['a policy of Kyverno that changes what the platform writes', deputy('policies.kyverno.io', 'NamespacedMutatingPolicy', { mutations: [] })],
  ['a policy of Kyverno that deletes', deputy('kyverno.io', 'CleanupPolicy', { schedule: '* * * * *' })],
  ['an Application of Argo CD', deputy('argoproj.io', 'Application', { project: 'default', destination: { namespace: 'fin' } })],
  ['a chart of K3s', deputy('helm.cattle.io', 'HelmChart', { chart: 'shop', targetNamespace: 'fin' })],
  ['a provider class with the credential', providerClass({ secretName: 'aso-credential', type: 'Opaque' })],
  ['a provider class into whose Secret Kubernetes writes a token', providerClass({
    secretName: 'mine', type: 'kubernetes.io/service-account-token', annotations: { 'kubernetes.io/service-account.name': 'aso-workload' },
  })],
  ['a synchronised Secret that is called like the credential', deputy('secret-sync.x-k8s.io', 'SecretSync', {
    serviceAccountName: 'fin', secretProviderClassName: 'mine', secretObject: { type: 'Opaque', data: [] },
  }, 'archive-credential')],
  ["a configuration in the platform's ConfigMap", deputy('azconfig.io', 'AzureAppConfigurationProvider', {
    endpoint: 'https://x.azconfig.io', target: { configMapName: 'trusted-certificates' },
  })],
  ['a configuration that is read as the operator', deputy('azconfig.io', 'AzureAppConfigurationProvider', {
    endpoint: 'https://x.azconfig.io', target: { configMapName: 'mine' }, auth: { workloadIdentity: { serviceAccountName: 'aso-workload' } },
  })],
  ['a secret of Vault in the credential', deputy('secrets.hashicorp.com', 'VaultStaticSecret', {
    mount: 'kv', path: 'x', destination: { name: 'aso-credential', create: true, overwrite: true },
  })],
  ['a login at Vault with a token of the operator', deputy('secrets.hashicorp.com', 'VaultAuth', {
    method: 'kubernetes', mount: 'kubernetes', kubernetes: { role: 'x', serviceAccount: 'aso-workload', audiences: ['api://AzureADTokenExchange'] },
  })],
  ['a connection to Vault that shows the credential', deputy('secrets.hashicorp.com', 'VaultConnection', {
    address: 'https://vault.example.com', caCertSecretRef: 'aso-credential',
  })],
  ['a secret of a key vault in the credential', keyVaultSecret({ secret: { name: 'aso-credential', dataKey: 'AZURE_CLIENT_ID' } })],
  ["a secret of a key vault in the platform's ConfigMap", keyVaultSecret({ configMap: { name: 'trusted-certificates', dataKey: 'ca.crt' } })],
  ['a sealed credential', sealedSecret({}, 'aso-credential')],
  ['a SealedSecret into which Kubernetes writes a token', sealedSecret({ template: { type: 'kubernetes.io/service-account-token' } })],
  ['a SealedSecret with nothing that can be read', sealedSecret({ data: 'AgBy3i4OJSWK' })],
  ['an item of 1Password that is called like the credential', item({}, 'aso-credential')],
  ['an item of 1Password into whose Secret Kubernetes writes a token', item({ type: 'kubernetes.io/service-account-token' })],
  ['an item of 1Password whose annotations go into the Secret', item({ metadata: annotated({ 'kubernetes.io/service-account.name': 'aso-workload' }) })],
  ['a Deployment whose item of 1Password goes into the credential', deployment({ 'operator.1password.io/item-name': 'aso-credential' })],
  ['a Deployment with that annotation on its pods', deployment({}, { 'operator.1password.io/item-name': 'aso-credential' })],
  ['an object that Crossplane applies', deputy('kubernetes.m.crossplane.io', 'Object', { forProvider: { manifest: {} } })],
  ['a collection of objects that Crossplane shows', deputy('kubernetes.m.crossplane.io', 'ObservedObjectCollection', {
    observeObjects: { apiVersion: 'v1', kind: 'Secret', selector: { matchLabels: {} } },
  })],
  ['a chart that Crossplane installs', deputy('helm.m.crossplane.io', 'Release', { forProvider: { namespace: 'fin' } })],
  ["a kind of the platform's own controller", deputy('example.com', 'Copy', { to: ['mine', 'aso-credential'], as: 'fin' })],
  ["a kind of the platform's own controller that acts with its own rights", deputy('example.com', 'Copy', { to: ['mine'] })],
];

/** Everyday objects of teams for such controllers. */
export const ALLOWED_DEPUTIES: readonly (readonly [what: string, object: TeamObject])[] = [
  ['an ExternalSecret', externalSecret({ target: { name: 'mine', creationPolicy: 'Merge' } })],
  ['an ExternalSecret without a target', externalSecret({})],
  ['an ExternalSecret from a template of its own', externalSecret({
    target: { name: 'mine', template: { type: 'kubernetes.io/tls', templateFrom: [{ secret: { name: 'own', items: [{ key: 'a' }] } }], data: { a: '{{ .a }}' } } },
  })],
  ['a PushSecret', pushSecret({ secret: { name: 'mine' } })],
  ["a store with an account of the team, and the platform's certificates", store({
    azurekv: { authType: 'WorkloadIdentity', vaultUrl: 'https://kv', serviceAccountRef: { name: 'fin' } },
    vault: { server: 'https://vault', caProvider: { type: 'ConfigMap', name: 'trusted-certificates', key: 'ca.crt' } },
  })],
  ['a store that goes deep', store({ webhook: { auth: { ntlm: { usernameSecret: { name: 'mine', key: 'user' } } }, headers: { a: 'b' } } })],
  ['a generator', deputy('generators.external-secrets.io', 'Password', { length: 42, allowRepeat: true })],
  ['a Certificate', certificate('shop-tls')],
  ['an Issuer', issuer({ acme: { server: 'https://acme', privateKeySecretRef: { name: 'key' }, solvers: [{ http01: { ingress: { ingressClassName: 'nginx' } } }] } })],
  ['an Ingress', ingress('shop-tls')],
  ['a Kustomization as the account of the team', kustomization({ serviceAccountName: 'fin', kubeConfig: { secretRef: { name: 'mine' } } })],
  ['a HelmRelease as an account of the team, with values', release({
    serviceAccountName: 'deployer', values: { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: 'aso-workload' } } } } } } } } } },
  })],
  ['a repository', deputy('source.toolkit.fluxcd.io', 'GitRepository', { interval: '10m', url: 'https://git.example.com/shop' })],
  ['a provider class', providerClass({ secretName: 'mine', type: 'Opaque' })],
  ['a configuration', deputy('azconfig.io', 'AzureAppConfigurationProvider', { endpoint: 'https://x.azconfig.io', target: { configMapName: 'mine' } })],
  ['a secret of Vault', deputy('secrets.hashicorp.com', 'VaultStaticSecret', { mount: 'kv', path: 'x', destination: { name: 'mine', create: true } })],
  ['a connection to Vault', deputy('secrets.hashicorp.com', 'VaultConnection', { address: 'https://vault.example.com', caCertSecretRef: 'mine' })],
  ['a secret of a key vault', keyVaultSecret({ secret: { name: 'mine', dataKey: 'password' } })],
  ['a SealedSecret', sealedSecret({ template: { type: 'Opaque', metadata: { labels: { app: 'shop' } } } })],
  ['an item of 1Password', item({ type: 'Opaque' })],
  ['a Deployment with an item of 1Password', deployment({ 'operator.1password.io/item-name': 'mine' }, { 'prometheus.io/scrape': 'true' })],
  ["a kind of the platform's own controller", deputy('example.com', 'Copy', { to: ['mine'], as: 'fin' })],
  ['a kind that the platform has taken from the list', deputy('argoproj.io', 'ApplicationSet', { anything: 'aso-workload' })],
];

/** The CRDs of these kinds, without schemas: kinds of Kubernetes have none. */
export function deputyCrds(): object[] {
  const kinds = [...FORBIDDEN_DEPUTIES, ...ALLOWED_DEPUTIES].map(([, { apiVersion, kind }]) => ({ group: apiVersion.split('/')[0]!, kind }));
  const distinct = new Map(kinds.filter(({ group }) => !OF_KUBERNETES.includes(group)).map((one) => [`${one.group}/${one.kind}`, one]));
  return [...distinct.values()].map(({ group, kind }) => {
    const singular = kind.toLowerCase();
    const plural = singular.replace(/y$/, 'ie').replace(/(ss|s)$/, '$1e').concat('s');
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: `${plural}.${group}`,
        // The API server asks for it in groups of Kubernetes.
        annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
      },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind, singular, plural, listKind: `${kind}List` },
        versions: [{
          name: VERSIONS[group],
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        }],
      },
    };
  });
}
