import { LARGEST_CONFIG_MAP, sizeOf } from './bundle-size';
import { installationObjects } from './installation-objects';
import { Installer } from './installer';
import { planJson, planText } from './plan-report';
import { releaseImage } from './release-image';
import { headerOf, revisionOf } from '../../../composer/bundle/bundle-header';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { formatYamlDocuments } from '../../../engine/yaml/format-yaml';
import { counted } from '../../../src/util/words';
import { isClusterError, withCluster } from '../../cluster/connect';
import { fewLines } from '../../output/few-of-each';
import { oneLine } from '../../output/problem';
import type { Terminal } from '../../output/terminal';
import { UsageError } from '../../output/usage-error';
import { withDefinition, type BuiltDefinition } from '../built-definition';
import { definitionManifests } from '../definition-manifests';
import { unservedKinds } from '../unserved-kinds';

export interface InstallCommandOptions {
  readonly name: string;
  readonly namespace: string;
  readonly image?: string;
  readonly bundleInImage: boolean;
  readonly createNamespace: boolean;
  readonly replicas: number;
  readonly admission: boolean;
  readonly certManager: boolean;
  readonly serviceMonitor: boolean;
  readonly alerts: boolean;
  readonly apiServerPort: number;
  readonly apply: boolean;
  readonly dryRun: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: 'text' | 'json';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `cdk8s-aso api install`. Answers the exit status. */
export function installComposer(
  file: string, options: InstallCommandOptions, terminal: Terminal, environment: Environment,
): Promise<number> {
  const isLive = options.apply || options.dryRun;
  if (!isLive && (options.kubeconfig !== undefined || options.context !== undefined)) {
    throw new UsageError('api install: without --apply or --dry-run nothing is asked of a cluster: leave out --kubeconfig and --context');
  }
  return withDefinition(file, terminal, async (built) => {
    const objects = objectsOf(built, options, terminal);
    if (!objects) return 1;
    if (isLive) return applied(built, objects, options, terminal, environment);
    terminal.print(options.output === 'json'
      ? JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, undefined, 2)
      : formatYamlDocuments(objects).trimEnd());
    return 0;
  });
}

/** Undefined, after the problems were printed, where nothing may be installed. */
function objectsOf(built: BuiltDefinition, options: InstallCommandOptions, terminal: Terminal): KubernetesObject[] | undefined {
  const { bundle, facts } = built;
  const { createNamespace: createsNamespace, image = releaseImage(headerOf(bundle.code).library), ...rest } = options;
  if (rest.bundleInImage && options.image === undefined) throw new UsageError('api install: --bundle-in-image needs --image, the image that was built with the bundle');
  const manifests = definitionManifests(facts, options);
  const sizeBytes = Buffer.byteLength(bundle.code);
  const problems = [...manifests.problems];
  if (!rest.bundleInImage && sizeBytes > LARGEST_CONFIG_MAP) {
    problems.push(`the bundle has ${sizeOf(sizeBytes)}, more than a ConfigMap takes (1 MiB): `
      + 'build an image with it (api build --image-context DIR), '
      + 'and install that with --image and --bundle-in-image');
  }
  for (const line of fewLines(manifests.advice)) terminal.note(oneLine(line));
  for (const line of fewLines(problems)) terminal.error(oneLine(line));
  return problems.length > 0 ? undefined : installationObjects(built, manifests, { ...rest, createsNamespace, image });
}

async function applied(
  { bundle, facts }: BuiltDefinition,
  objects: readonly KubernetesObject[],
  options: InstallCommandOptions,
  terminal: Terminal,
  environment: Environment,
): Promise<number> {
  const { dryRun, namespace, name, output } = options;
  const revision = revisionOf(bundle.code);
  try {
    return await withCluster(options, { command: 'api-install', environment, fieldManager: 'cdk8s-aso-api' }, async ({ client }) => {
      const installer = new Installer(client, options, revision);
      const made = await installer.plan(objects);
      const plan = { ...made, notes: [...made.notes, ...await unservedKinds(client, facts)] };
      for (const line of fewLines(plan.notes)) terminal.note(oneLine(line));
      for (const line of fewLines(plan.problems)) terminal.error(oneLine(line));
      const isPossible = plan.problems.length === 0;
      if (isPossible && !dryRun) await installer.apply(plan);
      if (output === 'json') terminal.print(JSON.stringify(planJson(plan, { revision, isApplied: isPossible && !dryRun }), undefined, 2));
      else if (plan.changes.length > 0) terminal.print(planText(plan, terminal.style));
      if (!isPossible) return 1;
      if (!dryRun) {
        terminal.note(`applied: revision ${revision}, ${counted(objects.length, 'object')}. `
        + `kubectl rollout status deployment/${name} -n ${namespace} waits for its pods`);
      }
      return 0;
    });
  } catch (error) {
    if (!isClusterError(error)) throw error;
    terminal.error(oneLine(error.message));
    return 1;
  }
}
