import type { Construct } from 'constructs';
import type { CredentialTarget, DeliveredCredential, ICredentialDelivery, IdentityExports } from './credential-delivery-contract';
import { delivered, secretNameOf, serviceAccounts, wantsCredential } from './credential-objects';
import { WORKLOAD_CLIENT_ID } from '../../azure/annotations';
import { AsoAuthentication, AsoCredential } from '../../core';

/** The identity already exists in Azure: the manifests contain its client id. */
export class KnownClientId implements ICredentialDelivery {
  private readonly authentication: AsoAuthentication;

  /** @throws when the text is not a UUID */
  public constructor(private readonly clientId: string) {
    this.authentication = AsoAuthentication.workloadIdentity(clientId);
  }

  public identityExports(_target: CredentialTarget): IdentityExports {
    return {};
  }

  public deliver(scope: Construct, context: CredentialTarget): DeliveredCredential {
    const { environment, namespace, subscriptionId } = context.team;
    const accounts = serviceAccounts(scope, context, { [WORKLOAD_CLIENT_ID]: this.clientId });
    if (!wantsCredential(context)) return delivered(context, { serviceAccounts: accounts });
    const credential = new AsoCredential(scope, 'Credential', {
      metadata: { name: secretNameOf(context), namespace },
      subscriptionId,
      tenantId: environment.tenantId,
      authentication: this.authentication,
    });
    return delivered(context, { secret: credential.secret, serviceAccounts: accounts });
  }
}
