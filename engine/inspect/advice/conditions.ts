import { messageOf, shell, target, whyCommand, type Advice, type AdviceContext } from './context';
import { ADOPT } from '../../../src/azure/annotations';
import { objectTitleOf } from '../../../src/object-id';

type Maker = (context: AdviceContext) => Advice;

/** ASO's text for a name that its webhook has not filled in. */
const NO_NAME = /name was not set|has empty AzureName|webhook/i;
const CHANGED_ID = /the spec now means "/;
const NOT_THIS_KIND = /This controller does not reconcile/;
const OTHER_SUBSCRIPTION = /does not match parent subscription/;
const CREDENTIAL = /credential/i;

/** Advice for the reasons of docs/spec/conditions.md#reasons, but for Azure's codes. */
const ADVICE: Readonly<Record<string, Maker>> = {
  Reconciling: inProgress,
  Deleting: inProgress,
  Succeeded: ({ name }) => ({ text: 'Nothing: it is in sync.', commands: [`kubectl get ${target(name)}`] }),
  WaitingForOwner: ({ name }) => ({ text: 'Look at the owner: it has to exist and be Ready before this object is sent.', commands: [`kubectl get ${target(name)} -o jsonpath='{.spec.owner}'`], document: 'docs/model.md#owner' }),
  ReferenceNotFound: ({ name }) => ({
    text: 'Correct the reference: it has to name an object of the same namespace, by group, kind and name, or an ARM id; an owner has to be of the kind that owns.',
    commands: [`kubectl get ${target(name)} -o yaml`, 'cdk8s-aso check dist/'],
    document: 'docs/model.md#reference',
  }),
  SecretNotFound: ({ name: { namespace } }) => ({ text: 'Create the Secret with the key that the message names, or correct the reference.', commands: [`kubectl get secrets -n ${shell(namespace)}`], document: 'docs/exports.md' }),
  ConfigMapNotFound: ({ name: { namespace } }) => ({ text: 'Create the ConfigMap with the key that the message names, or correct the reference.', commands: [`kubectl get configmaps -n ${shell(namespace)}`], document: 'docs/exports.md' }),
  AzureResourceNotFound: ({ name, node }) => ({
    text: `Azure does not have the resource, and ${node?.policy.policy === 'skip' ? 'the policy skip' : `${ADOPT}: IfPresent`} does not create it. Create it elsewhere, or let this object create it: ${node?.policy.policy === 'skip' ? `set the policy manage${node.policy.from === 'namespace' ? ' (it comes from the namespace; the annotation of the object wins)' : ''}` : 'remove the annotation'}.`,
    commands: [
      node?.policy.policy === 'skip'
        ? `kubectl annotate ${target(name)} serviceoperator.azure.com/reconcile-policy=manage --overwrite`
        : `kubectl annotate ${target(name)} aso.cdk8s.io/adopt-`,
    ],
    document: 'docs/adoption.md',
  }),
  SubscriptionMismatch: otherSubscription,
  FailedWritingAdditionalKubernetesObjects: ({ name }) => ({
    text: 'The Secret or ConfigMap that this object exports to belongs to another object, or two exports write one key: choose another name for the destination, or delete the Secret or ConfigMap that is in the way.',
    commands: [
      `kubectl get ${target(name)} -o jsonpath='{.spec.operatorSpec}'`,
      `kubectl get secrets,configmaps -n ${shell(name.namespace)} -o custom-columns=KIND:.kind,NAME:.metadata.name,OWNER:.metadata.ownerReferences[*].name`,
    ],
    document: 'docs/exports.md#errors-and-remedies',
  }),
  ReconciliationBlocked: ({ node, name }) => ({
    text: 'The resource, or its owner, is in a state in which the service takes no changes (the message has it): start it, or wait until its operation has ended. It is looked at again within 3 minutes.',
    commands: node?.armId === undefined ? [`kubectl describe ${target(name)}`] : [`az resource show --ids ${shell(node.armId)} --query properties`],
    document: 'docs/spec/extensions.md#state-gates',
  }),
  ReconciliationPostponed: ({ name }) => ({ text: 'Nothing: a check has postponed it, and it is tried again.', commands: [whyCommand(name)] }),
  PostReconciliationFailure: ({ node, name }) => ({
    text: 'The resource is there and not usable yet; the message says what is missing (an approval, an agent, a validation). Give it, or wait.',
    commands: node?.armId === undefined ? [`kubectl describe ${target(name)}`] : [`az resource show --ids ${shell(node.armId)}`],
    document: 'docs/spec/extensions.md#post-checks',
  }),
  DeletionNotSupportedInAzure: ({ name }) => ({
    text: 'Azure has no DELETE for this kind: the resource goes with its owner. Let the object go without it.',
    commands: [`kubectl annotate ${target(name)} serviceoperator.azure.com/reconcile-policy=detach-on-delete --overwrite`],
    document: 'docs/spec/deletion.md#kinds-without-delete',
  }),
  ReconciliationFailedPermanently: failed,
  Failed: failed,
  Canceled: failedInAzure,
  Disabled: failedInAzure,
  UnknownError: ({ name }) => ({
    text: 'The answer was not one of Azure Resource Manager, or there was none: look at proxies, firewalls and DNS between the controller and Azure, and at AZURE_RESOURCE_MANAGER_ENDPOINT and AZURE_AUTHORITY_HOST. The message has what was answered.',
    commands: [
      `kubectl describe ${target(name)}`,
      'kubectl logs deployment/azureserviceoperator-controller-manager -n azureserviceoperator-system --tail 50',
    ],
    document: 'docs/controller.md#valid-answers-of-azure',
  }),
  CredentialNotFound: (context) => credential(context, 'Create the Secret that the message names.'),
  CredentialInvalid: (context) => (context.node?.credential?.secret?.name.includes('/') === true ? otherNamespace(context) : credential(context, 'Correct the key of the Secret that the message names: ids are GUIDs, a certificate is PEM or PKCS#12 with its private key.')),
  CredentialExpired: (context) => ({
    ...credential(context, 'The client secret or certificate is too old: make a new one, and write it to the Secret.'),
    commands: ['az ad app credential reset --id … --append', secretCommand(context)],
  }),
  CredentialRejected: (context) => credential(context, 'Microsoft Entra ID refuses the credential (the message has its code): correct client and tenant id, or the secret. For workload identity, the federated credential has to name the issuer and subject of the message.'),
  CredentialUnavailable: (context) => credential(context, 'The token file, identity file or metadata endpoint that the message names gives nothing: mount it into the controller\'s pod, or choose another mode.'),
  ServiceAccountNotFound: ({ name: { namespace } }) => ({
    text: 'Strict workload identity needs the service account of the namespace.',
    commands: [`kubectl create serviceaccount aso-workload -n ${shell(namespace)}`],
    document: 'docs/credentials.md#strict-workload-identity',
  }),
  ServiceAccountTokenForbidden: ({ name: { namespace } }) => ({
    text: 'The controller may not request tokens of the service account aso-workload: give it create on serviceaccounts/token.',
    commands: [
      `kubectl auth can-i create serviceaccounts/token --subresource token -n ${shell(namespace)} --as system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default`,
    ],
    document: 'docs/credentials.md#strict-workload-identity',
  }),
  FederatedCredentialNotFound: ({ name: { namespace } }) => ({
    text: 'No federated credential of the identity fits the token: create one with the issuer of the cluster and this subject. A new one is known within 2 minutes.',
    commands: [
      `az identity federated-credential create --name aso --identity-name … --resource-group … --issuer … --subject ${shell(`system:serviceaccount:${namespace}:aso-workload`)} --audiences api://AzureADTokenExchange`,
    ],
    document: 'docs/credentials.md#strict-workload-identity',
  }),
  CacheNotSynced: ({ name }) => ({
    text: 'The controller cannot read what the object needs (the message says why): give it get, list and watch, or look at the API server. It goes on by itself.',
    commands: [`kubectl auth can-i list secrets -n ${shell(name.namespace)} --as system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default`],
    document: 'docs/controller.md#unknown-state-stops-writes',
  }),
  KindNotWatched: ({ name }) => ({
    text: 'The controller does not watch a kind that the object needs: install its CRD, or select it with --kinds.',
    commands: ['cdk8s-aso crds dist/ | kubectl apply --server-side -f -', `kubectl describe ${target(name)}`],
    document: 'docs/controller.md#unknown-state-stops-writes',
  }),
  ResourceAlreadyExists: ({ name }) => ({
    text: 'Azure has a resource of this name, and aso.cdk8s.io/adopt: Never does not take it over: choose another azureName, or take it over.',
    commands: [`kubectl annotate ${target(name)} aso.cdk8s.io/adopt=IfPresent --overwrite`],
    document: 'docs/adoption.md',
  }),
  OperationOverdue: ({ node }) => ({
    text: 'Azure works on it for longer than such operations take. The controller goes on looking; if the state does not change, ask Azure\'s support with the request id. A deletion that hangs can be let go with detach-on-delete.',
    commands: node?.armId === undefined ? [] : [
      `az resource show --ids ${shell(node.armId)} --query properties.provisioningState`,
      `az monitor activity-log list --resource-id ${shell(node.armId)} --offset 1d`,
    ],
    document: 'docs/controller.md#operations-that-do-not-end',
  }),
  KubernetesWriteRefused: ({ name }) => ({
    text: 'The API server refuses what the controller writes to the object (annotations hold 256 KiB in all; a CRD may be older than the version): make room, or bring the CRD up to date.',
    commands: [`kubectl get ${target(name)} -o jsonpath='{.metadata.annotations}' | wc -c`, 'cdk8s-aso crds dist/ | kubectl apply --server-side -f -'],
    document: 'docs/controller.md#rejected-writes-to-kubernetes',
  }),
};

