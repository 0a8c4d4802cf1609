/** Struct tags by their keys: `json:"a,omitempty" group:"b"`. */
export function readTags(text: string): Record<string, string> {
  const tags = [...text.matchAll(/([A-Za-z0-9_-]+):("(?:[^"\\]|\\.)*")/g)];
  return Object.fromEntries(tags.map(([, key, value]) => [key, JSON.parse(value) as string]));
}
