export { systemElectionTime, type ElectionTime } from './election-time';
export {
  LEASE_NAME,
  LeaderElector,
  LeadershipLostError,
  type Leadership,
  type LeaderElectorOptions,
} from './leader-elector';
