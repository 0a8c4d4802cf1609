/** Marks the objects that the admission policy protects. */
export const REMOVAL_ANNOTATION = 'aso.cdk8s.io/removal-policy';

/** Names the properties that others may change: a JSON list of paths in the spec. */
export const IGNORE_CHANGES_ANNOTATION = 'aso.cdk8s.io/ignore-changes';
