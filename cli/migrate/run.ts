import { createInterface } from 'node:readline/promises';
import { Abort } from './abort/abort';
import { ABORT_STEPS } from './abort/steps';
import { controllersIn } from './asos-installation';
import { MIGRATIONS, stepsOf, type Migration } from './directions';
import { stop, type Finding } from './finding';
import { misfitOf } from './install-fits';
import { Journal, JournalError, type NewJournal } from './journal';
import type { Direction, JournalState } from './journal-state';
import { MigrationError, type MigrationStep } from './migration-context';
import type { Preflight } from './preflight';
import { formatFindings, formatPlan } from './report';
import { isExpected, MigrationSession, type Way } from './session';
import { goOnCommand, noteOf, wayBackOf, wayBackText } from './way-back';
import { systemClock, type Clock } from '../../engine/clock';
import type { RestClient } from '../../engine/kubernetes';
import { KubernetesError, type KubernetesObject } from '../../engine/kubernetes/types';
import { firstOf } from '../../src/util/words';
import { withCluster } from '../cluster/connect';
import { readManifests } from '../manifests/read-manifests';
import { problemLines } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

export type MigrateCommand = Direction | 'abort';

/** The options of `cdk8s-aso migrate`. */
export interface MigrateOptions {
  readonly check: boolean;
  readonly plan: boolean;
  readonly run: boolean;
  readonly status: boolean;
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
  command: MigrateCommand | undefined,
  options: MigrateOptions,
  terminal: Terminal,
  environment: Environment,
  ask: Ask = onTerminal(),
  clock: Clock = systemClock,
): Promise<number> {
  if ([options.check, options.plan, options.run, options.status].filter(Boolean).length > 1) throw new UsageError('migrate: give one of --check, --plan, --run and --status');
  if (command === undefined && !options.status) throw new UsageError('migrate: give from-aso, to-aso or abort, or --status');
  if (options.run && options.install.length === 0 && command === 'from-aso') {
    throw new UsageError('migrate: --run needs --install with the manifests of the controller that takes over');
  }
  if (command === 'abort' && options.install.length > 0) throw new UsageError('migrate: abort needs no --install: ASO is still there');
  if (options.run && !options.yes && !ask) throw new UsageError('migrate: there is no terminal to ask for confirmation on: give --yes');
  const { manifests, problems } = readManifests(options.install);
  for (const line of problemLines(problems)) terminal.error(line);
  if (problems.length > 0) return 1;
  const install = manifests.map(({ object }) => object);
  try {
    return await withCluster(options, { command: 'migrate', environment, clock }, (cluster) => {
      const session = new MigrationSession(cluster, { install, terminal, output: options.output, clock });
      return new Migrator(session, options, ask).run(command);
    });
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  }
}

class Migrator {
  public constructor(
    private readonly session: MigrationSession,
    private readonly options: MigrateOptions,
    private readonly ask: Ask,
  ) {}

  /** @param migration absent: `--status` without a direction */
  public async run(command: MigrateCommand | undefined): Promise<number> {
    const { options, session: { client, server, options: { terminal } } } = this;
    if (options.output === 'text') terminal.print(`Cluster ${server}`);
    const controllers = await ifAllowed(() => controllersIn(client)) ?? [];
    const namespace = options.namespace ?? operatorNamespace(controllers);
    const journal = await ifAllowed(() => Journal.read(client, namespace));
    const elsewhere = journal || controllers.length > 0 || options.namespace !== undefined
      ? []
      : (await ifAllowed(() => Journal.namespaces(client)) ?? []).filter((each) => each !== namespace);
    if (elsewhere.length > 0 && (!journal || journal.isFinished)) return this.reportElsewhere(elsewhere);
    if (options.status) return this.printStatus(journal);
    if (command === 'abort') return new Abort(this.session, options, (question) => this.isConfirmed(question)).run(namespace, journal);
    return this.migrate(MIGRATIONS[command!], namespace, journal);
  }

