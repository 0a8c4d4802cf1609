import type { Selection } from './credential-selection';
import type { Place, Places } from './places';
import { callAction, linkAction, resourceActions } from '../../../azure/permissions/needed-actions';
import { exportedSecrets } from '../../exports/exported-secrets';
import type { ObjectSet } from '../../rules/object-set';
import type { AzureObject } from '../../rules/set-object';

/** An action that a credential needs, and its place. */
export interface Need {
  readonly action: string;
  readonly place: Place;
  /** The title of the resource, if it is not the one that needs the action. */
  readonly on?: string;
  /** Whether the resource may not exist yet. */
  readonly creates: boolean;
}

/** All actions that the controller performs for an object; empty if the object is no resource of Azure Resource Manager. */
export function accessNeedsOf(object: AzureObject, selection: Selection, places: Places, set: ObjectSet): Need[] {
  const arm = object.version.facts.arm;
  if (!arm) return [];
  const policy = set.policyOf(object);
  const writes = policy !== 'skip';
  const deletes = writes && policy !== 'detach-on-delete' && object.version.supports('DELETE');
  const place = places.of(object, selection);
  const own = [...resourceActions(arm.type, { writes, deletes }), ...secretActions(object, arm.type)];
  const needs: Need[] = own.map((action) => ({ action, place, creates: action.endsWith('/write') }));
  if (writes) needs.push(...linkNeeds(object, arm.type, selection, places));
  return unique(needs);
}

/** The actions of the calls that return the secrets which the object exports. */
function secretActions({ spec, version }: AzureObject, armType: string): string[] {
  const used = new Set(exportedSecrets(spec, version).map(({ call }) => call));
  return [...used].map((name) => {
    const { method, path } = version.kind.facts.secretSources!.calls![name]!;
    return callAction(armType, method, path);
  });
}

/** The actions that Azure requires on the resources that the spec references. */
function linkNeeds(object: AzureObject, armType: string, selection: Selection, places: Places): Need[] {
  return object.facts.references.flatMap((reference) => {
    const { place, armType: to, object: found } = places.target(object, reference, selection);
    const action = to === undefined ? undefined : linkAction(armType, to, reference.path);
    if (action === undefined) return [];
    return [
      {
        action,
        place,
        on: found ? `${found.kind} ${found.name}` : (reference.armId ?? `${reference.kind} ${reference.name}`),
        creates: false,
      },
    ];
  });
}

function unique(needs: readonly Need[]): Need[] {
  return [...new Map(needs.map((need) => [`${need.action.toLowerCase()} ${need.place.id}`, need])).values()];
}

/** A needed action as text: `Microsoft.Network/virtualNetworks/subnets/join/action on VirtualNetworksSubnet db` */
export function needText({ action, on }: Need): string {
  return on === undefined ? action : `${action} on ${on}`;
}
