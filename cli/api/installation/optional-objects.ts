import { clusterScopedName, metricsService, type ComposerName } from './names';
import { webhookSecret, webhookService } from '../../../composer/webhooks/webhook-names';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import {
  ADMISSION_POLICIES, ADMISSION_POLICY_BINDINGS, CERTIFICATES, ISSUERS, PROMETHEUS_RULES, SECRETS, SERVICE_MONITORS, SERVICES,
  VALIDATING_WEBHOOKS,
} from '../../cluster/resource-types';

/** An object that an installation has with some options, or with some definitions, and without them not. */
export interface OptionalObject {
  readonly type: ResourceType;
  readonly name: string;
  /** Undefined for objects without a namespace. */
  readonly namespace?: string;
}

/** Kinds of other projects: a cluster may not serve them. */
export const FOREIGN_TYPES: readonly ResourceType[] = [SERVICE_MONITORS, PROMETHEUS_RULES, CERTIFICATES, ISSUERS];

/**
 * The optional objects of a composer that an installation does not have, in the order in which they are deleted: first those that have the
 * API server call the composer.
 * @param installed the objects of the installation
 * @param served the types that the cluster serves: kinds of other projects may be missing
 */
export function optionalObjects(
  composer: ComposerName, installed: readonly Pick<KubernetesObject, 'kind' | 'metadata'>[], served: readonly ResourceType[],
): OptionalObject[] {
  const isServed = ({ group, kind }: ResourceType) =>
    !FOREIGN_TYPES.some((type) => type.kind === kind) || served.some((type) => type.group === group && type.kind === kind);
  const { name, namespace } = composer;
  const inNamespace = (type: ResourceType, of: string): OptionalObject => ({ type, name: of, namespace });
  const webhooks = inNamespace(SERVICES, webhookService(name));
  const has = ({ type, name: of }: OptionalObject) => installed.some(({ kind, metadata }) => kind === type.kind && metadata.name === of);
  const all = [
    { type: VALIDATING_WEBHOOKS, name: clusterScopedName(composer) },
    { type: ADMISSION_POLICY_BINDINGS, name: clusterScopedName(composer) },
    { type: ADMISSION_POLICIES, name: clusterScopedName(composer) },
    inNamespace(SERVICE_MONITORS, metricsService(name)),
    inNamespace(PROMETHEUS_RULES, name),
    webhooks,
    inNamespace(CERTIFICATES, webhookService(name)),
    inNamespace(ISSUERS, webhookService(name)),
    // The composer or cert-manager makes it.
    inNamespace(SECRETS, webhookSecret(name)),
  ];
  const ofCertManager = inNamespace(CERTIFICATES, webhookService(name));
  // A Secret of cert-manager's would be served for ever by a composer that makes its certificate itself, and not renewed.
  const isWanted = has(webhooks) && (has(ofCertManager) || !isServed(CERTIFICATES));
  return all.filter((one) => !has(one) && isServed(one.type) && !(one.type === SECRETS && isWanted));
}
