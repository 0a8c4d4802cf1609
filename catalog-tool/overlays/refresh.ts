import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withOutputs } from './merge-outputs';
import { refuseOtherServices, withPropertyNotes } from './merge-properties';
import { withQuantities } from './merge-quantities';
import type { Overlays } from './overlays';
import type { ServiceFacts } from '../../src/catalog';
import { factsFiles, type CatalogFiles } from '../write/catalog-text';
import { catalogFileNames } from '../write/write-files';

/**
 * The files of a catalog with other overlays of outputs, quantities and properties: no checkout of the source is needed for these.
 * @throws when the overlays name something that the catalog does not have
 */
export function refreshedFiles(directory: string, { outputs, properties: notes, quantities }: Overlays): CatalogFiles {
  const textOf = (name: string) => readFileSync(join(directory, name), 'utf8');
  const names = catalogFileNames(directory).filter((name) => !name.startsWith('docs/'));
  const services = names.filter((name) => !/[/]|^_/.test(name)).map((name) => JSON.parse(textOf(name)) as ServiceFacts);
  refuseOtherServices(notes, services.map(({ service }) => service));
  const merged = services.map((facts) => {
    const measured = withQuantities(withOutputs(facts, outputs), quantities);
    return withPropertyNotes(measured, notes.get(facts.service));
  });
  return Object.assign(
    Object.fromEntries(names.map((name) => [name, textOf(name)])),
    ...merged.map(({ facts, docs }) => factsFiles(facts, docs)),
  ) as CatalogFiles;
}
