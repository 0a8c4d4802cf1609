import { assertUuid } from './credentials/ids';
import type * as Internal from './graph/internal';
import { isResource, type ResourceInternals } from './resource-internals';
import type { AzureResourceReference, IAzureResourceRef } from './resource-reference';
import { elementAt } from '../util/elements';

// Loaded on demand: few apps ask for ids.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const internal = (): typeof Internal => require('./graph/internal') as typeof Internal;

/**
 * The ARM id that a resource has or will have in a subscription.
 * @throws when the id is not known before the objects are applied
 */
export function armIdFor(resource: IAzureResourceRef, subscriptionId: string): string {
  assertUuid('subscription id', subscriptionId);
  const { azureResourceRef } = resource;
  if (azureResourceRef.armId !== undefined) return azureResourceRef.armId;
  const { chain, end } = ownersOf(azureResourceRef);
  if (end && end.armId === undefined) {
    throw unknown(azureResourceRef, `of ${end.kind} '${end.name}' only the name is known. Give the construct, or fromArmId(id)`);
  }
  const { objectsIn, predictedIds } = internal();
  const objects = chain.map((construct) => elementAt(objectsIn(construct), 0));
  const [id] = predictedIds(objects, (index) => (index + 1 < objects.length ? index + 1 : undefined), () => subscriptionId);
  if (id === undefined) throw unknown(azureResourceRef, 'it, or an owner of it, gets its name in Azure only later, or is no ARM resource');
  return id;
}

/** The resource with its owners up to the topmost one, and the topmost owner's own owner where that is no construct. */
function ownersOf(reference: AzureResourceReference): { readonly chain: ResourceInternals[]; readonly end?: AzureResourceReference } {
  const chain: ResourceInternals[] = [];
  let at: AzureResourceReference | undefined = reference;
  while (at && isResource(at.construct) && !chain.includes(at.construct)) {
    const resource: ResourceInternals = at.construct;
    chain.push(resource);
    at = resource.owner;
  }
  return { chain, ...(at && { end: at }) };
}

function unknown({ kind, name, wellKnownName, construct }: AzureResourceReference, why: string): Error {
  const where = construct ? `[${construct.node.path}] ` : '';
  return new Error(`${where}The ARM id of ${kind ?? 'the resource'} '${name ?? wellKnownName}' is not known before it is applied: ${why}.`);
}
