import { writeSource, type MadeUpKind } from './made-up-source';
import { GoParser } from '../../catalog-tool/go/parse';
import { NO_OVERLAYS, type Overlays } from '../../catalog-tool/overlays/overlays';
import { readCatalog } from '../../catalog-tool/read-catalog';
import { Checkout } from '../../catalog-tool/source/checkout';
import type { ServiceFacts, StatusFacts } from '../../src/catalog';

/** Facts that the tool reads from made-up kinds. */
export async function readKinds(kinds: readonly MadeUpKind[], overlays: Overlays = NO_OVERLAYS) {
  const { files, notices } = readCatalog(new Checkout(writeSource(kinds), await GoParser.load()), overlays);
  return {
    files,
    notices,
    service: (name: string) => JSON.parse(files[`${name}.json`]!) as ServiceFacts,
    status: (name: string) => JSON.parse(files[`status/${name}.json`]!) as StatusFacts,
  };
}
