import { IConstruct } from 'constructs';
import type { ResourceInternals } from '../resource-internals';
import type { CheckedResource } from './checked-resource';

/** One resource of the app and the result of its own check. */
export interface AppResource {
  readonly resource: ResourceInternals;
  readonly checked: CheckedResource;
}

/** Reports a problem of a resource. */
export type Report = (resource: IConstruct, problem: string) => void;
