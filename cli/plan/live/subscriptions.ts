import { NAMESPACE_CREDENTIAL } from './cluster-objects';
import { CREDENTIAL_FROM } from '../../../src/azure/annotations';
import { graphObjectOf } from '../../../src/core/graph/manifest-object';
import type { ManifestLookup } from '../../manifests/manifest-lookup';
import { namespaceOf } from '../../manifests/manifests';
import type { SubscriptionOf } from '../planned-values';


/** The subscription of the credential Secret that applies to an object, where that is known; else the one that was given. */
export function subscriptionsOf(lookup: ManifestLookup, given: string): SubscriptionOf {
  return (object) => {
    const credential = object.metadata.annotations?.[CREDENTIAL_FROM] ?? NAMESPACE_CREDENTIAL;
    const secret = lookup.find('', 'Secret', namespaceOf(object), credential);
    return (secret && graphObjectOf(secret)?.subscriptionId) ?? given;
  };
}
