import type { Deputy } from './deputy';

/** The kind of an entry that stands for all kinds of its group which have no entry of their own. */
export const ALL_KINDS = '*';

const EXTERNAL_SECRETS = 'external-secrets.io';
const CERT_MANAGER = 'cert-manager.io';
const VAULT = 'secrets.hashicorp.com';

const ofGroup = (group: string, kinds: readonly string[], facts: Omit<Deputy, 'group' | 'kind'> = {}): Deputy[] =>
  kinds.map((kind) => ({ group, kind, ...facts }));

/** The path of every Secret that is called like the object that asks for it. */
const OBJECT_NAME = 'metadata.name';

/**
 * Deputies of well-known projects. The fields are those of the linked sources, in all versions of a kind; a path that a version does not
 * have is missing there.
 */
const KNOWN_DEPUTIES: readonly Deputy[] = [
  // External Secrets Operator writes and reads Secrets with rights of its own. `Owner` takes an existing Secret over that has no owner:
  // https://github.com/external-secrets/external-secrets/issues/4548, https://github.com/external-secrets/external-secrets/issues/2346
  // `target.manifest` makes objects of any kind: https://external-secrets.io/latest/guides/targeting-custom-resources/
  {
    group: EXTERNAL_SECRETS, kind: 'ExternalSecret', secrets: ['spec.target.name', OBJECT_NAME], refused: ['spec.target.manifest'],
  },
  // A label selects the Secrets of the namespace, also those of the platform. In a store of Kubernetes the remote key is a Secret.
  // https://external-secrets.io/latest/api/pushsecret/
  {
    group: EXTERNAL_SECRETS,
    kind: 'PushSecret',
    secrets: ['spec.selector.secret.name', 'spec.data[].match.remoteRef.remoteKey'],
    refused: ['spec.selector.secret.selector'],
  },
  // A store says whose token is sent where: https://external-secrets.io/latest/provider/azure-key-vault/
  ...ofGroup(EXTERNAL_SECRETS, ['SecretStore']),
  // Generators too: https://external-secrets.io/latest/api/generator/acr/
  { group: 'generators.external-secrets.io', kind: ALL_KINDS },

  // cert-manager takes an existing Secret over: https://github.com/cert-manager/cert-manager/pull/1217,
  // https://github.com/cert-manager/cert-manager/issues/192. An issuer has Secrets and service accounts of its own; a solver's pod too:
  // https://cert-manager.io/docs/reference/api-docs/
  { group: CERT_MANAGER, kind: 'Certificate', secrets: ['spec.secretName'] },
  { group: CERT_MANAGER, kind: 'Issuer', secrets: ['spec.acme.privateKeySecretRef.name'] },
  { group: 'acme.cert-manager.io', kind: 'Challenge' },
  // With an annotation of cert-manager these become Certificates: https://cert-manager.io/docs/usage/ingress/
  { group: 'networking.k8s.io', kind: 'Ingress', secrets: ['spec.tls[].secretName'], searched: [] },
  { group: 'gateway.networking.k8s.io', kind: 'Gateway', secrets: ['spec.listeners[].tls.certificateRefs[].name'], searched: [] },

  // Flux acts with its own rights where no service account is given, and signs in as the account that a ConfigMap of `kubeConfig` names:
  // https://fluxcd.io/flux/installation/configuration/multitenancy/, https://fluxcd.io/flux/components/kustomize/kustomizations/#remote-clusters--cluster-api
  {
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    serviceAccount: 'spec.serviceAccountName',
    searched: ['spec.decryption', 'spec.kubeConfig'],
    refused: ['spec.kubeConfig.configMapRef'],
  },
  {
    group: 'helm.toolkit.fluxcd.io',
    kind: 'HelmRelease',
    serviceAccount: 'spec.serviceAccountName',
    searched: ['spec.kubeConfig'],
    refused: ['spec.kubeConfig.configMapRef'],
  },
  { group: 'fluxcd.controlplane.io', kind: 'ResourceSet', serviceAccount: 'spec.serviceAccountName', searched: [] },
  ...ofGroup('fluxcd.controlplane.io', ['ResourceSetInputProvider']),
  ...['source', 'image', 'notification'].map((part) => ({ group: `${part}.toolkit.fluxcd.io`, kind: ALL_KINDS })),

  // Argo CD and K3s apply what they find elsewhere: https://argo-cd.readthedocs.io/en/stable/operator-manual/app-any-namespace/,
  // https://docs.k3s.io/add-ons/helm
  ...ofGroup('argoproj.io', ['AppProject', 'Application', 'ApplicationSet'], { refusedAltogether: true }),
  ...ofGroup('helm.cattle.io', ['HelmChart', 'HelmChartConfig'], { refusedAltogether: true }),
  ...ofGroup('kubernetes.m.crossplane.io', ['Object'], { refusedAltogether: true }),
  ...ofGroup('helm.m.crossplane.io', ['Release'], { refusedAltogether: true }),

  // Kyverno generates, changes and deletes objects, and asks the API server, with rights of its own:
  // https://github.com/kyverno/kyverno/issues/7156, https://github.com/golang/vulndb/issues/4381
  ...ofGroup('kyverno.io', ['CleanupPolicy', 'Policy'], { refusedAltogether: true }),
  { group: 'policies.kyverno.io', kind: ALL_KINDS, refusedAltogether: true },

  // Secrets Store CSI Driver: https://secrets-store-csi-driver.sigs.k8s.io/topics/sync-as-kubernetes-secret
  { group: 'secrets-store.csi.x-k8s.io', kind: 'SecretProviderClass', secrets: ['spec.secretObjects[].secretName'] },
  { group: 'secret-sync.x-k8s.io', kind: 'SecretSync', secrets: [OBJECT_NAME] },
  // Azure App Configuration: https://learn.microsoft.com/azure/azure-app-configuration/reference-kubernetes-provider
  {
    group: 'azconfig.io',
    kind: 'AzureAppConfigurationProvider',
    secrets: ['spec.secret.target.secretName'],
    configMaps: ['spec.target.configMapName'],
  },
  // Azure Key Vault to Kubernetes: https://akv2k8s.io/reference/azure-key-vault-secret/
  { group: 'spv.no', kind: 'AzureKeyVaultSecret', secrets: ['spec.output.secret.name'], configMaps: ['spec.output.configMap.name'] },
  // Vault Secrets Operator: https://developer.hashicorp.com/vault/docs/deploy/kubernetes/vso/api-reference
  ...ofGroup(VAULT, ['HCPVaultSecretsApp', 'VaultDynamicSecret', 'VaultPKISecret', 'VaultStaticSecret'], { secrets: ['spec.destination.name'] }),
  ...ofGroup(VAULT, ['HCPAuth', 'VaultAuth', 'VaultAuthGlobal']),
  // https://github.com/bitnami-labs/sealed-secrets, https://developer.1password.com/docs/k8s/operator
  { group: 'bitnami.com', kind: 'SealedSecret', secrets: [OBJECT_NAME, 'spec.template.metadata.name'] },
  { group: 'onepassword.com', kind: 'OnePasswordItem', secrets: [OBJECT_NAME] },
];

/** The known deputies with those of a platform, whose entries replace known ones of their kinds. */
export function deputiesOf(ofPlatform: readonly Deputy[]): Deputy[] {
  return [...new Map([...KNOWN_DEPUTIES, ...ofPlatform].map((deputy) => [`${deputy.group}/${deputy.kind}`, deputy])).values()];
}
