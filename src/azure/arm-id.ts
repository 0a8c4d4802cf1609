import { quotedText, resourceGroupProblem, segmentProblem } from './arm-segment';
import { withoutTrailingSlashes } from './trailing-slashes';

/** ARM resource ids: `/subscriptions/<s>/resourceGroups/<g>/providers/<P>/<type>/<name>/…`. Only handles text. */

/** The syntax that ASO accepts for `armId` (references and owners). */
export const ARM_ID_PATTERN =
  /(^(\/subscriptions\/([^/]+)(\/resourcegroups\/([^/]+))?)?\/providers\/([^/]+)\/([^/]+\/[^/]+)(\/([^/]+\/[^/]+))*$|^\/subscriptions\/([^/]+)(\/resourcegroups\/([^/]+))?$)/i;

/** The parts of an ARM id. */
export interface ArmIdParts {
  readonly subscriptionId: string | undefined;
  readonly resourceGroup: string | undefined;
  /** Provider namespace, e.g. `Microsoft.Storage`; undefined for a subscription or resource group. */
  readonly provider?: string | undefined;
  /** Type segments after the last `providers`: `['storageAccounts', 'blobServices']`. */
  readonly types: string[];
  /** Names, one for each type segment. */
  readonly names: string[];
  /** For an extension resource: the id of the resource that it extends. */
  readonly parentScope?: string | undefined;
}

export function isArmId(text: string): boolean {
  return ARM_ID_PATTERN.test(text);
}

/** Parses an ARM id; undefined if the text is none. Segment names are case-insensitive. */
export function parseArmId(id: string): ArmIdParts | undefined {
  if (!isArmId(id)) return undefined;
  const segments = id.split('/').slice(1);
  const lower = segments.map((segment) => segment.toLowerCase());
  const subscriptionId = lower[0] === 'subscriptions' ? segments[1] : undefined;
  const resourceGroup = lower[0] === 'subscriptions' && lower[2] === 'resourcegroups' ? segments[3] : undefined;
  const lastProvider = lower.lastIndexOf('providers');
  if (lastProvider < 0) return { subscriptionId, resourceGroup, types: [], names: [] };
  const pairs = segments.slice(lastProvider + 2);
  const scope = segments.slice(0, lastProvider);
  return {
    subscriptionId,
    resourceGroup,
    provider: segments[lastProvider + 1],
    types: pairs.filter((_, i) => i % 2 === 0),
    names: pairs.filter((_, i) => i % 2 === 1),
    parentScope: lower.slice(0, lastProvider).includes('providers') ? `/${scope.join('/')}` : undefined,
  };
}

/** Why a text cannot be sent as the ARM id of a resource; undefined if it can. Stricter than `isArmId`, which only checks slashes. */
export function armIdProblem(id: string): string | undefined {
  const parts = parseArmId(id);
  if (!parts) return 'is no ARM id';
  for (const segment of id.split('/').slice(1)) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return `has the segment ${quotedText(segment)}, which ${problem}`;
  }
  const wrong = parts.resourceGroup === undefined ? undefined : resourceGroupProblem(parts.resourceGroup);
  return wrong === undefined ? undefined : `has ${quotedText(parts.resourceGroup!)}, which ${wrong}`;
}

/**
 * The type of an id: `Microsoft.Storage/storageAccounts/blobServices`; `Microsoft.Resources/resourceGroups` and `…/subscriptions` for the
 * two types without provider.
 */
export function armTypeOf(id: string): string | undefined {
  const parts = parseArmId(id);
  if (!parts) return undefined;
  if (parts.provider) return [parts.provider, ...parts.types].join('/');
  return parts.resourceGroup ? 'Microsoft.Resources/resourceGroups' : 'Microsoft.Resources/subscriptions';
}

/** Compares ARM ids, which are case-insensitive. */
export function sameArmId(a: string, b: string): boolean {
  return withoutTrailingSlashes(a.toLowerCase()) === withoutTrailingSlashes(b.toLowerCase());
}
