import { entryFile } from './app-entry';
import type { ChartPlan } from './charts';
import { typeScriptAppFiles } from '../app/typescript-app';

/** The files around the charts that make `npm install && npm run synth` work. */
export function appFiles(name: string, charts: readonly ChartPlan[]): Record<string, string> {
  return {
    'main.ts': entryFile(charts),
    ...typeScriptAppFiles({ name, scripts: { synth: 'cdk8s synth', typecheck: 'tsc' } }),
  };
}
