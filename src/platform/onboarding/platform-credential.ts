import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { WORKLOAD_SERVICE_ACCOUNT } from './federations';
import { AsoAuthentication, AsoCredential } from '../../core';
import { WorkloadIdentityMode } from '../model/cluster';
import type { Environment } from '../model/environment';
import { PlatformProblems } from '../model/problems';
import { markAsPlatformMade } from '../policy/platform-made';

/** Whose credential it is. */
export interface PlatformCredentialProps {
  /** The environment; `platform.identityClientId` says which identity. */
  readonly environment: Environment;
}

/**
 * The credential of the platform's namespace: with it the operator makes groups, identities, trust and roles. It is the most powerful one of
 * the environment, so nobody but the platform may write to that namespace.
 *
 * A strict operator signs in with the service account `aso-workload`, which is made too. The platform's identity has to trust it
 * (`system:serviceaccount:<platform namespace>:aso-workload`): say so where the identity is made, because the operator could only do it with
 * that very identity.
 */
export class PlatformCredential extends Construct {
  /** The credential. */
  public readonly credential: AsoCredential;
  /** The service account with whose token the operator signs in for the platform's namespace when it is strict; none in a relaxed environment. */
  public readonly serviceAccount?: ApiObject;

  /**
   * @param scope a chart, or a construct in one
   * @param id name of the construct in its scope
   * @param props the environment
   * @throws when the environment does not know the platform's identity
   */
  public constructor(scope: Construct, id: string, props: PlatformCredentialProps) {
    super(scope, id);
    markAsPlatformMade(this);
    const { platform, platformNamespace: namespace, subscriptionId, tenantId } = props.environment;
    const problems = new PlatformProblems(`[${this.node.path}] PlatformCredential of '${props.environment.name}'`);
    problems.require('platform.identityClientId', platform.identityClientId, 'Give the environment the client id of the identity under which the operator acts for the platform.');
    problems.throwIfAny();
    const authentication = AsoAuthentication.workloadIdentity(platform.identityClientId!);
    this.credential = new AsoCredential(this, 'credential', { metadata: { namespace }, subscriptionId, tenantId, authentication, grantedRoles: platform.roles });
    if (props.environment.workloadIdentity !== WorkloadIdentityMode.RELAXED) {
      const metadata = { name: WORKLOAD_SERVICE_ACCOUNT, namespace };
      this.serviceAccount = new ApiObject(this, 'workload-service-account', { apiVersion: 'v1', kind: 'ServiceAccount', metadata, automountServiceAccountToken: false });
    }
  }
}
