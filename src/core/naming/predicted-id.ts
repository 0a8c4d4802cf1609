import { IConstruct } from 'constructs';
import { armIdIn } from '../../azure/arm-id-in';
import { isResource, type ResourceInternals } from '../resource-internals';
import type { AzureResourceReference } from '../resource-reference';
import type { Conversion } from '../schema/conversion';

/** The ARM id that a resource will have; undefined where a name, an owner or the subscription is not known. */
export function predictedId(reference: AzureResourceReference, subscriptionId: string | undefined, run: Conversion): string | undefined {
  const chain: ResourceInternals[] = [];
  let at: AzureResourceReference | undefined = reference;
  while (at && at.armId === undefined) {
    const construct: IConstruct | undefined = at.construct;
    // The name of a role assignment may derive from this id: predicting its own id would be a cycle.
    if (!isResource(construct) || construct.kind === 'RoleAssignment' || chain.includes(construct)) return undefined;
    chain.push(construct);
    at = construct.owner;
  }
  let id = at?.armId;
  for (const resource of chain.reverse()) {
    const { schema, azureName, lasting } = resource._check();
    if (!lasting) run.lazy = true;
    const { arm, scope } = schema.version.facts;
    id = arm && azureName !== undefined ? armIdIn({ type: arm.type, scope, name: azureName, owner: id, subscriptionId }) : undefined;
    if (id === undefined) return undefined;
  }
  return id;
}
