import { stateWords, signOf } from './node-signs';
import { exitStatus, textOptions, type StatusOptions } from './status-options';
import { statusLines, summaryLines, unreadLines } from './status-text';
import { InformerSet } from '../../engine/informers';
import { durationText, informedParts, type Inspection, type InspectionNode, type Unread } from '../../engine/inspect';
import { catalogKinds, type WatchedKind } from '../../engine/kubernetes/watched-kind';
import { Catalog } from '../../src/catalog';
import { shortened } from '../../src/util/words';
import { withCluster } from '../cluster/connect';
import { checkWatchable, inspectParts, readControllers, type ClusterParts } from '../cluster/inspected-cluster';
import type { ClusterReader } from '../cluster/reader';
import { StoreReader } from '../cluster/store-reader';
import { fewLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import { progressLine } from '../output/progress-line';
import { Redraw, type Screen } from '../output/screen';
import { styleFor, type Style, type Terminal } from '../output/terminal';

/** Milliseconds between two looks at what has changed, and between two reads of Secrets, ConfigMaps and controllers. */
const LOOK_MS = 250;
const READ_AGAIN_MS = 10_000;
const LONGEST_MESSAGE = 160;

const NAMESPACE: WatchedKind = { group: '', kind: 'Namespace', versions: ['v1'], metadataOnly: true };

type Shows = (node: InspectionNode) => boolean;

/**
 * Watches the cluster until the user ends it: redraws a terminal, prints a line for each change elsewhere. Returns the exit status.
 * @param signal ends the watch besides SIGINT and SIGTERM
 */
export async function watchStatus(
  options: StatusOptions, shows: Shows, terminal: Terminal, environment: Readonly<Record<string, string | undefined>>,
  screen: Screen = process.stdout, signal?: AbortSignal,
): Promise<number> {
  const stop = new AbortController();
  const end = () => stop.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.once(name, end);
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await withCluster(options, { command: 'status', environment }, async ({ client }) => {
      const watch = new StatusWatch(client, options, shows, terminal, screen, styleFor(screen, environment));
      await checkWatchable(client, options.namespace);
      const informers = new InformerSet(client, [...catalogKinds(Catalog.default().allKinds), NAMESPACE], {
        ...(options.namespace === undefined ? {} : { namespaces: [options.namespace] }),
      });
      informers.onEvent(() => watch.changed());
      informers.onKnown(() => watch.changed());
      if (!screen.isTTY) terminal.note('reading; Ctrl-C ends the watch');
      const progress = progressLine(process.stderr, terminal);
      const timer = setInterval(() => progress.report(() => readText(informers)), LOOK_MS);
      await informers.start(stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      }).finally(() => {
        clearInterval(timer);
        progress.end();
      });
      await watch.run(informers, stop.signal);
      await informers.stopped();
      return watch.exitStatus();
    });
  } finally {
    for (const name of signals) process.removeListener(name, end);
    signal?.removeEventListener('abort', end);
  }
}

function readText(informers: InformerSet): string {
  const { types } = informers;
  const known = types.filter(({ group, kind }) => informers.stateOf(group, kind).state !== 'unknown').length;
  return `${known} of ${types.length} kinds read`;
}

class StatusWatch {
  private dirty = true;
  private last: Inspection | undefined;
  private controllers: ClusterParts['controllers'];
  private readonly unread: Unread[] = [];
  private readAt = 0;
  private readonly stores: StoreReader;
  private readonly redraw: Redraw;

  public constructor(
    private readonly reader: ClusterReader,
    private readonly options: StatusOptions,
    private readonly shows: Shows,
    private readonly terminal: Terminal,
    private readonly screen: Screen,
    /** Written to the screen itself, past the terminal. */
    private readonly screenStyle: Style,
  ) {
    this.stores = new StoreReader(reader);
    this.redraw = new Redraw(screen);
  }

  public changed(): void {
    this.dirty = true;
  }

  public exitStatus(): number {
    return this.last === undefined ? 0 : exitStatus(this.last, this.shows, this.options);
  }

