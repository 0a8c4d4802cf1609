import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AcceptanceCluster } from './cluster';
import { Life, type StepResult } from './life';
import { Recorder, type Exchange } from './recorder';
import { Redaction } from './redaction';
import { replay, type Difference } from './replay';
import { acceptedResources, TAG, type AcceptedResource } from './resources';
import { simulatorToken } from './simulator-token';
import { STATUS } from './statuses';
import { tokensOf } from '../../cli/plan/live/credential';
import { makeCertificate } from '../../runtime/certificates/make-certificate';
import { BUILT_IN_ROLES } from '../../src/azure/built-in-roles';
import { Catalog } from '../../src/catalog';
import { groupOf, parseApiVersion } from '../../src/object-id';

export interface AcceptOptions {
  readonly subscription: string;
  readonly location: string;
  /** Names of resources; empty: all. */
  readonly only: readonly string[];
  /** Whether the group is left in Azure. */
  readonly keep: boolean;
  readonly isDryRun: boolean;
  /** Azure Resource Manager; default: that of the environment's cloud. */
  readonly endpoint: string | undefined;
  /** Directory for the case, the report and the log. */
  readonly out: string;
  readonly output: 'text' | 'json';
  /** Random part of the names of a run. */
  readonly suffix: string;
  readonly timeoutMs: number;
  readonly syncPeriodSeconds: number;
}

export interface Screen {
  /** The result. */
  print(text: string): void;
  /** Progress. */
  say(text: string): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

const GROUPS_API_VERSION = '2021-04-01';
const CERTIFICATE_MS = 24 * 3_600_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOOK_AGAIN_MS = 2_000;
/** Azure deletes a group of such resources in minutes. */
const DELETION_MS = 45 * 60_000;
const PROGRESS_EVERY = 50;

/** Carries out a run. Answers the exit status. */
export async function acceptAzure(options: AcceptOptions, environment: Environment, screen: Screen): Promise<number> {
  const { isDryRun, location, only, suffix } = options;
  const name = `cdk8s-aso-accept-${suffix}`;
  let resources: AcceptedResource[];
  let azure: ReturnType<typeof azureOf>;
  try {
    resources = acceptedResources(name, location, suffix, only);
    if (isDryRun) return dryRun(resources, name, options, screen);
    azure = azureOf(options, environment);
    await azure.token();
  } catch (error) {
    screen.say((error as Error).message);
    return STATUS.usage;
  }
  return new Run(options, environment, screen, name, resources, azure).carryOut();
}

/** Azure's address and tokens. */
function azureOf({ endpoint }: AcceptOptions, environment: Environment): { readonly endpoint: string; token(): Promise<string> } {
  if (endpoint !== undefined && LOOPBACK.has(new URL(endpoint).hostname)) {
    let token: Promise<string> | undefined;
    return { endpoint, token: () => (token ??= simulatorToken(endpoint)) };
  }
  const { endpoint: usual, token } = tokensOf(environment);
  return { endpoint: endpoint ?? usual, token };
}

class Run {
  private readonly results: StepResult[] = [];
  private readonly stopped = new AbortController();
  private readonly group: string;
  private recorder!: Recorder;
  private problem: string | undefined;
  /** Whether the creation of the group was requested, whatever the answer. */
  private mayHaveGroup = false;

  public constructor(
    private readonly options: AcceptOptions,
    private readonly environment: Environment,
    private readonly screen: Screen,
    private readonly name: string,
    private readonly resources: readonly AcceptedResource[],
    private readonly azure: ReturnType<typeof azureOf>,
  ) {
    this.group = `/subscriptions/${options.subscription}/resourceGroups/${name}`;
  }

