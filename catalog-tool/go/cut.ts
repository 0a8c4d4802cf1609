/**
 * Removes the unwanted functions of a Go file. Four fifths of a generated file convert between storage versions, and parsing them takes
 * four fifths of the time. gofmt guarantees that a function begins with `func ` and ends with `}` at the start of a line.
 */
export function cutFunctions(source: string, wanted: (name: string) => boolean): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = nextFunction(source, 0); start >= 0; start = nextFunction(source, from)) {
    const header = source.slice(start, lineEnd(source, start));
    const name = /^func (?:\([^)]*\) )?([A-Za-z0-9_]+)/.exec(header)?.[1];
    const end = functionEnd(source, start, header);
    kept.push(source.slice(from, name === undefined || wanted(name) ? end : start));
    from = end;
  }
  kept.push(source.slice(from));
  return kept.join('');
}

function nextFunction(source: string, from: number): number {
  if (source.startsWith('func ', from)) return from;
  const at = source.indexOf('\nfunc ', from);
  return at < 0 ? -1 : at + 1;
}

function functionEnd(source: string, start: number, header: string): number {
  if (header.endsWith('}')) return start + header.length;
  const end = source.indexOf('\n}', start);
  return end < 0 ? source.length : end + 2;
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}
