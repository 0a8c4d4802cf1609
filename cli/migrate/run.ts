import { createInterface } from 'node:readline/promises';
import { controllersIn } from './asos-installation';
import { MIGRATIONS, type Migration } from './directions';
import type { Finding } from './finding';
import { Journal, JournalError, type Direction } from './journal';
import { MigrationError, type MigrationContext, type MigrationStep } from './migration-context';
import { LeaseHeldError, MigrationLease } from './migration-lease';
import type { Preflight } from './preflight';
import { formatFindings, formatPlan, MigrationReport } from './report';
import { systemClock, type Clock } from '../../engine/clock';
import { NotLeadingError, RestClient, type Connection } from '../../engine/kubernetes';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { Catalog } from '../../src/catalog';
import { isClusterError, withCluster, type LiveCluster } from '../cluster/connect';
import { readManifests } from '../manifests/manifests';
import { formatProblem, oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

/** The options of `cdk8s-aso migrate`. */
export interface MigrateOptions {
  readonly check: boolean;
  readonly plan: boolean;
  readonly run: boolean;
  readonly install: readonly string[];
  readonly yes: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly output: 'text' | 'json';
}

const DEFAULT_NAMESPACE = 'azureserviceoperator-system';

type Environment = Readonly<Record<string, string | undefined>>;

/** Asks the user a question; undefined: there is no terminal to ask on. */
export type Ask = ((question: string) => Promise<string>) | undefined;

/** `cdk8s-aso migrate`. Answers the exit status. */
export async function runMigrate(
  direction: Direction,
  options: MigrateOptions,
  terminal: Terminal,
  environment: Environment,
  ask: Ask = onTerminal(),
  clock: Clock = systemClock,
): Promise<number> {
  if ([options.check, options.plan, options.run].filter(Boolean).length > 1) throw new UsageError('migrate: give one of --check, --plan and --run');
  if (options.run && options.install.length === 0) throw new UsageError('migrate: --run needs --install with the manifests of the controller that takes over');
  if (options.run && !options.yes && !ask) throw new UsageError('migrate: there is no terminal to ask for confirmation on: give --yes');
  const { manifests, problems } = readManifests(options.install);
  for (const problem of problems) terminal.error(formatProblem(problem));
  if (problems.length > 0) return 1;
  const install = manifests.map(({ object }) => object);
  try {
    return await withCluster(options, { command: 'migrate', environment, clock }, (cluster) => (
      new Migrator(MIGRATIONS[direction], cluster, install, options, terminal, clock, ask).run()));
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  }
}

class Migrator {
  private readonly client: RestClient;
  private readonly connection: Connection;
  private readonly catalog = Catalog.default();

  public constructor(
    private readonly migration: Migration,
    { client, connection }: LiveCluster,
    private readonly install: readonly KubernetesObject[],
    private readonly options: MigrateOptions,
    private readonly terminal: Terminal,
    private readonly clock: Clock,
    private readonly ask: Ask,
  ) {
    this.client = client;
    this.connection = connection;
  }

  public async run(): Promise<number> {
    const { options, terminal } = this;
    const namespace = options.namespace ?? await this.operatorNamespace();
    const before = await ifAllowed(() => Journal.read(this.client, namespace));
    if (before && !before.isFinished) {
      const goesOn = options.run && before.state.direction === this.migration.direction;
      return goesOn ? this.goOn(namespace, before) : this.reportUnfinished(before);
    }
    const found = await this.migration.lookAt(this.connection, this.client, this.install, this.catalog, () => this.clock.now());
    const stops = found.findings.filter(({ severity }) => severity === 'stop');
    const isPrinted = !options.run || stops.length > 0;
    if (isPrinted && options.output === 'json') {
      const steps = options.plan ? { steps: this.migration.steps.map(({ id, title }) => ({ id, title })) } : {};
      terminal.print(JSON.stringify({ findings: found.findings, ...steps }, undefined, 2));
    } else if (isPrinted || options.output === 'text') {
      terminal.print(formatFindings(found.findings, terminal.style));
      if (options.plan && stops.length === 0) terminal.print(formatPlan(this.migration.steps, found, this.install.length));
    }
    if (stops.length > 0 || !options.run) return stops.length > 0 ? 1 : 0;
    if (!(await this.isConfirmed(found))) return 1;
    return this.begin(found);
  }

  /** Of the only controller; in the middle of a migration there may be none. */
  private async operatorNamespace(): Promise<string> {
    const controllers = await ifAllowed(() => controllersIn(this.client)) ?? [];
    const namespaces = new Set(controllers.map(({ metadata }) => metadata.namespace));
    const [only] = namespaces;
    return (namespaces.size === 1 ? only : undefined) ?? DEFAULT_NAMESPACE;
  }

  private reportUnfinished({ state }: Journal): number {
    const next = MIGRATIONS[state.direction].steps.find(({ id }) => !state.done.includes(id));
    const message = `a migration ${state.direction} that began at ${state.startedAt} is not finished; the next step is ${next?.id ?? 'the end'}`;
    const finding: Finding = { severity: 'stop', check: 'journal', message, fix: `cdk8s-aso migrate ${state.direction} --run with the same --install goes on there` };
    this.terminal.print(this.options.output === 'json' ? JSON.stringify({ findings: [finding] }, undefined, 2) : formatFindings([finding], this.terminal.style));
    return 1;
  }

  private async isConfirmed({ state }: Preflight): Promise<boolean> {
    if (this.options.yes) return true;
    const objects = state.kinds.reduce((sum, kind) => sum + kind.objects.length, 0);
    const answer = await this.ask!(`Hand ${objects} objects on ${this.connection.server} over to ${this.migration.successor}? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return true;
    this.terminal.note('nothing was changed');
    return false;
  }

  private begin(found: Preflight): Promise<number> {
    const namespace = found.namespace!;
    return this.withLease(namespace, async (mayWrite) => {
      const client = this.client.withMayWrite(mayWrite);
      const { helmRelease, state: { crds } } = found;
      const state = { direction: this.migration.direction, kinds: crds.migrated, ...(helmRelease !== undefined && { helmRelease }) };
      return this.carryOut(client, mayWrite, namespace, await Journal.begin(client, namespace, state, this.clock.now()));
    });
  }

  private goOn(namespace: string, { state }: Journal): Promise<number> {
    if (this.options.output === 'text') this.terminal.print(`A migration that began at ${state.startedAt} goes on.`);
    // Another process may have gone on until the lease was free.
    return this.withLease(namespace, async (mayWrite) => {
      const client = this.client.withMayWrite(mayWrite);
      return this.carryOut(client, mayWrite, namespace, (await Journal.read(client, namespace))!);
    });
  }

  private async withLease(namespace: string, act: (mayWrite: () => boolean) => Promise<number>): Promise<number> {
    const lease = await MigrationLease.acquire(this.client, namespace, this.clock, (holder) => {
      if (this.options.output === 'text') this.terminal.print(`${holder} holds the lease of the migration; waiting until it expires or is renewed…`);
    });
    lease.keep();
    try {
      return await act(() => lease.isHeld);
    } finally {
      await lease.release();
    }
  }

  private async carryOut(client: RestClient, mayWrite: () => boolean, namespace: string, journal: Journal): Promise<number> {
    const report = new MigrationReport(this.migration.steps, this.terminal, this.options.output);
    const context: MigrationContext = {
      connection: this.connection,
      client,
      applier: new RestClient(this.connection, { clock: this.clock, fieldManager: 'kubectl', mayWrite }),
      catalog: this.catalog,
      clock: this.clock,
      namespace,
      journal,
      install: this.install,
      progress: (text) => report.progress(text),
    };
    for (const step of this.migration.steps) {
      if (!journal.state.done.includes(step.id)) await this.carryOutStep(step, context, report);
    }
    if (!journal.isFinished) await journal.update({ finishedAt: new Date(this.clock.now()).toISOString() });
    report.finish();
    return 0;
  }

  private async carryOutStep(step: MigrationStep, context: MigrationContext, report: MigrationReport): Promise<void> {
    const begun = this.clock.now();
    report.begin(step);
    try {
      const result = await step.run(context);
      await context.journal.update({ done: [...context.journal.state.done, step.id] });
      report.end(step, result, this.clock.now() - begun);
    } catch (error) {
      if (error instanceof NotLeadingError) throw new MigrationError(`the step ${step.id} was interrupted: the lease could not be renewed in time. Run again`);
      if (!isExpected(error)) throw error;
      throw new MigrationError(`the step ${step.id} is not finished: ${error.message}. Run again when the cause is gone: it goes on with this step`);
    }
  }
}

/** Undefined where the user may not read it: the preflight names the right that is missing. */
async function ifAllowed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return undefined;
    throw error;
  }
}

function isExpected(error: unknown): error is Error {
  return isClusterError(error) || [MigrationError, JournalError, LeaseHeldError].some((type) => error instanceof type);
}

function onTerminal(): Ask {
  if (!process.stdin.isTTY) return undefined;
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  };
}
