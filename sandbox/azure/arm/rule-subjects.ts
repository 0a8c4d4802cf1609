import { keyOf, parseArmPath, targetOf, hasTarget, type NodePath } from './arm-path';
import { implicitResource } from './existence';
import { withInlineChildren } from './inline-children';
import { specView } from './spec-view';
import type { AzureSubject } from '../../../src/azure/rules/rule';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import type { Simulation } from '../model/simulation';
import type { Json } from '../model/store';

/**
 * The resources around a request as the rules read them. Each is one subject, whichever way a rule comes to it; owners and siblings are
 * looked up when a rule asks.
 */
export class RuleSubjects {
  private readonly known = new Map<string, AzureSubject | undefined>();

  public constructor(private readonly simulation: Simulation) {}

  /** The body of a request, in place of what is there. */
  public ofBody(nodes: NodePath, body: Json, version: KindVersion): AzureSubject {
    const subject = new BodySubject(nodes, body, version, this, this.simulation.store.get(targetOf(nodes).id) !== undefined);
    this.known.set(keyOf(targetOf(nodes).id), subject);
    return subject;
  }

  public at(nodes: NodePath): AzureSubject | undefined {
    const { id, type } = targetOf(nodes);
    const key = keyOf(id);
    if (!this.known.has(key)) {
      const resource = this.simulation.store.get(id) ?? implicitResource(this.simulation, nodes);
      const version = this.simulation.catalog.versionOf(type);
      const body = resource && withInlineChildren(this.simulation.store, resource);
      this.known.set(key, body && version && new BodySubject(nodes, body, version, this, true));
    }
    return this.known.get(key);
  }

  /** The resources of a type right below a parent, but the one with this id. */
  public childrenOf(parent: NodePath, type: string, id: string): AzureSubject[] {
    return this.simulation.store.under(targetOf(parent).id)
      .filter((resource) => resource.type.toLowerCase() === type.toLowerCase() && keyOf(resource.id) !== keyOf(id))
      .flatMap((resource) => {
        const { nodes } = parseArmPath(resource.id);
        // Extensions of what lies below the parent are not its own.
        if (!hasTarget(nodes) || keyOf(nodes.at(-2)?.id ?? '') !== keyOf(targetOf(parent).id)) return [];
        return this.at(nodes) ?? [];
      });
  }
}

class BodySubject implements AzureSubject {
  public readonly kind: string;
  public readonly name: string;
  public readonly spec: AzureSubject['spec'];

  public constructor(
    private readonly nodes: NodePath,
    body: Json,
    version: KindVersion,
    private readonly subjects: RuleSubjects,
    public readonly exists: boolean,
  ) {
    this.kind = `${version.kind.group}/${version.kind.kind}`;
    this.name = targetOf(nodes).name;
    this.spec = { ...specView(body, version), owner: {} };
  }

  public get owner(): AzureSubject | undefined {
    return this.parent && this.subjects.at(this.parent);
  }

  public get siblings(): readonly AzureSubject[] {
    const { id, type } = targetOf(this.nodes);
    return this.parent ? this.subjects.childrenOf(this.parent, type, id) : [];
  }

  public beside(kind: string): readonly AzureSubject[] {
    const slash = kind.indexOf('/');
    const type = Catalog.default().kind(kind.slice(0, slash), kind.slice(slash + 1))?.latest.facts.arm?.type;
    return this.parent && type !== undefined ? this.subjects.childrenOf(this.parent, type, targetOf(this.nodes).id) : [];
  }

  public referenced(reference: unknown): AzureSubject | undefined {
    const { nodes } = parseArmPath(isRecord(reference) && typeof reference.armId === 'string' ? reference.armId : '');
    return hasTarget(nodes) ? this.subjects.at(nodes) : undefined;
  }

  /** Only rules about what Azure takes ask for it, and those are none of a request. */
  public named(): undefined {
    return undefined;
  }

  private get parent(): NodePath | undefined {
    const above = this.nodes.slice(0, -1);
    return hasTarget(above) ? above : undefined;
  }
}