  private async migrate(migration: Migration, namespace: string, before: Journal | undefined): Promise<number> {
    const { options, session: { connection, client, catalog, options: { install, clock } } } = this;
    const unfinished = before && !before.isFinished ? before : undefined;
    if (unfinished && unfinished.state.direction === migration.direction && unfinished.state.abortedAt === undefined && options.run) {
      return this.goOn(migration, namespace, unfinished);
    }
    const turns = unfinished !== undefined && migration.direction === 'to-aso' && mayTurnRound(unfinished.state);
    if (unfinished && !turns) return this.reportUnfinished(unfinished);
    const looked = await migration.lookAt(connection, client, install, catalog, () => clock.now());
    const found = turns ? inTheMiddle(looked, namespace, install.length > 0) : looked;
    const stops = found.findings.filter(({ severity }) => severity === 'stop');
    const steps = stepsOf(migration, { ...(install.length === 0 && { installedByUser: true }), ...(turns && { turned: true }) });
    this.printFindings(found, steps, stops.length > 0);
    if (stops.length > 0 || !options.run) return stops.length > 0 ? 1 : 0;
    const objects = found.state.kinds.reduce((sum, kind) => sum + kind.objects.length, 0);
    if (!(await this.isConfirmed(`Hand ${objects} objects on ${this.session.server} over to ${migration.successor}? [y/N] `))) return 1;
    return this.begin(migration, found, before);
  }

  private printFindings(found: Preflight, steps: readonly MigrationStep[], isStopped: boolean): void {
    const { options, session: { options: { terminal, install } } } = this;
    const isPrinted = !options.run || isStopped;
    if (isPrinted && options.output === 'json') {
      const shown = options.plan ? { steps: steps.map(({ id, title }) => ({ id, title })) } : {};
      terminal.print(JSON.stringify({ findings: found.findings, ...shown }, undefined, 2));
    } else if (isPrinted || options.output === 'text') {
      terminal.print(formatFindings(found.findings, terminal.style));
      if (options.plan && !isStopped) terminal.print(formatPlan(steps, found, install.length));
    }
  }

  /** The state of the journal, and the ways on and back. */
  private printStatus(journal: Journal | undefined): number {
    const { terminal, output } = this.session.options;
    const lines = journal ? noteOf(journal.state) : ['There was no migration.'];
    terminal.print(output === 'json' ? JSON.stringify(journal ? statusJson(journal.state) : {}, undefined, 2) : lines.join('\n'));
    return journal && !journal.isFinished ? 1 : 0;
  }

  private reportUnfinished({ state, isDeleted }: Journal): number {
    const steps = state.abortedAt === undefined ? stepsOf(MIGRATIONS[state.direction], state) : ABORT_STEPS[state.direction];
    const done = (state.abortedAt === undefined ? state.done : state.undone) ?? [];
    const next = steps.find(({ id }) => !done.includes(id));
    const deleted = isDeleted ? '; it was deleted, and goes with the end of the migration' : '';
    const what = state.abortedAt === undefined ? `a migration ${state.direction} that began at ${state.startedAt} is not finished` : `a migration ${state.direction} is being taken back since ${state.abortedAt}`;
    const back = state.abortedAt === undefined ? `. ${wayBackText(state)}` : '';
    return this.reportStop(stop('journal', `${what}; the next step is ${next?.id ?? 'the end'}${deleted}`, `${goOnCommand(state)} goes on there${back}`));
  }

  /** There is no controller, as in the middle of a migration. */
  private reportElsewhere(namespaces: readonly string[]): number {
    const message = `there is no controller, and a journal of a migration in ${firstOf(namespaces, MOST_NAMED)}`;
    return this.reportStop(stop('journal', message, "if that is the operator's namespace, give it with --namespace; else delete the ConfigMap there"));
  }

  private reportStop(finding: Finding): number {
    const { terminal, output } = this.session.options;
    terminal.print(output === 'json' ? JSON.stringify({ findings: [finding] }, undefined, 2) : formatFindings([finding], terminal.style));
    return 1;
  }

