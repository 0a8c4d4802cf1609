import { messageOf, shell, target, type Advice, type AdviceContext } from './context';
import { parseArmId } from '../../../src/azure/arm-id';

type Maker = (context: AdviceContext) => Advice;

interface Rule {
  /** Codes of Azure, whatever their case. */
  readonly codes: RegExp;
  readonly advice: Maker;
}

const SOFT_DELETED = /soft.?deleted|deleted state|recover or purge|restore or purge|purge it/i;

/** The first rule applies. A code may need the message: one code stands for several causes. */
const RULES: readonly Rule[] = [
  { codes: /^AuthorizationFailed$|^Forbidden$|^AuthorizationPermissionMismatch$|^RoleAssignmentUpdateNotPermitted$/, advice: authorization },
  { codes: /^LinkedAuthorizationFailed$|^LinkedAccessCheckFailed$/, advice: linkedAuthorization },
  { codes: /^PrincipalNotFound$/, advice: principal },
  { codes: /^RoleAssignmentExists$/, advice: roleAssignmentExists },
  { codes: /^RequestDisallowedByPolicy$|^RequestDisallowedByAzure$|^DisallowedOperation$/, advice: policy },
  { codes: /^ScopeLocked$/, advice: lock },
  { codes: /^MissingSubscriptionRegistration$|^SubscriptionNotRegistered$|^NoRegisteredProviderFound$|^MissingRegistrationForLocation$|^InvalidSubscriptionRegistrationState$|^MissingRegistrationForType$/, advice: provider },
  { codes: /^SubscriptionNotFound$|^InvalidSubscriptionId$|^ReadOnlyDisabledSubscription$|^SubscriptionDisabled$/, advice: subscription },
  { codes: /SoftDeleted|^FlagMustBeSetForRestore$|InDeletedState$/, advice: softDeleted },
  { codes: /^TooManyRequests$|Throttled$|^OperationNotAllowedDueToThrottling$/, advice: throttled },
  { codes: /AlreadyTaken$|AlreadyExists$|NameUnavailable$|NameNotAvailable$|NamespaceUnavailable$|RecordInUse$|NameInUse$|NameAlreadyInUse$|^AlreadyExists$|^NameConflict$/, advice: nameTaken },
  { codes: /Quota|LimitExceeded$|LimitReached$|^MaxStorageAccountsCountPerSubscriptionExceeded$/, advice: quota },
  { codes: /^OperationNotAllowed$/, advice: (context) => (/quota|limit/i.test(messageOf(context)) ? quota(context) : validation(context)) },
  { codes: /AllocationFailed$|^SkuNotAvailable$|^OverconstrainedAllocationRequest$|^OverconstrainedZonalAllocationRequest$/, advice: capacity },
  { codes: /^RegionIsOfferRestricted$|^LocationIsOfferRestricted$|^LocationNotAvailableForResourceType$|^InvalidLocation$|^RegionNotSupported$|^LocationNotAvailable/, advice: region },
  { codes: /^InvalidResourceLocation$|^InvalidResourceGroupLocation$/, advice: otherLocation },
  { codes: /^ResourceGroupNotFound$|^ParentResourceNotFound$|^ResourceNotFound$|^NotFound$|^InvalidResourceReference$|^ReferencedResourceNotProvisioned$/, advice: notFound },
  { codes: /^ResourceGroupBeingDeleted$|^ResourceGroupDeletionBlocked$|InUse|CannotBeDeleted$|^CannotDeleteResource$|HasDependen/, advice: inUse },
  { codes: /^AnotherOperationInProgress$|^Conflict$|^ConflictError$|^ConflictingUserInput$|OperationInProgress$|^RetryableError$|^PreconditionFailed$|^Canceled$/, advice: conflict },
  { codes: /^InternalServerError$|^InternalError$|^ServiceUnavailable$|^GatewayTimeout$|^BadGateway$|^ServerTimeout$|^RequestTimeout$|^FailedIdentityOperation$|^UnknownServiceError$/, advice: azureBroken },
  { codes: /^InvalidAuthenticationToken|^ExpiredAuthenticationToken$|^AuthenticationFailed$|^Unauthorized$/, advice: authentication },
  { codes: /^MethodNotAllowed$/, advice: methodNotAllowed },
  { codes: /^PropertyChangeNotAllowed$|CannotBeChanged|ChangeNotAllowed$|NotPatchable$/, advice: immutable },
  { codes: /^(Invalid|Bad|Missing|LocationRequired|PasswordTooLong|PrivateIPAddress|PublicIpFor|K8sVersion|ReservedResourceName|UnsafeResourceId|Unsupported)/, advice: validation },
];

