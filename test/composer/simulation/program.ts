import type { CompositionJob, CompositionReport } from './mistake-seeds';
import { bundleProgram } from '../../setup/bundled-program';

/** The program that simulates the composer in processes of its own. */
export const compositionProgram = () => bundleProgram<CompositionJob, CompositionReport>('test/composer/simulation/worker.ts');
