import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { AsoAuthentication, AsoCredential } from '../../core';
import { WorkloadIdentityMode } from '../model/cluster';
import type { Environment } from '../model/environment';
import { PlatformProblems } from '../model/problems';
import { WORKLOAD_SERVICE_ACCOUNT } from '../model/reserved-namespaces';
import { subscriptionSecretName } from '../model/subscription-credential';
import { markAsPlatformMade } from '../policy/platform-made';

/** Properties of a `PlatformCredential`. */
export interface PlatformCredentialProps {
  /** The environment; its setting `platform.identityClientId` names the identity. */
  readonly environment: Environment;
  /**
   * The subscription, a UUID, of teams with one of their own. The credential is then `aso-credential-<subscription>`, which the objects of
   * these teams in the platform's namespace name.
   * @default - that of the environment: the credential of the namespace
   */
  readonly subscriptionId?: string;
}

/**
 * The credential of the platform's namespace. The operator uses it to create groups, identities, federated credentials and roles. It is the
 * most powerful credential of the environment, so only the platform may write to that namespace.
 *
 * For a strict operator this construct also creates the service account `aso-workload`, with which the operator signs in. The platform's
 * identity must trust it (`system:serviceaccount:<platform namespace>:aso-workload`): add this federated credential where the identity is
 * created, because the operator would need that very identity to add it.
 */
export class PlatformCredential extends Construct {
  /** The credential. */
  public readonly credential: AsoCredential;
  /**
   * The service account whose token a strict operator uses to sign in for the platform's namespace; none in a relaxed environment, and none
   * with a subscription of its own: the credential of the namespace has it.
   */
  public readonly serviceAccount?: ApiObject;

  /**
   * @param scope a chart, or a construct in one
   * @param id name of the construct in its scope
   * @param props the environment
   * @throws when the environment lacks the platform's identity
   */
  public constructor(scope: Construct, id: string, props: PlatformCredentialProps) {
    super(scope, id);
    markAsPlatformMade(this);
    const { platform, platformNamespace: namespace, tenantId } = props.environment;
    const subscriptionId = props.subscriptionId ?? props.environment.subscriptionId;
    const isOther = subscriptionId.toLowerCase() !== props.environment.subscriptionId.toLowerCase();
    const problems = new PlatformProblems(`[${this.node.path}] PlatformCredential of '${props.environment.name}'`);
    problems.require(
      'platform.identityClientId',
      platform.identityClientId,
      'Give the environment the client id of the identity under which the operator acts for the platform.',
    );
    problems.throwIfAny();
    const authentication = AsoAuthentication.workloadIdentity(platform.identityClientId!);
    this.credential = new AsoCredential(this, 'credential', {
      metadata: { namespace, ...(isOther && { name: subscriptionSecretName(subscriptionId) }) },
      subscriptionId,
      tenantId,
      authentication,
      ...(platform.roles && { grantedRoles: platform.roles }),
    });
    if (!isOther && props.environment.workloadIdentity !== WorkloadIdentityMode.RELAXED) {
      const metadata = { name: WORKLOAD_SERVICE_ACCOUNT, namespace };
      this.serviceAccount = new ApiObject(this, 'workload-service-account', {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata,
        automountServiceAccountToken: false,
      });
    }
  }
}
