import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestCluster } from './cluster';
import { builtProgram, startProgram, type RunningProgram } from './program';
import type { Condition, KubernetesObject } from '../../engine/kubernetes';

const CLI = builtProgram('cli');
const COMPOSER = builtProgram('composer');
const DEFINITION = join(__dirname, '..', 'composer', 'definitions', 'store.ts');

/** The output of `cdk8s-aso api build`. */
export interface BuiltStore {
  readonly bundle: string;
  readonly crds: string;
  end(): void;
}

/**
 * Builds `test/composer/definitions/store.ts`, or another definition.
 * @param change makes another revision of the bundle
 * @param namespace of the composer, whom the CRDs name
 */
export function buildStore(change: (code: string) => string = (code) => code, definition = DEFINITION, namespace = 'default'): BuiltStore {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-bundle-'));
  execFileSync(process.execPath, [CLI, 'api', 'build', definition, '--out', directory, '--namespace', namespace], { stdio: ['ignore', 'ignore', 'pipe'] });
  const bundle = join(directory, 'bundle.js');
  writeFileSync(bundle, change(readFileSync(bundle, 'utf8')));
  return { bundle, crds: join(directory, 'crds.yaml'), end: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The built composer. */
export function startComposer(
  cluster: TestCluster, bundle: string, flags: readonly string[] = [], environment: Readonly<Record<string, string>> = {},
): RunningProgram {
  return startProgram(COMPOSER, ['--bundle', bundle, '--kubeconfig', cluster.kubeconfig, ...flags], { env: { ...process.env, ...environment } });
}

export function applyObjects(cluster: TestCluster, objects: readonly object[]): void {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  execFileSync('kubectl', ['--kubeconfig', cluster.kubeconfig, 'apply', '-f', '-'], { input: list, stdio: ['pipe', 'ignore', 'pipe'], timeout: 60_000 });
}

/** A claim as the API server has it. */
export interface StoredClaim extends KubernetesObject {
  readonly status?: {
    readonly observedGeneration?: number;
    /** Revision of the definition. */
    readonly definition?: string;
    readonly conditions?: Condition[];
    readonly objects?: readonly { readonly kind: string; readonly name: string; readonly uid?: string }[];
    readonly outputs?: Readonly<Record<string, string>>;
  };
}

/** A claim, or undefined. */
export function claimOf(cluster: TestCluster, name: string, namespace = 'shop'): Promise<StoredClaim | undefined> {
  return cluster.api.find(`/apis/platform.example.com/v1/namespaces/${namespace}/stores/${name}`);
}

/** The status of a claim; empty where there is none yet. */
export async function statusOf(cluster: TestCluster, name: string): Promise<NonNullable<StoredClaim['status']>> {
  return (await claimOf(cluster, name))?.status ?? {};
}

/** Whether the last change of a claim is composed. */
export async function isObserved(cluster: TestCluster, name: string): Promise<boolean> {
  const claim = await claimOf(cluster, name);
  return claim !== undefined && claim.status?.observedGeneration === claim.metadata.generation;
}

/** Status and reason of a condition: `False ObjectExists`. */
export function conditionOf(claim: StoredClaim | undefined, type: string): string {
  const { status, reason } = claim?.status?.conditions?.find((one) => one.type === type) ?? {};
  return `${status} ${reason}`;
}
