import { codeFiles } from '../../../cli/import-crds/code';
import { readCrd } from '../../../cli/import-crds/crd';
import { importCrds } from '../../../cli/import-crds/fragment';
import { parseManifests } from '../../../cli/manifests/manifests';
import { Catalog } from '../../../src/catalog';
import { crdManifest } from '../../../src/catalog/crd';
import type { Random } from '../../simulation/random';
import type { Entrance } from '../entrance';
import { mutate, mutateText } from '../mutate';

const KINDS = Catalog.default().allKinds.filter(
  (kind) => JSON.stringify(crdManifest(kind, { versions: [kind.latest.name] })).length < 6_000,
);

function crdOf(random: Random): string {
  const kind = random.pick(KINDS);
  const other = random.pick(KINDS);
  const [crd, donor] = [kind, other].map((one) => JSON.parse(JSON.stringify(crdManifest(one, { versions: [one.latest.name] }))) as unknown);
  const text = JSON.stringify(mutate(crd, donor, random)) ?? 'null';
  return random.chance(0.1) ? mutateText(text, random) : text;
}

export const crdEntrances: readonly Entrance[] = [
  {
    name: 'import-crds',
    make: crdOf,
    enter: (text) => {
      const read = parseManifests(text as string, 'file.yaml').manifests.map((manifest) => readCrd(manifest, true));
      const { services } = importCrds(read.flatMap((one) => ('crd' in one ? [one.crd] : [])), Catalog.default(), true);
      return services.length > 0 ? codeFiles(services, Catalog.default(), false) : undefined;
    },
  },
];
