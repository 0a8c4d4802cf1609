import type { Cluster } from './cluster';
import { ExportGuard } from './export-guard';
import { fencedClient, type Fence } from './fence';
import type { ArmClient } from '../../engine/arm/types';
import {
  defaultEngine, exportWrite, fetchSecretValues, inlineExpressions, secretsWanted, ExportError, type ExportedObject, type ObjectExpressions,
} from '../../engine/export';
import { hooksOf } from '../../engine/kinds';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { NotLeadingError } from '../../engine/not-leading-error';
import { redactError } from '../../engine/redact';
import type { KindVersion } from '../../src/catalog';
import { objectIdOf } from '../../src/object-id';
import { decodeSecretValue } from '../../src/util/secret-data';

/** Writes the Secrets and ConfigMaps that the object exports. Throws ExportError, ArmError, KubernetesError. */
export type Exporter = (request: ExportRequest) => Promise<void>;

export interface ExportRequest {
  readonly object: KubernetesObject;
  readonly version: KindVersion;
  readonly armId: string;
  readonly client: ArmClient;
  readonly signal: AbortSignal;
}

export interface ExporterOptions {
  /** Called just before each write. Default: this process may always write. */
  readonly fence?: Fence | undefined;
  /** All identities of the cluster. Throws UnknownStateError. Default: those in the caches. */
  readonly identities?: (() => readonly KubernetesObject[]) | undefined;
}

/**
 * Writes the exports of an object (docs/spec/exports.md#export-writes): every Secret and ConfigMap is tried, and all errors are reported
 * together.
 *
 * @param operatorNamespace namespace of this controller
 */
export function clusterExporter(
  client: KubernetesClient, cluster: Cluster, expressions: ObjectExpressions = inlineExpressions(defaultEngine), operatorNamespace = '',
  { fence, identities }: ExporterOptions = {},
): Exporter {
  const guard = new ExportGuard(cluster, operatorNamespace, identities);
  return async (request) => {
    const desired = await desiredExports(request, cluster, expressions);
    const problems: unknown[] = [];
    const writer = fencedClient(client, fence, objectIdOf(request.object));
    for (const object of desired) {
      // An API server that refuses a Secret quotes it.
      const values = Object.values({
        ...object.stringData,
        ...(object.kind === 'Secret' ? { ...object.metadata.labels, ...object.metadata.annotations } : {}),
      });
      await write(writer, cluster, guard, object, request.object).catch((error: unknown) => problems.push(redactError(error, values)));
    }
    if (problems.length > 0) throw together(problems);
  };
}

async function desiredExports(
  { object, version, armId, client, signal }: ExportRequest, cluster: Cluster, expressions: ObjectExpressions,
): Promise<readonly ExportedObject[]> {
  const { group, kind } = version.kind;
  await expressions.prepare(version, object);
  const wanted = secretsWanted(version, object.spec, expressions.engine);
  const secrets = await fetchSecretValues(client, armId, version, wanted, signal);
  const context = { object, version, armId, client, signal, lookup: cluster.lookup() };
  const configMapValues = await hooksOf(group, kind).configMapValues?.(context, object.status ?? {});
  try {
    const exports = await expressions.exportsOf(version, object, secrets, configMapValues);
    return [...exports.secrets, ...exports.configMaps];
  } catch (error) {
    // A failing expression may quote the value that it failed with.
    throw redactError(error, Object.values(secrets.values));
  }
}

async function write(
  client: KubernetesClient, cluster: Cluster, guard: ExportGuard, desired: ExportedObject, owner: KubernetesObject,
): Promise<void> {
  const watched = cluster.typeOf('', desired.kind);
  if (!watched) {
    throw new Error(`the cluster does not let this controller watch ${desired.kind}s, so it cannot write ${desired.metadata.name}`);
  }
  const { name, namespace } = desired.metadata;
  const attempt = async (existing: KubernetesObject | undefined) => {
    const { action, ...rest } = exportWrite(existing, desired, owner);
    if (!('object' in rest)) return;
    guard.check(desired);
    const answer = action === 'create' ? client.create(watched.type, rest.object) : client.replace(watched.type, rest.object);
    watched.updateLocal(await answer.catch((error: unknown) => {
      // The object has values of others too.
      throw desired.kind === 'Secret' ? redactError(error, textsIn(rest.object)) : error;
    }));
  };
  const cached = await cluster.fetch({ group: '', kind: desired.kind, namespace: namespace ?? '', name });
  try {
    // The cache is incomplete, so the API server is asked.
    if (cached.state === 'unknown') return await attempt(await client.get(watched.type, name, namespace));
    await attempt(cached.state === 'present' ? cached.object : undefined);
  } catch (error) {
    // The cached object is out of date.
    if (!(error instanceof KubernetesError) || (error.status !== 409 && error.status !== 404)) throw error;
    await attempt(await client.get(watched.type, name, namespace));
  }
}

/** The values of a Secret as the API server keeps it. */
function textsIn({ data = {} }: KubernetesObject): string[] {
  return Object.values(data).map(decodeSecretValue);
}

function together(problems: readonly unknown[]): unknown {
  if (problems.length === 1) return problems[0];
  const lost = problems.find((problem) => problem instanceof NotLeadingError);
  if (lost) return lost;
  const text = problems.map((problem) => (problem instanceof Error ? problem.message : String(problem))).join('; ');
  const worst = problems.find((problem) => problem instanceof ExportError && problem.severity === 'Error') as ExportError | undefined;
  return worst ? new ExportError(worst.failure, text, worst.reason, worst.severity) : new Error(text);
}
