import { RestClient, type Connection } from '../../engine/kubernetes';
import type { CustomResourceDefinition } from '../../src/catalog/crd';
import { until } from '../setup/until';

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A CRD as the server keeps it. */
export interface InstalledCrd extends CustomResourceDefinition {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly storedVersions?: readonly string[];
  };
}

/** The server's answer to a CRD that it rejects. */
export interface RefusedCrd {
  readonly name: string;
  readonly message: string;
}

/** Creates CRDs and waits until all their versions are served, and discovery names them. Throws with every refusal. */
export async function installCrds(connection: Connection, crds: readonly CustomResourceDefinition[]): Promise<void> {
  const refused = await createCrds(connection, crds);
  if (refused.length > 0) throw new Error(`CRDs were refused:\n${refused.map(({ name, message }) => `${name}: ${message}`).join('\n')}`);
  // For a moment after it is established, a version's storage is not there yet: 429.
  const waiting = new Set(crds.flatMap(({ spec }) => spec.versions.map(({ name }) => `/apis/${spec.group}/${name}/${spec.names.plural}`)));
  await until('the CRDs are served', async () => {
    for (const path of waiting) {
      const { status } = await connection.request({ method: 'GET', path, query: { limit: 1 } });
      if (status !== 200) return false;
      waiting.delete(path);
    }
    return true;
  });
  // Discovery is filled by another queue of the server, which on a busy machine is later.
  const unnamed = new Set(crds.flatMap(({ spec }) => spec.versions.map(({ name }) => `${spec.group}/${name}/${spec.names.plural}`)));
  const client = new RestClient(connection);
  await until('discovery names the CRDs', async () => {
    for (const { group, version, plural } of await client.discover()) unnamed.delete(`${group}/${version}/${plural}`);
    return unnamed.size === 0;
  });
}

/** Answers those that the server refuses. */
export async function createCrds(connection: Connection, crds: readonly CustomResourceDefinition[]): Promise<RefusedCrd[]> {
  const refused: RefusedCrd[] = [];
  const waiting = [...crds];
  const worker = async () => {
    for (let crd = waiting.shift(); crd; crd = waiting.shift()) {
      const { status, text } = await connection.request({
        method: 'POST',
        path: CRDS,
        query: { fieldValidation: 'Strict' },
        body: JSON.stringify(crd),
      });
      if (status !== 201) refused.push({ name: crd.metadata.name, message: (JSON.parse(text) as { message: string }).message });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return refused;
}

export async function listCrds(connection: Connection): Promise<InstalledCrd[]> {
  const { status, text } = await connection.request({ method: 'GET', path: CRDS });
  if (status !== 200) throw new Error(`GET ${CRDS}: ${text}`);
  return (JSON.parse(text) as { items: InstalledCrd[] }).items;
}

/** The status of a condition; undefined where there is none of that type. */
export function conditionOf(crd: InstalledCrd, type: string): string | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type)?.status;
}
