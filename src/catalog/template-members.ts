import type { KindVersion } from './kind';
import { isText, member } from '../util/records';

/** The problem of a member of a template, and its fix. */
interface TemplateMember {
  readonly fix: string;
  /** The property of the spec that is meant. */
  readonly meant?: string;
  /** Its value, where it follows. */
  readonly correct?: { readonly value: unknown };
}

type Find = (value: unknown, present: Readonly<Record<string, unknown>>, version: KindVersion) => TemplateMember | undefined;

const ARM_ID = /^\/(?:subscriptions|providers)\/[\w/.() -]{1,1000}$/i;
const CREDENTIAL = 'annotation serviceoperator.azure.com/credential-from';

/** Members that ARM templates, Bicep and Terraform have beside `properties`, and specs do not. */
const MEMBERS: Readonly<Record<string, Find>> = {
  type: () => ({ fix: 'remove it: apiVersion and kind of the object say the type' }),
  apiVersion: () => ({ fix: 'remove it: apiVersion and kind of the object say the type' }),
  name: nameInAzure,
  id: () => ({ fix: 'remove it: the operator makes the id of owner and name' }),
  dependsOn: () => ({ fix: 'remove it: the operator waits for the owner, and for what the object refers to' }),
  subscriptionId: () => ({ fix: `remove it: the credential says the subscription (${CREDENTIAL})` }),
  subscription: () => ({ fix: `remove it: the credential says the subscription (${CREDENTIAL})` }),
  location: () => ({ fix: 'remove it: the resource is where its owner is' }),
  tags: () => ({ fix: 'remove it: the kind takes no tags' }),
  scope: scopeOfExtension,
  parent: (value, present, version) => ownerByName('parent', value, present, version),
  parentId: (value, present, version) => ownerByName('parent', value, present, version),
  resourceGroup: (value, present, version) => ownerByName('ResourceGroup', value, present, version),
  resourceGroupName: (value, present, version) => ownerByName('ResourceGroup', value, present, version),
  resource_group_name: (value, present, version) => ownerByName('ResourceGroup', value, present, version),
  resourcegroup: (value, present, version) => ownerByName('ResourceGroup', value, present, version),
};

/**
 * The problem of a field at the top of a spec that only templates have; undefined for others.
 * @param present the spec
 */
export function templateMember(
  name: string, value: unknown, present: Readonly<Record<string, unknown>>, version: KindVersion,
): TemplateMember | undefined {
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[name]!(value, present, version) : undefined;
}

function nameInAzure(value: unknown, present: Readonly<Record<string, unknown>>, version: KindVersion): TemplateMember {
  const { kind: { kind }, facts: { name } } = version;
  if (typeof name === 'object' && name !== null) return { fix: `remove it: every ${kind} is called '${name.fixed}' in Azure` };
  if (!version.specType.props.azureName) return { fix: 'write it as metadata.name' };
  if (member(present, 'azureName') !== undefined) return { fix: 'remove it: spec.azureName is given' };
  return { fix: 'write it as spec.azureName, or as metadata.name', meant: 'azureName', correct: { value } };
}

/** An extension has its owner where templates have its scope. */
function scopeOfExtension(value: unknown, present: Readonly<Record<string, unknown>>, { facts }: KindVersion): TemplateMember | undefined {
  if (facts.owner !== 'any' && facts.scope !== 'extension') return undefined;
  if (member(present, 'owner') !== undefined) return { fix: 'remove it: spec.owner is the scope' };
  if (isText(value) && ARM_ID.test(value)) return ownerById(value);
  return { fix: 'write it as the owner: spec.owner with group, kind and name of the object, or its armId', meant: 'owner' };
}

function ownerById(id: string): TemplateMember {
  return { fix: `write it as the owner: spec.owner.armId: ${id}`, meant: 'owner', correct: { value: { armId: id } } };
}

function ownerByName(
  named: string, value: unknown, present: Readonly<Record<string, unknown>>, { kind: { kind }, facts: { owner } }: KindVersion,
): TemplateMember | undefined {
  if (owner === null || owner === undefined) return undefined;
  if (member(present, 'owner') !== undefined) return { fix: 'remove it: spec.owner is given' };
  const of = owner === 'any' ? 'resource' : owner.kind;
  if (named !== 'parent' && of !== named) return { fix: `remove it: the ${of} that owns a ${kind} is in it` };
  if (isText(value) && ARM_ID.test(value)) return ownerById(value);
  return {
    fix: `write it as the owner: spec.owner.name, with the metadata.name of the ${of}`,
    meant: 'owner',
    ...(isText(value) && owner !== 'any' && { correct: { value: { name: value } } }),
  };
}
