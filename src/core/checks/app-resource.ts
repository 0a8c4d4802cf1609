import { IConstruct } from 'constructs';
import type { ResourceInternals } from '../resource-internals';
import type { CheckedResource } from './checked-resource';

/** One resource of the app and what its own check found. */
export interface AppResource {
  readonly resource: ResourceInternals;
  readonly checked: CheckedResource;
}

/** Says something about a resource. */
export type Report = (resource: IConstruct, problem: string) => void;
