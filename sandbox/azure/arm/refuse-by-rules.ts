import { parseArmPath, targetOf, type ArmNode, type NodePath } from './arm-path';
import { AzureError } from './errors';
import { specView } from './spec-view';
import { AZURE_RULES } from '../../../src/azure/rules/all';
import type { AzureRule, AzureSubject } from '../../../src/azure/rules/rule';
import { Catalog, immutableChanges, type KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import type { Simulation } from '../model/simulation';
import type { Json } from '../model/store';

/** Rules by kind; those of all kinds have the key `''`. */
const BY_KIND = new Map<string, AzureRule[]>();
for (const rule of AZURE_RULES) {
  for (const kind of rule.kinds.length > 0 ? rule.kinds : ['']) BY_KIND.set(kind, [...(BY_KIND.get(kind) ?? []), rule]);
}

/**
 * Refuses what Azure refuses, by the same rules as `cdk8s-aso check`.
 *
 * @throws AzureError
 */
export function refuseByRules(simulation: Simulation, nodes: NodePath, body: Json, version: KindVersion): void {
  const subject = subjectOf(simulation, nodes, body, version);
  for (const { find, code } of [...(BY_KIND.get('') ?? []), ...(BY_KIND.get(subject.kind) ?? [])]) {
    if (code === undefined) continue;
    const violation = find(subject).find(({ severity }) => severity !== 'warning');
    if (violation) throw new AzureError(400, code, `The value of '${violation.field}' is not valid: ${violation.message}.`);
  }
}

/**
 * Refuses another value of a property that Azure does not change once the resource exists.
 *
 * @throws AzureError
 */
export function refuseImmutable(existing: Json, body: Json, version: KindVersion): void {
  const [change] = immutableChanges(version, existing, body, 'body');
  if (change) throw new AzureError(400, 'PropertyChangeNotAllowed', `Changing property '${change.path}' is not allowed.`);
}

/** A body as the rules read it. Owner and siblings are looked up when a rule asks. */
function subjectOf(simulation: Simulation, nodes: NodePath, body: Json, version: KindVersion): AzureSubject {
  const { group, kind } = version.kind;
  const node = targetOf(nodes);
  return {
    kind: `${group}/${kind}`,
    name: node.name,
    spec: { ...specView(body, version), owner: {} },
    get owner() {
      const [first, ...rest] = nodes.slice(0, -1);
      return first && knownSubject(simulation, [first, ...rest]);
    },
    get siblings() {
      const [first, ...rest] = nodes.slice(0, -1);
      if (!first) return [];
      return childrenOf(simulation, nodes.at(-2) ?? first, node.type, node.id)
        .flatMap((sibling) => knownSubject(simulation, [first, ...rest, sibling]) ?? []);
    },
    beside(other) {
      const [first, ...rest] = nodes.slice(0, -1);
      const slash = other.indexOf('/');
      const type = Catalog.default().kind(other.slice(0, slash), other.slice(slash + 1))?.latest.facts.arm?.type;
      if (!first || type === undefined) return [];
      return childrenOf(simulation, nodes.at(-2) ?? first, type, node.id)
        .flatMap((one) => knownSubject(simulation, [first, ...rest, one]) ?? []);
    },
    referenced(reference) {
      const { nodes: [first, ...rest] } = parseArmPath(isRecord(reference) && typeof reference.armId === 'string' ? reference.armId : '');
      return first && knownSubject(simulation, [first, ...rest]);
    },
  };
}

function knownSubject(simulation: Simulation, nodes: NodePath): AzureSubject | undefined {
  const { id, type } = targetOf(nodes);
  const resource = simulation.store.get(id);
  const version = simulation.catalog.versionOf(type);
  return resource && version && subjectOf(simulation, nodes, resource.body, version);
}

/** The resources of a type right below a parent, but the one with this id. */
function childrenOf(simulation: Simulation, parent: ArmNode, type: string, id: string): ArmNode[] {
  return simulation.store.under(parent.id)
    .filter((resource) => resource.type.toLowerCase() === type.toLowerCase() && resource.id.toLowerCase() !== id.toLowerCase())
    .map((resource) => ({ id: resource.id, type: resource.type, name: resource.name }));
}
