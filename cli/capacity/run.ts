import { capacityOf } from './capacity';
import { capacityText } from './text';
import { UUID } from '../../src/azure/uuid';
import { Catalog } from '../../src/catalog';
import { json } from '../../src/core/graph/render/escape';
import { type FileOptions, printNotes } from '../manifests/file-options';
import { foldersOf } from '../manifests/folders/folder-options';
import { withoutTemplates } from '../manifests/inside/inside';
import { valuesOf } from '../manifests/later/value-options';
import type { Manifest } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import { problemLines } from '../output/few-of-each';
import { oneLine, type Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';
import { candidateOf } from '../plan/requests';

export interface CapacityCommandOptions extends FileOptions {
  /** Milliseconds, or `never`. */
  readonly syncPeriod: number | 'never';
  readonly output: 'text' | 'json';
  readonly verbose: boolean;
  readonly subscription?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;


/** Prints the requests and times of the objects of files. Returns the exit status. */
export function capacity(files: readonly string[], options: CapacityCommandOptions, terminal: Terminal, environment: Environment): number {
  const subscriptionId = subscriptionOf(options, environment);
  const { manifests: written, problems, notes } = readManifests(files, 'refuse', valuesOf(options), foldersOf(options));
  printNotes(notes, terminal);
  const manifests = withoutTemplates(written);
  const unknown = new Map(manifests.flatMap((manifest): [Manifest, Problem][] => {
    const candidate = candidateOf(manifest, Catalog.default());
    return candidate && 'message' in candidate ? [[manifest, candidate]] : [];
  }));
  const { report, problems: found } = capacityOf(manifests.filter((manifest) => !unknown.has(manifest)), {
    syncPeriod: options.syncPeriod === 'never' ? undefined : options.syncPeriod,
    subscriptionId,
  });
  const all = [...problems, ...unknown.values(), ...found];
  for (const line of problemLines(all, options.output === 'json')) terminal.error(line);
  const empty = report.objects + report.elsewhere === 0;
  if (empty && all.length === 0) {
    terminal.error(
      `${oneLine(files.join(', '))}: no Azure objects; give manifests of Azure Service Operator, e.g. the dist/ that cdk8s synth writes`,
    );
  }
  if (options.output === 'json') terminal.print(json(report));
  else if (!empty) terminal.print(capacityText(report, terminal.style, options.verbose));
  return all.length > 0 || empty ? 1 : 0;
}

function subscriptionOf(options: CapacityCommandOptions, environment: Environment): string | undefined {
  const value = options.subscription ?? (environment.AZURE_SUBSCRIPTION_ID || undefined);
  if (value !== undefined && !UUID.test(value)) throw new UsageError('AZURE_SUBSCRIPTION_ID is not a subscription id: give a UUID');
  return value;
}
