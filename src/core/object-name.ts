import { ApiObject, Chart, type ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { isKubernetesName } from './kubernetes-name';
import { withoutTrailing } from '../azure/trailing-slashes';

/**
 * The metadata with the name that the chart makes of the construct's path, where none is given. cdk8s keeps `_` and any `.` of an id, which
 * Azure allows in many names and Kubernetes does not (https://github.com/cdk8s-team/cdk8s-core); a `-` stands in for them.
 * @param scope the scope of the object, in which it is before it asks for its name
 * @param id its id there
 */
export function withObjectName(scope: Construct, id: string, metadata: ApiObjectMetadata): ApiObjectMetadata {
  if (metadata.name !== undefined) return metadata;
  let name: string | undefined;
  return Object.defineProperty({ ...metadata }, 'name', {
    enumerable: true,
    get: () => (name ??= allowed(Chart.of(scope).generateObjectName(scope.node.tryFindChild(id) as ApiObject))),
  });
}

function allowed(name: string): string {
  if (isKubernetesName(name)) return name;
  const labels = name.replace(/[^A-Za-z0-9.-]/g, '-').split('.').map((label) => withoutTrailing(label.replace(/^-+/, ''), '-'));
  const changed = labels.filter((label) => label !== '').join('.');
  // Other problems are the user's: a chart that makes names of its own.
  return isKubernetesName(changed) ? changed : name;
}