  public async run(informers: InformerSet, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const start = performance.now();
      await this.look(informers, signal).catch((error: unknown) => {
        // The API server may be away for a moment: the informers connect again by themselves.
        if (!signal.aborted) this.note(`the cluster does not answer: ${oneLine((error as Error).message)}`);
      });
      // With thousands of objects that change all the time, a third of a core at most.
      await sleep(Math.max(LOOK_MS, 2 * (performance.now() - start)), signal);
    }
  }

  private async look(informers: InformerSet, signal: AbortSignal): Promise<void> {
    const isDue = Date.now() - this.readAt >= READ_AGAIN_MS;
    if (!this.dirty && !isDue && !this.screen.isTTY) return;
    if (this.dirty || isDue || !this.last) {
      this.dirty = false;
      if (isDue) await this.readAgain();
      const inspection = await inspectParts(this.partsOf(informers), this.stores);
      if (signal.aborted) return;
      this.report(inspection);
      this.last = inspection;
    }
    this.draw();
  }

  private async readAgain(): Promise<void> {
    this.readAt = Date.now();
    this.stores.forget();
    this.unread.length = 0;
    this.controllers = await readControllers(this.reader, this.unread, {});
  }

  private partsOf(informers: InformerSet): ClusterParts {
    const parts = informedParts(informers);
    return { ...parts, controllers: this.controllers, unread: [...parts.unread, ...this.unread] };
  }

  /** Away from a terminal: the numbers once, then a line for each change. */
  private report(inspection: Inspection): void {
    if (this.screen.isTTY) return;
    const { style } = this.terminal;
    const { last } = this;
    if (!last) {
      this.terminal.print(statusLines(inspection, textOptions(this.options, this.shows, style)).join('\n'));
      for (const line of fewLines(unreadLines(inspection))) this.terminal.note(line);
      return;
    }
    for (const line of changes(last, inspection, this.shows, style)) this.terminal.print(line);
  }

  private draw(): void {
    if (!this.screen.isTTY || !this.last) return;
    const { screenStyle: style } = this;
    const inspection = { ...this.last, now: Date.now() };
    const options = textOptions(this.options, this.shows, style);
    const rows = this.redraw.rows - 1;
    const all = statusLines(inspection, options);
    const lines = all.length <= rows ? all : statusLines(inspection, { ...options, folds: this.options.fold });
    const more = lines.length - rows;
    const notes = inspection.unread.length > 0 ? unreadLines(inspection).slice(0, 1) : [];
    const room = rows - notes.length - 1;
    this.redraw.draw(more > 0 ? [...lines.slice(0, room), style.dim(`… ${lines.length - room} more lines; see --state, --kind and -n`), ...notes] : [...lines, ...notes].slice(0, rows));
  }

  private note(text: string): void {
    this.redraw.erase();
    this.terminal.note(text);
  }
}

/** One line for each object whose state, reason or message has changed. */
export function changes(before: Inspection, after: Inspection, shows: Shows, style: Style): string[] {
  const time = new Date(after.now).toISOString().slice(11, 19);
  const changed = after.nodes.filter(shows).flatMap((node) => {
    const old = before.byKey.get(node.key);
    if (old && old.state === node.state && old.reason === node.reason && old.message === node.message) return [];
    const from = old === undefined || stateWords(old) === stateWords(node) ? '' : `${stateWords(old)} → `;
    const message = node.message === '' || node.state === 'Ready' ? '' : `  ${shortened(oneLine(node.message), LONGEST_MESSAGE)}`;
    return [`${style.dim(time)} ${signOf(node.state, style)} ${node.namespace} ${node.kind} ${node.name}  ${from}${stateWords(node)}${message}`];
  });
  const gone = before.nodes.filter((node) => shows(node) && !after.byKey.has(node.key)).map((node) => {
    const age = node.deletion?.since === undefined ? '' : ` after ${durationText(after.now - node.deletion.since)}`;
    return `${style.dim(time)} - ${node.namespace} ${node.kind} ${node.name}  deleted${age}`;
  });
  const lines = [...changed, ...gone];
  const isQuiet = lines.length === 0 || after.states.Ready === before.states.Ready;
  return isQuiet ? lines : [...lines, `${style.dim(time)}   ${summaryLines(after, after.nodes.filter(shows), style)[0]}`];
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
