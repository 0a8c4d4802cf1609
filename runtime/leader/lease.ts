import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';

export const LEASES: ResourceType = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };

/** The content of a Lease; the field names are those of Kubernetes. */
export interface LeaseRecord {
  /** Empty: no process holds it. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  /** RFC 3339 with microseconds. */
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions: number;
}

/** The record of a Lease; malformed fields count as absent. */
export function recordOf({ spec = {} }: KubernetesObject): LeaseRecord {
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions } = spec;
  return {
    holderIdentity: typeof holderIdentity === 'string' ? holderIdentity : '',
    leaseDurationSeconds: typeof leaseDurationSeconds === 'number' && leaseDurationSeconds > 0 ? leaseDurationSeconds : 1,
    ...(typeof acquireTime === 'string' ? { acquireTime } : {}),
    ...(typeof renewTime === 'string' ? { renewTime } : {}),
    leaseTransitions: typeof leaseTransitions === 'number' ? leaseTransitions : 0,
  };
}

/** A Lease with another record; other members stay. */
export function leaseWith(lease: KubernetesObject, record: LeaseRecord): KubernetesObject {
  return { ...lease, spec: { ...lease.spec, ...record } };
}

export function newLease(namespace: string, name: string, record: LeaseRecord): KubernetesObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec: { ...record } };
}

/** `2026-01-01T00:00:00.000000Z` */
export function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/Z$/, '000Z');
}
