import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import type { BundlePosition } from '../../composer/render/types';

const MOST_FRAMES = 3;

/**
 * The places of an error in the sources of a definition, innermost first, without libraries.
 * @param file the module of the definition: sources are relative to its directory
 * @param map source map of the bundle
 */
export function sourcePositions(file: string, map: string, stack: readonly BundlePosition[]): string[] {
  const sources = new SourceMap(JSON.parse(map) as SourceMapPayload);
  const places = stack.flatMap(({ line, column }) => {
    const entry = sources.findEntry(line - 1, column - 1);
    if (!('originalSource' in entry) || entry.originalSource.includes('node_modules')) return [];
    const path = relative(process.cwd(), resolve(dirname(resolve(file)), entry.originalSource));
    return [`${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}`];
  });
  return [...new Set(places)].slice(0, MOST_FRAMES);
}
