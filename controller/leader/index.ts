export { systemElectionTime, type ElectionTime } from './election-time';
export {
  DEFAULT_TIMING,
  LEASE_NAME,
  LeaderElector,
  LeadershipLostError,
  type ElectionTiming,
  type Leadership,
  type LeaderElectorOptions,
} from './leader-elector';
