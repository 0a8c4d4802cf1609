import type { ExpressionEngine } from './cel';
import { exportsOf } from './exports-of';
import { exportWrite } from './ownership';
import { defaultEngine, fetchSecretValues, secretsWanted } from './secret-values';
import type { ExportedObject } from './types';
import { ExportError } from './types';
import type { KindVersion } from '../../src/catalog';
import type { ArmClient } from '../azure/types';
import { KubernetesError } from '../kubernetes/types';
import type { KubernetesClient, KubernetesObject, ResourceType } from '../kubernetes/types';

const TYPES: Readonly<Record<ExportedObject['kind'], ResourceType>> = {
  Secret: { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true },
  ConfigMap: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
};

/** One export of one object. */
export interface ExportRequest {
  /** With fresh status, in the version last applied. */
  readonly object: KubernetesObject;
  readonly version: KindVersion;
  readonly armId: string;
  readonly client: ArmClient;
  readonly signal?: AbortSignal;
}

export interface ExporterOptions {
  readonly engine?: ExpressionEngine;
  /** Finds ConfigMap values that need code of the kind's own (catalog: `null` paths). */
  readonly configMapValues?: (request: ExportRequest) => Promise<Readonly<Record<string, string>>>;
}

/**
 * Exports what an object asks for: fetches keys where they are needed, and writes each Secret and ConfigMap that has changed. One that cannot
 * be written does not keep the others from being written.
 *
 * The function that it makes throws ExportError, or KubernetesError for a conflict that the next pass settles.
 */
export function createExporter(kubernetes: Pick<KubernetesClient, 'get' | 'create' | 'replace'>, options: ExporterOptions = {}): (request: ExportRequest) => Promise<void> {
  const { engine = defaultEngine } = options;
  return async (request) => {
    const { object, version, armId, client, signal } = request;
    const secrets = await fetchSecretValues(client, armId, version, secretsWanted(version, object.spec, engine), signal);
    const configMapValues = await options.configMapValues?.(request);
    const exports = exportsOf(version, object, secrets, { engine, ...(configMapValues ? { configMapValues } : {}) });
    const failures: Error[] = [];
    for (const desired of [...exports.secrets, ...exports.configMaps]) {
      signal?.throwIfAborted();
      try {
        await write(kubernetes, desired, object);
      } catch (error) {
        if (!(error instanceof ExportError || error instanceof KubernetesError)) throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw worst(failures);
  };
}

async function write(kubernetes: Pick<KubernetesClient, 'get' | 'create' | 'replace'>, desired: ExportedObject, owner: KubernetesObject): Promise<void> {
  const type = TYPES[desired.kind];
  const { name, namespace } = desired.metadata;
  const found = exportWrite(await kubernetes.get(type, name, namespace), desired, owner);
  if (found.action === 'create') await kubernetes.create(type, found.object);
  if (found.action === 'replace') await kubernetes.replace(type, found.object);
}

/** What needs a person first; the rest is tried again anyway. */
function worst(failures: readonly Error[]): Error {
  const notOwned = failures.filter((failure) => failure instanceof ExportError);
  if (notOwned.length === 0) return failures[0];
  if (notOwned.length === 1) return notOwned[0];
  const [{ failure, reason, severity }] = notOwned;
  return new ExportError(failure, notOwned.map(({ message }) => message).join('; '), reason, severity);
}
