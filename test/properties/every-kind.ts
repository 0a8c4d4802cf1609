import fc from 'fast-check';
import type { ValueSource } from '../../engine/convert';
import { Catalog, type KindVersion } from '../../src/catalog';
import { randomSpec } from '../engine/convert/random-spec';

const kinds = Catalog.default().allKinds;

/** The newest version of every kind that is a resource of Azure. */
export const NEWEST: readonly KindVersion[] = kinds.map((kind) => kind.latest).filter(({ isArm }) => isArm);

/** Every version that has types of its own. */
export const ALL_VERSIONS: readonly KindVersion[] = kinds
  .flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!))
  .filter((version) => version.isArm && version.name === version.typesOf);

/** Answers each reference and each key with something that tells where it came from. */
export const VALUES: ValueSource = {
  reference: ({ armId, name }) => armId ?? `/subscriptions/s/resourceGroups/${name}`,
  secret: (name, key) => `<secret:${name}/${key}>`,
  secretMap: (name) => ({ all: `<secret:${name}/all>` }),
  configMap: (name, key) => `<configmap:${name}/${key}>`,
};

type Spec = Readonly<Record<string, unknown>>;

/**
 * Checks a law for so many random specs of each version. (One property for all of them would leave kinds out by chance.) The law answers
 * what is wrong; all kinds are looked at before the test fails.
 */
export function forEach(
  versions: readonly KindVersion[],
  numRuns: number,
  law: (version: KindVersion, spec: Spec) => readonly unknown[],
): void {
  const failures: unknown[] = [];
  for (const version of versions) {
    fc.assert(fc.property(fc.nat(), (seed) => {
      if (failures.length >= 5) return;
      const wrong = law(version, randomSpec(version, seed));
      if (wrong.length > 0) failures.push({ of: `${version.apiVersion} ${version.kind.kind}`, seed, wrong: wrong.slice(0, 3) });
    }), { numRuns });
  }
  expect(failures).toEqual([]);
}
