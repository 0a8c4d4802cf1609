import { randomUUID } from 'node:crypto';
import type { PageSource } from './source';
import type { WireDelta, WireNode, WireSnapshot, WireSummary } from './wire';
import { wireNode } from './wire-node';
import { wireSummary } from './wire-summary';
import type { InspectionNode } from '../engine/inspect';

/** Removed nodes that are remembered. A page that has not asked for longer reads everything again. */
const MOST_REMOVED = 10_000;

interface Entry {
  readonly node: InspectionNode;
  readonly wire: WireNode;
  /** Version in which it changed last. */
  readonly version: number;
}

/** The nodes with the version in which each has changed, so that a page gets what is newer than what it has. */
export class NodeLog {
  public readonly epoch = randomUUID();
  private current = 0;
  private nodes = new Map<string, Entry>();
  /** Versions in which nodes were removed, in this order. */
  private readonly removed = new Map<string, number>();
  /** Removals of this version and older ones may have been forgotten. */
  private forgotten = 0;
  private summary: WireSummary | undefined;
  private summaryText = '';
  private summaryVersion = 0;

  public get version(): number {
    return this.current;
  }

  /** Takes what the source has now. Answers whether anything has changed. */
  public take(source: PageSource): boolean {
    const { inspection } = source;
    if (!inspection) return false;
    const next = this.current + 1;
    const nodes = new Map<string, Entry>();
    let isChanged = false;
    for (const node of inspection.nodes) {
      const before = this.nodes.get(node.key);
      const wire = before?.node === node ? before.wire : wireNode(node, inspection);
      const isSame = before !== undefined && (before.wire === wire || equals(before.wire, wire));
      nodes.set(node.key, isSame ? { ...before, node } : { node, wire, version: next });
      isChanged ||= !isSame;
      this.removed.delete(node.key);
    }
    for (const key of this.nodes.keys()) {
      if (nodes.has(key)) continue;
      this.removed.set(key, next);
      isChanged = true;
    }
    this.nodes = nodes;
    this.forget();
    isChanged = this.takeSummary(wireSummary(source, inspection), next, isChanged) || isChanged;
    if (isChanged) this.current = next;
    return isChanged;
  }

  /** Everything; undefined before the first inspection. */
  public snapshot(): WireSnapshot | undefined {
    if (!this.summary) return undefined;
    return { epoch: this.epoch, version: this.current, summary: this.summary, nodes: [...this.nodes.values()].map(({ wire }) => wire) };
  }

  /** What has changed after a version; undefined where that is not known any more. */
  public since(epoch: string, version: number): WireDelta | undefined {
    if (epoch !== this.epoch || !(version >= this.forgotten && version <= this.current)) return undefined;
    return {
      version: this.current,
      ...(this.summaryVersion > version ? { summary: this.summary } : {}),
      changed: [...this.nodes.values()].filter((entry) => entry.version > version).map(({ wire }) => wire),
      removed: [...this.removed].filter(([, at]) => at > version).map(([key]) => key),
    };
  }

  /** The time alone is no news; it goes with other changes. */
  private takeSummary(summary: WireSummary, version: number, isChanged: boolean): boolean {
    const text = JSON.stringify({ ...summary, asOf: 0 });
    if (text === this.summaryText && !isChanged) return false;
    this.summary = summary;
    this.summaryText = text;
    this.summaryVersion = version;
    return true;
  }

  private forget(): void {
    for (const [key, version] of this.removed) {
      if (this.removed.size <= MOST_REMOVED) return;
      this.removed.delete(key);
      this.forgotten = Math.max(this.forgotten, version);
    }
  }
}

function equals(a: WireNode, b: WireNode): boolean {
  return a.state === b.state && a.severity === b.severity && a.reason === b.reason && a.message === b.message && a.since === b.since
    && a.owner === b.owner && a.cause === b.cause;
}
