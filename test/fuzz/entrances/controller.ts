import { asStored, randomVersion, soundObjects } from './objects';
import { refusalOf } from '../../../controller/admission';
import { defaultsOf } from '../../../controller/admission/defaulting';
import { contentOf } from '../../../controller/drift-detection/content';
import { isReady } from '../../../controller/reconcile/core/conditions';
import { armErrorFrom } from '../../../engine/arm/arm-error';
import { classify, classifyDelete } from '../../../engine/arm/classify';
import { parseAnswer } from '../../../engine/arm/json';
import { beginOperation } from '../../../engine/arm/operation';
import { encodeToken, RESULT_TYPES } from '../../../engine/arm/operation-token';
import { bodyShape, compare, driftOf } from '../../../engine/compare';
import { ConversionError, fromArm, toArm } from '../../../engine/convert';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import { armIdOf, azureNameOf, ownerOf, referencesOf, ResolutionError } from '../../../engine/resolve';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import { randomSpec } from '../../engine/convert/random-spec';
import { VALUES } from '../../properties/every-kind';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutate, mutatedJson } from '../mutate';

const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';
const nobody = { find: () => undefined, serves: () => true };

/** An input that is about a version of a kind. */
export interface Versioned {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: unknown;
}

export const versionOf = ({ apiVersion, kind }: Versioned): KindVersion => {
  const [group, version] = apiVersion.split('/');
  return Catalog.default().kind(group!, kind)!.version(version!)!;
};
export const versioned = (version: KindVersion, value: unknown): Versioned => ({
  apiVersion: version.apiVersion,
  kind: version.kind.kind,
  value,
});

function mutatedObject(random: Random): Versioned {
  const version = randomVersion(random);
  return versioned(version, mutate(soundObjects(random, version).at(-1), soundObjects(random), random));
}

function attempt(...acts: readonly (() => unknown)[]): void {
  for (const act of acts) {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ConversionError || error instanceof ResolutionError)) throw error;
    }
  }
}

/** Azure's echo of a valid spec. */
function soundBody(version: KindVersion, random: Random): Record<string, unknown> {
  const body = toArm(version, randomSpec(version, random.between(1, 1_000_000)), 'x', VALUES);
  return JSON.parse(
    JSON.stringify({ id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/x/y/x`, name: 'x', type: 'x/y', ...body }),
  ) as Record<string, unknown>;
}

const ERROR = {
  error: {
    code: 'Conflict',
    message: 'no',
    target: 't',
    details: [{ code: 'a', message: 'b' }],
    innererror: { code: 'c' },
    additionalInfo: [{ type: 'PolicyViolation', info: {} }],
  },
};
const HEADERS = {
  'content-type': 'application/json',
  'location': 'https://management.azure.com/x',
  'azure-asyncoperation': '/subscriptions/x',
  'retry-after': '5',
  'x-ms-request-id': '1',
};

interface AnswerInput {
  readonly answer: { readonly text: string; readonly headers: unknown; readonly status: number };
  readonly method: 'PUT' | 'DELETE' | 'GET' | 'POST';
  readonly wanted: Record<string, unknown>;
}

export const controllerEntrances: readonly Entrance[] = [
  {
    name: 'spec',
    make: mutatedObject,
    enter: (input) => {
      const version = versionOf(input as Versioned);
      const object = asStored((input as Versioned).value, version);
      attempt(
        () => toArm(version, object.spec as never, 'x', VALUES),
        () => refusalOf(version, object),
        () => defaultsOf(version, object),
        () => ownerOf(object, version),
        () => azureNameOf(object, version),
        () => armIdOf(object, version, nobody, SUBSCRIPTION),
        () => referencesOf(object.spec as never, version),
        () => lastAppliedOf(object),
        () => isReady(object),
      );
    },
  },
  {
    name: 'azure-answer',
    make: (random) => {
      const version = randomVersion(random);
      const body = random.chance(0.3) ? ERROR : soundBody(version, random);
      const status = random.pick([200, 201, 202, 204, 400, 404, 409, 429, 500]);
      const answer = { text: mutatedJson(body, ERROR, random), headers: mutate(HEADERS, ERROR, random), status };
      return versioned(version, { answer, method: random.pick(['PUT', 'DELETE', 'GET', 'POST']), wanted: soundBody(version, random) });
    },
    enter: (input) => {
      const version = versionOf(input as Versioned);
      const { answer, method, wanted } = (input as Versioned).value as AnswerInput;
      const headers = Object.fromEntries(Object.entries(Object(answer.headers)).filter(([, value]) => typeof value === 'string')) as Record<
        string,
        string
      >;
      const body = parseAnswer(answer.text);
      const response = { ...answer, headers, body };
      const request = { method, url: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`, apiVersion: '2020-01-01' } as const;
      const error = armErrorFrom(response, request, 0);
      classify(error);
      classifyDelete(error);
      const begun = beginOperation(request, response, 0);
      if (begun.kind === 'running') encodeToken(begun.state, RESULT_TYPES.put, 'https://management.azure.com');
      const shape = bodyShape(version);
      fromArm(version, body);
      driftOf(compare(wanted, body, shape));
      if (isRecord(body)) contentOf(body, shape, undefined, true);
    },
  },
];