/** Advice for an error code of Azure. */
export function azureAdvice(code: string, context: AdviceContext): Advice | undefined {
  if (SOFT_DELETED.test(messageOf(context))) return softDeleted(context);
  return RULES.find(({ codes }) => codes.test(code))?.advice(context);
}

/** `/subscriptions/…/resourceGroups/…` of an id, or the subscription of a resource group's own. */
function scopeAbove(id: string): string {
  const parts = parseArmId(id);
  if (parts?.subscriptionId === undefined) return id;
  const above = `/subscriptions/${parts.subscriptionId}`;
  return parts.resourceGroup !== undefined && parts.provider !== undefined ? `${above}/resourceGroups/${parts.resourceGroup}` : above;
}

function principalOf(message: string): string {
  return /object id '([^'\s]{1,64})'/.exec(message)?.[1] ?? '…';
}

function assignCommand(message: string, role: string, scope: string): string {
  return `az role assignment create --assignee-object-id ${shell(principalOf(message))} --assignee-principal-type ServicePrincipal --role ${shell(role)} --scope ${shell(scope)}`;
}

/** The built-in role that a team would give: to manage resources, or who may access them. */
function roleFor(action: string): string {
  if (/^Microsoft\.Authorization\/(roleAssignments|roleDefinitions)\//i.test(action)) return 'Role Based Access Control Administrator';
  if (/^Microsoft\.Authorization\/locks\//i.test(action)) return 'User Access Administrator';
  if (/^Microsoft\.ManagedIdentity\/userAssignedIdentities\/assign/i.test(action)) return 'Managed Identity Operator';
  if (/^Microsoft\.Network\/.*join/i.test(action)) return 'Network Contributor';
  return 'Contributor';
}

function authorization(context: AdviceContext): Advice {
  const message = messageOf(context);
  const action = /perform action '([^'\s]{1,200})'/.exec(message)?.[1] ?? '';
  const scope = /over scope '([^'\s]{1,600})'/.exec(message)?.[1] ?? context.node?.armId ?? '…';
  const role = roleFor(action);
  const at = scope === '…' ? scope : scopeAbove(scope);
  return {
    text: `Give the credential's principal a role that has ${action === '' ? 'the action' : action} in ${at}: ${role}, or a narrower one. A role given in the resource itself cannot create it. Azure knows a new role within 2 minutes; the controller tries until then.`,
    commands: [assignCommand(message, role, at), `az role assignment list --assignee ${shell(principalOf(message))} --all --output table`],
    document: 'docs/credentials.md#required-roles',
  };
}

function linkedAuthorization(context: AdviceContext): Advice {
  const message = messageOf(context);
  const action = /does not have permission to perform action(?:\(s\))? '([^'\s]{1,200})'/.exec(message)?.[1] ?? /perform action '([^'\s]{1,200})'/.exec(message)?.[1] ?? '';
  const scope = /linked scope\(s\) '([^',\s]{1,600})/.exec(message)?.[1] ?? '…';
  return {
    text: `The resource refers to another one, and the credential's principal may not use that: give it ${action === '' ? 'the action of the message' : action} on ${scope}, for example as ${roleFor(action)}.`,
    commands: [assignCommand(message, roleFor(action), scope)],
    document: 'docs/credentials.md#required-roles',
  };
}

