import { kindFindings } from './kind-findings';
import { capitalized } from '../../util/words';
import type { AzureResource } from '../azure-resource';
import { isKubernetesName, KUBERNETES_NAME_RULE } from '../kubernetes-name';
import { Conversion, shown } from '../schema/conversion';

/** What is wrong with one object besides its spec's schema: its Kubernetes name, and what its kind asks for. */
export function objectProblems(resource: AzureResource, spec: Record<string, unknown>, azureName: unknown, run: Conversion): string[] {
  const { apiGroup, kind, name } = resource;
  const problems = isKubernetesName(name) ? [] : [`metadata.name: ${shown(name)} is not the name of a Kubernetes object. Use ${KUBERNETES_NAME_RULE}; the name in Azure is azureName.`];
  // What is faulty stands in the spec as if it were missing.
  if (run.problems.length > 0) return problems;
  for (const { field, message, fix } of kindFindings(apiGroup, kind, spec, typeof azureName === 'string' ? azureName : undefined)) {
    problems.push(`${field === '' ? 'spec' : field}: ${message}. ${capitalized(fix)}.`);
  }
  return problems;
}
