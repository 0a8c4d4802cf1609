import { until } from './until';
import type { Connection } from '../../controller/kubernetes';
import type { Kind } from '../../src/catalog';
import { crdManifest, type CrdOptions, type CustomResourceDefinition } from '../../src/catalog/crd';

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A CRD as the server keeps it. */
export interface InstalledCrd extends CustomResourceDefinition {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string; readonly message?: string }[];
    readonly storedVersions?: readonly string[];
  };
}

/** What the server says to a CRD that it refuses. */
export interface RefusedCrd {
  readonly name: string;
  readonly message: string;
}

/** Creates the CRDs of kinds and waits until they are established. Throws with every refusal. */
export async function installCrds(connection: Connection, kinds: readonly Kind[], options: CrdOptions = {}): Promise<void> {
  const refused = await createCrds(connection, kinds.map((kind) => crdManifest(kind, options)));
  if (refused.length > 0) throw new Error(`CRDs were refused:\n${refused.map(({ name, message }) => `${name}: ${message}`).join('\n')}`);
  const names = new Set(kinds.map((kind) => kind.crdName));
  await until('the CRDs are established', async () => {
    const crds = (await listCrds(connection)).filter(({ metadata }) => names.has(metadata.name));
    return crds.length === names.size && crds.every((crd) => conditionOf(crd, 'Established') === 'True');
  }, 240);
}

/** Answers those that the server refuses. */
export async function createCrds(connection: Connection, crds: readonly CustomResourceDefinition[]): Promise<RefusedCrd[]> {
  const refused: RefusedCrd[] = [];
  const waiting = [...crds];
  const worker = async () => {
    for (let crd = waiting.shift(); crd; crd = waiting.shift()) {
      const { status, text } = await connection.request({ method: 'POST', path: CRDS, query: { fieldValidation: 'Strict' }, body: JSON.stringify(crd) });
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
