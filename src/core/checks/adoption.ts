import { ADOPT } from '../../azure/annotations';
import { AdoptionPolicy } from '../adoption-policy';
import { notOneOf } from '../aspects/one-of';
import { ReconcilePolicy } from '../reconcile-policy';


/** Problems of a declared adoption: `adopt` in the props, the user's annotation, and the effective reconcile policy. */
export function adoptionProblems(adopt: AdoptionPolicy | undefined, annotation: string | undefined, policy: string | undefined): string[] {
  if (adopt !== undefined && annotation !== undefined && annotation !== adopt) {
    return [`adopt: contradicts the annotation ${ADOPT} in metadata. Give one of them.`];
  }
  const value = adopt ?? annotation;
  if (value === undefined) return [];
  const bad = notOneOf(value, AdoptionPolicy);
  if (bad) return [`adopt: ${bad}`];
  if (policy !== ReconcilePolicy.SKIP) return [];
  return [`adopt: '${value}' says what may be managed, but the reconcile policy 'skip' manages nothing. Give 'adopt' in the place of 'skip' once the resource is to be managed, or leave it out.`];
}
