import { join } from 'node:path';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { isRecord } from '../../../src/util/records';
import { readLimited } from '../../manifests/read-limited';

const TEMPLATES = /^(.*?)[\\/]templates[\\/]/;

/** The values of the charts whose templates are among files: `Values.storage.sku` → its text, or those of several charts. */
export function chartValues(files: readonly string[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const chart of new Set(files.flatMap((file) => TEMPLATES.exec(file)?.[1] ?? []))) {
    for (const [name, text] of scalarsIn(valuesOf(chart), 'Values')) values.set(name, (values.get(name) ?? new Set()).add(text));
  }
  return values;
}

function valuesOf(chart: string): unknown {
  try {
    return readYaml(readLimited(join(chart, 'values.yaml')))[0]?.value;
  } catch {
    return undefined; // A chart need not have values of its own.
  }
}

/** An empty text stands for a value that has to be given. */
function* scalarsIn(value: unknown, name: string): Generator<[name: string, text: string]> {
  if (typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value !== '')) yield [name, String(value)];
  if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* scalarsIn(item, `${name}.${key}`);
}
