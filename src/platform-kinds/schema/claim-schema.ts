import type { Field } from './field';
import type { ClaimSchema, SchemaIssue } from '../../platform-api';

/** The schema of a claim's spec. */
export function claimSchema<Spec>({ schema, read }: Field): ClaimSchema<Spec> {
  return {
    '~standard': {
      version: 1,
      vendor: 'cdk8s-aso',
      validate: (value) => {
        const issues: SchemaIssue[] = [];
        const spec = read(value, [], issues) as Spec;
        return issues.length > 0 ? { issues } : { value: spec };
      },
      jsonSchema: { input: () => ({ ...schema }) },
    },
  };
}
