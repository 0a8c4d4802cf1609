import type { ArgoDestination } from './argo-destination';
import type { ArgoSource } from './argo-source';
import type { ArgoSyncPolicy } from './argo-sync';
import { someOf, type PropChecks } from './prop-checks';
import { omitUndefined } from '../util/records';

const OWN_CLUSTER = 'https://kubernetes.default.svc';

export function destinationSpec({ server, name, namespace }: ArgoDestination): object {
  return omitUndefined({ server: server ?? (name === undefined ? OWN_CLUSTER : undefined), name, namespace });
}

/** Adds the problems of a source. */
export function checkSource(checks: PropChecks, field: string, source: ArgoSource): void {
  const { repoUrl, chart, targetRevision, path, recurse } = source;
  checks.require(`${field}.repoUrl`, repoUrl, 'Give the URL of the Git or Helm repository.');
  if (chart === '') checks.add(`${field}.chart`, 'is empty. Give the name of the chart, or leave it out for a folder of a Git repository.');
  if (chart && !targetRevision) checks.add(`${field}.targetRevision`, 'required. Give the version of the chart, e.g. 2.13.0.');
  if (chart && path !== undefined) checks.add(`${field}.path`, 'is given together with chart. A chart has no path: leave it out.');
  if (chart && recurse) checks.add(`${field}.recurse`, 'is given together with chart. It is for folders of plain manifests.');
  if (repoUrl?.startsWith('oci://')) checks.add(`${field}.repoUrl`, `'${repoUrl}' has a scheme that Argo CD does not take. Leave oci:// out.`);
}

export function sourceSpec({ repoUrl, targetRevision, path, chart, helm, recurse, ref }: ArgoSource): object {
  return omitUndefined({
    repoURL: repoUrl,
    targetRevision: targetRevision ?? 'HEAD',
    path: chart === undefined ? path ?? '.' : undefined,
    chart,
    helm: helm && omitUndefined({
      releaseName: helm.releaseName, valuesObject: helm.values, valueFiles: someOf(helm.valueFiles), skipCrds: helm.skipCrds,
    }),
    directory: recurse ? { recurse } : undefined,
    ref,
  });
}

/** Adds the problems of a policy. */
export function checkSync(checks: PropChecks, { options = [], retry = {} }: ArgoSyncPolicy): void {
  options.forEach((option, index) => {
    const field = `syncPolicy.options[${index}]`;
    if (!/^[A-Z][A-Za-z]+=\S+$/.test(option)) checks.add(field, `'${option}' is no option. Write it like ApplyOutOfSyncOnly=true.`);
    if (/^Replace=true$/i.test(option)) {
      checks.add(field, "'Replace=true' takes the annotations away in which the operator keeps ids. Leave it out; ServerSideApply=true is set.");
    }
  });
  checks.duration('syncPolicy.retry.duration', retry.duration);
  checks.duration('syncPolicy.retry.maxDuration', retry.maxDuration);
  if (retry.limit !== undefined && (!Number.isInteger(retry.limit) || retry.limit < -1)) {
    checks.add('syncPolicy.retry.limit', `'${retry.limit}' is no number of retries. Give a whole number, or -1 for unlimited.`);
  }
}

/** @param respectsIgnored whether differences are ignored, which then are not applied either */
export function syncSpec(policy: ArgoSyncPolicy, respectsIgnored: boolean): object {
  const { automated, retry = {} } = policy;
  return omitUndefined({
    automated: automated && { prune: automated.prune ?? false, selfHeal: automated.selfHeal ?? true },
    syncOptions: [
      `ServerSideApply=${policy.serverSideApply ?? true}`,
      ...(policy.createNamespace ? ['CreateNamespace=true'] : []),
      ...(respectsIgnored ? ['RespectIgnoreDifferences=true'] : []),
      ...(policy.options ?? []),
    ],
    retry: {
      limit: retry.limit ?? 5,
      backoff: { duration: retry.duration ?? '10s', factor: 2, maxDuration: retry.maxDuration ?? '3m' },
    },
  });
}