export function conditionAdvice(reason: string, context: AdviceContext): Advice | undefined {
  return Object.hasOwn(ADVICE, reason) ? ADVICE[reason]?.(context) : undefined;
}

/** Advice for a resource that has failed in Azure. */
export function failedInAzure({ name, node }: AdviceContext): Advice {
  return {
    text: 'The resource itself has failed; the message has Azure\'s reason, and whether it is sent again. Remove the cause (quota, policy, key, network), or repair the resource in Azure: the object becomes Ready as soon as Azure calls it working.',
    commands: node?.armId === undefined ? [`kubectl describe ${target(name)}`] : [
      `az resource show --ids ${shell(node.armId)} --query properties`,
      `az monitor activity-log list --resource-id ${shell(node.armId)} --offset 1d`,
    ],
    document: 'docs/controller.md#failed-resources',
  };
}

function inProgress({ name, node }: AdviceContext): Advice {
  const isDeleting = node?.state === 'Deleting';
  return {
    text: isDeleting
      ? 'Wait: Azure deletes the resource, and then the object goes. If it does not end, detach-on-delete lets the object go and leaves the resource.'
      : 'Wait: Azure works on it.',
    commands: [`kubectl get ${target(name)} -w`, ...(node?.armId === undefined ? [] : [`az resource show --ids ${shell(node.armId)} --query properties.provisioningState`])],
    document: 'docs/controller.md#operations-that-do-not-end',
  };
}

