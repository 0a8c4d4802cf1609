import { undecidedEmpties } from './merge-comparison';
import { namesWithoutKind } from './name-rules';
import type { KeptOfKind, Overlays } from './overlays';
import { secretsWithoutSource } from './secret-sources';
import type { ServiceFacts } from '../../src/catalog';
import type { ServiceCatalog } from '../facts/service';

const SECRETS = 'overlays/secret-sources.yaml';

/** Kinds and ARM types of the source, including left-out ones. */
export interface InSource {
  /** `group/Kind`, e.g. `storage.azure.com/StorageAccount`. */
  readonly kinds: ReadonlySet<string>;
  /** In lower case. */
  readonly armTypes: ReadonlySet<string>;
}

/** Notices for the maintainer: hand-kept facts that a release made superfluous, and new behaviour without an overlay. */
export function notices(services: readonly ServiceCatalog[], overlays: Overlays, inSource: InSource): string[] {
  return [
    ...superfluous(overlays, inSource),
    ...services.flatMap(({ facts }) => [
      ...undescribed(facts, overlays),
      ...undecidedEmpties(facts, overlays.comparison).map((property) => (
        `overlays/comparison.yaml: nothing says whether an empty value removes what Azure has in ${property} (filledByAzure); it counts as removing.`)),
    ]),
  ];
}

function superfluous(overlays: Overlays, { kinds, armTypes }: InSource): string[] {
  const gone = (file: string, entries: readonly KeptOfKind[]) => entries
    .filter(({ kind }) => !kinds.has(kind))
    .map(({ kind }) => `overlays/${file}: the source has no ${kind}; the entry can go.`);
  return [
    ...gone('left-out.yaml', overlays.leftOut),
    ...gone('body-changes.yaml', overlays.bodyChanges),
    ...gone('secret-sources.yaml', overlays.secretSources),
    ...gone('outputs.yaml', overlays.outputs),
    ...namesWithoutKind(overlays.nameRules, armTypes).map((type) => `overlays/name-rules.yaml: no kind is a ${type}; its rule can go.`),
  ];
}

function undescribed({ group, kinds }: ServiceFacts, overlays: Overlays): string[] {
  return Object.entries(kinds).flatMap(([name, kind]) => {
    const key = `${group}/${name}`;
    const secrets = secretsWithoutSource(kind.versions, overlays.secretSources.find((entry) => entry.kind === key)).join(', ');
    const changesBody = kind.extensions?.includes('ARMResourceModifier') && !overlays.bodyChanges.some((entry) => entry.kind === key);
    return [
      ...(secrets === '' ? [] : [`${SECRETS}: nothing says where ${key} has its secrets ${secrets} from; they are not exported.`]),
      ...(changesBody ? [`overlays/body-changes.yaml: ASO changes the body of ${key} in code of its own; nothing says how.`] : []),
    ];
  });
}
