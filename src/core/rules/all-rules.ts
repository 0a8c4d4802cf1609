import {
  argocdReplace, credentialFrom, credentialMissing, credentialSecret, reconcilePolicy, runtimeAnnotation, unknownAnnotation,
} from './annotation-rules';
import { ruleOfAzure } from './azure-rules';
import { administratorPassword, privateDnsRegistrationTaken } from './azure-set-rules';
import { principalClientId } from './client-id-rules';
import { acrPullControlPlane, federatedIssuerElsewhere } from './cluster-identity-rules';
import { credentialFederation, credentialRoleTooNarrow, credentialSubscription } from './credential-rules';
import { cycle } from './cycle-rule';
import { dataUnprotected, ownerUnprotected } from './data-rules';
import { destinationShared, destinationTaken, destinationTwice, secretExpression } from './destination-rules';
import { federatedCredentialLimit, federatedCredentialTwice } from './federation-rules';
import {
  communicationDomain, communicationSender, dnsAddress, mysqlUser, mysqlUserAlias, noDelete, securityGroupType, sqlUserCharacters,
} from './kind-rules';
import { objectMetadata } from './metadata-rules';
import type { ObjectSet } from './object-set';
import { notInFiles, ownerForm, ownerKind, referenceAcrossNamespaces, referenceForm, referenceKind } from './reference-rules';
import { azureNameTaken, duplicateObject, globalNameTaken, objectName, writeOnce } from './resource-rules';
import {
  roleAssignmentTwice, roleNameInOtherClusters, roleNameTaken, rolePrivileged, roleScope, roleUnknown, roleWiderThanResource,
} from './role-rules';
import type { Rule, Severity } from './rule';
import {
  azureName, deprecatedVersion, invalidValue, missingField, namespaceInReference, oneOf, unknownField, unknownGroup, unknownKind,
  unknownVersion, valueTwice,
} from './schema-rules';
import { exportSwitchedOff, keySwitchedOff } from './switched-off-rules';
import { valueKey, valueNamespace } from './value-rules';
import { MOST_FEDERATED_CREDENTIALS } from '../../azure/limits';
import { allAzureRules, azureRulesOf } from '../../azure/rules/all';
import { EXPORT_SWITCHES, KINDS_WITH_KEYS } from '../../azure/rules/export-switches';
import { KINDS_NAMED_BY_UUID } from '../../azure/uuid-names';

/**
 * The rules of this project; Azure's own are in src/azure/rules. Id, severity, finder, title (the problem in a sentence) and consequence.
 * The order is that of docs/checks.md, which has the same sentences and the fix. Constructs and manifests are checked as one type
 * (`SetObject`):
 *
 * - `both`: runs on constructs at synth and on manifests;
 * - `props`: runs on manifests; for constructs the compiler or the conversion of props (src/core/schema) refuses the same, with the
 *   same facts;
 * - `manifests`: runs on manifests and in `Rules.check`; does not make synth fail.
 */
