// jsii puts the map to the sources into each file, which makes it twice as long to read; only debuggers want it.
const INLINE = /\n\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,([A-Za-z0-9+/=]+)\s*$/;

/** The code without its map, and the map; the map undefined where the code has none. */
export function splitMap(code) {
  const match = INLINE.exec(code);
  if (!match) return { code, map: undefined };
  return { code: `${code.slice(0, match.index)}\n`, map: Buffer.from(match[1], 'base64').toString('utf8') };
}
