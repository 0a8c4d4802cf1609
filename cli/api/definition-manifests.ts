import type { ComposerName } from './installation/names';
import type { ApiFacts } from '../../composer/definition/api-facts';
import { administrativeKinds, composerRights, type ComposerRights, type RightsOptions } from '../../composer/definition/composer-rights';
import { crdManifest } from '../../composer/definition/crd-manifest';
import type { Struct } from '../../src/util/records';
import { listed } from '../../src/util/words';

/** CRDs and rights of a definition, and what is to be said of them. They must not be used if there are problems. */
export interface DefinitionManifests {
  readonly crds: readonly Struct[];
  readonly rights: ComposerRights['manifests'];
  readonly problems: readonly string[];
  readonly advice: readonly string[];
}

/** @param composer name and namespace of the composer that gets the rights, whether it reviews claims, and who makes its certificate */
export function definitionManifests(
  facts: readonly ApiFacts[], composer: ComposerName & Pick<RightsOptions, 'admission' | 'certManager'>,
): DefinitionManifests {
  const crds = facts.map((one) => crdManifest(one, composer));
  const { name, namespace, admission = false, certManager = false } = composer;
  const rights = composerRights(facts, { name, namespace, admission, certManager });
  const problems = [
    ...crds.flatMap((crd) => crd.problems.map(({ path, message }) => `${path}: ${message}`)),
    ...rights.unknown.map(({ member, group, kind }) =>
      `${member}: the plural of ${kind} in group '${group}' is not known: give it, `
      + `e.g. { group: '${group}', kind: '${kind}', plural: '…' }`),
  ];
  const advice = [
    ...crds.flatMap((crd) => crd.advice.map(({ path, message }) => `${path}: ${message}`)),
    ...administrativeAdvice(facts),
  ];
  return { crds: crds.map(({ manifest }) => manifest), rights: rights.manifests, problems, advice };
}

function administrativeAdvice(facts: readonly ApiFacts[]): string[] {
  const kinds = administrativeKinds(facts);
  if (kinds.length === 0) return [];
  return ['the composer cannot give rights that it does not have, '
    + `and the definition composes ${listed(kinds)} objects: name in its rights the rules `
    + 'of the roles that it writes, and the verb bind of those that it binds'];
}
