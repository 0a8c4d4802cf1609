/** JSON, or the text that it is not. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Values that no two servers have in common. */
const OWN = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'continue']);
/** Not compared: who owns which field (docs/sandbox.md), and a hash that only a storage migrator reads. */
const LEFT_OUT = new Set(['managedFields', 'storageVersionHash']);

/** A server's answer, without the parts that differ between any two servers. */
export function normalized(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return OWN.has(name) && value !== '' ? `<${name}>` : withoutOwn(value);
  if (Array.isArray(value)) return name === 'causes' ? causes(value) : value.map((item) => normalized(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([member]) => !LEFT_OUT.has(member));
  return Object.fromEntries(members.map(([member, item]) => [member, normalized(item, member)]));
}

function withoutOwn(text: string): string {
  const own = text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replace(/^too old resource version: 1 \(\d+\)$/, 'too old resource version: 1 (<resourceVersion>)')
    .replace(/in record \(\d+\)/, 'in record (<resourceVersion>)')
    .replace(/^\d+(ms|s|m)$/, '<age>');
  // Several causes come in the order of a Go map: any.
  const [, start, listed] = /^(.* is invalid: )\[(.*)\]$/.exec(own) ?? [];
  return listed ? `${start}[${listed.split(/, (?=[\w.[\]]+: )/).sort().join(', ')}]` : own;
}

/** In an order of their own, and each once. */
function causes(items: readonly unknown[]): unknown[] {
  const texts = items.map((item) => JSON.stringify(normalized(item)));
  return [...new Set(texts)].sort().map((text) => JSON.parse(text) as unknown);
}
