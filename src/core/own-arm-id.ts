import { ApiObject } from 'cdk8s';
import { armIdFor } from './arm-id-for';
import { declaredFor } from './aspects/layers';
import { isResource, type ResourceInternals } from './resource-internals';
import type { IAzureResourceRef } from './resource-reference';
import { parseArmId } from '../azure/arm-id';

/**
 * The ARM id that a resource of the app has or will have.
 * @throws when the subscription, a name or an owner's id is known only later
 */
export function ownArmId(resource: ResourceInternals & IAzureResourceRef): string {
  const subscriptionId = subscriptionOf(resource);
  if (subscriptionId !== undefined) return armIdFor(resource, subscriptionId);
  throw new Error(`[${resource.node.path}] The ARM id is not known: it begins with the subscription, which is that of the resource's credential. Give Defaults.of(scope).use({ subscriptionId }), or an AsoCredential of the app.`);
}

/** The subscription of a resource: that of an owner by ARM id, of its credential, of the defaults, or of the namespace's credential. */
function subscriptionOf(resource: ResourceInternals): string | undefined {
  let top: ResourceInternals = resource;
  while (isResource(top.owner?.construct)) top = top.owner.construct;
  const { armId } = top.owner ?? {};
  if (armId !== undefined) return parseArmId(armId)?.subscriptionId;
  return resource._credentialSecret
    ? subscriptionIn(resource._credentialSecret)
    : declaredFor(resource, 'subscriptionId')[0]?.value ?? ofNamespace(resource);
}

/** The subscription of the `aso-credential` that the app has for the namespace. */
function ofNamespace({ node: { root }, metadata: { namespace } }: ResourceInternals): string | undefined {
  const secret = root.node.findAll().find((construct): construct is ApiObject => ApiObject.isApiObject(construct)
    && (construct as ApiObject).kind === 'Secret'
    && (construct as ApiObject).name === 'aso-credential'
    && (construct as ApiObject).metadata.namespace === namespace);
  return secret && subscriptionIn(secret);
}

function subscriptionIn(secret: ApiObject): string | undefined {
  return (secret.toJson() as { stringData?: Record<string, string> }).stringData?.AZURE_SUBSCRIPTION_ID;
}
