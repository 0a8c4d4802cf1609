import { writeFileSync } from 'node:fs';
import { applyManifests, leftOutText } from './apply';
import { Board } from './board';
import { SandboxCluster } from './cluster';
import { ControllerProcess } from './controller-process';
import { Display } from './display';
import { staysUp, type SandboxOptions } from './options';
import { jsonOf, neededBy, reasonsOf, verdictOf } from './outcome';
import { servedKinds } from './served-kinds';
import { SandboxPage } from './served-page';
import { environmentText, startServers, type Servers } from './servers';
import { ageText } from './tree';
import { followed } from '../../engine/informers/followed-signal';
import type { ResourceType } from '../../engine/kubernetes';
import { versionOf } from '../../engine/resolve/kind-of';
import { uncheckedText } from '../../sandbox';
import type { Graph } from '../../src/core/graph/graph';
import { groupOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { graphOfManifests } from '../graph/manifest-graph';
import { describeObject } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import { fewLines, problemLines } from '../output/few-of-each';
import { formatProblem, type Problem } from '../output/problem';
import type { Screen } from '../output/screen';
import { styleFor, type Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

type Environment = Readonly<Record<string, string | undefined>>;

const TICK = 100;
/** At the usual time scale the longest operation that was recorded takes 50 s. */
const TIMEOUT = 90_000;
/** An Azure that the user runs has a time scale of its own. */
const FOREIGN_TIMEOUT = 30 * 60_000;

/** A sandbox that has ended: how to have a look at the next one. */
const NEXT = 'Next: --ui shows it live on a page, --keep leaves it up for kubectl (--kubeconfig FILE) and for status, why and doctor.';

class Stopped extends Error {}

/** Starts everything, applies the files, shows how they become Ready. Answers the exit status. */
export async function sandbox(
  files: readonly string[],
  options: SandboxOptions,
  terminal: Terminal,
  environment: Environment,
): Promise<number> {
  if (files.length === 0 && !staysUp(options)) throw new UsageError('sandbox: give files with manifests, or --keep');
  const screen: Screen = options.output === 'json' ? process.stderr : process.stdout;
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Stopped('stopped'));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  // Each kind of the files has a watch of its own, which listens.
  const run = new Run(options, terminal, environment, screen, followed(stop.signal));
  try {
    return await run.perform(files);
  } catch (error) {
    if (error instanceof Stopped) return 130;
    throw error;
  } finally {
    stop.abort(new Stopped('done'));
    await run.close();
    for (const signal of signals) process.removeListener(signal, onSignal);
  }
}

/** One sandbox from start to end. */
class Run {
  private readonly startedAt = Date.now();
  private readonly board = new Board();
  private readonly display: Display;
  private servers?: Servers;
  private cluster?: SandboxCluster;
  private controller?: ControllerProcess;
  private page?: SandboxPage;

  public constructor(
    private readonly options: SandboxOptions, private readonly terminal: Terminal, private readonly environment: Environment,
    screen: Screen, private readonly signal: AbortSignal,
  ) {
    this.display = new Display(this.board, screen, styleFor(screen, environment));
  }

  public async perform(files: readonly string[]): Promise<number> {
    const { options } = this;
    const { manifests: read, problems, notes = [] } = files.length > 0 ? readManifests(files) : { manifests: [], problems: [] };
    // The tools that apply objects in other objects do not run here.
    const manifests = read.filter(({ inside }) => inside === undefined);
    this.servers = await startServers(options, this.environment, servedKinds(manifests, options));
    if (this.servers.azure?.contrary) this.display.say(this.servers.azure.contrary.text);
    if (options.writeEnv) writeFileSync(options.writeEnv, environmentText(this.servers.environment), { mode: 0o600 });
    this.signal.throwIfAborted();
    if (options.controller) this.startController(this.servers);
    this.cluster = await SandboxCluster.connect(this.servers.kubernetesUrl);
    if (staysUp(options)) this.announce(this.servers);
    if (options.ui) await this.servePage(this.cluster, this.servers);

    for (const note of notes) this.display.say(`Note: ${formatProblem(note)}`);
    const azure = manifests.filter(({ object }) => mayBeInCatalog(groupOf(object)));
    for (const { object } of azure) this.board.expect(object);
    this.watch(azure.map(({ object }) => this.cluster!.typeOf(object)).filter((type) => type !== undefined));
    const result = await applyManifests(this.cluster, manifests);
    for (const { manifest, reason, message } of result.refused) this.board.refuse(manifest.object, reason, message);
    this.report([...problems, ...result.problems]);
    if (result.leftOut.length > 0) this.display.say(`Note: ${leftOutText(result.leftOut)}`);

    const verdict = options.controller ? await this.untilDone(graphOfManifests(manifests).graph) : 'ready';
    const ready = this.conclude(verdict);
    if (this.servers.azure) this.display.say(uncheckedText(options.azureRules));
    if (!staysUp(options) && azure.length > 0) this.display.say(NEXT);
    const status = ready && problems.length === 0 && result.problems.length === 0 ? 0 : 1;
    if (staysUp(options)) await this.untilStopped();
    return status;
  }

  public async close(): Promise<void> {
    await this.page?.close();
    await this.controller?.stop();
    await this.cluster?.close();
    await this.servers?.close();
  }

  private async servePage(cluster: SandboxCluster, { environment }: Servers): Promise<void> {
    this.page = await SandboxPage.serve(cluster, environment, (why) => this.display.say(why));
    this.display.say(`Page        ${this.page.url}`);
  }

  private startController(servers: Servers): void {
    this.controller = new ControllerProcess({
      environment: servers.environment,
      inherited: this.environment,
      simulated: servers.azure !== undefined,
      flags: servers.controllerFlags,
      logFile: this.options.controllerLog,
      say: (line) => this.display.say(line),
    });
    this.controller.start();
  }

  private announce({ kubeconfigFile, kubernetesUrl, azure, environment, controllerFlags }: Servers): void {
    this.display.say(`Kubernetes  ${kubernetesUrl}  kubectl --kubeconfig ${kubeconfigFile} get azure -A`);
    if (azure) this.display.say(`Azure       ${azure.endpoint}  (/__requests, /__resources, /__faults)`);
    if (this.options.controller) return;
    this.display.say(`For a controller of your own (cdk8s-aso-controller ${controllerFlags.join(' ')}):`);
    for (const line of environmentText(environment).trimEnd().split('\n')) this.display.say(`  export ${line}`);
  }

  private watch(types: readonly ResourceType[]): void {
    for (const type of new Set(types)) {
      this.cluster!.watch(type, ({ type: what, object }) => {
        const changed = what === 'DELETED' ? this.board.lose(object) : this.board.see(object);
        if (changed) this.display.changed(changed);
      }, this.signal);
    }
  }

  private report(problems: readonly Problem[]): void {
    for (const line of problemLines(problems)) this.terminal.error(line);
  }

  private async untilDone(graph: Graph): Promise<'ready' | 'stuck' | 'late'> {
    const entries = this.board.list();
    if (entries.length === 0) return 'ready';
    this.display.start();
    const usual = this.servers!.azure ? TIMEOUT * Math.max(1, 60 / this.options.timeScale) : FOREIGN_TIMEOUT;
    const limit = this.options.timeout ?? usual;
    const deadline = this.startedAt + limit;
    let hopeless: unknown;
    this.controller!.hopeless.catch((error: unknown) => (hopeless = error));
    for (;;) {
      this.signal.throwIfAborted();
      if (hopeless !== undefined) throw hopeless;
      const verdict = verdictOf(this.board.list(), Date.now() - this.board.lastChange, (key) => neededBy(graph, key));
      if (verdict !== 'going') return verdict;
      if (Date.now() >= deadline) return 'late';
      await new Promise((resolve) => setTimeout(resolve, TICK));
    }
  }

  /** Prints the end of it. Answers whether all are Ready. */
  private conclude(verdict: 'ready' | 'stuck' | 'late'): boolean {
    const entries = this.board.list();
    this.display.finish();
    if (this.options.output === 'json') this.terminal.print(JSON.stringify(jsonOf(entries, this.servers?.azure?.contrary?.seed), undefined, 2));
    const ready = this.options.controller ? entries.filter(({ state }) => state === 'ready').length : 0;
    const all = entries.length === ready || !this.options.controller;
    for (const { object } of entries) {
      if (versionOf(object)?.isArm === false && !object.apiVersion.startsWith('entra.azure.com/')) {
        this.display.say(`${describeObject(object)} is not a resource of Azure Resource Manager; the sandbox has no server for it`);
      }
    }
    if (!all) {
      for (const line of fewLines(reasonsOf(entries))) this.terminal.error(line);
      if (verdict === 'late') this.terminal.error(`not Ready after ${ageText(Date.now() - this.startedAt)}`);
    }
    if (this.options.controller && entries.length > 0) this.display.say(this.summary(ready, entries.length));
    return all;
  }

  private summary(ready: number, total: number): string {
    const counts = this.servers!.azure?.requests();
    const seconds = ((Date.now() - this.startedAt) / 1000).toFixed(1);
    const methods = counts && Object.entries(counts.byMethod).map(([method, count]) => `${method} ${count}`).join(', ');
    const requests = counts ? `; ${counts.total} ARM requests (${methods}; ${counts.polls} of the GETs are polls)` : '';
    return `${ready} of ${total} Azure objects Ready in ${seconds} s${requests}`;
  }

  private async untilStopped(): Promise<void> {
    this.display.say('The sandbox stays up until it is stopped (Ctrl-C).');
    // No handle may be left that keeps the process alive.
    const alive = setInterval(() => undefined, 60_000);
    await new Promise<void>((resolve) =>
      this.signal.aborted ? resolve() : this.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    clearInterval(alive);
  }
}
