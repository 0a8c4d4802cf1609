import { createInterface } from 'node:readline/promises';
import { controllersIn } from './asos-installation';
import { MIGRATIONS, stepsOf, type Migration } from './directions';
import { stop, type Finding } from './finding';
import { misfitOf } from './install-fits';
import { Journal, JournalError, type NewJournal } from './journal';
import type { Direction } from './journal-state';
import { MigrationError, PausedError, repeated, type MigrationContext, type MigrationStep } from './migration-context';
import { LeaseHeldError, MigrationLease } from './migration-lease';
import type { Preflight } from './preflight';
import { formatFindings, formatPlan, MigrationReport } from './report';
import { systemClock, type Clock } from '../../engine/clock';
import { NotLeadingError, RestClient, type Connection } from '../../engine/kubernetes';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { Catalog } from '../../src/catalog';
import { firstOf } from '../../src/util/words';
import { isClusterError, withCluster, type LiveCluster } from '../cluster/connect';
import { readManifests } from '../manifests/manifests';
import { problemLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
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

const MOST_NAMED = 5;
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
  const migration = MIGRATIONS[direction];
  if (options.run && options.install.length === 0 && !migration.stepsOfUser) {
    throw new UsageError('migrate: --run needs --install with the manifests of the controller that takes over');
  }
  if (options.run && !options.yes && !ask) throw new UsageError('migrate: there is no terminal to ask for confirmation on: give --yes');
  const { manifests, problems } = readManifests(options.install);
  for (const line of problemLines(problems)) terminal.error(line);
  if (problems.length > 0) return 1;
  const install = manifests.map(({ object }) => object);
  try {
    return await withCluster(options, { command: 'migrate', environment, clock }, (cluster) => (
      new Migrator(migration, cluster, install, options, terminal, clock, ask).run()));
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  }
}

class Migrator {
  private readonly client: RestClient;
  private readonly connection: Connection;
  private readonly server: string;
  private readonly catalog = Catalog.default();

  public constructor(
    private readonly migration: Migration,
    { client, connection, server }: LiveCluster,
    private readonly install: readonly KubernetesObject[],
    private readonly options: MigrateOptions,
    private readonly terminal: Terminal,
    private readonly clock: Clock,
    private readonly ask: Ask,
  ) {
    this.client = client;
    this.connection = connection;
    this.server = oneLine(server);
  }

  private get steps(): readonly MigrationStep[] {
    return stepsOf(this.migration, this.install.length === 0);
  }

  public async run(): Promise<number> {
    const { options, terminal } = this;
    if (options.output === 'text') terminal.print(`Cluster ${this.server}`);
    const controllers = await ifAllowed(() => controllersIn(this.client)) ?? [];
    const namespace = options.namespace ?? operatorNamespace(controllers);
    const before = await ifAllowed(() => Journal.read(this.client, namespace));
    if (before && !before.isFinished) {
      const goesOn = options.run && before.state.direction === this.migration.direction;
      return goesOn ? this.goOn(namespace, before) : this.reportUnfinished(before);
    }
    if (controllers.length === 0 && options.namespace === undefined) {
      const elsewhere = (await ifAllowed(() => Journal.namespaces(this.client)) ?? []).filter((each) => each !== namespace);
      if (elsewhere.length > 0) return this.reportElsewhere(elsewhere);
    }
    const found = await this.migration.lookAt(this.connection, this.client, this.install, this.catalog, () => this.clock.now());
    const stops = found.findings.filter(({ severity }) => severity === 'stop');
    const isPrinted = !options.run || stops.length > 0;
    if (isPrinted && options.output === 'json') {
      const steps = options.plan ? { steps: this.steps.map(({ id, title }) => ({ id, title })) } : {};
      terminal.print(JSON.stringify({ findings: found.findings, ...steps }, undefined, 2));
    } else if (isPrinted || options.output === 'text') {
      terminal.print(formatFindings(found.findings, terminal.style));
      if (options.plan && stops.length === 0) terminal.print(formatPlan(this.steps, found, this.install.length));
    }
    if (stops.length > 0 || !options.run) return stops.length > 0 ? 1 : 0;
    if (!(await this.isConfirmed(found))) return 1;
    return this.begin(found, before?.state.id);
  }

  private reportUnfinished({ state, isDeleted }: Journal): number {
    const next = stepsOf(MIGRATIONS[state.direction], state.installedByUser).find(({ id }) => !state.done.includes(id));
    const deleted = isDeleted ? '; somebody has deleted its journal, which goes with its end' : '';
    const message = `a migration ${state.direction} that began at ${state.startedAt} is not finished; the next step is ${next?.id ?? 'the end'}${deleted}`;
    const install = state.installedByUser ? 'without --install' : 'with the same --install';
    return this.reportStop(stop('journal', message, `cdk8s-aso migrate ${state.direction} --run ${install} goes on there`));
  }

