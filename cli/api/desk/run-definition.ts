import { ClaimLog } from './claim-log';
import { composerLog } from './composer-log';
import { applyCrds, crdState } from './desk-crds';
import { deskRights } from './desk-rights';
import { deskCrd } from './desk-versions';
import { sourcesChanged } from './source-watch';
import { revisionOf } from '../../../composer/bundle/bundle-header';
import { runComposer } from '../../../composer/run-composer';
import { systemClock } from '../../../engine/clock';
import type { ReflectorTiming } from '../../../engine/informers';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CRD_KIND } from '../../../engine/kubernetes/watched-kind';
import { LeadershipLostError } from '../../../runtime/leader';
import { counted, listed, plural } from '../../../src/util/words';
import { missingRights, rightTexts } from '../../cluster/access-rights';
import { isClusterError, withCluster, type LiveCluster } from '../../cluster/connect';
import { NAMESPACES } from '../../cluster/resource-types';
import { fewLines } from '../../output/few-of-each';
import { oneLine } from '../../output/problem';
import { progressLine } from '../../output/progress-line';
import type { Terminal } from '../../output/terminal';
import { modulesFor, openDefinition, reportDefinitionError, type OpenDefinition } from '../built-definition';
import { versionNames } from '../crd-versions';
import { definitionManifests } from '../definition-manifests';
import { ownedCrd } from '../installation/installation-objects';
import { ownerName, type ComposerName } from '../installation/names';
import { unservedKinds } from '../unserved-kinds';

export interface RunCommandOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Of the Leases; the context's by default. */
  readonly namespace?: string;
  readonly name: string;
  readonly installCrds: boolean;
  readonly watch: boolean;
  readonly verbose: boolean;
  readonly output: 'text' | 'json';
}

/** The parts of the process that tests replace. */
export interface RunSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version of cdk8s-aso. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** Asks a question; undefined where no one can answer. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  readonly timing?: Partial<ReflectorTiming>;
}

