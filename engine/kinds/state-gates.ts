import { behaviourOf } from './all-kinds';
import { getResource, valueAt } from './arm-json';
import type { KindBehaviour, StateGate } from './kind-behaviour';
import { parentLockScopeOf } from './serial-writes';
import type { KindContext, Verdict } from './types';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { sameArmId } from '../../src/azure/arm-id';
import { Catalog } from '../../src/catalog';
import { PROPERTIES } from '../arm/arm-reader';
import type { KubernetesObject } from '../kubernetes/types';
import { versionOf } from '../resolve/kind-of';
import { ownerOf } from '../resolve/owner';

/** Number of requests that the state check of a kind sends. @param of only those that read the owner, or the resource itself */
export function stateReadsOf(group: string, kind: string, of?: StateGate['of']): number {
  return behaviourOf(group, kind).stateGates?.filter((gate) => of === undefined || gate.of === of).length ?? 0;
}

/** The state check of a kind; undefined when it has none. */
export function stateGateOf({ stateGates: gates }: KindBehaviour): ((context: KindContext) => Promise<Verdict>) | undefined {
  if (!gates) return undefined;
  return async (context) => {
    for (const gate of gates) {
      const subject: Subject | undefined =
        gate.of === 'own' ? { armId: context.armId, apiVersion: context.version.facts.arm!.apiVersion } : ownerOfGate(context);
      if (!subject || (context.isNew && (gate.of === 'own' || isKnownToPass(subject, gate, context)))) continue;
      // An absent resource blocks nothing: Azure's answer to the PUT is more precise than this check.
      const state = valueAt(
        await getResource(context.client, subject.armId, subject.apiVersion, { needs: [PROPERTIES] }, context.signal),
        gate.path,
      );
      if (typeof state === 'string' && !passes(gate, state)) {
        return {
          kind: 'block',
          message: `${gate.of === 'own' ? 'the resource' : `owner "${subject.armId}"`} is in state "${state}" and takes no changes now`,
        };
      }
    }
    return { kind: 'proceed' };
  };
}

/**
 * Whether a state that passes was seen at the end of the operation that made the owner, and only this controller's own writes could have
 * changed it since: they are sent one at a time.
 */
function isKnownToPass({ armId, object }: Subject, gate: StateGate, context: KindContext): boolean {
  const state = object?.status?.[gate.path.slice(gate.path.lastIndexOf('/') + 1)];
  const lock = parentLockScopeOf(context.armId);
  return typeof state === 'string' && passes(gate, state) && lock !== undefined && sameArmId(lock.parent, armId);
}

function passes({ pass, passExactly, block }: StateGate, state: string): boolean {
  if (passExactly) return passExactly.includes(state);
  return pass ? pass.includes(state.toLowerCase()) : !block!.includes(state.toLowerCase());
}

/** The resource whose state is checked. */
interface Subject {
  readonly armId: string;
  readonly apiVersion: string;
  /** Its object, where it is another one. */
  readonly object?: KubernetesObject;
}

function ownerOfGate({ object, version, lookup }: KindContext): Subject | undefined {
  const named = ownerOf(object, version);
  if (!named) return undefined;
  if (named.by === 'armId') {
    const kind = version.facts.owner;
    const latest = typeof kind === 'object' && kind ? Catalog.default().kind(kind.group, kind.kind)?.latest : undefined;
    return latest?.facts.arm && { armId: named.armId, apiVersion: latest.facts.arm.apiVersion };
  }
  const found = lookup.find(named.group, named.kind, object.metadata.namespace ?? 'default', named.name);
  const armId = found?.metadata.annotations?.[RESOURCE_ID];
  const arm = found && versionOf(found)?.facts.arm;
  return armId && arm ? { armId, apiVersion: arm.apiVersion, object: found } : undefined;
}
