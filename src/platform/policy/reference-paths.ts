import type { Kind } from '../../catalog/kind';
import { specPathsOf, type SpecPath } from '../../catalog/spec-paths';

/** Names of properties with the ARM id of a resource: references, and ids that ASO leaves as texts. */
const ID = /(^|\.)(armId|restoreSource|\w*ResourceIds?(\[\])?)$/;

const known = new WeakMap<Kind, readonly SpecPath[]>();

/** All paths of a kind, in all its versions, that may hold the ARM id of a resource to use; not the owner's. */
export function referencePathsOf(kind: Kind): readonly SpecPath[] {
  let paths = known.get(kind);
  if (!paths) known.set(kind, (paths = findPaths(kind)));
  return paths;
}

function findPaths(kind: Kind): SpecPath[] {
  const found = new Map<string, SpecPath>();
  for (const version of kind.versionNames) {
    for (const path of specPathsOf(kind.version(version)!)) {
      if (path.type === 'string' && ID.test(path.text)) found.set(path.text, path);
    }
  }
  return [...found.values()];
}
