/**
 * Every key that the operator or this library reads or writes in the metadata of objects: annotations, labels, finalizers
 * (docs/spec/objects.md#annotations). The linter refuses such keys elsewhere (projenrc/copies.ts).
 */

/** The prefix of Azure Service Operator's keys. This controller writes them too, so that an object can move between the controllers. */
export const ASO_PREFIX = 'serviceoperator.azure.com/';
/** The prefix of the keys of this library and its controller. Azure Service Operator ignores them. */
export const LIBRARY_PREFIX = 'aso.cdk8s.io/';

/** Annotations by which users control the operator. */
export const RECONCILE_POLICY = 'serviceoperator.azure.com/reconcile-policy';
export const CREDENTIAL_FROM = 'serviceoperator.azure.com/credential-from';
export const RESOURCE_ID = 'serviceoperator.azure.com/resource-id';
export const CHILD_RESOURCE_ID_OVERRIDE = 'serviceoperator.azure.com/child-resource-id-override';

/** Annotations in which the operator keeps its state. */
export const AZURE_NAME_FROM_CONFIG = 'serviceoperator.azure.com/azure-name-from-config';
export const OPERATOR_NAMESPACE = 'serviceoperator.azure.com/operator-namespace';
export const POLLER_TOKEN = 'serviceoperator.azure.com/poller-resume-token';
export const POLLER_ID = 'serviceoperator.azure.com/poller-resume-id';
/** Poller of a backup instance that is being resynchronized. */
export const BACKUP_POLLER_TOKEN = 'serviceoperator.azure.com/bi-poller-resume-token';
export const LATEST_GENERATION = 'serviceoperator.azure.com/latest-reconciled-generation';
export const FINALIZER = 'serviceoperator.azure.com/finalizer';

/** Labels. */
export const OWNER_NAME_LABEL = 'serviceoperator.azure.com/owner-name';
export const OWNER_GROUP_KIND_LABEL = 'serviceoperator.azure.com/owner-group-kind';
export const OWNER_UID_LABEL = 'serviceoperator.azure.com/owner-uid';
export const LAST_VERSION_LABEL = 'serviceoperator.azure.com/last-reconciled-version';

/** How the controller treats a resource that already exists in Azure. */
export const ADOPT = 'aso.cdk8s.io/adopt';
/** Properties that others may change in Azure: a JSON list of paths in the spec. */
export const IGNORE_CHANGES = 'aso.cdk8s.io/ignore-changes';
/** Suppressed rules with reasons: `rule-id: reason; rule-id: reason`. */
export const IGNORE_RULES = 'aso.cdk8s.io/ignore-rules';
/** Marks the objects that the admission policy protects. */
export const REMOVAL_POLICY = 'aso.cdk8s.io/removal-policy';

/** On a Namespace: its objects wait until the namespace has its own credential. */
export const CREDENTIAL_REQUIRED = 'aso.cdk8s.io/credential-required';
/** On a Namespace: `owner`, where replicas share its objects by owner tree instead of one replica looking after all of them. */
export const SHARD_BY = 'aso.cdk8s.io/shard-by';
/** On a credential's Secret, for reports: the identity of the client id, `namespace/name` of a UserAssignedIdentity, or its ARM id. */
export const CREDENTIAL_IDENTITY = 'aso.cdk8s.io/credential-identity';
/** On a credential's Secret, for reports: the object id of the principal in Entra, if the identity is no object of the cluster. */
export const CREDENTIAL_PRINCIPAL = 'aso.cdk8s.io/credential-principal';
/**
 * On a credential's Secret, for reports: roles from elsewhere, `role @ scope; role @ scope`. A role is a name or the id of its definition.
 */
export const CREDENTIAL_ROLES = 'aso.cdk8s.io/credential-roles';
/** On a Secret: allows exports to it although objects use it as their credential. */
export const ALLOWS_CREDENTIAL_EXPORTS = 'aso.cdk8s.io/allows-credential-exports';
/** Finalizer of a Secret that objects use as their credential, and the annotation that lists these objects. */
export const CREDENTIAL_FINALIZER = 'aso.cdk8s.io/credential-in-use';
export const CREDENTIAL_USED_BY = 'aso.cdk8s.io/credential-used-by';
/**
 * Finalizer of the policies and bindings of a namespace's guard rails, and the label with its name: they stay in force until the Namespace
 * is gone.
 */
