import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withComparisonFacts } from './merge-comparison';
import { withOutputs } from './merge-outputs';
import { refuseOtherServices, withPropertyNotes } from './merge-properties';
import { withQuantities } from './merge-quantities';
import type { Overlays } from './overlays';
import { ownServices } from './own-kinds';
import type { ServiceFacts } from '../../src/catalog';
import { factsFiles, serviceFiles, type CatalogFiles } from '../write/catalog-text';
import { catalogFileNames } from '../write/write-files';

/**
 * The files of a catalog with other overlays of outputs, quantities, comparisons and properties, and with other kinds that ASO has not: no
 * checkout of the source is needed for these.
 * @throws when the overlays name something that the catalog does not have
 */
export function refreshedFiles(directory: string, overlays: Overlays): CatalogFiles {
  const { outputs, properties: notes, quantities, comparison, ownKinds } = overlays;
  const own = ownServices(overlays).map(serviceFiles);
  const textOf = (name: string) => readFileSync(join(directory, name), 'utf8');
  const isOwn = (name: string) => ownKinds.some(({ facts }) => name === `${facts.service}.json`);
  const names = catalogFileNames(directory).filter((name) => !name.startsWith('docs/') && !isOwn(name));
  const services = names.filter((name) => !/[/]|^_/.test(name)).map((name) => JSON.parse(textOf(name)) as ServiceFacts);
  refuseOtherServices(notes, [...services, ...ownKinds.map(({ facts }) => facts)].map(({ service }) => service));
  const merged = services.map((facts) => {
    const measured = withComparisonFacts(withQuantities(withOutputs(facts, outputs), quantities), comparison);
    return withPropertyNotes(measured, notes.get(facts.service));
  });
  return Object.assign(
    Object.fromEntries(names.map((name) => [name, textOf(name)])),
    ...merged.map(({ facts, docs }) => factsFiles(facts, docs)),
    ...own,
  ) as CatalogFiles;
}
