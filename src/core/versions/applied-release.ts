import { IConstruct } from 'constructs';
import { isResource } from '../resource-internals';

// In the global symbol registry, because an app may load two copies of the library.
const RELEASE = Symbol.for('cdk8s-aso.release');

/** Name of the release that applies to a construct. */
export function appliedRelease(construct: IConstruct): string | undefined {
  for (let at: IConstruct | undefined = construct; at; at = at.node.scope) {
    const release = (at as { [RELEASE]?: string })[RELEASE];
    if (release !== undefined) return release;
  }
  return undefined;
}

/** @throws when resources below the scope already have an API version */
export function applyRelease(scope: IConstruct, release: string): void {
  if (appliedRelease(scope) !== release) {
    const settled = scope.node.findAll().find(isResource);
    if (settled) throw new Error(`AsoRelease.applyTo: '${settled.node.path}' was made before, so its API version is settled. Apply the release before there are resources in '${scope.node.path || 'the app'}'.`);
  }
  Object.defineProperty(scope, RELEASE, { value: release, configurable: true });
}