  /** There is no controller, as in the middle of a migration. */
  private reportElsewhere(namespaces: readonly string[]): number {
    const message = `there is no controller, and a journal of a migration in ${firstOf(namespaces, MOST_NAMED)}`;
    return this.reportStop(stop('journal', message, "if that is the operator's namespace, give it with --namespace; else delete the ConfigMap there"));
  }

  private reportStop(finding: Finding): number {
    this.terminal.print(this.options.output === 'json' ? JSON.stringify({ findings: [finding] }, undefined, 2) : formatFindings([finding], this.terminal.style));
    return 1;
  }

  private async isConfirmed({ state }: Preflight): Promise<boolean> {
    if (this.options.yes) return true;
    const objects = state.kinds.reduce((sum, kind) => sum + kind.objects.length, 0);
    const answer = await this.ask!(`Hand ${objects} objects on ${this.server} over to ${this.migration.successor}? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return true;
    this.terminal.note('nothing was changed');
    return false;
  }

  private begin(found: Preflight, before: string | undefined): Promise<number> {
    const namespace = found.namespace!;
    return this.withLease(namespace, async (mayWrite) => {
      const client = this.client.withMayWrite(mayWrite);
      const { helmRelease, state: { crds } } = found;
      const state: NewJournal = {
        direction: this.migration.direction,
        kinds: crds.migrated,
        ...(helmRelease !== undefined && { helmRelease }),
        ...(this.install.length === 0 && { installedByUser: true }),
      };
      const journal = await Journal.begin(client, namespace, state, { now: this.clock.now(), before });
      return this.carryOut(client, mayWrite, namespace, journal);
    });
  }

  private goOn(namespace: string, { state }: Journal): Promise<number> {
    const ofUser = state.installedByUser === true;
    if (ofUser !== (this.install.length === 0)) {
      throw new MigrationError(ofUser
        ? 'this migration began without --install, so ASO is installed by you: go on without it'
        : 'this migration began with --install: give the same manifests');
    }
    const wrong = misfitOf(state, this.install);
    if (wrong !== undefined) throw new MigrationError(`these manifests do not fit the migration that began at ${state.startedAt}: ${wrong}`);
    if (this.options.output === 'text') this.terminal.print(`A migration that began at ${state.startedAt} goes on.`);
    // Another process may have gone on until the lease was free.
    return this.withLease(namespace, async (mayWrite) => {
      const client = this.client.withMayWrite(mayWrite);
      const journal = await Journal.read(client, namespace);
      if (!journal) throw new JournalError('the journal was deleted since this command began');
      return this.carryOut(client, mayWrite, namespace, journal);
    });
  }

  private async withLease(namespace: string, act: (mayWrite: () => boolean) => Promise<number>): Promise<number> {
    const lease = await MigrationLease.acquire(this.client, namespace, this.clock, (holder) => {
      if (this.options.output === 'text') this.terminal.print(oneLine(`${holder} holds the lease of the migration; waiting until it expires or is renewed…`));
    });
    lease.keep();
    try {
      return await act(() => lease.isHeld);
    } finally {
      await lease.release();
    }
  }

  private async carryOut(client: RestClient, mayWrite: () => boolean, namespace: string, journal: Journal): Promise<number> {
    const steps = stepsOf(this.migration, journal.state.installedByUser);
    const report = new MigrationReport(steps, this.terminal, this.options.output);
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
    for (const step of steps) {
      if (journal.state.done.includes(step.id)) continue;
      try {
        await this.carryOutStep(step, context, report);
      } catch (error) {
        if (!(error instanceof PausedError)) throw error;
        report.pause(step, error.lines);
        return 1;
      }
    }
    if (!journal.isFinished) await journal.update({ finishedAt: new Date(this.clock.now()).toISOString() });
    report.finish();
    return 0;
  }

  private async carryOutStep(step: MigrationStep, context: MigrationContext, report: MigrationReport): Promise<void> {
    const begun = this.clock.now();
    report.begin(step);
    try {
      const result = await repeated(context, () => step.run(context));
      await context.journal.update({ done: [...context.journal.state.done, step.id] });
      report.end(step, result, this.clock.now() - begun);
    } catch (error) {
      if (error instanceof NotLeadingError) throw new MigrationError(`the step ${step.id} was interrupted: the lease could not be renewed in time. Run again`);
      if (error instanceof PausedError || !isExpected(error)) throw error;
      throw new MigrationError(`the step ${step.id} is not finished: ${error.message}. Run again when the cause is gone: it goes on with this step`);
    }
  }
}

/** That of the only controller. In the middle of a migration there may be none. */
function operatorNamespace(controllers: readonly KubernetesObject[]): string {
  const namespaces = new Set(controllers.map(({ metadata }) => metadata.namespace));
  const [only] = namespaces;
  return (namespaces.size === 1 ? only : undefined) ?? DEFAULT_NAMESPACE;
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
