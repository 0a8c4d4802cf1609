import type { UpgradeFinding } from './finding';
import { minorReleases, passes, type Upgrade } from './releases';
import type { Settings } from './settings';
import { isUpTo } from '../../src/core/versions/served-version';

/** A change of the operator itself, whatever the objects. https://azure.github.io/azure-service-operator/guide/breaking-changes/ */
interface OperatorChange {
  readonly release: string;
  readonly rule: string;
  readonly severity: UpgradeFinding['severity'];
  readonly message: string;
  readonly why: string;
  readonly fix: string;
  /** Whether settings that are known make the finding superfluous, or sharpen it to an error. */
  readonly by?: (settings: Settings) => 'none' | 'error' | undefined;
}

const CHANGES: readonly OperatorChange[] = [
  {
    release: 'v2.1.0',
    rule: 'crd-pattern',
    severity: 'warning',
    message: 'the operator no longer installs CRDs that nobody asks for',
    why: 'kinds that the release adds have no CRD, and a first installation without a pattern ends at once',
    fix: 'set crdPattern to what cdk8s-aso crds --pattern prints',
  },
  {
    release: 'v2.8.0',
    rule: 'sync-period-empty',
    severity: 'info',
    message: 'an empty AZURE_SYNC_PERIOD is the default of one hour; before it turned the synchronization off',
    why: 'every object is sent to Azure once in the period',
    fix: 'set it to never where it is to stay off',
    by: ({ AZURE_SYNC_PERIOD: period }) => (period === undefined ? undefined : period === '' ? 'error' : 'none'),
  },
  {
    // https://github.com/Azure/azure-service-operator/pull/4822
    release: 'v2.15.0',
    rule: 'workers',
    severity: 'info',
    message: 'the default of MAX_CONCURRENT_RECONCILES is 4 workers a kind; before it was 1',
    why: 'the operator sends more requests at a time, and may reach the limits of the subscription',
    fix: 'set it to 1 to keep the rate',
    by: ({ MAX_CONCURRENT_RECONCILES: workers }) => (workers ? 'none' : undefined),
  },
];

/** Announced for releases that are not there yet. */
const ANNOUNCED: readonly Omit<OperatorChange, 'by'>[] = [
  {
    release: 'v2.22.0',
    rule: 'tls-1.3',
    severity: 'info',
    message: 'v2.22.0 is announced to speak TLS 1.3 by default',
    why: 'a proxy between the operator and Azure that knows TLS 1.2 alone would end its connections',
    fix: 'see that the proxy speaks TLS 1.3, or set the flag for TLS 1.2 that the release is to have',
  },
];

const WHOLE = { file: 'operator' } as const;

/** Changes of the operator, and of the way to the release. */
export function operatorFindings(upgrade: Upgrade, settings: Settings): UpgradeFinding[] {
  const changes = CHANGES.filter(({ release }) => passes(upgrade, release)).flatMap(({ by, ...change }) => {
    const verdict = by?.(settings);
    if (verdict === 'none') return [];
    return [{ ...WHOLE, ...change, ...(verdict === 'error' && { severity: verdict }) }];
  });
  const coming = ANNOUNCED.filter(({ release }) => !isUpTo(release, upgrade.to)).map((change) => ({ ...WHOLE, ...change }));
  return [...stops(upgrade), ...changes, ...coming];
}

/** https://azure.github.io/azure-service-operator/guide/upgrading/ */
function stops(upgrade: Upgrade): UpgradeFinding[] {
  const { from, to } = upgrade;
  const found: UpgradeFinding[] = [];
  if (minorReleases(upgrade) > 1) {
    found.push({
      ...WHOLE,
      severity: 'warning',
      rule: 'releases-skipped',
      message: `${from} to ${to} are ${minorReleases(upgrade)} minor releases`,
      why: 'Azure Service Operator recommends one minor release at a time, and tests only that',
      fix: 'upgrade step by step, and wait until all objects are Ready; or run this check for each step, and accept the risk',
    });
  }
  if (passes(upgrade, 'v2.4.0') && from !== undefined && isUpTo(from, 'v2.2.0')) {
    found.push({
      ...WHOLE,
      severity: 'error',
      rule: 'stop-at-release',
      release: 'v2.4.0',
      message: 'v2.4.0 has no beta versions, and takes clusters only that were cleaned of them under v2.3.0',
      why: 'the API server refuses the new CRDs while status.storedVersions names a beta version',
      fix: 'upgrade to v2.3.0, run asoctl clean crds, and go on from there',
    });
  }
  return found;
}