  private async isConfirmed(question: string): Promise<boolean> {
    if (this.options.yes) return true;
    if (/^y(es)?$/i.test((await this.ask!(question)).trim())) return true;
    this.session.options.terminal.note('nothing was changed');
    return false;
  }

  private begin(migration: Migration, found: Preflight, before: Journal | undefined): Promise<number> {
    const { install, clock } = this.session.options;
    const namespace = found.namespace!;
    return this.session.withLease(namespace, async (client, lease) => {
      const { helmRelease, state: { crds } } = found;
      const asoRelease = found.asoRelease ?? before?.state.asoRelease;
      const state: NewJournal = {
        direction: migration.direction,
        kinds: crds.migrated,
        ...(helmRelease !== undefined && { helmRelease }),
        ...(asoRelease !== undefined && { asoRelease }),
        ...(install.length === 0 && { installedByUser: true }),
      };
      const journal = before && !before.isFinished
        ? await this.turnedRound(client, namespace, before, state)
        : await Journal.begin(client, namespace, state, { now: clock.now(), before: before?.state.id });
      return this.session.carryOut(client, lease, namespace, journal, wayOf(migration, journal.state));
    });
  }

  private async turnedRound(client: RestClient, namespace: string, before: Journal, state: NewJournal): Promise<Journal> {
    const journal = await Journal.read(client, namespace);
    if (journal?.state.id !== before.state.id || !mayTurnRound(journal.state)) throw new JournalError('another process has gone on since the check: run again, and it is looked at anew');
    await journal.turnRound(state, this.session.options.clock.now());
    return journal;
  }

  private goOn(migration: Migration, namespace: string, { state }: Journal): Promise<number> {
    const { install, output, terminal } = this.session.options;
    const ofUser = state.installedByUser === true;
    if (ofUser !== (install.length === 0)) {
      throw new MigrationError(ofUser
        ? 'this migration began without --install, so ASO is installed by you: go on without it'
        : 'this migration began with --install: give the same manifests');
    }
    const wrong = misfitOf(state, install);
    if (wrong !== undefined) throw new MigrationError(`these manifests do not fit the migration that began at ${state.startedAt}: ${wrong}`);
    if (output === 'text') terminal.print(`A migration that began at ${state.startedAt} goes on.`);
    // Another process may have gone on until the lease was free.
    return this.session.withLease(namespace, async (client, lease) => {
      const journal = await Journal.read(client, namespace);
      if (!journal) throw new JournalError('the journal was deleted since this command began');
      if (journal.state.id !== state.id || journal.state.abortedAt !== undefined) throw new JournalError('another process has taken this migration back, or begun another one, since this command began');
      return this.session.carryOut(client, lease, namespace, journal, wayOf(migration, journal.state));
    });
  }
}

function wayOf(migration: Migration, state: JournalState): Way {
  return { steps: stepsOf(migration, state), notes: 'done', end: 'The cluster is handed over.' };
}

function mayTurnRound(state: JournalState): boolean {
  return state.direction === 'from-aso' && state.abortedAt === undefined && ['turn-round', 'abort-perhaps'].includes(wayBackOf(state));
}

/** In the middle of a migration there may be no controller, and nothing converts. */
function inTheMiddle(found: Preflight, namespace: string, hasInstall: boolean): Preflight {
  const findings = found.findings.filter(({ severity, check }) => severity !== 'stop' || !['installation', 'webhooks'].includes(check));
  const missing = hasInstall ? [] : [stop('install', 'the way to ASO from the middle of a migration needs its manifests', 'give the CRDs of the release and the rendered chart with --install')];
  return { ...found, findings: [...missing, ...findings], namespace: found.namespace ?? namespace };
}

function statusJson(state: JournalState): object {
  const { direction, startedAt, finishedAt, abortedAt, done, undone, failed } = state;
  const ways = finishedAt === undefined ? { on: goOnCommand(state), ...(abortedAt === undefined && { back: wayBackText(state) }) } : {};
  return { direction, startedAt, finishedAt, abortedAt, done, undone, failed, ...ways };
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
