import { parseArgs } from 'node:util';

export const USAGE = `Usage:
  npm run catalog -- --source DIR [--out DIR] [--overlays DIR] [--check]
  npm run catalog -- overlays [--out DIR] [--overlays DIR] [--check]
  npm run catalog -- diff OLD NEW [--output text|json]

Without a command, it reads a checkout of Azure Service Operator's source and writes the catalog.

  --source DIR     checkout of ASO at a release
  --out DIR        where the catalog is written (default: catalog)
  --overlays DIR   hand-kept facts (default: catalog/overlays)
  --check          write nothing; exit 1 when the catalog differs from what would be written

overlays merges the notes about properties (DIR/properties) into the catalog that is there; it needs no checkout.
diff says what the catalog in NEW brought, removed and changed against the one in OLD, as text for a changelog.
`;

export type Command =
  | { readonly is: 'write' | 'check'; readonly source: string; readonly out: string; readonly overlays: string }
  | { readonly is: 'overlays'; readonly check: boolean; readonly out: string; readonly overlays: string }
  | { readonly is: 'diff'; readonly before: string; readonly after: string; readonly output: 'text' | 'json' };

/** @throws UsageError when the arguments are invalid */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parsed(args);
  if (positionals[0] === 'diff') {
    const [, before, after, ...rest] = positionals;
    if (before === undefined || after === undefined || rest.length > 0) throw new UsageError('diff takes two directories.');
    if (values.output !== 'text' && values.output !== 'json') throw new UsageError(`--output is text or json, not ${values.output}.`);
    return { is: 'diff', before, after, output: values.output };
  }
  if (positionals[0] === 'overlays') {
    if (positionals.length > 1 || values.source !== undefined) throw new UsageError('overlays takes --out, --overlays and --check.');
    return { is: 'overlays', check: values.check, out: values.out, overlays: values.overlays };
  }
  if (positionals.length > 0) throw new UsageError(`There is no command ${positionals[0]}.`);
  if (values.source === undefined) throw new UsageError('--source is missing.');
  return { is: values.check ? 'check' : 'write', source: values.source, out: values.out, overlays: values.overlays };
}

/** Invalid arguments. */
export class UsageError extends Error {}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        source: { type: 'string' },
        out: { type: 'string', default: 'catalog' },
        overlays: { type: 'string', default: 'catalog/overlays' },
        check: { type: 'boolean', default: false },
        output: { type: 'string', default: 'text' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
