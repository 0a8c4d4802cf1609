import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type {
  CredentialContext,
  CredentialTarget,
  DeliveredCredential,
  ICredentialDelivery,
  IdentityExports,
} from './credential-delivery-contract';
import { delivered, secretNameOf, serviceAccounts, wantsCredential } from './credential-objects';
import { ACCEPTS_CREDENTIALS_FROM, PROPAGATE_TO } from '../../azure/annotations';

/** The controller of this package writes the ids. The identity's annotation names its targets, the Namespace's annotation its sources. */
export class ControllerPropagation implements ICredentialDelivery {
  public identityExports(_target: CredentialTarget): IdentityExports {
    return {};
  }

  public deliver(scope: Construct, context: CredentialContext): DeliveredCredential {
    const { team, identity, identityName } = context;
    const targets = [
      ...(wantsCredential(context) ? [`Secret/${team.namespace}/${secretNameOf(context)}`] : []),
      ...(context.serviceAccounts ?? []).map(({ name }) => `ServiceAccount/${team.namespace}/${name}`),
    ];
    addToList(identity, PROPAGATE_TO, targets);
    if (context.namespace && targets.length > 0) {
      addToList(context.namespace, ACCEPTS_CREDENTIALS_FROM, [`${team.environment.platformNamespace}/${identityName}`]);
    }
    return delivered(context, { serviceAccounts: serviceAccounts(scope, context) });
  }
}

/** Several identities may propagate to one namespace, and one identity to several namespaces. */
function addToList({ metadata }: ApiObject, annotation: string, entries: readonly string[]): void {
  const before = (metadata.toJson() as { annotations?: Record<string, string> } | undefined)?.annotations?.[annotation];
  const all = new Set([...(before ? before.split(',') : []), ...entries]);
  if (all.size > 0) metadata.addAnnotation(annotation, [...all].join(','));
}