const OWN_RULES: readonly Rule[] = [
  props('unknown-group', 'warning', () => unknownGroup,
    'The API group ends with `azure.com`, but the catalog has none of that name.',
    'no CRD of Azure Service Operator serves it; another operator may'),
  props('unknown-kind', 'error', () => unknownKind,
    'The group has no such kind, or group and kind are those of an ARM template or of Terraform.',
    'no CRD serves it, so the cluster refuses the object'),
  props('unknown-version', 'error', () => unknownVersion,
    'The kind has no such version.',
    'the CRD does not serve it, so the cluster refuses the object'),
  props('missing-field', 'error', () => missingField,
    'A required field of the spec is missing.',
    'the CRD requires it, so the cluster refuses the object'),
  props('invalid-value', 'error', () => invalidValue,
    'Type, enumeration, pattern, length or range do not fit.',
    'the CRD does not allow it, so the cluster refuses the object'),
  props('unknown-field', 'error', () => unknownField,
    'The kind has no such field in this version.',
    'kubectl refuses it, other appliers have the cluster drop it in silence'),
  props('namespace-in-reference', 'error', () => namespaceInReference,
    'An owner, reference, Secret or ConfigMap names a namespace.',
    'owners, references, Secrets and ConfigMaps are looked up in the namespace of the object that names them; there is no such field'),
  props('value-twice', 'error', () => valueTwice,
    'A value stands beside its `…FromConfig` or `…FromSecret`. Where one wins in silence it is a warning.',
    'the webhook refuses a value and its ConfigMap or Secret together'),
  props('one-of', 'error', () => oneOf,
    'None or several members of a union are given.',
    'Azure takes exactly one of these; the operator sends the first in silence'),
  props('azure-name', 'error', () => azureName,
    '`spec.azureName`, or the `metadata.name` that stands in for it, cannot be the name in Azure.',
    'the name goes into the id of the resource, and cannot be changed once it exists'),
  manifests('deprecated-version', 'warning', () => deprecatedVersion,
    'The version is announced to be removed.',
    'a coming release of the operator no longer serves it'),
  props('owner-form', 'error', () => ownerForm,
    'The owner has none or several of name (with group and kind where any kind may own) and `armId`, or an ARM id as name.',
    'the webhook refuses an owner that is not either an object of the cluster or an ARM id'),
  props('owner-kind', 'error', () => ownerKind,
    'The ARM id of the owner is of another type, the kind of the owner does not exist, or the owner has to be an object.',
    'the operator cannot make the ARM id of the resource below such an owner'),
  props('reference-form', 'error', () => referenceForm,
    'A reference has none or several of group/kind/name, `armId`, `wellKnownName`, or is incomplete.',
    'the webhook refuses a reference that is not exactly one of an object, an ARM id or a well-known name'),
  props('reference-kind', 'error', () => referenceKind,
    'Group or kind of a reference do not exist.',
    'the operator finds no object of a kind that it does not have'),
  manifests('reference-across-namespaces', 'warning', () => referenceAcrossNamespaces,
    'What is named stands in the files in another namespace only.',
    'what an object names is looked up in its own namespace, so the operator would wait for ever'),
  manifests('not-in-files', 'info', () => notInFiles,
    'An owner, referenced object, Secret or ConfigMap is not in the files and no object of them writes it.',
    'the operator waits until it exists'),
  both('cycle', 'error', () => cycle,
    'Owners, references or values form a cycle.',
    'objects that wait for each other are never created'),
  both('destination-twice', 'error', () => destinationTwice,
    'Two exports of one object go to the same key, annotation or label.',
    'the webhook refuses two exports to one key, annotation or label'),
  both('destination-shared', 'error', () => destinationShared,
    'Two objects export into one ConfigMap or Secret.',
    'a ConfigMap or Secret is owned by the one object that writes it, which replaces it whole; the other object never gets Ready'),
  both('destination-taken', 'error', () => destinationTaken,
    'An export goes to a ConfigMap or Secret that stands in the files itself.',
    'the operator overwrites no ConfigMap or Secret that it has not made, so the object never gets Ready'),
  both('value-key', 'error', () => valueKey,
    'A pod or an Azure object reads a key that a ConfigMap or Secret of the files does not have.',
    'the pod, or the object, waits for a key that nothing writes'),
  both('value-namespace', 'error', () => valueNamespace,
    'A pod reads a ConfigMap or Secret that an Azure object writes in another namespace. A warning where another object may have that name.',
    'pods read ConfigMaps and Secrets of their own namespace only'),
  about(KINDS_WITH_KEYS, both('key-switched-off', 'error', () => keySwitchedOff,
    'An object exports a key, connection string or kubeconfig that a setting of its resource turns off.',
    'Azure does not give the key out, or refuses all requests with it')),
  about([...EXPORT_SWITCHES.keys()], both('export-switched-off', 'error', () => exportSwitchedOff,
    'An object exports a value that its resource does not have with these settings.',
    'the ConfigMap or Secret never gets the key, so what reads it waits for ever')),
  manifests('secret-expression', 'warning', () => secretExpression,
    '`secret` in `configMapExpressions`, or `secret["x"]`, which is not recognized.',
    'expressions see only the secrets that they name as secret.name, and only in secretExpressions'),
  both('object-name', 'error', () => objectName,
    '`metadata.name` is no name of a Kubernetes object.',
    'the cluster refuses the object'),
  both('object-metadata', 'error', () => objectMetadata,
    'A label, an annotation, a finalizer, an owner reference or the namespace is none that Kubernetes takes.',
    'the API server refuses the object'),
  both('duplicate-object', 'error', () => duplicateObject,
    'The same Azure object stands in the files twice.',
    'the one overwrites the other'),
  both('azure-name-taken', 'error', () => azureNameTaken,
    'Two objects have one ARM id. A warning where they would only if their credentials are for one subscription.',
    'the two would fight over one Azure resource'),
  both('global-name-taken', 'error', () => globalNameTaken,
    'Two resources of a kind with globally unique names (storage accounts, vaults, registries, servers, …) have one name.',
    'the name is part of a host name: Azure lets only one resource in the world have it'),
  manifests('write-once', 'error', () => writeOnce,
    'The annotation `resource-id` says that the resource exists under another name or owner.',
    'name and owner of a resource that exists cannot be changed: the webhook refuses it'),
  both('reconcile-policy', 'error', () => reconcilePolicy,
    'The value of the annotation, on an object or a Namespace, is no policy (they are in lower case).',
    'the operator takes an unknown policy for manage, and may then delete what was to be kept'),
  both('credential-from', 'error', () => credentialFrom,
    'The annotation is empty or contains `/`.',
    'a credential is a Secret in the namespace of the object'),
  manifests('credential-missing', 'info', () => credentialMissing,
    'The Secret of the annotation `credential-from` is not in the files.',
    'without it the operator neither creates nor deletes anything'),
  manifests('credential-secret', 'error', () => credentialSecret,
    'A credential lacks keys, has some of the three cloud settings only, or an `AUTH_MODE` that does not exist.',
    'the operator refuses the credential, and with it every object that uses it'),
  manifests('unknown-annotation', 'warning', () => unknownAnnotation,
    "An annotation with the operator's prefix that it does not know.",
    'the operator ignores it'),
  manifests('runtime-annotation', 'warning', () => runtimeAnnotation,
    'An annotation in which the operator keeps its state, from a copied object.',
    'the operator keeps its own state there; a copied one misleads it'),
  manifests('argocd-replace', 'warning', () => argocdReplace,
    '`Replace=true` or `Force=true` on an Azure object, or on an Application that is checked together with Azure objects.',
    "replacing an object drops the operator's annotations, with the ARM id and the operation that runs"),
  about(['communication.azure.com/Domain'], both('communication-domain', 'error', () => communicationDomain,
    '`domainManagement: AzureManaged` with another name than `AzureManagedDomain`.',
    'the webhook refuses it')),
  about(['communication.azure.com/SenderUsername'], both('communication-sender', 'error', () => communicationSender,
    '`username` is not the `azureName`.',
    'the webhook refuses it')),
  about(['network.azure.com/DnsZonesARecord', 'network.azure.com/PrivateDnsZonesARecord'], both('dns-address', 'error', () => dnsAddress,
    'An A record with another text than an IPv4 address.',
    'Azure takes IPv4 addresses only in A records')),
  about(['dbformysql.azure.com/User'], both('mysql-user', 'error', () => mysqlUser,
    'A MySQL user with none or both of `localUser` and `aadUser`.',
    'the webhook refuses it')),
  about(['dbformysql.azure.com/User'], both('mysql-user-alias', 'error', () => mysqlUserAlias,
    'An Entra user with a long name and no alias.',
    'MySQL has no user names of more than 32 characters')),
  about(['dbforpostgresql.azure.com/User', 'sql.azure.com/User'], both('sql-user-characters', 'error', () => sqlUserCharacters,
    'A user or role name of PostgreSQL or Azure SQL contains `\'`, `"`, `;`, `--` or `/*`.',
    'the operator puts no such text into a statement')),
  manifests('security-group-type', 'warning', () => securityGroupType,
    '`membershipType` is `enabled` or `enabledm365`.',
    'Azure Service Operator takes enabled and enabledm365 for a group without dynamic members'),
  manifests('no-delete', 'info', () => noDelete,
    'The kind cannot be deleted in Azure.',
    'Azure cannot delete such a resource: the object stays until its owner goes'),
  manifests('role-scope', 'info', () => roleScope,
    'A role assignment is owned by a subscription or management group.',
    'who gets hold of the principal has the whole scope'),
  manifests('role-wider-than-resource', 'info', () => roleWiderThanResource,
    'A role that is of use in one type of resource (blobs, vault, registry, …) is given in a resource group.',
    'the principal gets at every such resource in the scope, also at those to come'),
  manifests('role-unknown', 'warning', () => roleUnknown,
    "A well-known name of a role that is none of Azure's built-in roles, as far as the catalog knows them.",
    'the operator looks the name up among the built-in roles of Azure, and fails where there is none'),
  manifests('role-privileged', 'info', () => rolePrivileged,
    'Owner, User Access Administrator or Role Based Access Control Administrator without a condition.',
    'who can give roles can give himself every role'),
  about(KINDS_NAMED_BY_UUID, both('role-name-taken', 'error', () => roleNameTaken,
    'Two role assignments have one UUID.',
    'the names of role assignments are unique in the tenant: Azure refuses the second')),
  about(['authorization.azure.com/RoleAssignment'], both('role-assignment-twice', 'error', () => roleAssignmentTwice,
    'Two role assignments give one role to one principal in one scope.',
    'Azure refuses a second assignment of one role to one principal in one scope (RoleAssignmentExists)')),
  about(['managedidentity.azure.com/UserAssignedIdentity'], both('principal-client-id', 'error', () => principalClientId,
    'A principal id is read from the export of a client id, or the other way round.',
    'a role or policy of a client id belongs to nobody, and nobody signs in with a principal id')),
  manifests('acr-pull-control-plane', 'warning', () => acrPullControlPlane,
    'AcrPull is given to the identity of the control plane of a cluster.',
    'nodes pull images as the identity of the kubelets, so pods end in ImagePullBackOff'),
  manifests('administrator-password', 'error', () => administratorPassword,
    'The password of the administrator of a server is too short or too simple.',
    'Azure refuses a password without 8 to 128 characters of three kinds, or with the name of the administrator'),
  about(['network.azure.com/PrivateDnsZonesVirtualNetworkLink'], both('private-dns-registration-taken', 'error', () => privateDnsRegistrationTaken,
    'A network registers its machines in two private DNS zones.',
    'Azure lets a network have one link with registrationEnabled')),
  manifests('role-name-in-other-clusters', 'info', () => roleNameInOtherClusters,
    'The generated name of a role assignment is the same in every cluster.',
    'role assignments with equal namespace, owner name and object name get the same UUID in every cluster, and Azure refuses the second in a tenant'),
  about(['managedidentity.azure.com/FederatedIdentityCredential'], both('federated-credential-limit', 'error', () => federatedCredentialLimit,
    'More than 20 federated credentials on one identity.',
    `Azure lets an identity have ${MOST_FEDERATED_CREDENTIALS} federated credentials`)),
  about(['managedidentity.azure.com/FederatedIdentityCredential'], both('federated-credential-twice', 'error', () => federatedCredentialTwice,
    'Two federated credentials of one identity have one issuer and subject.',
    'Azure refuses two federated credentials with equal issuer and subject on one identity')),
  manifests('federated-issuer-elsewhere', 'info', () => federatedIssuerElsewhere,
    'A service account is federated with the issuer of a cluster that the same files create.',
    'the service account is made in the cluster of the operator, whose own issuer signs its tokens; Entra refuses them (AADSTS700211)'),
  manifests('credential-role-too-narrow', 'warning', () => credentialRoleTooNarrow,
    'The roles of the credential that applies to an object do not give all actions that it needs: reading, writing, deleting (unless its policy keeps it), reading the keys that it exports, joining what it refers to.',
    'Azure refuses what no role gives (AuthorizationFailed); an object whose deletion is refused stays for ever'),
  both('credential-subscription', 'error', () => credentialSubscription,
    'An object lies in another subscription than the one that its credential is for.',
    'the controller stops with SubscriptionMismatch after its first reconcile'),
  manifests('credential-federation', 'warning', () => credentialFederation,
    'The settings of the controller say whose tokens it exchanges, and no federated credential of the identity trusts those.',
    'Entra refuses the token, so the controller can do nothing for the object'),
  manifests('data-unprotected', 'warning', () => dataUnprotected,
    "A kind that holds data has no policy (own or of its Namespace), no removal policy, no finalizer of the user's, and no word to Argo CD, Helm or Flux.",
    'deleting the object, or its namespace, deletes the data in Azure'),
  manifests('owner-unprotected', 'info', () => ownerUnprotected,
    'Data is to be kept, but something that it lies in is deleted with its object.',
    'Azure deletes what is in a resource together with it, whatever the policy of the objects in it'),
];

