import { batchedLoad } from './drift-detection';
import { loadOf, percent, shortestPeriodSeconds, soonest } from './load';
import type { BucketReport, CapacityReport, KindReport, Phase, SharedSubscription } from './report';
import { NOTHING, plus, requestCostOf, type RequestCost, type Requests } from './request-cost';
import { ExportError } from '../../engine/export/types';
import { parseArmId } from '../../src/azure/arm-id';
import { ALL_PRINCIPALS_FACTOR } from '../../src/azure/arm-request-limits';
import { evaluate, type Evaluated } from '../../src/core/credentials/scopes/evaluate';
import type { ObjectSet } from '../../src/core/rules/object-set';
import type { AzureObject } from '../../src/core/rules/set-object';
import { objectTitleOf } from '../../src/object-id';
import { describeManifest, fieldOf, type Manifest } from '../manifests/manifests';
import { objectSetOf } from '../manifests/object-set';
import type { Problem } from '../output/problem';
import { expectedTimeOf } from '../plan/expected-time';
import { nodeKeyOf, readyTimes } from '../plan/ready-times';

export interface CapacityOptions {
  /** Sync period in milliseconds; absent: objects are never synced again. */
  readonly syncPeriod?: number | undefined;
  /** The subscription of credentials that name none. */
  readonly subscriptionId?: string | undefined;
}

const HOUR = 3_600_000;

type NonEmpty<T> = readonly [T, ...T[]];

/** An object with its subscription, its principal and its requests. */
interface Costed {
  readonly one: Evaluated;
  readonly cost: RequestCost;
  readonly isOnlyRead: boolean;
  /** Seconds until the object is Ready, including the time until its dependencies are Ready. */
  readonly readyAfter: number;
}

/** Requests and times of the objects of files, by token bucket. */
export function capacityOf(manifests: readonly Manifest[], options: CapacityOptions): { report: CapacityReport; problems: Problem[] } {
  const set = objectSetOf(manifests);
  const times = readyTimes(manifests, undefined, set);
  const problems: Problem[] = [];
  const { resources } = evaluate(set, {
    onlyKnown: true,
    ...(options.subscriptionId === undefined ? {} : { subscriptionId: options.subscriptionId }),
  });
  const inArm = resources.filter(({ object: { version } }) => version.isArm);
  const costed = inArm.flatMap((one): Costed[] => {
    const { object } = one;
    const isOnlyRead = set.policyOf(object) === 'skip';
    try {
      return [
        {
          one,
          cost: requestCostOf({ ...object, isOnlyRead, isBelowNewGroup: isBelowNewGroup(set, object) }),
          isOnlyRead,
          readyAfter: times.readyAfter.get(nodeKeyOf(object)) ?? 0,
        },
      ];
    } catch (error) {
      const manifest = manifests[object.index];
      if (!manifest || !(error instanceof ExportError)) throw error;
      problems.push(exportProblem(manifest, error));
      return [];
    }
  });
  const buckets = [...grouped(costed, bucketKey).values()].map((members) => bucketReport(members, options.syncPeriod));
  const report: CapacityReport = {
    ...(options.syncPeriod === undefined ? {} : { syncPeriodSeconds: options.syncPeriod / 1000 }),
    objects: inArm.length,
    elsewhere: resources.length - inArm.length,
    buckets,
    shared: sharedSubscriptions(buckets),
    kinds: [...grouped(costed, ({ one: { group, kind } }) => `${group}/${kind}`).values()].map(kindReport).sort(byCount),
    readySeconds: Math.max(times.seconds, ...buckets.map(({ firstCreation: { seconds } }) => seconds)),
    criticalPath: times.path.map(objectTitleOf),
    guessed: times.guessed,
  };
  return { report, problems };
}

/** Whether the object is in a resource group of the same files that the controller makes. */
function isBelowNewGroup(set: ObjectSet, object: AzureObject, deepest = DEEPEST_TREE): boolean {
  const owner = set.ownerOf(object);
  if (!owner || deepest === 0 || set.policyOf(owner) === 'skip') return false;
  return owner.kind === 'ResourceGroup' || isBelowNewGroup(set, owner, deepest - 1);
}

/** Owners of owners; files may have a cycle. */
const DEEPEST_TREE = 20;

