import { versioned, versionOf, type Versioned } from './controller';
import { asStored, randomVersion, soundObjects } from './objects';
import { adoptionOf, isForeign, mayIntendAtClaim, unknownAdoption } from '../../../controller/reconcile/core/adoption';
import { decodeToken, encodeToken, RESULT_TYPES } from '../../../engine/arm/operation-token';
import { stepOf } from '../../../engine/arm/poll-operation';
import { ArmError, type RawAnswer } from '../../../engine/arm/types';
import { ConversionError, toArm } from '../../../engine/convert';
import { allowsCredentialExport, exporterOf } from '../../../engine/credentials/exported-secret';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import { effectivePolicy } from '../../../engine/objects/reconcile-policy';
import { armIdOf, azureNameOf, clusterValues, resolveNameFromConfig, ResolutionError } from '../../../engine/resolve';
import { isRecord } from '../../../src/util/records';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { hostileValue, mutate, mutatedJson } from '../mutate';

const SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';
const ID = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg`;
const TOKEN = {
  type: RESULT_TYPES.put,
  token: {
    asyncURL: `https://management.azure.com${ID}`,
    locURL: 'https://management.azure.com/y',
    origURL: `https://management.azure.com${ID}`,
    method: 'PUT',
    finalState: '',
    state: 'Creating',
  },
};
const RECORD = {
  digest: 'd',
  at: '2026-01-01T00:00:00.000Z',
  generation: 1,
  answered: true,
  found: 'nothing',
  hidden: 'h',
  shown: { 'properties.a': 'm' },
  known: { 'properties.b': 'm' },
  corrected: { 'properties.c': { times: 2, at: '2026-01-01T00:00:00.000Z' } },
};

/** Texts of annotations: Kubernetes takes any. */
function annotationsOf(random: Random): Record<string, string> {
  const texts: Record<string, string> = {
    'serviceoperator.azure.com/reconcile-policy': random.pick(['manage', 'skip', 'detach-on-delete']),
    'serviceoperator.azure.com/credential-from': 'secret',
    'serviceoperator.azure.com/resource-id': ID,
    'serviceoperator.azure.com/child-resource-id-override': ID,
    'serviceoperator.azure.com/azure-name-from-config': 'x',
    'serviceoperator.azure.com/poller-resume-token': mutatedJson(TOKEN, RECORD, random),
    'serviceoperator.azure.com/poller-resume-id': 'GenericClient.CreateOrUpdateByID',
    'aso.cdk8s.io/last-put': mutatedJson(RECORD, TOKEN, random),
    'aso.cdk8s.io/adopt': random.pick(['IfPresent', 'OrCreate', 'Never']),
    'aso.cdk8s.io/allows-credential-exports': '*, a',
  };
  const changed = mutate(texts, { a: hostileValue(random) }, random);
  return isRecord(changed) ? (changed as Record<string, string>) : texts;
}

/** Refusals of single questions; all of them refused: that is the answer. */
function answersOf(acts: readonly (() => unknown)[]): void {
  const refusals: Error[] = [];
  for (const act of acts) {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ResolutionError || error instanceof ConversionError || error instanceof ArmError)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === acts.length) throw refusals[0];
}

export const annotationEntrances: readonly Entrance[] = [
  {
    name: 'token',
    // Most changes are refused at the first look: some are of values that only their use tells.
    make: (random) =>
      random.chance(0.5)
        ? mutatedJson(TOKEN, RECORD, random)
        : JSON.stringify({
          ...TOKEN,
          token: { ...TOKEN.token, [random.pick(['asyncURL', 'oplocURL', 'pollURL', 'locURL', 'origURL', 'type', 'state'])]: hostileValue(random) },
        }),
    enter: (text) => {
      const of = { type: RESULT_TYPES.put, method: 'PUT' };
      const state = decodeToken(text as string, of);
      stepOf(state, { status: 200, headers: {}, body: {}, text: '{}' } as RawAnswer);
      return decodeToken(encodeToken(state, of.type, 'https://management.azure.com'), of);
    },
    expected: (error) => error instanceof ArmError,
  },
  {
    name: 'annotations',
    make: (random) => {
      const version = randomVersion(random);
      const object = soundObjects(random, version).at(-1)!;
      return versioned(version, { ...object, metadata: { annotations: annotationsOf(random) } });
    },
    enter: (input) => {
      const version = versionOf(input as Versioned);
      const object = asStored((input as Versioned).value, version);
      const none = { find: () => undefined, serves: () => true };
      answersOf([
        () => lastAppliedOf(object),
        () => effectivePolicy(object, object, 'manage'),
        () => [adoptionOf(object), unknownAdoption(object), mayIntendAtClaim(object), isForeign(object)],
        () => [allowsCredentialExport(object, 'a'), exporterOf(object)],
        () => azureNameOf(object, version),
        () => armIdOf(object, version, none, SUBSCRIPTION),
      ]);
    },
  },
  {
    name: 'config-map-values',
    make: (random) => {
      const version = randomVersion(random);
      const object = soundObjects(random, version).at(-1)!;
      const texts = mutate(
        { key: 'value', name: 'x', AZURE_CLIENT_ID: '11111111-2222-3333-4444-555555555555' },
        { a: hostileValue(random) },
        random,
      );
      const spec = {
        ...(object.spec as object),
        ...(random.chance(0.5) ? { azureName: undefined, azureNameFromConfig: { name: 'name', key: 'key' } } : {}),
      };
      return versioned(version, { object: { ...object, spec }, texts });
    },
    enter: (input) => {
      const version = versionOf(input as Versioned);
      const { object: written, texts } = (input as Versioned).value as { object: unknown; texts: unknown };
      const object = asStored(written, version);
      const data = Object.fromEntries(
        Object.entries(typeof texts === 'string' ? { key: texts } : Object(texts)).filter(([, text]) => typeof text === 'string'),
      ) as Record<string, string>;
      const lookup = {
        find: (_: string, kind: string) =>
          ({ apiVersion: 'v1', kind, metadata: { name: 'name', namespace: 'ns' }, data }) as unknown as KubernetesObject,
        serves: () => true,
      };
      const values = clusterValues('ns', lookup);
      const named = () => ({
        ...object,
        metadata: {
          ...object.metadata,
          annotations: { 'serviceoperator.azure.com/azure-name-from-config': resolveNameFromConfig(object, version, lookup) ?? '' },
        },
      });
      answersOf([
        () => resolveNameFromConfig(object, version, lookup),
        () => values.configMap('name', 'key'),
        () => values.secretMap('name'),
        () => toArm(version, object.spec as never, 'x', values),
        () => armIdOf(named() as KubernetesObject, version, { find: () => undefined, serves: () => true }, SUBSCRIPTION),
      ]);
    },
    expected: (error) => error instanceof ResolutionError || error instanceof ConversionError,
  },
];
