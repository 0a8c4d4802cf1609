import type { AzureResourceProps } from '../azure-resource-props';
import { ReconcilePolicy } from '../reconcile-policy';
import { shown } from '../schema/conversion';
import { suggestion } from '../schema/nearest';

export const POLICY_ANNOTATION = 'serviceoperator.azure.com/reconcile-policy';
export const CREDENTIAL_ANNOTATION = 'serviceoperator.azure.com/credential-from';

const POLICIES: string[] = Object.values(ReconcilePolicy);

/** Problems with policy and credential, whether given as props or as annotations. */
export function annotationProblems({ metadata, reconcilePolicy, credential }: AzureResourceProps): string[] {
  const problems: string[] = [];
  const annotations = metadata?.annotations ?? {};
  const policy = reconcilePolicy ?? annotations[POLICY_ANNOTATION];
  if (policy !== undefined && !POLICIES.includes(policy)) {
    // The controller takes an unknown policy for `manage` and may then delete what was to be kept.
    problems.push(`reconcilePolicy: ${shown(policy)} is not a policy.${suggestion(String(policy), POLICIES)} Allowed: ${POLICIES.join(', ')}.`);
  }
  if (contradicts(annotations[POLICY_ANNOTATION], reconcilePolicy)) problems.push(`reconcilePolicy: contradicts the annotation ${POLICY_ANNOTATION} in metadata. Give one of them.`);
  if (contradicts(annotations[CREDENTIAL_ANNOTATION], credential?.secretName)) problems.push(`credential: contradicts the annotation ${CREDENTIAL_ANNOTATION} in metadata. Give one of them.`);
  return problems;
}

function contradicts(annotation: string | undefined, prop: string | undefined): boolean {
  return annotation !== undefined && prop !== undefined && annotation !== prop;
}
