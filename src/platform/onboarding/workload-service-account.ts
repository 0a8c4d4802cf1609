import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { serviceAccountOf } from './service-account';
import { UUID } from '../../azure/uuid';
import { isKubernetesName } from '../../core/kubernetes-name';
import { PlatformProblems } from '../model/problems';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { markAsPlatformMade } from '../policy/platform-made';


/** Properties of a `WorkloadServiceAccount`. */
export interface WorkloadServiceAccountProps {
  /** The team; the service account is in its namespace. */
  readonly team: TeamInEnvironment;
  /** Name of the service account, equal to that of the service, e.g. `fin-ledger-postings`. */
  readonly name: string;
  /** Client id, a UUID, of the service's identity. If it is unknown, use a credential delivery. */
  readonly clientId: string;
}

/** The service account of one service, for the part of a deployment that follows the creation of the service's identity. */
export class WorkloadServiceAccount extends Construct {
  /** The ServiceAccount. */
  public readonly serviceAccount: ApiObject;

  /**
   * @param scope a chart, or a construct in one
   * @param id name of the construct in its scope
   * @param props team, name and client id
   * @throws when the name or the client id is missing or malformed
   */
  public constructor(scope: Construct, id: string, props: WorkloadServiceAccountProps) {
    super(scope, id);
    markAsPlatformMade(this);
    const { team, name, clientId } = props;
    const problems = new PlatformProblems(`[${this.node.path}] WorkloadServiceAccount`);
    if (!isKubernetesName(name)) {
      problems.add('name', `'${name ?? ''}' is no name of a service account. Write lower-case letters, digits, '-' and '.'.`);
    }
    if (!UUID.test(clientId ?? '')) {
      problems.add('clientId', `'${clientId ?? ''}' is no UUID. Give the client id of the service's identity.`);
    }
    problems.throwIfAny();
    this.serviceAccount = serviceAccountOf(
      this,
      'service-account',
      team.namespace,
      name,
      clientId,
      team.environment.conventions.labels?.serviceAccount(team),
    );
  }
}
