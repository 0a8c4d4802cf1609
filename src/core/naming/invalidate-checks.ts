import { IConstruct } from 'constructs';
import { isResource } from '../resource-internals';

/** Has the resources below a scope looked at again: what was said of their names may no longer be true. */
export function invalidateChecks(scope: IConstruct): void {
  for (const construct of scope.node.findAll()) {
    if (isResource(construct)) construct._invalidate();
  }
}
