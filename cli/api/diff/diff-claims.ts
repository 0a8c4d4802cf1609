import { claimDiff } from './claim-diff';
import { crdDiff } from './crd-diff';
import {
  claimReport,
  crdReport,
  diffText,
  hasDifferences,
  hasProblems,
  type ClaimReport,
  type CrdReport,
  type DiffReport,
} from './diff-report';
import { readClaims, readReads, type ClaimSelection } from './live-objects';
import { revisionOf } from '../../../composer/bundle/bundle-header';
import type { BundlePosition } from '../../../composer/render/types';
import type { RestClient } from '../../../engine/kubernetes';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { catalogKinds, servedTypes } from '../../../engine/kubernetes/watched-kind';
import { Catalog } from '../../../src/catalog';
import { objectTitleOf } from '../../../src/object-id';
import { firstOf } from '../../../src/util/words';
import { atATime } from '../../cluster/at-a-time';
import { isClusterError, withCluster } from '../../cluster/connect';
import { fewLines } from '../../output/few-of-each';
import { oneLine } from '../../output/problem';
import { progressLine } from '../../output/progress-line';
import type { Terminal } from '../../output/terminal';
import { UsageError } from '../../output/usage-error';
import { withDefinition, type BuiltDefinition } from '../built-definition';
import { definitionManifests } from '../definition-manifests';
import { sourcePositions } from '../source-positions';

export interface DiffCommandOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly selector?: string;
  readonly kind: readonly string[];
  readonly local: boolean;
  readonly exitCode: boolean;
  readonly output: 'text' | 'json';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Claims that are compared at a time. */
const AT_A_TIME = 8;
const FIELD_MANAGER = 'cdk8s-aso-composer';

/** `cdk8s-aso api diff`. Answers the exit status. */
export function diffClaims(
  file: string, names: readonly string[], options: DiffCommandOptions, terminal: Terminal, environment: Environment,
): Promise<number> {
  const problemStatus = options.exitCode ? 2 : 1;
  let isDone = false;
  return withDefinition(file, terminal, async (built) => {
    const { facts } = built;
    const unknownKind = options.kind.find((kind) => !facts.some((one) => one.kind === kind));
    if (unknownKind !== undefined) {
      throw new UsageError(`api diff: --kind ${unknownKind}: the definition has ${firstOf(facts.map(({ kind }) => kind), 5)}`);
    }
    const { crds, problems } = definitionManifests(facts, { name: 'composer', namespace: 'default' });
    for (const line of fewLines(problems)) terminal.error(oneLine(line));
    isDone = true;
    if (problems.length > 0) return problemStatus;
    try {
      // The composer's field manager: a dry run removes what the definition does not have any more.
      const report = await withCluster(options, { command: 'api-diff', environment, fieldManager: FIELD_MANAGER }, ({ client }) =>
        new ClaimComparison(file, client, built, terminal)
          .report(crds as unknown as KubernetesObject[], { ...options, kinds: options.kind, names }, options.local));
      return printed(report, options, terminal);
    } catch (error) {
      if (!isClusterError(error)) throw error;
      terminal.error(oneLine(error.message));
      return problemStatus;
    }
  }).then((status) => (isDone ? status : problemStatus));
}

function printed(report: DiffReport, { output, exitCode }: DiffCommandOptions, terminal: Terminal): number {
  for (const line of fewLines(report.notes)) terminal.note(oneLine(line));
  for (const line of fewLines(report.problems)) terminal.error(oneLine(line));
  terminal.print(output === 'json' ? JSON.stringify(report, undefined, 2) : diffText(report, terminal.style));
  if (!exitCode) return hasProblems(report) ? 1 : 0;
  return hasProblems(report) ? 2 : hasDifferences(report) ? 1 : 0;
}

class ClaimComparison {
  public constructor(
    private readonly file: string,
    private readonly client: RestClient,
    private readonly built: BuiltDefinition,
    private readonly terminal: Terminal,
  ) {}

  /** @throws KubernetesError where the cluster does not answer */
  public async report(crds: readonly KubernetesObject[], selection: ClaimSelection, isLocal: boolean): Promise<DiffReport> {
    const { client, built: { facts, bundle } } = this;
    const { types } = await client.discovery();
    const { claims, problems, notes: readNotes } = await readClaims(client, types, facts, selection);
    const notes = [...readNotes];
    const selected = facts.filter(({ kind }) => selection.kinds.length === 0 || selection.kinds.includes(kind));
    const kinds = new Set(selected.map(({ plural, group }) => `${plural}.${group}`));
    const crdReports: CrdReport[] = [];
    const unread: string[] = [];
    for (const crd of crds.filter(({ metadata }) => kinds.has(metadata.name))) {
      const diff = await crdDiff(client, crd);
      if (diff.unread === undefined) crdReports.push(crdReport(diff));
      else unread.push(diff.unread);
    }
    const compared = await this.compared(claims, types, isLocal);
    if (compared.claims.some(({ objects }) => objects.some((one) => one.isLocal)) && !isLocal) {
      notes.push('this user may not try all changes: such objects are compared here, and fields that go are not in their difference');
    }
    const unreadable = [...problems, ...unread, ...compared.problems];
    return { revision: revisionOf(bundle.code), crds: crdReports, claims: compared.claims, problems: unreadable, notes };
  }

  private async compared(
    claims: Awaited<ReturnType<typeof readClaims>>['claims'], types: readonly ResourceType[], isLocal: boolean,
  ): Promise<{ readonly claims: readonly ClaimReport[]; readonly problems: readonly string[] }> {
    const { client, file, terminal, built: { renderer, facts, bundle } } = this;
    const find = await readReads(client, types, facts);
    const options = { renderer, clients: { client, dryRun: client.asDryRun() }, find, isLocal, ...lookups(types) };
    const progress = progressLine(process.stderr, terminal);
    const positions = (stack: readonly BundlePosition[]) => sourcePositions(file, bundle.map, stack);
    const reports: (ClaimReport | undefined)[] = [];
    const problems: string[] = [];
    let done = 0;
    try {
      await atATime([...claims.entries()], AT_A_TIME, async ([index, one]) => {
        const { kind, metadata: { namespace = '', name, deletionTimestamp } } = one.claim;
        try {
          // A claim that goes is not composed.
          if (deletionTimestamp === undefined) reports[index] = claimReport(await claimDiff(one, options), positions);
        } catch (error) {
          if (!(error instanceof KubernetesError) || error.status === 0) throw error;
          problems.push(`${objectTitleOf({ kind, namespace, name })}: ${error.message}`);
        }
        done += 1;
        progress.report(() => `${done} of ${claims.length} claims compared …`);
      });
    } finally {
      progress.end();
    }
    return { claims: reports.filter((report) => report !== undefined), problems };
  }
}

function lookups(types: readonly ResourceType[]): Pick<Parameters<typeof claimDiff>[1], 'typeOf' | 'typeOfKind'> {
  const byVersion = new Map(types.map((type) => [`${type.group === '' ? '' : `${type.group}/`}${type.version} ${type.kind}`, type]));
  return {
    typeOf: ({ apiVersion, kind }) => byVersion.get(`${apiVersion} ${kind}`),
    typeOfKind: ({ group, kind }) => {
      const inCatalog = Catalog.default().kind(group, kind);
      const wanted = inCatalog ? catalogKinds([inCatalog])[0]! : { group, kind };
      return servedTypes([wanted], types).get(wanted);
    },
  };
}
