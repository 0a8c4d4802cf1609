import { getResource, valueAt } from './arm-json';
import type { KindContext, Verdict } from './types';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import { PROPERTIES } from '../arm/arm-reader';
import { versionOf } from '../resolve/kind-of';
import { ownerOf } from '../resolve/owner';

/** A state of the resource or of its owner in which Azure refuses changes (docs/spec/extensions.md#state-gates). */
interface Gate {
  readonly of: 'own' | 'owner';
  /** In the ARM body. */
  readonly path: string;
  /** Lets these through, whatever their case, and an absent state. */
  readonly pass?: readonly string[];
  /** The same, but the case counts. */
  readonly passExactly?: readonly string[];
  /** Lets everything through but these. */
  readonly block?: readonly string[];
}

const STATE = 'properties/provisioningState';
const ENDED = ['succeeded', 'failed', 'canceled'];
const own = (gate: Omit<Gate, 'of'>): Gate => ({ of: 'own', ...gate });
const owner = (gate: Omit<Gate, 'of'>): Gate => ({ of: 'owner', ...gate });
const ENDED_STATE = { path: STATE, pass: ENDED };
const POSTGRES = { path: 'properties/state', pass: [...ENDED, 'ready'] };

const GATES: Readonly<Record<string, readonly Gate[]>> = {
  'containerservice.azure.com/ManagedCluster': [own(ENDED_STATE)],
  'containerservice.azure.com/ManagedClustersAgentPool': [owner(ENDED_STATE), own(ENDED_STATE)],
  'dbforpostgresql.azure.com/FlexibleServer': [own(POSTGRES)],
  'dbforpostgresql.azure.com/FlexibleServersDatabase': [owner(POSTGRES)],
  'dbforpostgresql.azure.com/FlexibleServersFirewallRule': [owner(POSTGRES)],
  'documentdb.azure.com/CassandraDataCenter': [owner({ path: STATE, passExactly: ['Succeeded'] })],
  'documentdb.azure.com/DatabaseAccount': [own({ path: STATE, block: ['deleting'] })],
  'kusto.azure.com/Cluster': [own(ENDED_STATE)],
  'kusto.azure.com/Database': [owner(ENDED_STATE)],
  'redhatopenshift.azure.com/HcpOpenShiftCluster': [own({ path: STATE, block: ['deleting'] })],
};

/** How many requests the check of a kind takes. */
export function stateReadsOf(group: string, kind: string): number {
  return Object.hasOwn(GATES, `${group}/${kind}`) ? GATES[`${group}/${kind}`].length : 0;
}

/** The check of a kind, or undefined where it has none. */
export function stateGateOf(group: string, kind: string): ((context: KindContext) => Promise<Verdict>) | undefined {
  const gates = Object.hasOwn(GATES, `${group}/${kind}`) ? GATES[`${group}/${kind}`] : undefined;
  if (!gates) return undefined;
  return async (context) => {
    for (const gate of gates) {
      const subject = gate.of === 'own' ? { armId: context.armId, apiVersion: context.version.facts.arm!.apiVersion } : ownerOfGate(context);
      if (!subject) continue;
      // What is absent blocks nothing: the PUT tells more than this check could.
      const state = valueAt(await getResource(context.client, subject.armId, subject.apiVersion, { needs: [PROPERTIES] }, context.signal), gate.path);
      if (typeof state === 'string' && !passes(gate, state)) {
        return { kind: 'block', message: `${gate.of === 'own' ? 'the resource' : `owner "${subject.armId}"`} is in state "${state}" and takes no changes now` };
      }
    }
    return { kind: 'proceed' };
  };
}

function passes({ pass, passExactly, block }: Gate, state: string): boolean {
  if (passExactly) return passExactly.includes(state);
  return pass ? pass.includes(state.toLowerCase()) : !block!.includes(state.toLowerCase());
}

function ownerOfGate({ object, version, lookup }: KindContext): { armId: string; apiVersion: string } | undefined {
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
  return armId && arm ? { armId, apiVersion: arm.apiVersion } : undefined;
}