  public async carryOut(): Promise<number> {
    const { endpoint, token } = this.azure;
    const certificate = await makeCertificate(['localhost', '127.0.0.1'], Date.now(), CERTIFICATE_MS);
    const caFile = this.environment.NODE_EXTRA_CA_CERTS;
    const trusted = caFile && existsSync(caFile) ? { caFile } : {};
    this.recorder = await Recorder.start({ endpoint, token, certificate, group: this.group, ...trusted });
    const stop = () => this.stop();
    process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
    const logDirectory = mkdtempSync(join(tmpdir(), 'accept-azure-log-'));
    const logFile = join(logDirectory, 'controller.log');
    let isClean = true;
    try {
      await this.live(certificate.ca, logFile).catch((error: Error) => {
        if (this.stopped.signal.aborted) return;
        this.problem = error.message;
        this.screen.say(error.message);
      });
      isClean = !this.mayHaveGroup || this.options.keep || await this.cleanUp();
      const differences = this.stopped.signal.aborted ? [] : await this.compared();
      this.write(differences, logFile, isClean);
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
      await this.recorder.close();
      rmSync(logDirectory, { recursive: true, force: true });
    }
    if (!isClean) return STATUS.notCleaned;
    if (this.stopped.signal.aborted) return STATUS.stopped;
    return this.problem !== undefined || this.results.some(({ problem }) => problem !== undefined) ? STATUS.failed : STATUS.passed;
  }

  /** The first signal ends the life and deletes the group; during the deletion, another one leaves the rest to Azure. */
  private stop(): void {
    if (this.stopped.signal.aborted) {
      this.screen.say(`left: az group delete --subscription ${this.options.subscription} --name ${this.name}`);
      process.exit(STATUS.notCleaned);
    }
    this.screen.say(this.options.keep ? 'stopped' : `stopped; deleting ${this.name} (once more: leave it)`);
    this.stopped.abort();
  }

  private async live(caPem: string, logFile: string): Promise<void> {
    await this.makeGroup();
    const { options: { subscription, syncPeriodSeconds, timeoutMs }, recorder } = this;
    const { signal } = this.stopped;
    const { endpoint } = recorder;
    const cluster = await AcceptanceCluster.start({ endpoint, caPem, subscriptionId: subscription, syncPeriodSeconds, logFile, signal });
    try {
      const life = new Life({
        cluster,
        recorder,
        resources: this.resources,
        subscriptionId: subscription,
        group: this.group,
        timeoutMs,
        syncPeriodMs: syncPeriodSeconds * 1000,
        onResult: (result) => this.took(result),
      });
      await life.run();
    } finally {
      await cluster.close();
    }
  }

  /** Makes the group with its tag, so that what a broken run leaves is known. Fails where a group of this name is there already. */
  private async makeGroup(): Promise<void> {
    const url = `${this.group}?api-version=${GROUPS_API_VERSION}`;
    const { status } = await this.recorder.send('GET', url);
    if (status !== 404) throw new Error(`a group ${this.name} may be there already (Azure answers ${status}): nothing is done`);
    this.mayHaveGroup = true;
    const made = await this.recorder.send('PUT', url, { location: this.options.location, tags: TAG });
    if (made.status >= 300) throw new Error(`the group cannot be made: ${made.status} ${made.text.slice(0, 300)}`);
  }

  private took(result: StepResult): void {
    this.results.push(result);
    const { step, resource, problem, seconds } = result;
    this.screen.say(`${step.padEnd(7)} ${problem === undefined ? 'ok    ' : 'FAILED'} ${resource} ${seconds.toFixed(0)} s${problem === undefined ? '' : `: ${problem}`}`);
  }

  /** Deletes the group, whatever the state of the run. Answers whether it is gone. */
  private async cleanUp(): Promise<boolean> {
    const url = `${this.group}?api-version=${GROUPS_API_VERSION}`;
    this.screen.say(`deleting ${this.name}`);
    for (const end = Date.now() + DELETION_MS; Date.now() < end; await sleep(LOOK_AGAIN_MS)) {
      const found = await this.recorder.send('GET', url).catch(() => undefined);
      if (found?.status === 404) return true;
      if (found?.status === 200 && !/"provisioningState":\s*"Deleting"/i.test(found.text)) await this.recorder.send('DELETE', url).catch(() => undefined);
    }
    this.screen.say(`the group is still there: az group delete --subscription ${this.options.subscription} --name ${this.name}`);
    return false;
  }

  private async compared(): Promise<Difference[]> {
    const { exchanges } = this.recorder;
    this.screen.say(`sending ${exchanges.length} requests to the simulator again`);
    return replay(exchanges, this.options.subscription, (done) => {
      if (done % PROGRESS_EVERY === 0) this.screen.say(`${done} requests`);
    });
  }

