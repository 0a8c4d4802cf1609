import type * as CelJsEngine from './cel-js-engine';
import type { ExpressionEngine } from './engine';

// Loaded with the first expression: few objects have one, and each start of the CLI would pay for the library.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const library = (): typeof CelJsEngine => require('./cel-js-engine') as typeof CelJsEngine;

export const createCelEngine: typeof CelJsEngine.createCelEngine = (onCompile) => {
  let engine: ExpressionEngine | undefined;
  return { compile: (version, text) => (engine ??= library().createCelEngine(onCompile)).compile(version, text) };
};

export const compileUntyped: typeof CelJsEngine.compileUntyped = (text) => library().compileUntyped(text);
