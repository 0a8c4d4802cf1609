import { refusalOf } from '../../../controller/admission';
import { conversionResponse } from '../../../controller/admission/conversion-response';
import { defaultsOf } from '../../../controller/admission/defaulting';
import { admissionReview, MalformedReviewError } from '../../../controller/admission/reviews';
import { armErrorFrom } from '../../../controller/azure/arm-error';
import { beginOperation } from '../../../controller/azure/operation';
import { decodeToken } from '../../../controller/azure/operation-token';
import { bodyShape, compare } from '../../../controller/compare';
import { ConversionError, fromArm, toArm } from '../../../controller/convert';
import { isReady } from '../../../controller/reconcile/core/conditions';
import { putRecordOf } from '../../../controller/reconcile/core/put-record';
import { armIdOf, azureNameOf, ownerOf, referencesOf, ResolutionError } from '../../../controller/resolve';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { randomSpec } from '../../convert/random-spec';
import { VALUES } from '../../properties/every-kind';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutate, mutateText } from '../mutate';
import { asStored, randomVersion, soundObjects } from './objects';

const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';
/** Of nesting, as the webhook server has it. */
const MOST_LEVELS = 200;
const nobody = { find: () => undefined, serves: () => true };

interface Versioned {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: unknown;
}

const versionOf = ({ apiVersion, kind }: Versioned): KindVersion => {
  const [group, version] = apiVersion.split('/');
  return Catalog.default().kind(group, kind)!.version(version)!;
};
const versioned = (version: KindVersion, value: unknown): Versioned => ({ apiVersion: version.apiVersion, kind: version.kind.kind, value });

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

/** What Azure would echo of a sound spec. */
function soundBody(version: KindVersion, random: Random): Record<string, unknown> {
  const body = toArm(version, randomSpec(version, random.between(1, 1_000_000)), 'x', VALUES);
  return JSON.parse(JSON.stringify({ id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/x/y/x`, name: 'x', type: 'x/y', ...body })) as Record<string, unknown>;
}

const ERROR = { error: { code: 'Conflict', message: 'no', target: 't', details: [{ code: 'a', message: 'b' }], innererror: { code: 'c' }, additionalInfo: [{ type: 'PolicyViolation', info: {} }] } };
const HEADERS = { 'content-type': 'application/json', 'location': 'https://management.azure.com/x', 'azure-asyncoperation': '/subscriptions/x', 'retry-after': '5', 'x-ms-request-id': '1' };

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
        () => putRecordOf(object),
        () => isReady(object),
      );
    },
  },
  {
    name: 'azure-answer',
    make: (random) => {
      const version = randomVersion(random);
      const body = random.chance(0.3) ? ERROR : soundBody(version, random);
      const text = JSON.stringify(mutate(body, ERROR, random)) ?? '';
      const status = random.pick([200, 201, 202, 204, 400, 404, 409, 429, 500]);
      const answer = { text: random.chance(0.2) ? mutateText(text, random) : text, headers: mutate(HEADERS, ERROR, random), status };
      return versioned(version, { answer, method: random.pick(['PUT', 'DELETE', 'GET', 'POST']), wanted: soundBody(version, random) });
    },
    enter: (input) => {
      const version = versionOf(input as Versioned);
      const { answer, method, wanted } = (input as Versioned).value as AnswerInput;
      const headers = Object.fromEntries(Object.entries(Object(answer.headers)).filter(([, value]) => typeof value === 'string')) as Record<string, string>;
      const body = parsed(answer.text);
      const response = { ...answer, headers, body };
      const request = { method, url: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`, apiVersion: '2020-01-01' } as const;
      armErrorFrom(response, request, 0);
      beginOperation(request, response, 0);
      fromArm(version, body);
      compare(wanted, body, bodyShape(version));
    },
  },
  {
    name: 'token',
    make: (random) => mutateText('{"version":1,"method":"PUT","originalUrl":"/subscriptions/x?api-version=1","style":"location","locationUrl":"https://x.invalid/y"}', random),
    enter: (text) => decodeToken(text as string),
    expected: (error) => error.name !== 'TypeError' && error.name !== 'RangeError',
  },
  {
    name: 'admission-review',
    make: (random) => {
      const version = randomVersion(random);
      const [object, oldObject] = [1, 2].map(() => soundObjects(random, version).at(-1)!);
      const request = { uid: 'u', operation: random.pick(['CREATE', 'UPDATE', 'DELETE']), name: 'x', namespace: 'ns', object, oldObject };
      return versioned(version, mutate({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }, object, random));
    },
    enter: (input) => {
      const version = versionOf(input as Versioned);
      for (const purpose of ['mutate', 'validate'] as const) ignoreMalformed(() => admissionReview(purpose, version, (input as Versioned).value));
    },
  },
  {
    name: 'conversion-review',
    make: (random) => {
      const version = randomVersion(random);
      const objects = [1, 2].map(() => soundObjects(random, version).at(-1)!);
      const desiredAPIVersion = `${version.kind.group}/${random.pick(version.kind.versionNames)}`;
      return mutate({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: { uid: 'u', desiredAPIVersion, objects } }, objects, random);
    },
    enter: async (input) => {
      await conversionResponse(Buffer.from(JSON.stringify(input) ?? ''), MOST_LEVELS, Catalog.default());
    },
    expected: (error) => error instanceof MalformedReviewError,
  },
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function ignoreMalformed(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof MalformedReviewError)) throw error;
  }
}
