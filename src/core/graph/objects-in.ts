import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isResource, type ResourceInternals } from '../resource-internals';
import type { GraphObject } from './graph-object';
import { azureObject, graphObjectOf, ManifestLike } from './manifest-object';
import { isWorkload } from './pod-values';
import { CREDENTIAL_FROM } from '../../azure/annotations';
import { mayBeInCatalog } from '../../util/api-groups';
import { annotationOf } from '../checks/resource-metadata';

/** The objects at and below a construct, in the order of the tree. */
export function objectsIn(scope: IConstruct): GraphObject[] {
  const objects: GraphObject[] = [];
  for (const construct of scope.node.findAll()) {
    const object = isResource(construct) && !isPatched(construct)
      ? resourceObject(construct)
      : ApiObject.isApiObject(construct) ? plainObject(construct as ApiObject) : undefined;
    if (object) objects.push(object);
  }
  return objects;
}

/** Typed resources were converted once for the checks; the graph reads the result. */
function resourceObject(resource: ResourceInternals): GraphObject {
  if (!resource._check().lasting) resource._invalidate();
  const { spec, schema } = resource._check();
  const { namespace } = resource.metadata;
  const { apiGroup: group, kind, name, node } = resource;
  const credential = (annotationOf(resource, CREDENTIAL_FROM) as string | undefined) || undefined;
  const origins = [...resource._origins].map(([property, scope]) => [property, scope.node.path]).sort();
  const defaults = origins.length === 0 ? undefined : Object.fromEntries(origins) as Record<string, string>;
  return azureObject({ group, kind, namespace, name, constructPath: node.path, credential, defaults }, schema.version, spec);
}

/** All other objects as in the manifest; undefined for the many that no graph uses. */
function plainObject(object: ApiObject): GraphObject | undefined {
  const { apiGroup, kind } = object;
  const wanted =
    mayBeInCatalog(apiGroup) || isWorkload(apiGroup, kind) || (apiGroup === 'core' && (kind === 'Secret' || kind === 'ConfigMap'));
  return wanted ? graphObjectOf(object.toJson() as ManifestLike, { constructPath: object.node.path }) : undefined;
}

/** `addJsonPatch` may have changed any property, so only the manifest is reliable. cdk8s keeps the patches private. */
function isPatched(object: ApiObject): boolean {
  const { patches } = object as unknown as { readonly patches?: readonly unknown[] };
  return patches !== undefined && patches.length > 0;
}
