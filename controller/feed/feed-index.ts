import { markText, type Mark } from './marks';
import { feedTargetText, type FeedTarget } from '../../src/azure/credential-feeds';

/** Who feeds what, as the identities say, and what was fed by whom, as the labels of the targets say. */
export class FeedIndex {
  private readonly targets = new Map<string, readonly FeedTarget[]>();
  private readonly byTarget = new Groups<Mark>();
  private readonly byNamespace = new Groups<Mark>();
  private readonly marks = new Map<string, Mark>();
  private readonly marked = new Groups<FeedTarget>();

  /** Of an identity: what it feeds from now on. */
  public setTargets(mark: Mark, targets: readonly FeedTarget[]): void {
    const text = markText(mark);
    for (const target of this.targets.get(text) ?? []) {
      this.byTarget.remove(feedTargetText(target), text);
      this.byNamespace.remove(target.namespace, text);
    }
    for (const target of targets) {
      this.byTarget.add(feedTargetText(target), text, mark);
      this.byNamespace.add(target.namespace, text, mark);
    }
    if (targets.length > 0) this.targets.set(text, targets);
    else this.targets.delete(text);
  }

  /** Of a target: whose mark it carries from now on. */
  public setMark(target: FeedTarget, mark: Mark | undefined): void {
    const text = feedTargetText(target);
    const before = this.marks.get(text);
    if (before) this.marked.remove(markText(before), text);
    if (mark) {
      this.marks.set(text, mark);
      this.marked.add(markText(mark), text, target);
    } else {
      this.marks.delete(text);
    }
  }

  public targetsOf(mark: Mark): readonly FeedTarget[] {
    return this.targets.get(markText(mark)) ?? [];
  }

  /** What carries the mark. */
  public markedBy(mark: Mark): readonly FeedTarget[] {
    return this.marked.of(markText(mark));
  }

  /** Whom a change of the target concerns. */
  public concernedBy(target: FeedTarget): readonly Mark[] {
    const mark = this.marks.get(feedTargetText(target));
    return [...this.byTarget.of(feedTargetText(target)), ...(mark ? [mark] : [])];
  }

  /** Whom a change of the namespace concerns. */
  public concernedByNamespace(namespace: string): readonly Mark[] {
    const marks = [...this.marks].filter(([text]) => text.split('/')[1] === namespace).map(([, mark]) => mark);
    return [...this.byNamespace.of(namespace), ...marks];
  }

  /** Who feeds a target of the kind. */
  public feedersOf(kind: FeedTarget['kind']): readonly Mark[] {
    return [...this.targets].filter(([, targets]) => targets.some((target) => target.kind === kind)).map(([text]) => markOfText(text));
  }
}

function markOfText(text: string): Mark {
  const [namespace, name] = text.split('/');
  return { namespace, name };
}

/** Members of groups, each once. */
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