function otherSubscription({ name, node }: AdviceContext): Advice {
  const own = node?.credential?.subscriptionId;
  const secret = node?.credential?.secret ?? { namespace: name.namespace, name: 'aso-credential' };
  return {
    text: `The resource, or its resource group, is in another subscription than the credential${own === undefined ? '' : ` (${own})`}: use the credential that it was created with, or give it an owner in the subscription of its credential. To move it, delete this object under detach-on-delete and apply a new one.`,
    commands: [
      `kubectl get ${target(name)} -o jsonpath='{.metadata.annotations.serviceoperator\\.azure\\.com/resource-id}'`,
      `kubectl get secret ${shell(secret.name)} -n ${shell(secret.namespace)} -o jsonpath='{.data.AZURE_SUBSCRIPTION_ID}' | base64 -d`,
    ],
    document: 'docs/spec/owners.md#subscriptions',
  };
}

function failed(context: AdviceContext): Advice {
  const message = messageOf(context);
  const { name } = context;
  if (OTHER_SUBSCRIPTION.test(message)) return otherSubscription(context);
  if (CHANGED_ID.test(message)) {
    return {
      text: 'Owner and azureName say which resource it is, and cannot change: restore them (the message has both ids), or delete the object and apply a new one.',
      commands: [`kubectl edit ${target(name)}`],
      document: 'docs/spec/webhooks.md#write-once',
    };
  }
  if (NOT_THIS_KIND.test(message)) {
    return { text: 'Set DATABASE_USERS to enabled in the settings of the controller, and restart it.', commands: ['kubectl edit secret aso-controller-settings -n azureserviceoperator-system'], document: 'docs/database-users.md' };
  }
  if (NO_NAME.test(message)) {
    return {
      text: 'The object has no name in Azure: set spec.azureName, or start the webhooks that fill it in, and apply the object again.',
      commands: [`kubectl patch ${target(name)} --type merge -p '{"spec":{"azureName":"…"}}'`, 'kubectl get mutatingwebhookconfigurations'],
      document: 'docs/names.md',
    };
  }
  if (CREDENTIAL.test(message)) return credential(context, 'Correct the credential that the message names.');
  return {
    text: `Read the message: it says what ${objectTitleOf(name)} cannot do. An Error comes again only after a change of the spec, so correct it there.`,
    commands: [`kubectl describe ${target(name)}`, 'cdk8s-aso check dist/'],
    document: 'docs/spec/errors.md#before-azure-is-asked',
  };
}

function otherNamespace({ name }: AdviceContext): Advice {
  return {
    text: `Name a Secret of the namespace ${name.namespace}, without a namespace before it: an object takes its credential from its own namespace.`,
    commands: [`kubectl annotate ${target(name)} serviceoperator.azure.com/credential-from=… --overwrite`],
    document: 'docs/credentials.md#errors',
  };
}

function credential(context: AdviceContext, text: string): Advice {
  return { text: `${text} Its objects are tried again as soon as the Secret changes.`, commands: [secretCommand(context)], document: 'docs/credentials.md#errors' };
}

function secretCommand({ name, node }: AdviceContext): string {
  const secret = node?.credential?.secret ?? { namespace: name.namespace, name: 'aso-credential' };
  return `kubectl edit secret ${shell(secret.name)} -n ${shell(secret.namespace)}`;
}
