import type { LiveChange } from './changes';
import { CLUSTER } from './cluster-objects';
import { exportedConfigMaps, withConfigMaps, type ConfigMaps } from './known-values';
import { liveChangeOf, type LiveContext } from './live-change';
import { placeholdersIn, UNKNOWN_SUBSCRIPTION } from './placeholders';
import type { ReadOnlyClient } from './read-only-client';
import { readingOf, type Reading } from './reading';
import type { Scope } from './scope';
import type { TenantClients } from './tenant-clients';
import { parseArmId } from '../../../src/azure/arm-id';
import { Catalog } from '../../../src/catalog';
import type { ObjectSet } from '../../../src/core/rules/object-set';
import { isAzure } from '../../../src/core/rules/set-object';
import { groupOf } from '../../../src/object-id';
import { atATime } from '../../cluster/at-a-time';
import { ManifestLookup } from '../../manifests/manifest-lookup';
import { appliedKeyOf, describeObject, namespaceOf, type Manifest } from '../../manifests/manifests';
import { objectSetOf } from '../../manifests/object-set';
import type { Problem } from '../../output/problem';
import { candidateOf, planRequests, type Candidate, type Plan, type PlannedRequest } from '../requests';

/** Requests that are on their way at a time. */
const AT_A_TIME = 8;

export interface LivePlan {
  /** In the order in which the controller would go about them. */
  readonly changes: readonly LiveChange[];
  readonly problems: readonly Problem[];
}

/**
 * The actions of the controller on objects, planned against the present state of Azure. Azure is only read. Values that objects take from
 * each other's exports are worked out from Azure's answers, so what has a name from there is read in a later round.
 */
export async function livePlan(
  scope: Pick<Scope, 'manifests'> & Partial<Scope>, subscriptionId: string | undefined, own: ReadOnlyClient, tenants?: TenantClients,
): Promise<LivePlan> {
  const { manifests, isReported = () => true, isRemoved } = scope;
  const readings = new Map<string, Reading>();
  const clients = new Map<string, ReadOnlyClient>();
  const exported: ConfigMaps = new Map();
  for (;;) {
    const known = withConfigMaps(manifests, exported);
    const lookup = new ManifestLookup(known);
    const set = objectSetOf(known);
    const plan = planRequests(known, subscriptionId, { set, unknown: UNKNOWN_SUBSCRIPTION });
    const open = plan.requests.filter((request) => {
      const { manifest } = request;
      return isReported(manifest.object) && isReadable(request) && !readings.has(keyOfManifest(manifest));
    });
    if (open.length === 0) {
      const clientOf = (manifest: Manifest) => clients.get(keyOfManifest(manifest)) ?? own;
      const contextOf = (manifest: Manifest): LiveContext => ({ client: clientOf(manifest), lookup, isRemoved });
      const changes = await changesOf(onlyReported(plan, isReported), readings, contextOf);
      return { changes, problems: problemsOf(plan.problems, manifests, isReported) };
    }
    await atATime(open, AT_A_TIME, async ({ manifest, path, armApiVersion }) => {
      const { client, doubt } = await tenants?.of(tenantOf(manifest, set), subscriptionIn(path)) ?? { client: own };
      clients.set(keyOfManifest(manifest), client);
      const answer = await readingOf(client, path, armApiVersion);
      const reading = answer.kind === 'unreadable' && doubt !== undefined ? { ...answer, reason: `${answer.reason}; ${doubt}` } : answer;
      readings.set(keyOfManifest(manifest), reading);
      if (reading.kind !== 'found') return;
      for (const [key, data] of await exportedConfigMaps(asCandidate(manifest), path, reading.body, client, lookup)) {
        exported.set(key, { ...exported.get(key), ...data });
      }
    });
  }
}

async function changesOf(
  { requests, withoutRequest }: Plan, readings: ReadonlyMap<string, Reading>, contextOf: (manifest: Manifest) => LiveContext,
): Promise<LiveChange[]> {
  const changes: LiveChange[] = [];
  for (const request of requests) {
    const reading = readings.get(keyOfManifest(request.manifest));
    changes.push(await liveChangeOf(request, asCandidate(request.manifest), reading, contextOf(request.manifest)));
  }
  const others = withoutRequest.map(({ manifest, reason }): LiveChange => ({
    manifest,
    fate: 'unknown',
    properties: [],
    reason,
    notes: [],
  }));
  return [...changes, ...others];
}

function tenantOf({ object }: Manifest, set: ObjectSet): string | undefined {
  const found = set.find(groupOf(object), object.kind, namespaceOf(object), object.metadata.name);
  return found && isAzure(found) ? set.subscriptionOf(found).tenantId : undefined;
}

function subscriptionIn(path: string): string {
  return parseArmId(path)?.subscriptionId ?? '';
}

function onlyReported(plan: Plan, isReported: Scope['isReported']): Plan {
  const reported = ({ manifest }: { readonly manifest: Manifest }) => isReported(manifest.object);
  return { ...plan, requests: plan.requests.filter(reported), withoutRequest: plan.withoutRequest.filter(reported) };
}

/** Without those of objects that the plan does not report. */
function problemsOf(problems: readonly Problem[], manifests: readonly Manifest[], isReported: Scope['isReported']): Problem[] {
  const others = new Set(manifests.filter(({ object }) => !isReported(object)).map(({ object }) => describeObject(object)));
  return problems.filter(({ file, object }) => file !== CLUSTER || object === undefined || !others.has(object));
}

/** Whether its id is known, and Azure shows resources of the kind. */
function isReadable({ manifest, path }: PlannedRequest): boolean {
  return placeholdersIn(path).length === 0 && asCandidate(manifest).version.supports('GET');
}

/** Of an object that has a request; so it is one of the catalog. */
function asCandidate(manifest: Manifest): Candidate {
  return candidateOf(manifest, Catalog.default()) as Candidate;
}

function keyOfManifest({ object }: Manifest): string {
  return appliedKeyOf(object);
}
