import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ASO_PREFIX, AZURE_NAME_FROM_CONFIG, isResumeToken, LIBRARY_PREFIX, RESOURCE_ID } from '../../src/azure/annotations';

/** Prefixes of the annotations that this controller (and ASO) writes or reads. Other annotations may hold secrets. */
const OWN = [ASO_PREFIX, LIBRARY_PREFIX];

/** The logged fields of an object: of the spec only the owner, no annotations of others (docs/spec/metrics.md#logging). */
export function objectFields({ metadata, spec, status }: KubernetesObject): Readonly<Record<string, unknown>> {
  const { generation, resourceVersion, uid, ownerReferences, annotations = {} } = metadata;
  const owner = spec?.owner;
  const own = Object.entries(annotations).filter(([name]) => OWN.some((prefix) => name.startsWith(prefix)));
  return {
    generation,
    resourceVersion,
    uid,
    ...(ownerReferences ? { ownerReferences } : {}),
    annotations: Object.fromEntries(own.map(([name, value]) => [name, isResumeToken(name) ? 'REDACTED' : value])),
    ...(status?.conditions ? { conditions: status.conditions } : {}),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** The name in Azure, as far as the object has it. */
export function loggedAzureName({ metadata, spec }: KubernetesObject): string | undefined {
  const { [AZURE_NAME_FROM_CONFIG]: configured, [RESOURCE_ID]: armId } = metadata.annotations ?? {};
  if (configured) return configured;
  if (typeof spec?.azureName === 'string') return spec.azureName;
  return armId?.split('/').at(-1);
}
