import { Construct, IConstruct } from 'constructs';
import { Catalog } from '../../catalog/catalog';
import { AzureResource } from '../azure-resource';
import type { ConfigMapValue } from '../config-map-value';
import type { IAzureResourceRef } from '../resource-reference';
import type { Given, Identity } from './identity';
import type { WorkloadFederationProps } from './workload-identity-options';
import { formatValue } from '../schema/conversion';

const GROUP = 'managedidentity.azure.com';
const KIND = 'FederatedIdentityCredential';

/** The tokens that an identity has to trust. */
export interface Trust {
  readonly issuer: Given;
  readonly audience: string;
  readonly subject: string;
}

interface FederationProps extends WorkloadFederationProps {
  readonly owner: IAzureResourceRef;
  readonly issuer?: string;
  readonly issuerFromConfig?: ConfigMapValue;
  readonly audiences: string[];
  readonly subject: string;
}

/** The federated credential of one service account. */
class Federation extends AzureResource {
  public constructor(scope: Construct, id: string, public readonly trust: Trust, props: FederationProps) {
    super(scope, id, { group: GROUP, kind: KIND, version: Catalog.default().kind(GROUP, KIND)!.latest.name }, props);
  }
}

/**
 * The federated credential for a service account. Its parent is the service account, not a workload: its name does not change when
 * workloads are added or removed, and workloads with the same account share it (Azure allows an issuer and subject once).
 */
export function federationOf(
  account: IConstruct, identity: Identity, trust: Trust, namespace: string, given: WorkloadFederationProps | undefined, where: string,
): AzureResource {
  const id = `federation-${identity.label}`;
  const known = account.node.tryFindChild(id);
  if (known instanceof Federation) return shared(known as Federation, trust, given, where);
  const { issuer, audience, subject } = trust;
  return new Federation(account as Construct, id, trust, {
    owner: identity.reference,
    ...(typeof issuer === 'string' ? { issuer } : { issuerFromConfig: issuer }),
    audiences: [audience],
    subject,
    ...given,
    // The controller looks for the owner in the namespace of the federated credential.
    metadata: { ...given?.metadata, namespace: given?.metadata?.namespace ?? identity.construct?.metadata.namespace ?? namespace },
  });
}

/** @throws when no issuer is set, or two, or one that Entra would refuse */
export function issuerOf(literal: string | undefined, fromConfig: ConfigMapValue | undefined, where: string): Given {
  if (literal !== undefined && fromConfig !== undefined) {
    throw new Error(`[${where}] issuer: is given twice. Give issuer or issuerFromConfig.`);
  }
  if (fromConfig !== undefined) return fromConfig;
  if (literal === undefined) {
    throw new Error(`[${where}] issuer: is missing. Give the OpenID Connect issuer of the pods' cluster (az aks show --query oidcIssuerProfile.issuerUrl), or issuerFromConfig: cluster.outputs.oidcIssuerUrl if that is a ManagedCluster of the app; or federate: false where the federated credential exists.`);
  }
  if (!URL.canParse(literal) || new URL(literal).protocol !== 'https:') {
    throw new Error(`[${where}] issuer: ${formatValue(literal)} is no https:// URL. Give the issuer exactly as the cluster's tokens have it.`);
  }
  return literal;
}

function shared(
  known: Federation,
  { issuer, audience, subject }: Trust,
  given: WorkloadFederationProps | undefined,
  where: string,
): AzureResource {
  const same = sameValue(known.trust.issuer, issuer) && known.trust.audience === audience && known.trust.subject === subject;
  if (!same) {
    throw new Error(`[${where}] the federated credential '${known.node.path}' of the same service account and identity has another issuer, audience or subject. Give the same ones: a service account lives in one cluster and one namespace.`);
  }
  if (given !== undefined) throw new Error(`[${where}] federatedCredential: '${known.node.path}' exists already. Give these props to the first workload of the service account only.`);
  return known;
}

function sameValue(one: Given, other: Given): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.configMapName === other.configMapName && one.key === other.key;
}
