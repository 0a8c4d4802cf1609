import { partialUnread } from './status-text';
import { NODE_STATES, type Cause, type Inspection, type InspectionNode } from '../../engine/inspect';
import { objectTitleOf } from '../../src/object-id';

/** The status for programs. Times are in ISO 8601. */
export function statusJson(inspection: Inspection, shows: (node: InspectionNode) => boolean): object {
  const shown = inspection.nodes.filter(shows);
  const keys = new Set(shown.map(({ key }) => key));
  return {
    time: isoTime(inspection.now),
    partial: partialUnread(inspection).length > 0,
    states: Object.fromEntries(NODE_STATES.map((state) => [state, shown.filter((node) => node.state === state).length])),
    controllers: inspection.controllers?.map(({ renewedAt, ...controller }) => ({ ...controller, renewedAt: isoTime(renewedAt) })) ?? null,
    causes: inspection.causes.filter(({ nodes }) => nodes.some((key) => keys.has(key))).map((cause) => causeJson(cause, inspection)),
    objects: shown.map(nodeJson),
    unread: inspection.unread,
  };
}

export function causeJson({ id, code, reason, severity, object, text, nodes }: Cause, { byKey }: Inspection): object {
  const objects = nodes.map((key) => byKey.get(key)).flatMap((node) => (node ? [objectTitleOf(node)] : []));
  return { id, code, reason, severity, object, text, objects };
}

export function nodeJson(node: InspectionNode): object {
  const { group, kind, namespace, name, apiVersion, armId, state, severity, reason, message, since, generation, observedGeneration } = node;
  const { owner, policy, credential, operatorNamespace, operation, deletion, waits, cause, references } = node;
  return {
    group,
    kind,
    namespace,
    name,
    apiVersion,
    armId,
    state,
    severity,
    reason,
    message,
    since: isoTime(since),
    generation,
    observedGeneration,
    owner,
    references: references.length > 0 ? references : undefined,
    policy,
    credential,
    operatorNamespace,
    operation: operation && { ...operation, since: isoTime(operation.since) },
    deletion: deletion && { ...deletion, since: isoTime(deletion.since) },
    waits: waits.length > 0 ? waits.map(({ for: what, text, object }) => ({ for: what, text, object })) : undefined,
    cause,
  };
}

export function isoTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined || Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
}
