/** Struct tags by their keys: `json:"a,omitempty" group:"b"`. */
export function readTags(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/([A-Za-z0-9_-]+):"((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, JSON.parse(`"${value}"`) as string]));
}
