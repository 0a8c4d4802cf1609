import type { GoField } from './syntax';
import { elementAt } from '../../src/util/elements';

/** Struct tags by their keys: `json:"a,omitempty" group:"b"`. */
export function readTags(text: string): Record<string, string> {
  const tags = [...text.matchAll(/([A-Za-z0-9_-]+):("(?:[^"\\]|\\.)*")/g)];
  return Object.fromEntries(tags.map((tag) => [elementAt(tag, 1), JSON.parse(elementAt(tag, 2)) as string]));
}

/** A field's name in JSON, empty if the field is embedded; undefined if it has no tag for JSON. */
export function jsonName(tags: GoField['tags']): string | undefined {
  return tags.json?.split(',')[0];
}