/** `cdk8s-aso api run`. Answers the exit status. */
export async function runDefinition(
  file: string, options: RunCommandOptions, terminal: Terminal, surroundings: RunSurroundings,
): Promise<number> {
  const definition = await opened(file, terminal);
  if (!definition) return 1;
  try {
    return await withCluster(options, { command: 'api-run', environment: surroundings.environment, fieldManager: 'cdk8s-aso-api' }, (cluster) =>
      new DeskComposer(file, cluster, options, terminal, surroundings).run(definition));
  } catch (error) {
    if (!isClusterError(error) && !(error instanceof LeadershipLostError)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  } finally {
    await definition.close();
  }
}

/** Undefined, after its problem was printed, where a module is no definition. */
async function opened(file: string, terminal: Terminal): Promise<OpenDefinition | undefined> {
  const progress = progressLine(process.stderr, terminal);
  try {
    return await openDefinition(file, (text) => progress.report(() => text));
  } catch (error) {
    progress.end();
    reportDefinitionError(error, terminal);
    return undefined;
  } finally {
    progress.end();
  }
}

class DeskComposer {
  private readonly composer: ComposerName;
  private readonly claims: ClaimLog;

  public constructor(
    private readonly file: string,
    private readonly cluster: LiveCluster,
    private readonly options: RunCommandOptions,
    private readonly terminal: Terminal,
    private readonly surroundings: RunSurroundings,
  ) {
    this.composer = { name: options.name, namespace: options.namespace ?? cluster.namespace ?? 'default' };
    this.claims = new ClaimLog({ terminal, output: options.output, now: () => systemClock.now() });
  }

  public async run(first: OpenDefinition): Promise<number> {
    if (!(await this.isPossible(first))) return 1;
    const { signal } = this.surroundings;
    for (let definition: OpenDefinition | undefined = first; definition && !signal.aborted;) {
      const next: OpenDefinition | undefined = await this.runUntilChange(definition);
      if (definition !== first) await definition.close();
      definition = next;
    }
    this.terminal.note('stopped: claims keep their objects, and nothing changes them until a composer runs');
    return 0;
  }

  /** Whether rights and CRDs let the composer work; what does not is printed. */
  private async isPossible({ facts }: OpenDefinition): Promise<boolean> {
    const { cluster: { client }, options, terminal, composer } = this;
    // The desk serves no webhooks, and makes no certificate for them.
    const { crds, rights, problems: ofManifests, advice } = definitionManifests(facts, { ...composer, certManager: true });
    const all = await Promise.all(crds.map(async (crd) => {
      const owned = ownedCrd(crd as unknown as KubernetesObject, composer);
      return deskCrd(owned, versionNames(owned).length > 1 ? await this.liveCrd(owned.metadata.name) : undefined);
    }));
    const problems = [...ofManifests, ...all.flatMap(({ problem }) => problem ?? [])];
    const notes = all.flatMap(({ note }) => note ?? []);
    for (const line of fewLines([...advice, ...notes, ...await unservedKinds(client, facts)])) terminal.note(oneLine(line));
    const needed = deskRights(rights as unknown as KubernetesObject[], options.installCrds);
    const missing = problems.length > 0 ? [] : await missingRights(client, needed);
    const lines = [...problems, ...rightTexts(missing).map((text) => `this user may not ${text}, which the composer needs`)];
    if (lines.length === 0 && !(await this.hasNamespace())) lines.push(`the cluster has no namespace ${composer.namespace}, where the Lease of the composer would be: give another --namespace`);
    for (const line of fewLines(lines)) terminal.error(oneLine(line));
    return lines.length === 0 && this.hasCrds(all.map(({ crd }) => crd));
  }

  /** Undefined also where this user may not read it, which is among the missing rights. */
  private async liveCrd(name: string): Promise<KubernetesObject | undefined> {
    try {
      return await this.cluster.client.get(CRD_KIND, name);
    } catch (error) {
      if (isClusterError(error) && 'status' in error && error.status === 403) return undefined;
      throw error;
    }
  }

  /** True where this user may not know. */
  private async hasNamespace(): Promise<boolean> {
    try {
      return (await this.cluster.client.get(NAMESPACES, this.composer.namespace)) !== undefined;
    } catch (error) {
      if (isClusterError(error) && 'status' in error && error.status === 403) return true;
      throw error;
    }
  }

  private async hasCrds(crds: readonly KubernetesObject[]): Promise<boolean> {
    const { cluster: { client }, options, terminal, composer, surroundings: { confirm } } = this;
    const { conflicts, missing, changed } = await crdState(client, crds, composer, options.installCrds);
    for (const line of fewLines(conflicts)) terminal.error(oneLine(line));
    if (conflicts.length > 0) return false;
    const wanted = [...missing, ...changed];
    if (wanted.length === 0) return true;
    const names = listed(wanted.map(({ metadata: { name } }) => name));
    const isInstalled = options.installCrds || (await confirm?.(`${missing.length > 0 ? 'Create' : 'Change'} the ${plural(wanted.length, 'CRD')} ${names}?`)) === true;
    if (isInstalled) {
      await applyCrds(client, wanted, systemClock);
      terminal.note(`applied ${names}`);
      return true;
    }
    if (missing.length > 0) terminal.error(`the cluster has no ${listed(missing.map(({ metadata: { name } }) => name))}: give --install-crds`);
    else terminal.note(`${names} of the cluster ${plural(changed.length, 'differs', 'differ')} from the definition: --install-crds changes it`);
    return missing.length === 0;
  }

  /** Runs a revision. Answers the next one with --watch, or undefined at the end. */
  private async runUntilChange(definition: OpenDefinition): Promise<OpenDefinition | undefined> {
    const { file, cluster: { access }, options, terminal, composer, surroundings: { signal, version, timing } } = this;
    const { bundle, bundleFile, facts, renderer } = definition;
    // The composer has threads of its own.
    await renderer.close();
    const stop = new AbortController();
    const isOver = AbortSignal.any([stop.signal, signal]);
    terminal.note(`${ownerName(composer)} runs ${listed(facts.map(({ kind }) => kind))}, revision ${revisionOf(bundle.code)}; Ctrl-C ends it`);
    const running = runComposer({
      bundleFile,
      modulesFrom: modulesFor(file, bundle),
      access,
      ...composer,
      logger: composerLog(terminal, options.verbose),
      version,
      onClaim: (event) => this.claims.handle(event),
      ...(timing && { timing }),
    }, isOver);
    // A failure of the composer ends the watch.
    const ended = running.then(() => stop.abort(), (error: unknown) => {
      stop.abort();
      throw error;
    });
    if (!options.watch) {
      await ended;
      return undefined;
    }
    const next = await Promise.all([this.nextRevision(definition, isOver).finally(() => stop.abort()), ended]);
    return next[0];
  }

  /** The definition with another revision, once the sources have changed and are right. */
  private async nextRevision({ bundle }: OpenDefinition, signal: AbortSignal): Promise<OpenDefinition | undefined> {
    const { file, terminal } = this;
    for (let { sources } = bundle; await sourcesChanged(sources, signal);) {
      const next = await opened(file, terminal);
      if (!next) {
        terminal.note('the revision before goes on');
        continue;
      }
      ({ sources } = next.bundle);
      const isNews = revisionOf(next.bundle.code) !== revisionOf(bundle.code);
      if (isNews && (await this.isPossible(next))) return next;
      await next.close();
      terminal.note(isNews ? `the revision before goes on: ${counted(sources.length, 'file')} watched` : 'the sources have changed, the bundle has not');
    }
    return undefined;
  }
}
