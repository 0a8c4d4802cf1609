import { either, OF_AZURE, ofType } from './facts';
import { all, any, everyElement, everyEntry, FALSE, member, not, OBJECT, oneOf, present, text, TRUE, unchanged, Value } from '../condition';
import type { Limit } from '../limit';
import type { TeamPolicy } from '../team-policy';

const PRINCIPAL_KEY = 'principalId';
const NAME = text(OBJECT, 'metadata', 'name');

/** Protects ConfigMaps and Secrets that other components rely on, from writes by the team and by the operator on its behalf. */
export function storeLimits(policy: TeamPolicy): Limit[] {
  const { credentials, options, grantsRoles } = policy;
  const platformObjects = options.platformObjects ?? [];
  const kept = [...new Set([...credentials, ...platformObjects])];
  return [
    {
      id: 'self-service-export',
      concerns: OF_AZURE,
      holds: all(...DESTINATIONS.map((destinations) => destinations((at) => not(oneOf(text(at, 'name'), kept))))),
      field: 'spec.operatorSpec',
      rule: `may not export to ${either(kept)}: only the platform writes there.`,
      option: 'platformObjects',
    },
    {
      id: 'self-service-export-principal',
      concerns: grantsRoles ? OF_AZURE : FALSE,
      holds: everyElement(member(OBJECT, 'spec', 'operatorSpec', 'configMapExpressions'), (at) =>
        not(oneOf(text(at, 'key'), ['', PRINCIPAL_KEY])),
      ),
      field: 'spec.operatorSpec.configMapExpressions',
      rule: `have to have a key other than ${PRINCIPAL_KEY}: role assignments trust what stands there. Export it by operatorSpec.configMaps.`,
      option: 'catalogue',
    },
    {
      id: 'self-service-secret',
      concerns: ofType('v1/Secret'),
      holds: not(oneOf(NAME, kept)),
      field: 'metadata.name',
      found: NAME,
      rule: `may not be ${either(kept)}: with such a Secret the operator signs in, or it is the platform's.`,
      option: 'credentials',
    },
    {
      id: 'self-service-config-map',
      concerns: ofType('v1/ConfigMap'),
      holds: platformObjects.length === 0 ? TRUE : not(oneOf(NAME, platformObjects)),
      field: 'metadata.name',
      found: NAME,
      rule: `may not be ${either(platformObjects)}: only the platform writes it.`,
      option: 'platformObjects',
    },
    {
      id: 'self-service-config-map-principal',
      concerns: grantsRoles ? ofType('v1/ConfigMap') : FALSE,
      holds: all(
        ...['data', 'binaryData'].map((property) =>
          any(not(present(member(OBJECT, property, PRINCIPAL_KEY))), unchanged(property, PRINCIPAL_KEY)),
        ),
      ),
      field: `data.${PRINCIPAL_KEY}`,
      rule: 'only the operator writes this key: role assignments trust what stands there.',
      option: 'catalogue',
    },
    {
      id: 'self-service-platform-object',
      concerns: ofType(...PLATFORM_KINDS.map((kind) => `v1/${kind}`)),
      holds: FALSE,
      field: 'kind',
      found: text(OBJECT, 'kind'),
      rule: `${either(PLATFORM_KINDS)} of the team are the platform's.`,
      option: 'catalogue',
    },
  ];
}

/** Core kinds with which the platform limits a namespace. */
const PLATFORM_KINDS = ['Namespace', 'ResourceQuota', 'LimitRange'];

type Every = (condition: Parameters<typeof everyElement>[1]) => ReturnType<typeof everyElement>;

/** All fields of an `operatorSpec` that name a destination for exports. One group spells one of them in lower case. */
const DESTINATIONS: readonly Every[] = [
  ...['configMaps', 'configmaps', 'secrets'].map(
    (name): Every =>
      (condition) =>
        everyEntry(member(OBJECT, 'spec', 'operatorSpec', name), (_, entry: Value) => condition(entry)),
  ),
  ...['configMapExpressions', 'secretExpressions'].map(
    (name): Every =>
      (condition) =>
        everyElement(member(OBJECT, 'spec', 'operatorSpec', name), condition),
  ),
];