/** Every rule, with Azure's own. */
export function allRules(): Rule[] {
  return [...OWN_RULES, ...allAzureRules().map(ruleOfAzure)];
}

/** The rules that may find something in the set: of Azure's own, those of its services and kinds. */
export function rulesFor(set: ObjectSet): Rule[] {
  const rules = [...OWN_RULES, ...azureRulesOf(set.azure.map(({ group }) => group)).map(ruleOfAzure)];
  return rules.filter(({ kinds }) => kinds?.some((kind) => set.kinds.has(kind)) ?? true);
}

/** `find`: a function, so that a synth loads the finders that it runs, and no others. */
type Text = readonly [find: () => Rule['find'], title: string, why: string];
type Columns = readonly [id: string, severity: Severity, ...Text];

/** Synth fails at errors and says nothing else, so a warning is for `manifests`. */
function both(...columns: [id: string, severity: 'error', ...text: Text]): Rule {
  return rule('both', columns);
}

function props(...columns: Columns): Rule {
  return rule('props', columns);
}

function manifests(...columns: Columns): Rule {
  return rule('manifests', columns);
}

/** A rule that has nothing to find in a set without one of the kinds (`group/Kind`). */
function about(kinds: readonly string[], one: Rule): Rule {
  return { ...one, kinds };
}

function rule(asked: Rule['asked'], [id, severity, find, title, why]: Columns): Rule {
  return { id, severity, title, why, find: (set) => find()(set), asked };
}