export const GUARD_RAILS_FINALIZER = 'aso.cdk8s.io/guard-rails';
export const GUARDED_NAMESPACE = 'aso.cdk8s.io/guarded-namespace';
/** Finalizer of the journal of `cdk8s-aso migrate`, until the migration is finished. */
export const MIGRATION_FINALIZER = 'aso.cdk8s.io/migration';
/** On a Deployment's pods: when they were restarted, as `kubectl rollout restart` says it. */
export const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';
/** On an object that gives access (an identity, a role assignment): allows its deletion although others need it. */
export const DELETE_IN_USE = 'aso.cdk8s.io/delete-in-use';

/** On a UserAssignedIdentity: the targets of its ids, `Secret/<namespace>/<name>`, comma-separated. */
export const PROPAGATE_TO = 'aso.cdk8s.io/propagate-credentials-to';
/**
 * On a Namespace: the identities whose ids it accepts, `<namespace>/<identity>`, or `<namespace>` for all its identities, comma-separated.
 */
export const ACCEPTS_CREDENTIALS_FROM = 'aso.cdk8s.io/accepts-credentials-from';
/** Labels of written objects: the identity's namespace, and its name. */
export const MANAGED_BY_NAMESPACE = 'aso.cdk8s.io/managed-by-namespace';
export const MANAGED_BY_NAME = 'aso.cdk8s.io/managed-by-name';
/** On objects of a stage that waits for an identity: the client id, so that the stage cannot be applied without it. */
export const CLIENT_ID_GUARD = 'aso.cdk8s.io/client-id';

/** Finalizer of a claim of a platform's own kind: the composer deletes the composed objects before the claim goes. */
export const COMPOSER_FINALIZER = 'aso.cdk8s.io/composed-objects';
/** On a composed object, for people: the claim that it was composed for, `Service.platform.example.com/<namespace>/<name>`. */
export const COMPOSED_FOR = 'aso.cdk8s.io/composed-for';
/** On a claim: the revision of the definition whose rollout goes on although this claim does not take it. */
export const CONTINUE_ROLLOUT = 'aso.cdk8s.io/continue-rollout';
/** On the CRD of a platform's own kind: the composer that it belongs to, `<namespace>/<name>`. */
export const DEFINITION = 'aso.cdk8s.io/definition';
/** On the pods of a composer, and a label of the ConfigMaps with its bundles: the revision of the definition. */
export const DEFINITION_REVISION = 'aso.cdk8s.io/definition-revision';

/**
 * Sends the values of Secrets once, where the controller has taken a resource over and does not know whether Azure has them. Any text;
 * another text sends them again.
 */
export const SEND_SECRETS = 'aso.cdk8s.io/send-secrets';
/** The controller's record of its last PUT. */
export const PUT_RECORD = 'aso.cdk8s.io/last-put';
/** On an exported Secret or ConfigMap: the keys, labels and annotations that each exporting object has written, in JSON. */
export const EXPORTED = 'aso.cdk8s.io/exported';
/** Since when the object waits for an operation in Azure, and when its desired state was last sent again. */
export const WAITING = 'aso.cdk8s.io/waiting';
/** An export that the controller has stopped. */
export const STOPPED_EXPORT = 'aso.cdk8s.io/stopped-export';
/** The time at which the controller requested the creation of a group in Entra. */
export const REQUESTED_AT = 'aso.cdk8s.io/group-requested-at';
/** On a DatabaseAccess with an object as owner: ARM id of the database, where its user is dropped when the owner is gone already. */
export const DATABASE_ID = 'aso.cdk8s.io/database-id';
/** Members that an object's version lacks, kept for the versions that have them. */
export const KEPT_MEMBERS = 'aso.cdk8s.io/kept-members';
/** On an object that `cdk8s-aso migrate to-aso` rewrites: the `managedFields` that its last write restores, in JSON. */
export const RESTORED_FIELDS = 'aso.cdk8s.io/restored-managed-fields';
/** On a copy that `cdk8s-aso transfer` has made: namespace and uid of the object that it was made of, `<namespace>/<uid>`. */
export const TRANSFERRED_FROM = 'aso.cdk8s.io/transferred-from';
/** On an object that `cdk8s-aso transfer` holds: its annotation `reconcile-policy` before the transfer; empty: it had none. */
export const POLICY_BEFORE_TRANSFER = 'aso.cdk8s.io/policy-before-transfer';
/** On an event about a failed request: `x-ms-request-id`, HTTP status and error code of Azure's last answer. */
export const EVENT_REQUEST_ID = 'aso.cdk8s.io/azure-request-id';
export const EVENT_STATUS = 'aso.cdk8s.io/azure-status';
export const EVENT_CODE = 'aso.cdk8s.io/azure-code';
/** Label of the Leases of replicas that share the work, and on such a Lease: the part of the work that the replica claims, in JSON. */
export const SHARD_LABEL = 'aso.cdk8s.io/shard';
export const SHARD_VIEW = 'aso.cdk8s.io/shard-view';
/** On the Lease that all replicas share: the one that renewed it last, and those that did in the 15 s before. */
export const SHARD_RENEWED_BY = 'aso.cdk8s.io/shard-renewed-by';
/** On the Secret of the webhooks' certificate: cert-manager's certificate that had expired, and was replaced by the controller's own. */
export const REPLACED_CERTIFICATE = 'aso.cdk8s.io/replaced-certificate';
/** On a webhook configuration: its `metadata.generation` that was written a second time, so that each API server loads it. */
export const LOADED_GENERATION = 'aso.cdk8s.io/loaded-generation';
/** On the controller's pods: a digest of its settings, so that a change restarts them. */
export const SETTINGS_DIGEST = 'aso.cdk8s.io/settings-digest';

