import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { PROPAGATE_TO } from '../azure/annotations';
import { PROPAGATION_KINDS, propagationTargets, type PropagationKind } from '../azure/credential-propagation';

/**
 * The kinds of objects to which the identities of an app are propagated, read from the annotations of this app. A controller for named
 * kinds, or for another app's objects, needs `credentialPropagation`.
 */
export function propagationInUse(root: IConstruct, setting: boolean | undefined): ReadonlySet<PropagationKind> {
  if (setting !== undefined) return new Set(setting ? PROPAGATION_KINDS : []);
  const annotations = root.node.findAll().flatMap((construct) => {
    if (!ApiObject.isApiObject(construct)) return [];
    const { annotations: given } = (construct as ApiObject).metadata.toJson() as { annotations?: Record<string, unknown> };
    const text = given?.[PROPAGATE_TO];
    return typeof text === 'string' ? [text] : [];
  });
  return new Set(annotations.flatMap((text) => propagationTargets(text).entries.map(({ kind }) => kind)));
}
