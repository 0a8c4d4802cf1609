import { UUID, versionOf, type CaseObject } from './case-objects';
import { toArm } from '../../engine/convert';
import { armIdOf, azureNameOf, type ObjectLookup } from '../../engine/resolve';
import { answerArm } from '../../sandbox/azure/arm/answer-arm';
import { createSimulation } from '../../sandbox/azure/create-simulation';
import { CatalogIndex } from '../../sandbox/azure/model/catalog-index';
import { Deterministic } from '../../sandbox/azure/model/deterministic';
import { groupOf } from '../../src/object-id';
import { SUBSCRIPTION, TestClock } from '../sandbox/azure/client';

/** One thing that the answer to a request refuses. */
export interface Refused {
  readonly code: string;
  readonly message: string;
}

interface ArmError extends Refused {
  readonly details?: readonly Refused[];
}

/** Resources that a case names and does not have. */
const ELSEWHERE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/elsewhere`;

const catalog = new CatalogIndex();

/** The answer of the simulated Azure to the last of some objects, when the others are there. */
export function refusalOf(objects: readonly CaseObject[]): { readonly status: number; readonly refused: readonly Refused[] } {
  const clock = new TestClock();
  const baseUrl = 'https://localhost';
  const strict = { ...createSimulation({ rules: true }, { values: new Deterministic('cases'), clock, timeScale: 1, tenantId: UUID, baseUrl }), catalog };
  // The same resources in an Azure that takes anything: the others of a case have no more than what the rule reads.
  const lenient = { ...strict, rules: false };
  const put = (object: CaseObject, simulation: typeof strict) => {
    const { url, body } = requestOf(object, objects);
    return answerArm(simulation, 'PUT', new URL(url, baseUrl), JSON.stringify(body));
  };
  for (const object of objects.slice(0, -1)) {
    const { status, body } = put(object, lenient);
    if (status >= 300) throw new Error(`${object.kind} ${object.metadata.name}: ${JSON.stringify(body)}`);
    clock.advance(100_000);
  }
  const { status, body } = put(objects.at(-1)!, strict);
  const { error } = (body ?? {}) as { error?: ArmError };
  return { status, refused: error ? [error, ...(error.details ?? [])] : [] };
}

/** The PUT that the controller sends for an object. */
function requestOf(object: CaseObject, objects: readonly CaseObject[]): { url: string; body: Record<string, unknown> } {
  const version = versionOf(`${groupOf(object)}/${object.kind}`);
  const lookup: ObjectLookup = {
    find: (group, kind, _namespace, name) =>
      objects.find((other) => groupOf(other) === group && other.kind === kind && other.metadata.name === name),
    serves: () => true,
  };
  const idOf = (other: CaseObject) => armIdOf(other, versionOf(`${groupOf(other)}/${other.kind}`), lookup, SUBSCRIPTION);
  const body = toArm(version, object.spec, azureNameOf(object, version), {
    reference: ({ armId, group, kind, name }) => {
      const found = lookup.find(group ?? '', kind ?? '', '', name ?? '');
      return armId ?? (found ? idOf(found as CaseObject) : `${ELSEWHERE}/providers/${versionOf(`${group}/${kind}`).facts.arm!.type}/${name}`);
    },
    secret: () => 'from a Secret',
    secretMap: () => ({}),
    configMap: () => UUID,
  });
  return { url: `${idOf(object)}?api-version=${version.facts.arm!.apiVersion}`, body };
}
