import { digestOf } from './core/digest';
import type { Desired } from './core/observed';
import { checkLocalShape } from '../../engine/convert/local-shape';
import { toArm } from '../../engine/convert/to-arm';
import type { ValueSource } from '../../engine/convert/types';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { hasFinalizer, withAnnotations } from '../../engine/objects/annotations';
import { armIdOf } from '../../engine/resolve/arm-id-of';
import { azureNameOf, resolveNameFromConfig } from '../../engine/resolve/azure-name';
import { clusterValues } from '../../engine/resolve/cluster-values';
import type { ObjectLookup } from '../../engine/resolve/types';
import { AZURE_NAME_FROM_CONFIG } from '../../src/azure/annotations';
import type { KindVersion } from '../../src/catalog';

export interface ResolvedSpec {
  readonly desired: Desired;
  /** The request body before the kind's own changes. Holds secrets: it never leaves the reconcile. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Resolves the spec with all its references. Throws ResolutionError and ConversionError. */
export function resolveDesired(object: KubernetesObject, version: KindVersion, lookup: ObjectLookup, subscriptionId: string): ResolvedSpec {
  checkLocalShape(version, object.spec);
  // The name is read once, at the claim; after that the annotation holds it.
  const nameFromConfig = hasFinalizer(object) ? undefined : resolveNameFromConfig(object, version, lookup);
  const named = nameFromConfig ? withAnnotations(object, { [AZURE_NAME_FROM_CONFIG]: nameFromConfig }) : object;
  const namespace = object.metadata.namespace ?? 'default';
  const azureName = azureNameOf(named, version);
  const armId = armIdOf(named, version, lookup, subscriptionId);
  const values = clusterValues(namespace, lookup);
  const hidden: string[] = [];
  const convert = (source: ValueSource) => toArm(version, object.spec ?? {}, azureName, source);
  const shown = convert(withoutSecrets(values, namespace, lookup, hidden));
  // A body without secrets is sent as it is.
  const body = hidden.length === 0 ? shown : convert(values);
  const desired: Desired = {
    armId,
    digest: digestOf(version.facts.arm!.apiVersion, armId, shown),
    hidden: hidden.length === 0 ? '' : digestOf('', armId, hidden),
    ...(nameFromConfig ? { nameFromConfig } : {}),
  };
  return { desired, body };
}

/** The values with each secret replaced by the name and version of its Secret; these are also added to `hidden`. */
function withoutSecrets(values: ValueSource, namespace: string, lookup: ObjectLookup, hidden: string[]): ValueSource {
  const versionOf = (name: string) => {
    const { uid, resourceVersion } = lookup.find('', 'Secret', namespace, name)?.metadata ?? {};
    return `${uid}@${resourceVersion}`;
  };
  const standIn = (text: string): string => {
    hidden.push(text);
    return text;
  };
  return {
    ...values,
    secret: (name, key) => standIn(`<secret:${name}/${key} ${versionOf(name)}>`),
    secretMap: (name) => ({ '<secret>': standIn(`${name} ${versionOf(name)}`) }),
  };
}
