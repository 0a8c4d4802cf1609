import { bySeeds } from './by-seeds';
import { bySuites, type SourceMutant } from './by-suites';
import type { Group } from './mutant';
import { recordedValues } from './recorded-values';
import { AZURE } from './sources/azure';
import { BOUNDARY } from './sources/boundary';
import { COMPOSER } from './sources/composer';
import { FUZZ_CORPUS } from './sources/fuzz-corpus';
import { PACKAGES } from './sources/packages';
import { POLICIES } from './sources/policies';
import { COMPOSITION_MUTANTS } from '../composer/simulation/mistake-seeds';
import { compositionProgram } from '../composer/simulation/program';
import { PROTOCOL_MUTANTS } from '../runtime/shards/simulation/mutant-seeds';
import { protocolProgram } from '../runtime/shards/simulation/program';
import { CONTROLLER_MUTANTS, SHARD_MUTANTS } from '../simulation/mistake-seeds';
import { simulationProgram } from '../simulation/program';

/** Mutants of sources, by the group in which they are. */
export const SOURCE_MUTANTS: Readonly<Record<string, readonly SourceMutant[]>> = {
  composer: COMPOSER,
  policies: POLICIES,
  fuzz: FUZZ_CORPUS,
  packages: PACKAGES,
  azure: AZURE,
  boundary: BOUNDARY,
};

/**
 * All mutants.
 * @param cases directory of recorded cases
 */
export function allGroups(cases: string): Readonly<Record<string, Group>> {
  return {
    controller: { mutants: bySeeds(CONTROLLER_MUTANTS, simulationProgram) },
    shards: { mutants: bySeeds(SHARD_MUTANTS, simulationProgram) },
    protocol: { mutants: bySeeds(PROTOCOL_MUTANTS, protocolProgram) },
    composer: { mutants: [...bySeeds(COMPOSITION_MUTANTS, compositionProgram), ...bySuites(COMPOSER)] },
    policies: { mutants: bySuites(POLICIES) },
    comparer: recordedValues(cases),
    fuzz: { mutants: bySuites(FUZZ_CORPUS) },
    packages: { mutants: bySuites(PACKAGES) },
    azure: { mutants: bySuites(AZURE) },
    boundary: { mutants: bySuites(BOUNDARY) },
  };
}