  private write(differences: readonly Difference[], logFile: string, isClean: boolean): void {
    const { options: { out, output, subscription }, environment } = this;
    const publicIds = Object.values(BUILT_IN_ROLES);
    const redaction = new Redaction({ subscriptionId: subscription, tenantId: environment.AZURE_TENANT_ID, publicIds });
    const { exchanges, refused } = this.recorder;
    const manifests = this.resources.map(({ object }) => redaction.value({ ...object, metadata: { ...object.metadata, namespace: 'conformance' } }));
    const report = redaction.value({
      group: this.name,
      location: this.options.location,
      resources: this.resources.length,
      requests: exchanges.length,
      ...(this.problem !== undefined && { problem: this.problem }),
      steps: this.results,
      differences,
      refusedWrites: refused,
      groupDeleted: isClean && !this.options.keep,
    });
    mkdirSync(out, { recursive: true });
    const traffic = exchanges.map((exchange) => redaction.exchange(exchange));
    writeFileSync(join(out, 'case.json'), `${JSON.stringify({ name: this.name, manifests, expect: expectedOf(this.resources, exchanges, redaction), traffic }, undefined, 1)}\n`);
    writeFileSync(join(out, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
    if (existsSync(logFile)) writeFileSync(join(out, 'controller.log'), redaction.text(readFileSync(logFile, 'utf8')));
    this.screen.print(output === 'json' ? JSON.stringify(report, undefined, 2) : textOf(this.results, differences, this.problem, out));
  }
}

/** The PUT of each object, as `expect` of a case has it: the first one that the controller has sent. */
function expectedOf(resources: readonly AcceptedResource[], exchanges: readonly Exchange[], redaction: Redaction): object[] {
  return resources.flatMap(({ object: { apiVersion, kind, metadata: { name }, spec } }) => {
    const { group, version } = parseApiVersion(apiVersion);
    const type = Catalog.default().kind(group, kind)!.version(version)!.facts.arm!.type.split('/').at(-1)!.toLowerCase();
    const last = String(spec?.azureName ?? 'default').toLowerCase();
    const put = exchanges.find(({ by, method, path }) => by === 'controller' && method === 'PUT' && path.toLowerCase().endsWith(`/${type}/${last}`));
    if (!put) return [];
    const { body, path, query } = redaction.exchange(put);
    return [{ kind, name, method: 'PUT', path, apiVersion: new URLSearchParams(query).get('api-version'), body: JSON.parse(body ?? '{}') as unknown }];
  });
}

function textOf(results: readonly StepResult[], differences: readonly Difference[], problem: string | undefined, out: string): string {
  const failed = results.filter((result) => result.problem !== undefined);
  return [
    ...differences.map(({ request, what, count }) => `${request}: ${what}${count > 1 ? ` (${count} times)` : ''}`),
    ...failed.map((result) => `${result.step} ${result.resource}: ${result.problem}`),
    ...(problem === undefined ? [] : [problem]),
    `${results.length - failed.length} steps passed, ${failed.length} failed, ${differences.length} differences from the simulator; ${out}/case.json`,
  ].join('\n');
}

function dryRun(resources: readonly AcceptedResource[], group: string, { location, output }: AcceptOptions, { print }: Screen): number {
  const rows = resources.map(({ name, object: { apiVersion, kind, spec }, centsPerHour }) => ({
    name, kind: `${kind}.${groupOf({ apiVersion })}`, azureName: String(spec?.azureName ?? ''), centsPerHour,
  }));
  const total = rows.reduce((sum, { centsPerHour }) => sum + centsPerHour, 0);
  if (output === 'json') {
    print(JSON.stringify({ group, location, resources: rows, centsPerHour: total }, undefined, 2));
    return STATUS.passed;
  }
  for (const { name, kind, azureName, centsPerHour } of rows) print(`${name.padEnd(18)} ${kind.padEnd(66)} ${azureName.padEnd(30)} ${centsPerHour || ''}`);
  print(`${rows.length} resources in ${group} (${location}), about ${total.toFixed(1)} US cents an hour while they are there. Nothing was made.`);
  return STATUS.passed;
}
