import type { Kind } from '../../catalog/kind';
import { plainPath, specPathsOf, type SpecPath } from '../../catalog/spec-paths';

/** Names of properties that specify a region. */
const LOCATION = /(^l|L)ocation(s|Name)?$|(^r|R)egions?$/;

/** Properties with such a name that do not place a resource, with their meaning. */
const ELSEWHERE: readonly (readonly [path: RegExp, what: string])[] = [
  [
    /(^|\.)(source|resource|metricResource|targetResource|sourceWebApp|linkedRedisCache|privateLink)Location$|(^|\.)targetResourceRegion$/,
    'where a resource is that exists already',
  ],
  [/(^|\.)endpointLocation$/, 'from where Traffic Manager takes an endpoint to answer'],
  [/(^|\.)dataLocation$/, 'a geography such as "UK", no region'],
  [/(^|\.)locationData\./, 'a text about a place outside of Azure'],
  [/(^|\.)workspaceRegion$|(^|\.)logAnalyticsResources\.workspaces\.region$/, 'where a workspace is that exists already'],
  [/(^|\.)(itsmReceivers|registryPrivateEndpointConnections|serviceEndpoints)\.(region|locations?)$/, 'where a service is that is called'],
];

const known = new WeakMap<Kind, readonly SpecPath[]>();

/** All paths, besides `spec.location`, that specify a region of a kind, in all its versions. */
export function nestedLocationsOf(kind: Kind): readonly SpecPath[] {
  let paths = known.get(kind);
  if (!paths) known.set(kind, (paths = findPaths(kind)));
  return paths;
}

function findPaths(kind: Kind): SpecPath[] {
  const found = new Map<string, SpecPath>();
  for (const name of kind.versionNames) {
    for (const path of specPathsOf(kind.version(name)!)) {
      if (path.type === 'string' && isLocation(plainPath(path.text))) found.set(path.text, path);
    }
  }
  found.delete('location');
  return [...found.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

function isLocation(path: string): boolean {
  const [last = '', parent = ''] = path.split('.').reverse();
  if (ELSEWHERE.some(([pattern]) => pattern.test(path))) return false;
  return LOCATION.test(last) || (last === 'name' && LOCATION.test(parent));
}