const STATE: ReadonlySet<string> = new Set([
  RESOURCE_ID, OPERATOR_NAMESPACE, POLLER_ID, LATEST_GENERATION, PUT_RECORD, WAITING, STOPPED_EXPORT, REQUESTED_AT, DATABASE_ID,
]);
const RESUME_TOKEN = /^serviceoperator\.azure\.com\/.*resume-token$/;

/** Whether the annotation holds the token of an operation, with signed URLs. ASO adds such annotations, all with this ending. */
export function isResumeToken(annotation: string): boolean {
  return RESUME_TOKEN.test(annotation);
}

/** Whether the controller keeps its state in the annotation, which is of no use in another cluster. */
export function isState(annotation: string): boolean {
  return STATE.has(annotation) || isResumeToken(annotation);
}

/**
 * ApplySets: on the parent, on its members, and on the CRD of parents.
 * @see https://github.com/kubernetes/enhancements/tree/master/keps/sig-cli/3659-kubectl-apply-prune
 */
export const APPLY_SET_PREFIX = 'applyset.kubernetes.io/';
/** On a CRD: its objects are parents of ApplySets. */
export const APPLY_SET_PARENT_TYPE = 'applyset.kubernetes.io/is-parent-type';
export const APPLY_SET_ID = 'applyset.kubernetes.io/id';
export const APPLY_SET_PART_OF = 'applyset.kubernetes.io/part-of';
export const APPLY_SET_TOOLING = 'applyset.kubernetes.io/tooling';
export const APPLY_SET_GROUP_KINDS = 'applyset.kubernetes.io/contains-group-kinds';
export const APPLY_SET_NAMESPACES = 'applyset.kubernetes.io/additional-namespaces';

/**
 * Keys of other projects. On service accounts and pods: the prefix of the workload identity webhook.
 * @see https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html
 */
export const WORKLOAD_IDENTITY_PREFIX = 'azure.workload.identity/';
export const WORKLOAD_CLIENT_ID = 'azure.workload.identity/client-id';
export const WORKLOAD_TENANT_ID = 'azure.workload.identity/tenant-id';
/** The object as last applied by `kubectl apply` without `--server-side`. */
export const KUBECTL_LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Annotations that control how Argo CD, Helm and Flux delete objects. */
export const ARGO_SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
/**
 * The wave of a sync in which Argo CD applies an object, as a decimal number.
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
 */
export const ARGO_SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
/** Finalizer of an Application: Argo CD deletes the objects before the Application goes. */
export const ARGO_RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';
/** By these, Argo CD, Helm and Flux know the objects that they have applied. */
export const ARGO_TRACKING_ID = 'argocd.argoproj.io/tracking-id';
export const ARGO_INSTANCE_LABEL = 'argocd.argoproj.io/instance';
export const HELM_RELEASE_NAME = 'meta.helm.sh/release-name';
export const HELM_RESOURCE_POLICY = 'helm.sh/resource-policy';
export const FLUX_PRUNE = 'kustomize.toolkit.fluxcd.io/prune';
