import type { Report } from './simulate';
import type { ProtocolJob } from './worker';
import { bundleProgram, programOfSuite } from '../../../setup/bundled-program';

const ENTRY = 'test/runtime/shards/simulation/worker.ts';

/** The program that simulates the protocol in processes of its own. */
export const protocolProgram = () => bundleProgram<ProtocolJob, Report>(ENTRY);

/** For a suite: what simulates the protocol, in a process of its own. */
export const protocolOfSuite = () => programOfSuite<ProtocolJob, Report>(ENTRY);
