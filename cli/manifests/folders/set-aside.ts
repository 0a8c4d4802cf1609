import { basename } from 'node:path';
import { groupOf } from '../../../src/object-id';
import { isRecord, isText } from '../../../src/util/records';
import { counted, firstOf, plural } from '../../../src/util/words';
import type { Problem } from '../../output/problem';
import type { SourceText } from '../source-text';

const MAX_NAMED = 5;
/** Groups of files that programs read, and no cluster: their objects look like those of a cluster. */
const OF_PROGRAMS: ReadonlySet<string> = new Set([
  'kustomize.config.k8s.io', 'skaffold', 'kind.x-k8s.io', 'k3d.io', 'kubeadm.k8s.io', 'kubelet.config.k8s.io', 'apiserver.config.k8s.io',
  'kubescheduler.config.k8s.io', 'kubeproxy.config.k8s.io', 'audit.k8s.io', 'client.authentication.k8s.io', 'apiserver.k8s.io', 'eksctl.io',
  'vendir.k14s.io', 'kapp.k14s.io', 'kbld.k14s.io', 'imgpkg.carvel.dev', 'cli.kyverno.io', 'kuttl.dev', 'chainsaw.kyverno.io', 'ctlptl.dev',
  'controller-runtime.sigs.k8s.io', 'clusterctl.cluster.x-k8s.io', 'kpt.dev', 'pipecd.dev', 'werf.io', 'devspace', 'krew.googlecontainertools.github.com',
]);

/** Whether a text may have a Kubernetes object, or a part of one: most files of a repository are not worth parsing. */
export function mayHaveObjects(text: string): boolean {
  return text.includes('apiVersion') || /^[ \t{-]{0,500}["']?kind["']?[ \t]{0,99}:/m.test(text);
}

/**
 * Whether a text may have an object of Azure, by a group of the operator or of ours or by a name of ARM or Terraform, or Flux' values for
 * variables in such objects.
 */
export function mayHaveAzureObjects(text: string): boolean {
  return /postBuild|azure\.com|azure\.microsoft\.com|microsoft\.[a-z]|azurerm_|aso\.cdk8s\.io/i.test(text);
}

/** Whether a text has more than comments. */
export function hasContent(text: string): boolean {
  return /^[ \t]{0,500}(?!#|---|\s)\S/m.test(text);
}

/** Whether a file that was found in a directory is one of another program: it has no Kubernetes object, nor a part of one. */
export function isLeftAside({ documents, problems, text }: SourceText): boolean {
  const values = documents.flatMap(({ value }) => ((value ?? null) === null ? [] : [value]));
  if (values.length === 0) return problems.length > 0 && !hasObjectKeys(text);
  return values.every(isOfPrograms) && (problems.length === 0 || !hasObjectKeys(text));
}

function hasObjectKeys(text: string): boolean {
  return /^[ \t{-]{0,500}["']?apiVersion["']?[ \t]{0,99}:/m.test(text);
}

function isOfPrograms(value: unknown): boolean {
  if (!isRecord(value)) return true;
  const { apiVersion, kind, metadata, type } = value;
  // Programs with objects of their own say their version by another name.
  if (apiVersion === undefined && (kind === undefined || isText(value.schemaVersion))) return true;
  // A kind alone is a part of an object, unless it stands among what objects have not.
  if (apiVersion === undefined) return metadata === undefined && value.spec === undefined;
  if (isOfTemplate(apiVersion, type) && metadata === undefined) return true;
  if (isText(apiVersion) && OF_PROGRAMS.has(groupOf({ apiVersion }))) return true;
  // Chart.yaml, and the index.yaml of a repository of charts
  if (kind === undefined) return ((isText(value.name) && isText(value.version)) || isRecord(value.entries)) && metadata === undefined;
  // The file with a cluster's address.
  return apiVersion === 'v1' && kind === 'Config' && metadata === undefined;
}

/** A resource of an ARM template: its kind, if it has one, is a property of Azure's. */
function isOfTemplate(apiVersion: unknown, type: unknown): boolean {
  return isText(apiVersion) && /^\d{4}-\d\d-\d\d/.test(apiVersion) && isText(type) && /^microsoft\./i.test(type);
}

/** One note about the files of a directory that are no Kubernetes objects. */
export function asideNote(directory: string, files: readonly string[]): Problem[] {
  if (files.length === 0) return [];
  const names = firstOf(files.map((file) => basename(file)), MAX_NAMED);
  const message = `${counted(files.length, 'file')} ${plural(files.length, 'has', 'have')} no Kubernetes objects: ${names}`;
  return [{ file: directory, message, fix: 'left aside' }];
}