function principal({ name }: AdviceContext): Advice {
  return {
    text: 'Entra does not know the principal of the role assignment. Entra knows a new identity within 2 minutes, and the controller tries until then. After that, correct principalId, and set principalType: ServicePrincipal, so that Azure does not look for it.',
    commands: [`kubectl get ${target(name)} -o jsonpath='{.spec.principalId}{.spec.principalIdFromConfig}'`, 'az ad sp show --id …'],
    document: 'docs/credentials.md#new-identities-trust-and-roles',
  };
}

function roleAssignmentExists({ name }: AdviceContext): Advice {
  return {
    text: 'The same role is given to the same principal in this scope under another name: delete the other assignment in Azure, or give this object its name (a UUID) as azureName.',
    commands: ['az role assignment list --scope … --query "[].{name:name, role:roleDefinitionName, principal:principalId}" --output table', `kubectl edit ${target(name)}`],
    document: 'docs/adoption.md',
  };
}

function policy(context: AdviceContext): Advice {
  const assignment = /policyAssignment"\s*:\s*\{[^{}]*?"id"\s*:\s*"([^"\s]{1,600})"/.exec(messageOf(context))?.[1];
  const scope = context.node?.armId === undefined ? '…' : scopeAbove(context.node.armId);
  return {
    text: 'An Azure Policy denies the resource: change the property that it is about (region, tags, SKU, public access), or ask the administrators of the policy for an exemption. The message names the policy.',
    commands: assignment === undefined
      ? [`az policy assignment list --scope ${shell(scope)} --disable-scope-strict-match --output table`]
      : [`az rest --method get --url ${shell(`${assignment}?api-version=2022-06-01`)}`],
    document: 'docs/secure-defaults.md',
  };
}

function lock({ node, name }: AdviceContext): Advice {
  const group = parseArmId(node?.armId ?? '')?.resourceGroup ?? (name.kind === 'ResourceGroup' ? name.name : '…');
  return {
    text: 'A management lock protects the resource or something above it: remove the lock, or leave the resource in Azure with detach-on-delete.',
    commands: [
      `az lock list --resource-group ${shell(group)} --output table`,
      'az lock delete --ids …',
      ...(node?.state === 'Deleting' ? [`kubectl annotate ${target(name)} serviceoperator.azure.com/reconcile-policy=detach-on-delete --overwrite`] : []),
    ],
    document: 'docs/removal.md#management-locks',
  };
}

function provider(context: AdviceContext): Advice {
  const named = /namespace '([\w.]{1,100})'/.exec(messageOf(context))?.[1] ?? context.node?.armType?.split('/')[0] ?? '…';
  return {
    text: `The subscription is not registered for ${named}, or not for this type and region: register it (it takes some minutes), or give the credential <provider>/register/action, and the controller does it.`,
    commands: [`az provider register --namespace ${shell(named)} --wait`, `az provider show --namespace ${shell(named)} --query registrationState`],
    document: 'docs/spec/errors.md#provider-registration',
  };
}

function subscription({ node, name }: AdviceContext): Advice {
  const id = node?.credential?.subscriptionId ?? parseArmId(node?.armId ?? '')?.subscriptionId ?? '…';
  return {
    text: `The subscription ${id} is not there, is disabled, or belongs to another tenant than the credential: correct AZURE_SUBSCRIPTION_ID and AZURE_TENANT_ID, or enable it. The objects of a deleted subscription go with detach-on-delete.`,
    commands: [`az account show --subscription ${shell(id)}`, `kubectl edit secret aso-credential -n ${shell(name.namespace)}`],
    document: 'docs/credentials.md',
  };
}

const PURGE: Readonly<Record<string, (name: string, location: string, group: string) => string[]>> = {
  'microsoft.keyvault/vaults': (name, location) => [`az keyvault recover --name ${name} --location ${location}`, `az keyvault purge --name ${name} --location ${location}`],
  'microsoft.keyvault/managedhsms': (name, location) => [`az keyvault recover --hsm-name ${name} --location ${location}`, `az keyvault purge --hsm-name ${name} --location ${location}`],
  'microsoft.cognitiveservices/accounts': (name, location, group) => [
    `az cognitiveservices account recover --name ${name} --location ${location} --resource-group ${group}`,
    `az cognitiveservices account purge --name ${name} --location ${location} --resource-group ${group}`,
  ],
  'microsoft.apimanagement/service': (name, location) => [`az apim deletedservice purge --service-name ${name} --location ${location}`],
  'microsoft.appconfiguration/configurationstores': (name, location) => [
    `az appconfig recover --name ${name} --location ${location}`,
    `az appconfig purge --name ${name} --location ${location}`,
  ],
};

function softDeleted({ node, name }: AdviceContext): Advice {
  const parts = parseArmId(node?.armId ?? '');
  const azureName = shell(parts?.names.at(-1) ?? name.name);
  const group = shell(parts?.resourceGroup ?? '…');
  return {
    text: 'A deleted resource of this name is kept by Azure (soft delete): recover it, purge it for good, or choose another azureName. It is tried again by itself.',
    commands: PURGE[node?.armType?.toLowerCase() ?? '']?.(azureName, '…', group) ?? [`kubectl edit ${target(name)}`],
    document: 'docs/removal.md',
  };
}

function nameTaken({ node, name }: AdviceContext): Advice {
  const azureName = parseArmId(node?.armId ?? '')?.names.at(-1) ?? name.name;
  return {
    text: `The name ${azureName} is taken, perhaps by another customer: names of this type are unique in all of Azure, or in the region. Choose another azureName (delete the object and apply it anew, since azureName cannot change), or use the resource that has it, if it is yours.`,
    commands: [`az resource list --name ${shell(azureName)} --output table`, `kubectl get ${target(name)} -o jsonpath='{.spec.azureName}'`],
    document: 'docs/names.md',
  };
}

function quota(context: AdviceContext): Advice {
  return {
    text: 'A quota or limit of the subscription is used up (the message has the numbers): delete what is not needed, choose another region or a smaller SKU, or ask for more.',
    commands: ['az vm list-usage --location … --output table', 'az quota list --scope … --output table', `kubectl describe ${target(context.name)}`],
    document: 'docs/azure-rules.md',
  };
}

function capacity({ name }: AdviceContext): Advice {
  return {
    text: 'Azure has no room for this SKU in the region or zone, or does not offer it there to the subscription: choose another SKU, zone or region. Room may come back: it is tried again.',
    commands: ['az vm list-skus --location … --size … --all --output table', `kubectl edit ${target(name)}`],
    document: 'docs/azure-rules.md',
  };
}

function region({ node, name }: AdviceContext): Advice {
  const [namespace = '…', ...types] = (node?.armType ?? '').split('/');
  return {
    text: 'The service is not offered in this region, or not to this subscription: choose another location. A location cannot change later, so delete the object and apply it anew if it was created.',
    commands: [
      `az provider show --namespace ${shell(namespace === '' ? '…' : namespace)} --query ${shell(`resourceTypes[?resourceType=='${types.join('/')}'].locations`)}`,
      `kubectl edit ${target(name)}`,
    ],
    document: 'docs/azure-rules.md#not-found-everywhere',
  };
}

function otherLocation({ node, name }: AdviceContext): Advice {
  return {
    text: 'The resource is in Azure already, in another region, and cannot move: restore its location in the spec, choose another azureName, or delete it in Azure.',
    commands: [node?.armId === undefined ? `kubectl get ${target(name)} -o yaml` : `az resource show --ids ${shell(node.armId)} --query location`, `kubectl edit ${target(name)}`],
    document: 'docs/azure-rules.md#properties-that-cannot-be-changed-after-creation',
  };
}

function notFound({ node, name }: AdviceContext): Advice {
  const parent = node?.armId === undefined ? '…' : scopeAbove(node.armId);
  return {
    text: 'Azure does not have the parent, or a resource that the spec refers to by ARM id: somebody has deleted it, or the id is wrong. An owner that is an object is created again at its next sync; change its spec to have it at once.',
    commands: [`az resource show --ids ${shell(parent)}`, `kubectl get ${target(name)} -o yaml`],
    document: 'docs/model.md#owner',
  };
}

function inUse({ node, name }: AdviceContext): Advice {
  const group = parseArmId(node?.armId ?? '')?.resourceGroup ?? '…';
  return {
    text: 'Other resources in Azure still use it (the message names them), so it cannot be deleted or changed: delete those first. It is tried again.',
    commands: [`az resource list --resource-group ${shell(group)} --output table`, `kubectl describe ${target(name)}`],
    document: 'docs/removal.md',
  };
}

function conflict({ node, name }: AdviceContext): Advice {
  return {
    text: 'Azure works on this resource, or on one that it depends on: wait, it is tried again within 3 minutes. If it stays, look at who writes to it besides the controller (a pipeline, the portal, another controller).',
    commands: [node?.armId === undefined ? `kubectl describe ${target(name)}` : `az monitor activity-log list --resource-id ${shell(node.armId)} --offset 1h --output table`],
    document: 'docs/controller.md#serial-writes',
  };
}

function throttled({ name }: AdviceContext): Advice {
  return {
    text: 'Azure throttles the subscription, or the type: wait, it is tried again when Azure says. If it stays, look for other clients of the subscription, lengthen AZURE_SYNC_PERIOD, and compare the load with Azure\'s limits.',
    commands: ['cdk8s-aso capacity dist/', `kubectl describe ${target(name)}`],
    document: 'docs/controller.md#azures-limits',
  };
}

function azureBroken({ name }: AdviceContext): Advice {
  return {
    text: 'Azure has failed, not the spec: it is tried again within 3 minutes. If it stays, look at Azure\'s service health, and give the support the request id.',
    commands: ['az rest --method get --url https://management.azure.com/subscriptions/…/providers/Microsoft.ResourceHealth/events?api-version=2022-10-01', `kubectl describe ${target(name)}`],
    document: 'docs/spec/errors.md#arm-errors',
  };
}

function authentication({ name }: AdviceContext): Advice {
  return {
    text: 'Azure does not accept the token: the credential is of another tenant than the subscription, or its cloud settings are wrong. Correct AZURE_TENANT_ID, or the three settings of the cloud.',
    commands: [`kubectl edit secret aso-credential -n ${shell(name.namespace)}`, 'az account show --query tenantId'],
    document: 'docs/credentials.md#errors',
  };
}

function methodNotAllowed({ name }: AdviceContext): Advice {
  return {
    text: 'The service does not let this be changed or deleted: it belongs to its parent. A deletion ends with detach-on-delete.',
    commands: [`kubectl annotate ${target(name)} serviceoperator.azure.com/reconcile-policy=detach-on-delete --overwrite`],
    document: 'docs/spec/deletion.md#kinds-without-delete',
  };
}

function immutable({ name }: AdviceContext): Advice {
  return {
    text: 'The property cannot change after the creation (the message names it): restore its value, or delete the object and apply it anew.',
    commands: [`kubectl edit ${target(name)}`],
    document: 'docs/azure-rules.md#properties-that-cannot-be-changed-after-creation',
  };
}

function validation({ name }: AdviceContext): Advice {
  return {
    text: 'Azure does not accept the spec: correct the property that the message names. It is sent again as soon as the spec changes.',
    commands: [`kubectl edit ${target(name)}`, `cdk8s-aso explain ${shell(name.kind)}`, 'cdk8s-aso check dist/'],
    document: 'docs/azure-rules.md',
  };
}

