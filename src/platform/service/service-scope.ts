import type { Construct } from 'constructs';
import type { ServiceObjects } from './service-objects';
import type { TeamInEnvironment } from '../model/team-in-environment';

/** A service as the constructs see it that are made in it and grant no roles. */
export interface ServiceScope extends Construct {
  readonly team: TeamInEnvironment;
  readonly _objects: ServiceObjects;
}
