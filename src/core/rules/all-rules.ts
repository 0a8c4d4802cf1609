import { ANNOTATION_RULES } from './annotation-rules';
import { CREDENTIAL_RULES } from './credential-rules';
import { DATA_RULES } from './data-rules';
import { DESTINATION_RULES } from './destination-rules';
import { FEDERATION_RULES } from './federation-rules';
import { KIND_RULES } from './kind-rules';
import { REFERENCE_RULES } from './reference-rules';
import { RESOURCE_RULES } from './resource-rules';
import { ROLE_RULES } from './role-rules';
import type { Rule } from './rule';
import { SCHEMA_RULES } from './schema-rules';

/** Every rule, in the order in which they are documented (docs/checks.md). */
export const ALL_RULES: readonly Rule[] = [
  ...SCHEMA_RULES,
  ...REFERENCE_RULES,
  ...DESTINATION_RULES,
  ...RESOURCE_RULES,
  ...ANNOTATION_RULES,
  ...KIND_RULES,
  ...ROLE_RULES,
  ...FEDERATION_RULES,
  ...CREDENTIAL_RULES,
  ...DATA_RULES,
];
