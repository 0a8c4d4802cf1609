import { managedByText, type ManagedBy } from './managed-by';
import { propagationTargetText, type PropagationTarget } from '../../src/azure/credential-propagation';

/** Indexes the targets of each identity, by the identity's annotation, and the owner of each target, by the target's labels. */
export class PropagationIndex {
  private readonly targets = new Map<string, readonly PropagationTarget[]>();
  private readonly byTarget = new Groups<ManagedBy>();
  private readonly byNamespace = new Groups<ManagedBy>();
  private readonly owners = new Map<string, ManagedBy>();
  private readonly managed = new Groups<PropagationTarget>();

  /** Replaces the targets of an identity. */
  public setTargets(owner: ManagedBy, targets: readonly PropagationTarget[]): void {
    const text = managedByText(owner);
    for (const target of this.targets.get(text) ?? []) {
      this.byTarget.remove(propagationTargetText(target), text);
      this.byNamespace.remove(target.namespace, text);
    }
    for (const target of targets) {
      this.byTarget.add(propagationTargetText(target), text, owner);
      this.byNamespace.add(target.namespace, text, owner);
    }
    if (targets.length > 0) this.targets.set(text, targets);
    else this.targets.delete(text);
  }

  /** Replaces the owner of a target. */
  public setManagedBy(target: PropagationTarget, owner: ManagedBy | undefined): void {
    const text = propagationTargetText(target);
    const before = this.owners.get(text);
    if (before) this.managed.remove(managedByText(before), text);
    if (owner) {
      this.owners.set(text, owner);
      this.managed.add(managedByText(owner), text, target);
    } else {
      this.owners.delete(text);
    }
  }

  public targetsOf(owner: ManagedBy): readonly PropagationTarget[] {
    return this.targets.get(managedByText(owner)) ?? [];
  }

  /** All identities with targets, and those that targets name as their owners. */
  public get all(): readonly ManagedBy[] {
    const owners = new Map([...this.targets.keys()].map((text) => [text, managedByOfText(text)]));
    for (const owner of this.owners.values()) owners.set(managedByText(owner), owner);
    return [...owners.values()];
  }

  /** The targets labelled with the owner. */
  public managedBy(owner: ManagedBy): readonly PropagationTarget[] {
    return this.managed.of(managedByText(owner));
  }

  /** The identities to check when the target changes. */
  public concernedBy(target: PropagationTarget): readonly ManagedBy[] {
    const owner = this.owners.get(propagationTargetText(target));
    return [...this.byTarget.of(propagationTargetText(target)), ...(owner ? [owner] : [])];
  }

  /** The identities to check when the namespace changes. */
  public concernedByNamespace(namespace: string): readonly ManagedBy[] {
    const owners = [...this.owners].filter(([text]) => text.split('/')[1] === namespace).map(([, owner]) => owner);
    return [...this.byNamespace.of(namespace), ...owners];
  }

  /** The identities with a target of the kind. */
  public identitiesOf(kind: PropagationTarget['kind']): readonly ManagedBy[] {
    return [...this.targets].filter(([, targets]) => targets.some((target) => target.kind === kind)).map(([text]) => managedByOfText(text));
  }
}

function managedByOfText(text: string): ManagedBy {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}

/** Sets of members by group. */
class Groups<T> {
  private readonly members = new Map<string, Map<string, T>>();

  public add(group: string, key: string, member: T): void {
    const known = this.members.get(group) ?? new Map<string, T>();
    this.members.set(group, known.set(key, member));
  }

  public remove(group: string, key: string): void {
    const known = this.members.get(group);
    known?.delete(key);
    if (known?.size === 0) this.members.delete(group);
  }

  public of(group: string): readonly T[] {
    return [...(this.members.get(group)?.values() ?? [])];
  }
}
