import type { Stored } from './policy';

/** Kinds that members of a team make by themselves (docs/guard-rails.md, a catalogue of components). */
const KINDS = ['UserAssignedIdentity', 'FederatedIdentityCredential', 'RoleAssignment', 'StorageAccount'];
/** Annotations of the operator that members may set. */
const ANNOTATIONS = ['serviceoperator.azure.com/credential-from', 'serviceoperator.azure.com/reconcile-policy'];
const OF_OPERATOR = /^(serviceoperator\.azure\.com|aso\.cdk8s\.io)\//;
const FROM = 'serviceoperator.azure.com/credential-from';
/** Characters that no name may have: they lead to another resource. */
const SEPARATORS = /[/\\?#%]/;
const CREDENTIALS = ['aso-credential', 'aso-controller-settings'];

/** The resource groups of a team: its names begin with its namespace. */
export function groupsOf(namespace: string, subscription: string): readonly string[] {
  return ['rg', 'rg2'].map((name) => `/subscriptions/${subscription}/resourceGroups/${namespace}${name}`.toLowerCase());
}

/** Whether a resource is one of a team's groups, or lies in one. */
export function isOfTeam(path: string, namespace: string, subscription: string): boolean {
  const id = path.toLowerCase();
  return groupsOf(namespace, subscription).some((group) => id === group || id.startsWith(`${group}/`));
}

/** Which limit refuses an object that a member of a team applies, as docs/guard-rails.md has them; undefined: none. */
export function refusedBy({ kind, metadata, spec = {} }: Stored, subscription: string): string | undefined {
  const { namespace = '', annotations = {} } = metadata;
  if (!KINDS.includes(kind)) return 'self-service-kind';
  const { armId } = (spec.owner ?? {}) as { readonly armId?: string };
  if (armId !== undefined && (armId.includes('/..') || !isOfTeam(armId, namespace, subscription))) return 'self-service-owner';
  if (typeof spec.azureName === 'string' && SEPARATORS.test(spec.azureName)) return 'self-service-name';
  if (Object.keys(annotations).some((key) => OF_OPERATOR.test(key) && !ANNOTATIONS.includes(key))) return 'self-service-annotation';
  if (annotations[FROM] !== undefined) return 'self-service-credential';
  const isCredential = CREDENTIALS.some((name) => JSON.stringify(spec.operatorSpec ?? {}).includes(`"${name}"`));
  return isCredential ? 'self-service-export' : undefined;
}
