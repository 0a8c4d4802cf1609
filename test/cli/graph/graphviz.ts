import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import type { Graph } from '../../../src/core/graph/graph';
import { dotText } from '../../../src/core/graph/render/dot';

const LIBRARY = '@hpcc-js/wasm-graphviz';

/** jest loads CommonJS only, and this library is an ECMAScript module: the real one, translated. */
function loadGraphviz(): void {
  jest.doMock(LIBRARY, () => {
    const { code } = transformSync(readFileSync(require.resolve(LIBRARY), 'utf8'), {
      format: 'cjs',
      define: { 'import.meta.url': JSON.stringify(`file://${__filename}`) },
    });
    const module = { exports: {} };
    new Function('module', 'exports', 'require', code)(module, module.exports, require);
    return module.exports;
  });
}

/** A graph as the command draws it. */
export function svgText(graph: Graph): Promise<string> {
  return svgOfDot(dotText(graph));
}

/** The SVG that the `dot` command renders. */
export async function svgOfDot(dot: string): Promise<string> {
  const svg = (await import('../../../cli/graph/svg')) as typeof import('../../../cli/graph/svg');
  return svg.svgText(dot);
}

loadGraphviz();
