import { sharedKeyOf } from '../object-key';
import { partyOf, type Writer } from './writer';
import { setNewest } from '../../../src/util/set-newest';

interface Waiting {
  readonly writer: Writer;
  /** In the order of arrival. */
  readonly number: number;
}

/** Namespaces and principals to remember. */
const MOST_REMEMBERED = 1_000;

/**
 * The writers that wait for one lock. Namespaces take turns, and in a namespace its principals do, so that neither many objects nor many
 * credentials of one delay another; the objects of one principal go in the order of their arrival.
 */
export class WaitingWriters {
  private readonly waiting = new Map<string, Waiting>();
  /** Namespace, or namespace and principal → the number of the turn in which it was served last. */
  private readonly servedIn = new Map<string, number>();
  private turns = 0;
  private last = 0;
  private front = 0;

  /** @param mayGoFirst whether a writer that asks for it goes before all others */
  public constructor(private readonly mayGoFirst: (writer: Writer) => boolean) {}

  public get size(): number {
    return this.waiting.size;
  }

  public has(name: string): boolean {
    return this.waiting.has(name);
  }

  /** The writer keeps its place where it waits already. */
  public add(writer: Writer): void {
    const name = sharedKeyOf(writer.key);
    const number = this.waiting.get(name)?.number ?? (this.last += 1);
    this.waiting.set(name, { writer, number });
  }

  /** Before all others of its namespace and principal. */
  public addInFront(writer: Writer): void {
    this.waiting.set(sharedKeyOf(writer.key), { writer, number: (this.front -= 1) });
  }

  public delete(name: string): void {
    this.waiting.delete(name);
  }

  /** The writer whose turn it is, of those that count. */
  public next(counts: (writer: Writer) => boolean): Writer | undefined {
    let best: Waiting | undefined;
    for (const one of this.waiting.values()) if (counts(one.writer) && (!best || this.isBefore(one, best))) best = one;
    return best?.writer;
  }

  /** The writer has its turn. */
  public serve(writer: Writer): void {
    this.waiting.delete(sharedKeyOf(writer.key));
    this.turns += 1;
    // Those that were served least recently go first anyway.
    for (const name of [writer.key.namespace, partyOf(writer)]) setNewest(this.servedIn, name, this.turns, MOST_REMEMBERED);
  }

  private isBefore(one: Waiting, other: Waiting): boolean {
    const [a, b] = [one.writer, other.writer];
    const isFirst = this.isFirst(a);
    if (isFirst !== this.isFirst(b)) return isFirst;
    const byNamespace = this.servedLast(a.key.namespace) - this.servedLast(b.key.namespace);
    const byParty = byNamespace || this.servedLast(partyOf(a)) - this.servedLast(partyOf(b));
    return (byParty || one.number - other.number) < 0;
  }

  private isFirst(writer: Writer): boolean {
    return writer.first && this.mayGoFirst(writer);
  }

  private servedLast(name: string): number {
    return this.servedIn.get(name) ?? 0;
  }
}
