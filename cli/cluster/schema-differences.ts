import type { Kind } from '../../src/catalog';
import { openApiSchema, type JsonSchema } from '../../src/catalog/crd';
import { isRecord } from '../../src/util/records';

/** How the schemas of an installed CRD differ from those of the catalog. */
export interface SchemaDifferences {
  /** Places that only the catalog has, as `v20250601 spec.sku`: the API server drops values there. */
  readonly lacking: readonly string[];
  /** Places that only the installed CRD has: this release does not know them. */
  readonly unknown: readonly string[];
}

const NONE: SchemaDifferences = { lacking: [], unknown: [] };
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';

/** Compares properties and types of the served versions; descriptions, columns and labels say nothing about what is kept. */
export function schemaDifferences(versions: readonly unknown[], kind: Kind): SchemaDifferences {
  const lacking: string[] = [];
  const unknown: string[] = [];
  for (const version of versions) {
    if (!isRecord(version) || version.served !== true || typeof version.name !== 'string') continue;
    const known = kind.version(version.name);
    const installed = isRecord(version.schema) ? version.schema.openAPIV3Schema : undefined;
    if (!known || !isRecord(installed)) continue;
    const wanted = openApiSchema(known);
    for (const part of ['spec', 'status']) {
      const [one, other] = [memberSchema(installed, part), wanted.properties?.[part]];
      if (other) compare(one, other, `${version.name} ${part}`, { lacking, unknown });
    }
  }
  return lacking.length + unknown.length === 0 ? NONE : { lacking, unknown };
}

interface Found {
  readonly lacking: string[];
  readonly unknown: string[];
}

/** A place is told once, without what is below it. */
function compare(installed: unknown, wanted: JsonSchema, place: string, found: Found): void {
  if (!isRecord(installed)) return void found.lacking.push(place);
  if (installed[PRESERVES] === true) return;
  if (wanted.type !== undefined && installed.type !== undefined && installed.type !== wanted.type) return void found.lacking.push(place);
  for (const [name, below] of Object.entries(wanted.properties ?? {})) compare(memberSchema(installed, name), below, `${place}.${name}`, found);
  if (wanted.items) compare(installed.items, wanted.items, `${place}[]`, found);
  if (typeof wanted.additionalProperties === 'object') compare(installed.additionalProperties, wanted.additionalProperties, `${place}.*`, found);
  if (!wanted.properties) return;
  const names = isRecord(installed.properties) ? Object.keys(installed.properties) : [];
  for (const name of names) if (!Object.hasOwn(wanted.properties, name)) found.unknown.push(`${place}.${name}`);
}

function memberSchema({ properties }: { readonly properties?: unknown }, name: string): unknown {
  return isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