function exportProblem(manifest: Manifest, { message }: ExportError): Problem {
  const field = 'spec.operatorSpec.secretExpressions';
  return {
    file: manifest.file,
    line: manifest.lineOf(field.split('.')),
    object: describeManifest(manifest),
    field: fieldOf(manifest, field),
    message,
    fix: 'correct the expression; the object is not counted',
  };
}

/** The token bucket (subscription and principal) that the requests for an object are charged to. */
function placeOf({
  armId,
  subscriptionId,
  principal,
  secret,
  object,
}: Evaluated): Pick<BucketReport, 'subscription' | 'tenant' | 'principal'> {
  const inId = armId === undefined ? undefined : parseArmId(armId)?.subscriptionId;
  const tenant = armId !== undefined ? inId === undefined : object.version.facts.scope === 'tenant';
  const named = principal ?? (secret === undefined ? undefined : `whoever ${secret} names`);
  return { subscription: tenant ? undefined : (inId ?? subscriptionId)?.toLowerCase(), tenant, principal: named };
}

function bucketKey({ one }: Costed): string {
  const { subscription, tenant, principal } = placeOf(one);
  return JSON.stringify([subscription ?? null, tenant, principal ?? null]);
}

function bucketReport(members: NonEmpty<Costed>, syncPeriod: number | undefined): BucketReport {
  const total = (of: (cost: RequestCost) => Requests) => plus(...members.map(({ cost }) => of(cost)));
  const sync = total((cost) => cost.sync);
  const place = placeOf(members[0].one);
  // Batch drift detection does not cover resources above subscriptions: the controller reads each of them by itself.
  const batched = place.tenant
    ? { sync, queries: 0 }
    : batchedLoad(members.map(({ one, cost }) => ({ armType: one.object.version.facts.arm!.type, armId: one.armId, cost })), syncPeriod);
  const create = total((cost) => cost.create);
  const sent = soonest(create);
  const criticalPathSeconds = members.reduce((most, { readyAfter }) => Math.max(most, readyAfter), 0);
  const asoPuts = members.reduce((sum, { cost }) => sum + cost.asoPuts, 0);
  const aso = total((cost) => cost.aso);
  return {
    ...place,
    secrets: [...new Set(members.flatMap(({ one: { secret } }) => secret ?? []))].sort(),
    objects: members.length,
    onlyRead: members.filter(({ isOnlyRead }) => isOnlyRead).length,
    steady: loadOf(batched.sync, syncPeriod),
    queriesPerHour: syncPeriod === undefined ? 0 : (batched.queries * HOUR) / syncPeriod,
    aso: {
      ...loadOf(aso, syncPeriod),
      putsPerHour: loadOf({ ...NOTHING, writes: asoPuts }, syncPeriod).perHour.writes,
      restart: phaseOf(aso),
    },
    firstCreation: {
      requests: create,
      seconds: Math.max(criticalPathSeconds, sent.seconds),
      criticalPathSeconds,
      boundBy: sent.seconds > criticalPathSeconds ? sent.slower : 'critical path',
    },
    restart: phaseOf(total((cost) => cost.restart)),
    shortestSyncPeriodSeconds: shortestPeriodSeconds(sync),
  };
}

function phaseOf(requests: Requests): Phase {
  return { requests, seconds: soonest(requests).seconds };
}

/** Subscriptions whose shared limit several principals use. */
function sharedSubscriptions(buckets: readonly BucketReport[]): SharedSubscription[] {
  return [...grouped(buckets.filter(({ subscription }) => subscription !== undefined), ({ subscription }) => subscription!)]
    .filter(([, members]) => members.length > 1)
    .map(([subscription, members]) => ({
      subscription,
      principals: members.length,
      peakPercent: percent(plus(...members.map(({ steady: { peakPerSecond } }) => peakPerSecond)), ALL_PRINCIPALS_FACTOR),
    }));
}

function kindReport(members: NonEmpty<Costed>): KindReport {
  const { group, kind, object } = members[0].one;
  const { seconds, isRecorded } = expectedTimeOf(object.version.facts.arm!.type);
  return {
    group,
    kind,
    objects: members.length,
    ...(isRecorded ? { seconds } : {}),
    create: plus(...members.map(({ cost: { create } }) => create)),
    sync: plus(...members.map(({ cost: { sync } }) => sync)),
  };
}

function byCount(a: KindReport, b: KindReport): number {
  return b.objects - a.objects || `${a.kind}.${a.group}`.localeCompare(`${b.kind}.${b.group}`, 'en');
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, NonEmpty<T>> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
