import type { JobPhase } from './jobs';
import type { ComposeProblem } from './types';
import type { JobStoppedError } from '../../engine/workers/errors';
import type { ComposeLimits } from '../../src/platform-api';

const DOING: Readonly<Record<JobPhase, string>> = {
  load: 'loading the bundle',
  validate: 'the check of the spec by the schema (a pattern that backtracks, a very long list)',
  convert: 'the conversion of the spec',
  compose: 'compose',
  render: 'rendering and validating the constructs',
};

/** The problem of a claim whose job was stopped. */
export function problemOfStop({ reason, phase }: JobStoppedError, { seconds, memoryMb }: Required<ComposeLimits>): ComposeProblem {
  const doing = DOING[phase as JobPhase] ?? 'compose';
  switch (reason) {
    case 'deadline':
      return { reason: 'TooSlow', message: `${doing} took longer than ${seconds} s, the limit of the definition (limits.seconds)` };
    case 'memory':
      return { reason: 'TooMuchMemory', message: `${doing} took more than ${memoryMb} MiB, the limit of the definition (limits.memoryMb)` };
    case 'crash':
      return { reason: 'ComposeFailed', message: `${doing} ended the thread` };
  }
}
