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
  // Crossplane applies what is in an Object or Release, and shows what an ObservedObjectCollection finds, Secrets too. A ProviderConfig
  // says as whom: https://github.com/crossplane-contrib/provider-kubernetes/tree/main/package/crds,
  // https://github.com/crossplane-contrib/provider-helm/tree/main/package/crds
  ...['kubernetes', 'helm'].map((part) => ({ group: `${part}.m.crossplane.io`, kind: ALL_KINDS, refusedAltogether: true })),

  // Kyverno generates, changes and deletes objects, and asks the API server, with rights of its own:
  // https://github.com/kyverno/kyverno/issues/7156, https://github.com/golang/vulndb/issues/4381
  ...ofGroup('kyverno.io', ['CleanupPolicy', 'Policy'], { refusedAltogether: true }),
  { group: 'policies.kyverno.io', kind: ALL_KINDS, refusedAltogether: true },

  // Secrets Store CSI Driver: https://secrets-store-csi-driver.sigs.k8s.io/topics/sync-as-kubernetes-secret. A SecretSync writes the
  // Secret of its name, and signs in as its account: https://github.com/kubernetes-sigs/secrets-store-sync-controller/tree/main/config/crd/bases
  { group: 'secrets-store.csi.x-k8s.io', kind: 'SecretProviderClass', secrets: ['spec.secretObjects[].secretName'] },
  { group: 'secret-sync.x-k8s.io', kind: 'SecretSync', secrets: [OBJECT_NAME] },
  // Azure App Configuration: https://github.com/Azure/AppConfiguration-KubernetesProvider/tree/main/config/crd/bases
  {
    group: 'azconfig.io',
    kind: 'AzureAppConfigurationProvider',
    secrets: ['spec.secret.target.secretName'],
    configMaps: ['spec.target.configMapName'],
  },
  // Azure Key Vault to Kubernetes, v1alpha1 to v2beta1: https://github.com/SparebankenVest/azure-key-vault-to-kubernetes/tree/master/crds
  { group: 'spv.no', kind: 'AzureKeyVaultSecret', secrets: ['spec.output.secret.name'], configMaps: ['spec.output.configMap.name'] },
  // Vault Secrets Operator: https://github.com/hashicorp/vault-secrets-operator/tree/main/chart/crds. Its CSISecrets are files in pods.
  ...ofGroup(VAULT, ['HCPVaultSecretsApp', 'VaultDynamicSecret', 'VaultPKISecret', 'VaultStaticSecret'], { secrets: ['spec.destination.name'] }),
  ...ofGroup(VAULT, ['HCPAuth', 'VaultAuth', 'VaultAuthGlobal', 'VaultConnection']),
  // Sealed Secrets gives the Secret the name of the SealedSecret, whatever the template says. What the deprecated `data` has, type and
  // annotations of the Secret too, is encrypted: https://github.com/bitnami-labs/sealed-secrets/blob/main/helm/sealed-secrets/crds,
  // `Unseal` in https://github.com/bitnami-labs/sealed-secrets/blob/main/pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go
  { group: 'bitnami.com', kind: 'SealedSecret', secrets: [OBJECT_NAME], refused: ['spec.data'] },
  // 1Password's operator writes, and in the end deletes, the Secret of the item's name. The type is beside the spec, and annotations are
  // copied where it is told to; a Deployment has the name in an annotation, its own or its template's:
  // https://github.com/1Password/onepassword-operator/blob/main/config/crd/bases/onepassword.com_onepassworditems.yaml,
  // https://github.com/1Password/onepassword-operator/blob/main/internal/controller/deployment_controller.go
  { group: 'onepassword.com', kind: 'OnePasswordItem', secrets: [OBJECT_NAME], searched: ['spec', 'type', 'metadata.annotations'] },
  { group: 'apps', kind: 'Deployment', searched: ['metadata.annotations', 'spec.template.metadata.annotations'] },
];

/** The known deputies with those of a platform, whose entries replace known ones of their kinds. */
export function deputiesOf(ofPlatform: readonly Deputy[]): Deputy[] {
  return [...new Map([...KNOWN_DEPUTIES, ...ofPlatform].map((deputy) => [`${deputy.group}/${deputy.kind}`, deputy])).values()];
}
