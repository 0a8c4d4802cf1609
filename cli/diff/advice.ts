import { type Advice, type Refusal } from './changes';
import type { Policy } from './synth';
import { RECONCILE_POLICY } from '../../src/azure/annotations';
import { objectTitleOf, type WrittenObjectId } from '../../src/object-id';
import { counted, firstOf, plural } from '../../src/util/words';

/** Objects that give access and are named in one message. */
const NAMED_ACCESS = 10;

/** All messages and fixes of the report, each in one place. */
export const advice = {
  keepDeleted: (): Advice => ({
    message: 'the policy is manage: deleting the object deletes the resource',
    fix: `to keep the resource, first apply ${RECONCILE_POLICY}: detach-on-delete to the object, then remove it`,
  }),
  deletedWithOwner: (owner: WrittenObjectId): Advice => ({
    message: `Azure deletes it together with its owner ${objectTitleOf(owner)}, whatever its own policy is`,
    fix: `give ${objectTitleOf(owner)} ${RECONCILE_POLICY}: detach-on-delete and apply that first, or keep its object`,
  }),
  remainsInDeleted: (object: WrittenObjectId, owner: WrittenObjectId): Advice => ({
    message: `${objectTitleOf(object)} stays among the objects, but lies in ${objectTitleOf(owner)}, which is deleted in Azure together with all that is in it`,
    fix: `give ${objectTitleOf(owner)} ${RECONCILE_POLICY}: detach-on-delete and apply that first, or keep its object`,
  }),
  notDeletable: (): Advice => ({
    message: 'Azure has no deletion for this kind: the resource stays, and the object hangs in deletion',
    fix: `first apply ${RECONCILE_POLICY}: detach-on-delete to the object, then remove it`,
  }),
  protectedObject: (): Advice => ({
    message: 'the object is protected (aso.cdk8s.io/removal-policy): the cluster refuses to delete it',
    fix: 'to delete it, first apply it with another removal policy',
  }),
  left: (policy: Policy): Advice => ({
    message: `the policy is ${policy}: nothing is deleted in Azure, and nobody manages the resource any more`,
    fix: 'if it is to go as well, delete it in Azure, or apply the policy manage before the object is removed',
  }),
  accessStays: (objects: readonly WrittenObjectId[]): Advice => ({
    message: `access stays in Azure: ${firstOf(objects.map(objectTitleOf), NAMED_ACCESS)}`,
    fix: `to end it, apply ${RECONCILE_POLICY}: manage to these objects, and remove them then; or delete the resources in Azure`,
  }),
  namespaceDetaches: (namespace: string, resources: readonly string[]): Advice => ({
    message: `Namespace ${namespace} is removed under detach-on-delete: resources of objects there that are not among these files stay in Azure as well, with identities, federated credentials and roles that give access`,
    fix: `list these with kubectl get ${resources.join(',')} -n ${namespace}, and apply ${RECONCILE_POLICY}: manage to those that are to go before the namespace is removed`,
  }),
  namespaceGoes: (namespace: string): Advice => ({
    message: `Namespace ${namespace} is removed: Kubernetes deletes every object in it, and the credential may go before the resources`,
    fix: 'delete the objects first and the namespace when they are gone, or leave the namespace',
  }),
  renamed: (old: string | undefined, next: string | undefined): Advice => ({
    message: `cannot be changed in place: its name in Azure would be ${next ?? '(none)'} instead of ${old ?? '(none)'}, and the webhook refuses to update spec.azureName`,
    fix: BESIDE,
  }),
  sameOwner: (): Advice => ({
    message: 'the owner is the same resource, but is written otherwise, and the webhook refuses to update spec.owner',
    fix: 'write the owner as before',
  }),
  otherOwner: (old: string, next: string): Advice => ({
    message: `cannot be changed in place: its owner would be ${next} instead of ${old}, and the webhook refuses to update spec.owner`,
    fix: BESIDE,
  }),
  relocated: (old: string, next: string): Advice => ({
    message: `cannot be changed in place: Azure refuses another location (${next} instead of ${old})`,
    fix: 'keep the location; or make a new resource with another object name and azureName beside this one, move what is in it, and remove this one last',
  }),
  immutable: (change: string, { code }: Refusal, losesData: boolean): Advice => ({
    message: `cannot be changed in place: Azure refuses this change: ${change} (${code}); only a new resource has the new value${losesData ? ', without the data of the old one' : ''}`,
    fix: 'keep the value; or make a new resource with another object name and azureName beside this one, move what is in it, and remove this one last',
  }),
  immutableWhen: (change: string, { code, when }: Refusal): Advice => ({
    message: `Azure refuses this change ${when}: ${change} (${code})`,
    fix: 'look whether that is so before you apply this; if it is, keep the value, or make a new resource beside this one',
  }),
  notSent: (): Advice => ({
    message: 'the policy is skip: nothing of this is sent to Azure',
    fix: 'apply the policy manage when it is to be sent',
  }),
  onlyRead: (): Advice => ({
    message: 'the policy is skip: the resource is only read, nothing is created',
    fix: 'apply the policy manage when it is to be managed',
  }),
  takenOver: (): Advice => ({
    message: 'adopt is IfPresent: the resource is taken over if it is in Azure, and not created if it is not',
    fix: 'leave adopt out if it may be created',
  }),
  managedFromNow: (): Advice => ({
    message: 'from now on what the object says is sent to Azure, and deleting the object deletes the resource',
    fix: 'compare the status of the object with its spec before you apply this',
  }),
  moveDeletes: (from: WrittenObjectId, to: WrittenObjectId): Advice => ({
    message: `removing ${objectTitleOf(from)} deletes the resource in Azure, which ${objectTitleOf(to)} stands for: its policy is manage`,
    fix: `first apply ${RECONCILE_POLICY}: skip (or detach-on-delete) to ${objectTitleOf(from)}; then apply ${objectTitleOf(to)}, and remove ${objectTitleOf(from)} when that one is Ready`,
  }),
  moveIsSafe: (from: WrittenObjectId, policy: Policy): Advice => ({
    message: `removing ${objectTitleOf(from)} leaves the resource: its policy is ${policy}`,
    fix: policy === 'skip' ? 'apply both in any order' : 'see to it that both objects say the same as long as both are there',
  }),
  twoManage: (one: WrittenObjectId, other: WrittenObjectId): Advice => ({
    message: `${objectTitleOf(one)} and ${objectTitleOf(other)} manage the same resource: each sets back what the other changes, and deleting one of them deletes it`,
    fix: `give one of them ${RECONCILE_POLICY}: skip, and remove that one when the other is Ready`,
  }),
  beside: (one: WrittenObjectId, other: WrittenObjectId): Advice => ({
    message: `${objectTitleOf(other)} stands for the same resource`,
    fix: `only one of ${objectTitleOf(one)} and ${objectTitleOf(other)} may have another policy than skip`,
  }),
  sameSubscription: (): Advice => ({
    message: 'no credential among the objects has the subscription: it is taken for the same one',
    fix: 'if they are of different subscriptions, one resource goes and another one comes: compare with the credential Secrets among the files',
  }),
  roleStays: (policy: Policy): Advice => ({
    message: `the policy is ${policy}: the role stays in Azure`,
    fix: 'to take it away, remove the assignment in Azure, or apply the policy manage before the object is removed',
  }),
  assignmentRefused: (what: string): Advice => ({
    message: `cannot be changed in place: Azure does not update the ${what} of a role assignment (RoleAssignmentUpdateNotPermitted)`,
    fix: 'give the object another name, so that this is a new assignment and the old one is deleted',
  }),
  assignmentRenamed: (oldName: string | undefined, policy: Policy): Advice => ({
    message: `Azure refuses a second assignment of the same role to the same principal in the same scope (RoleAssignmentExists) ${policy === 'manage' ? 'until the old one is deleted; between the two the role is missing' : `and the old one stays: its policy is ${policy}`}`,
    fix: oldName === undefined
      ? 'keep the object name'
      : `keep the object name; or give the new object azureName: ${oldName}, and apply ${RECONCILE_POLICY}: detach-on-delete to the old one before it is removed`,
  }),
  assignmentTwice: (other: WrittenObjectId): Advice => ({
    message: `Azure refuses a second assignment of the same role to the same principal in the same scope (RoleAssignmentExists): ${objectTitleOf(other)} gives it already`,
    fix: 'remove one of the two',
  }),
  duplicateGoes: (from: WrittenObjectId, to: WrittenObjectId): Advice => ({
    message: `${objectTitleOf(from)} and ${objectTitleOf(to)} say the same, and Azure has it only once: if it is that of ${objectTitleOf(from)}, it is missing until the operator has made that of ${objectTitleOf(to)}`,
    fix: 'look which of the two objects is Ready, and keep that one',
  }),
  federationRenamed: (): Advice => ({
    message: 'an identity accepts an issuer and subject only once: Azure refuses the new credential until the old one is deleted; between the two, signing in fails',
    fix: 'keep the object name, or give the new object the azureName of the old one',
  }),
  subscriptionMismatch: (resources: number): Advice => ({
    message: `resources that were made in the old subscription are not moved: ${counted(resources, 'object')} will have the condition SubscriptionMismatch`,
    fix: 'keep the subscription; or give the objects names of their own, so that they are made anew in the other one',
  }),
  credentialGone: (resources: number): Advice => ({
    message: `${counted(resources, 'object')} will use the credential of the operator itself; is that one of another subscription, they get the condition SubscriptionMismatch`,
    fix: 'keep the Secret as long as the namespace has Azure objects',
  }),
  credentialGoesFirst: (resources: number): Advice => ({
    message: `${counted(resources, 'object')} that the operator deletes with it ${plural(resources, 'goes', 'go')} at the same time: without the credential, the deletion hangs`,
    fix: 'remove the objects first, and the Secret when they are gone',
  }),
  ownCredential: (resources: number): Advice => ({
    message: `${counted(resources, 'object')} will use it from now on; its identity needs the roles that they need, and has to be of the same subscription`,
    fix: 'look at who can touch what (cdk8s-aso graph --credentials) before you apply this',
  }),
  bindingRefused: (): Advice => ({
    message: 'cannot be changed in place: the roleRef of a binding is immutable',
    fix: 'give the binding another name, or delete it and apply it again',
  }),
  unread: (side: string, documents: number): Advice => ({
    message: `${counted(documents, 'document')} of ${side} could not be read: what is in them may be shown as ${side === 'NEW' ? 'deleted' : 'created'}`,
    fix: 'correct what is named on standard error, and compare again',
  }),
};

const BESIDE = `keep it as it is; or give the object another name, so that a new resource is made beside the old one, and apply ${RECONCILE_POLICY}: detach-on-delete to the old object first if the old resource is to stay`;


