import { JournalError, JournalStore } from './journal';
import { planTransfer } from './plan';
import { findingText, planText } from './report';
import { rightsFindings, rightsNeeded } from './rights';
import { childrenLeft, selectionOf, itemTitleOf } from './selection';
import { Transfer, TransferError } from './transfer';
import type { Journal } from './types';
import { systemClock, type Clock } from '../../engine/clock';
import { POLICY_BEFORE_TRANSFER } from '../../src/azure/annotations';
import { counted } from '../../src/util/words';
import { readAzureObjects } from '../cluster/azure-objects';
import { isClusterError, withCluster, type LiveCluster } from '../cluster/connect';
import { askUser } from '../output/ask-user';
import { fewLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import { progressLine } from '../output/progress-line';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

/** The options of `cdk8s-aso transfer`. */
export interface TransferCommandOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace: string;
  readonly toKubeconfig?: string;
  readonly toContext?: string;
  readonly toNamespace?: string;
  readonly selector?: string;
  readonly check?: boolean;
  readonly run?: boolean;
  readonly undo?: boolean;
  readonly copyValues: boolean;
  readonly managed: boolean;
  readonly yes: boolean;
  /** Minutes. */
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of the process that tests replace. */
export interface Surroundings {
  readonly clock: Clock;
  /** Asks a question; undefined where no one can answer. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each write; false: it is not sent. */
  readonly mayWrite?: (() => boolean) | undefined;
}

/** `cdk8s-aso transfer`. Answers the exit status. */
export async function runTransfer(
  options: TransferCommandOptions, terminal: Terminal, environment: Environment, surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const { kubeconfig, context, toKubeconfig, toContext, namespace, toNamespace = namespace } = options;
  if ([options.check, options.run, options.undo].filter(Boolean).length > 1) throw new UsageError('transfer: give one of --check, --run and --undo');
  const isOneCluster = toKubeconfig === undefined && toContext === undefined;
  if (isOneCluster && toNamespace === namespace) throw new UsageError('transfer: give --to-namespace, or --to-context for another cluster');
  const { clock, mayWrite } = surroundings;
  const connect = { command: 'transfer', environment, clock, ...(mayWrite && { mayWrite }) };
  const target = {
    ...((toKubeconfig ?? kubeconfig) !== undefined && { kubeconfig: (toKubeconfig ?? kubeconfig)! }),
    ...((toContext ?? context) !== undefined && { context: (toContext ?? context)! }),
  };
  try {
    return await withCluster(options, connect, (from) => {
      if (isOneCluster) return new Run(from, from, options, terminal, surroundings).execute();
      return withCluster(target, connect, (to) => new Run(from, to, options, terminal, surroundings).execute());
    });
  } catch (error) {
    if (!isClusterError(error) && !(error instanceof TransferError) && !(error instanceof JournalError)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  }
}

/** One call of the command. */
class Run {
  private readonly store: JournalStore;
  private readonly toNamespace: string;

  public constructor(
    private readonly from: LiveCluster,
    private readonly to: LiveCluster,
    private readonly options: TransferCommandOptions,
    private readonly terminal: Terminal,
    private readonly surroundings: Surroundings,
  ) {
    this.store = new JournalStore(from.client, options.namespace);
    this.toNamespace = options.toNamespace ?? options.namespace;
    if (from.server === to.server && this.toNamespace === options.namespace) throw new UsageError('transfer: both contexts name one cluster: give --to-namespace');
  }

  public async execute(): Promise<number> {
    const { options: { namespace, run, undo }, terminal, toNamespace, to } = this;
    const known = await this.store.read();
    if (known && (known.toNamespace !== toNamespace || known.toServer !== to.server)) {
      throw new TransferError(`a transfer from ${namespace} to ${known.toNamespace} of ${known.toServer} is under way: run it to its end, or take it back with --undo`);
    }
    if (undo) return this.undo(known);
    if (known) terminal.note(`a transfer is under way: it goes on after the step ${known.phase}`);
    const journal = known ?? await this.plan();
    if (!journal) return 1;
    if (!run) {
      const { phase, items, values } = journal;
      this.print({ findings: [], phase, objects: items.map(itemTitleOf), values }, planText(journal));
      return 0;
    }
    if (known && !(await this.hasRights(known))) return 1;
    await this.confirm(journal);
    if (!known) await this.store.write(journal);
    await this.carryOut(journal, (transfer) => transfer.run());
    const text = `Transferred: ${counted(journal.items.length, 'object')} from ${namespace} to ${toNamespace}. Nothing was deleted in Azure.`;
    this.print({ transferred: journal.items.map(itemTitleOf), values: journal.values }, text);
    return 0;
  }

  private async undo(known: Journal | undefined): Promise<number> {
    const { namespace } = this.options;
    const journal = known ?? await this.journalOfHeld();
    if (!(await this.hasRights(journal))) return 1;
    if (!known) await this.store.write(journal);
    await this.carryOut(journal, (transfer) => transfer.undo());
    this.print({ undone: journal.items.map(itemTitleOf) }, `Taken back: ${counted(journal.items.length, 'object')} of ${namespace} have their policies again.`);
    return 0;
  }

  /** The journal anew, from the marks of the objects that are held, where someone has removed it. */
  private async journalOfHeld(): Promise<Journal> {
    const { from, to, options: { namespace }, toNamespace, surroundings: { clock } } = this;
    const { objects, types, unread } = await readAzureObjects(from.client, namespace);
    if (unread.length > 0) throw new TransferError(`${namespace} was not read as a whole: ${unread.join('; ')}`);
    const held = objects.filter(({ metadata }) => metadata.annotations?.[POLICY_BEFORE_TRANSFER] !== undefined);
    if (held.length === 0) throw new TransferError(`no transfer of ${namespace} is under way`);
    const startedAt = new Date(clock.now()).toISOString();
    const { items } = selectionOf(held, types);
    return { fromNamespace: namespace, toNamespace, toServer: to.server, startedAt, phase: 'applied', items, values: [] };
  }

  /** Rights may have changed since the transfer began. */
  private async hasRights(journal: Journal): Promise<boolean> {
    const { from, to, terminal } = this;
    const reviewers = { from: from.client, to: to.client, isOneCluster: from.server === to.server };
    const missing = await rightsFindings(reviewers, rightsNeeded(journal, journal.values));
    for (const line of fewLines(missing.map(findingText))) terminal.note(line);
    if (missing.length > 0) terminal.error(`the transfer cannot go on: ${counted(missing.length, 'error')}`);
    return missing.length === 0;
  }

  /** Undefined, after its findings were printed, where something stands against the transfer. */
  private async plan(): Promise<Journal | undefined> {
    const { from, to, options, terminal, toNamespace, surroundings: { clock } } = this;
    const { namespace, selector, copyValues, managed, check, output } = options;
    const plan = await planTransfer({
      from, to, fromNamespace: namespace, toNamespace, selector, copyValues, allowManaged: managed, now: clock.now(),
    });
    const errors = plan.findings.filter(({ severity }) => severity === 'error').length;
    if (output === 'text') for (const line of fewLines(plan.findings.map(findingText))) terminal.note(line);
    if (errors === 0) {
      if (output === 'text') for (const sentence of plan.afterwards) terminal.note(sentence);
      return plan.journal;
    }
    if (output === 'json') terminal.print(JSON.stringify({ findings: plan.findings, objects: plan.journal.items.map(itemTitleOf) }, undefined, 2));
    terminal.error(check ? counted(errors, 'error') : `the transfer is not possible yet: ${counted(errors, 'error')}`);
    return undefined;
  }

  private async confirm({ items, fromNamespace, toNamespace }: Journal): Promise<void> {
    if (this.options.yes) return;
    const confirmed = await this.surroundings.confirm?.(`Transfer ${counted(items.length, 'object')} from ${fromNamespace} to ${toNamespace}?`);
    if (!confirmed) throw new UsageError('transfer: not confirmed. Give --yes where no one can answer');
  }

  private async carryOut(journal: Journal, act: (transfer: Transfer) => Promise<void>): Promise<void> {
    const { from, to, store, options, terminal, surroundings: { clock, signal } } = this;
    const line = progressLine(process.stderr, terminal);
    const progress = (text: string) => line.report(() => text);
    try {
      const timeoutMs = options.timeout * 60_000;
      const leftBehind = async () => {
        const { objects, unread } = await readAzureObjects(from.client, journal.fromNamespace);
        if (unread.length > 0) throw new TransferError(`${journal.fromNamespace} was not read as a whole: ${unread.join('; ')}`);
        return childrenLeft(objects, journal.items).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      };
      const transferOptions = { from: from.client, to: to.client, journal: store, clock, timeoutMs, progress, leftBehind, signal };
      await act(new Transfer(transferOptions, journal));
    } finally {
      line.end();
    }
  }

  private print(json: unknown, text: string): void {
    this.terminal.print(this.options.output === 'json' ? JSON.stringify(json, undefined, 2) : text);
  }
}

function processSurroundings(): Surroundings {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new TransferError('interrupted: run the transfer again, or take it back with --undo')));
  return { clock: systemClock, confirm: process.stdin.isTTY ? askUser : undefined, signal: controller.signal };
}
