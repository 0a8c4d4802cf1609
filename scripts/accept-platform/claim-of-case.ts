/** A claim of a case. */
export interface ClaimOfCase {
  readonly kind: 'Team' | 'Service';
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec: object;
}
