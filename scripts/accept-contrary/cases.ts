import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appliedKeyOf, parseManifests, type Manifest } from '../../cli/manifests/manifests';
import type { KubernetesObject } from '../../engine/kubernetes';
import { groupOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';

/** A recorded case in a namespace of its own, so that all of them fit into one cluster. */
export interface Case {
  readonly name: string;
  readonly manifests: readonly Manifest[];
  /** Keys of its Azure objects. */
  readonly keys: ReadonlySet<string>;
}

/** @param only cases with this text in their names */
export function readCases(directory: string, only: string): Case[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.json') && name.includes(only)).sort();
  const accounts = new Set<string>();
  return names.map((file, index) => caseOf(join(directory, file), `case-${index}`, accounts));
}

function caseOf(file: string, namespace: string, accounts: Set<string>): Case {
  const { name, manifests } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; manifests: KubernetesObject[] };
  const text = manifests
    .map((object) => JSON.stringify({ ...object, metadata: { ...object.metadata, namespace } }).replaceAll('"conformance"', `"${namespace}"`))
    .join('\n---\n');
  const own = manifests.filter(({ kind }) => kind === 'StorageAccount').map(accountName).filter((account) => account !== undefined);
  const parsed = parseManifests(own.reduce((renamed, account) => withOwnAccount(renamed, account, accounts), text), file).manifests;
  const azure = parsed.map(({ object }) => object).filter((object) => mayBeInCatalog(groupOf(object)));
  return { name, manifests: parsed, keys: new Set(azure.map(appliedKeyOf)) };
}

const accountName = ({ spec, metadata }: KubernetesObject): string | undefined =>
  (spec as { azureName?: string } | undefined)?.azureName ?? metadata.name;

/** Names of storage accounts are unique in all of Azure, and cases have some in common. */
function withOwnAccount(text: string, account: string, taken: Set<string>): string {
  const own = [account, ...'abcdefghijklmnopqrstuvwxyz'].map((letter, index) => (index === 0 ? account : `${account}${letter}`))
    .find((candidate) => !taken.has(candidate))!;
  taken.add(own);
  return text.replaceAll(new RegExp(`(["/])${account}(["/])`, 'g'), `$1${own}$2`);
}
