import { versioned, versionOf, type Versioned } from './controller';
import { randomVersion, soundObjects } from './objects';
import { conversionResponse } from '../../../controller/admission/conversion-response';
import { preparedReview } from '../../../controller/admission/reviews';
import { defaultEngine, inlineExpressions } from '../../../engine/export';
import { webhookLimits } from '../../../runtime/webhooks/limits';
import { MalformedReviewError, parsed } from '../../../runtime/webhooks/review';
import { checkNesting } from '../../../runtime/webhooks/review-splitter';
import { Catalog, type KindVersion } from '../../../src/catalog';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutateBytes, mutatedJson } from '../mutate';

const MOST_LEVELS = webhookLimits().depth;
const expressions = inlineExpressions(defaultEngine);

/** Bytes, as base64: an input is kept as JSON. */
function bytesOf(review: unknown, donor: unknown, random: Random): string {
  const bytes = Buffer.from(mutatedJson(review, donor, random));
  return (random.chance(0.3) ? mutateBytes(bytes, random) : bytes).toString('base64');
}

function admissionBytes(version: KindVersion, random: Random): string {
  const [object, oldObject] = [1, 2].map(() => soundObjects(random, version).at(-1)!);
  const request = { uid: 'u', operation: random.pick(['CREATE', 'UPDATE', 'DELETE']), name: 'x', namespace: 'ns', object, oldObject };
  return bytesOf({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }, object, random);
}

const isRefusal = (error: Error) => error instanceof MalformedReviewError;

export const reviewEntrances: readonly Entrance[] = [
  ...(['mutate', 'validate'] as const).map((purpose): Entrance => ({
    name: `${purpose}-review`,
    make: (random) => {
      const version = randomVersion(random);
      return versioned(version, admissionBytes(version, random));
    },
    enter: async (input) => {
      const body = Buffer.from((input as Versioned).value as string, 'base64');
      checkNesting(body, MOST_LEVELS);
      return JSON.stringify(await preparedReview(purpose, versionOf(input as Versioned), parsed(body.toString('utf8')), expressions));
    },
    expected: isRefusal,
  })),
  {
    name: 'conversion-review',
    make: (random) => {
      const version = randomVersion(random);
      const objects = [1, 2].map(() => soundObjects(random, version).at(-1)!);
      const desiredAPIVersion = `${version.kind.group}/${random.pick(version.kind.versionNames)}`;
      return bytesOf(
        { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: { uid: 'u', desiredAPIVersion, objects } },
        objects,
        random,
      );
    },
    enter: (input) => conversionResponse(Buffer.from(input as string, 'base64'), MOST_LEVELS, Catalog.default()),
    expected: isRefusal,
  },
];
