import { parseLabels } from './labels';
import { missingKinds } from './missing-kinds';
import { namedKinds, selectCrds, type WantedCrd } from './select';
import { formatYaml } from '../../engine/yaml/format-yaml';
import { Catalog, type Kind } from '../../src/catalog';
import { crdManifest, type CustomResourceDefinition } from '../../src/catalog/crd';
import { asoCrdPattern } from '../../src/catalog/crd-pattern';
import { caInjection, webhookConversion } from '../../src/catalog/webhook-configurations';
import { ASO_GROUPS } from '../../src/util/api-groups';
import { printNotes } from '../manifests/file-options';
import type { InsideOption } from '../manifests/inside/inside-option';
import type { Manifests } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import { problemLines } from '../output/few-of-each';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

export interface CrdsOptions extends InsideOption {
  readonly output: 'yaml' | 'json';
  readonly all: boolean;
  readonly group: readonly string[];
  readonly kind: readonly string[];
  readonly pattern: boolean;
  readonly conversion: 'none' | 'webhook';
  readonly namespace: string;
  readonly certManager: boolean;
  readonly release?: string;
  readonly labels: readonly string[];
}

/** Prints the CRDs of the kinds that files use and flags name, or the CRD pattern for them. Returns the exit status. */
export function crds(files: readonly string[], options: CrdsOptions, terminal: Terminal, catalog = Catalog.default()): number {
  if (files.length === 0 && !options.all && options.group.length + options.kind.length === 0) {
    throw new UsageError('crds: give files with manifests, --kind, --group or --all');
  }
  if (options.certManager && options.conversion !== 'webhook') {
    throw new UsageError('crds: --cert-manager is about the webhook: add --conversion webhook');
  }
  const labels = parseLabels(options.labels);
  const named = namedKinds({ all: options.all, groups: options.group, kinds: options.kind }, catalog);
  // The files are read with duplicates kept: an object may be in two files, and its kind is printed once.
  const read: Manifests = files.length > 0 ? readManifests(files, 'keep', undefined, { inside: options.inside ?? [] }) : { manifests: [], problems: [] };
  printNotes(read.notes, terminal);
  const selected = selectCrds(read.manifests, named, (kind) => versionsByDefault(kind, options), catalog);
  const problems = [...read.problems, ...selected.problems, ...(options.pattern ? [] : unconverted(selected.crds, options))];
  // Prints nothing on a problem: a part of the CRDs, piped into kubectl, would look complete.
  if (problems.length > 0) {
    for (const line of problemLines(problems)) terminal.error(line);
    return 1;
  }
  const kinds = selected.crds.map(({ kind }) => kind);
  for (const { kind, neededBy } of missingKinds(read.manifests, kinds, catalog)) {
    terminal.note(`${neededBy} refers to a ${kind.kind} by name, and no file has one: if its CRD is not installed, add --kind ${kind.group}/${kind.kind}`);
  }
  if (kinds.length === 0) terminal.note('no file has an object of Azure, so there is no CRD');
  if (options.pattern) {
    const own = kinds.filter(({ group }) => !group.endsWith(ASO_GROUPS)).map(({ kind }) => kind);
    if (own.length > 0) terminal.note(`Azure Service Operator has no ${own.join(', ')}: run the controller of this package for it`);
    printPattern(asoCrdPattern(kinds, catalog), options, terminal);
  } else {printCrds(selected.crds.map((wanted) => manifestOf(wanted, options, labels)), options, terminal);}
  return 0;
}

/** Versions of a kind that is only named: an API server without conversion can serve only one version without loss. */
function versionsByDefault(kind: Kind, { conversion }: CrdsOptions): readonly string[] {
  return conversion === 'webhook' ? kind.versionNames : [kind.facts.latest];
}

function unconverted(wanted: readonly WantedCrd[], { conversion }: CrdsOptions): Problem[] {
  if (conversion === 'webhook') return [];
  return wanted.filter(({ versions }) => versions.length > 1).map(({ kind, versions }) => ({
    file: `${kind.group}/${kind.kind}`,
    message: `is used in the versions ${versions.join(' and ')}, and a server that does not convert between them loses what only one of them has`,
    fix: 'write all objects in one version, or install the operator\'s webhooks and add --conversion webhook',
  }));
}

function manifestOf({ kind, versions }: WantedCrd, options: CrdsOptions, labels: Record<string, string>): CustomResourceDefinition {
  const { release, namespace, certManager } = options;
  return crdManifest(kind, {
    versions,
    ...(release !== undefined && { release }),
    labels,
    ...(options.conversion === 'webhook' && { conversion: webhookConversion({ namespace }) }),
    ...(certManager && { annotations: caInjection({ namespace, certManager }) }),
  });
}

function printPattern(pattern: string, { output }: CrdsOptions, terminal: Terminal): void {
  terminal.print(output === 'json' ? JSON.stringify({ crdPattern: pattern }) : pattern);
}

function printCrds(manifests: readonly CustomResourceDefinition[], { output }: CrdsOptions, terminal: Terminal): void {
  if (output === 'json') return terminal.print(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }, undefined, 2));
  // Prints one document at a time: one text for all takes hundreds of megabytes.
  for (const manifest of manifests) {
    terminal.print(`---\n${formatYaml(manifest).trimEnd()}`);
  }
}
