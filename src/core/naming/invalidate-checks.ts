import { IConstruct } from 'constructs';
import { isResource } from '../resource-internals';

/** Has the resources below a scope checked again: earlier results for their names may be outdated. */
export function invalidateChecks(scope: IConstruct): void {
  for (const construct of scope.node.findAll()) {
    if (isResource(construct)) construct._invalidate();
  }
}
