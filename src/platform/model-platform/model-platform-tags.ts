import { elementAt } from '../../util/elements';
import type { IServiceTags } from '../model/conventions';
import { PlatformProblems } from '../model/problems';
import type { ServiceOfTeam } from '../naming/service-naming';

/** The nine tags of the model platform. */
export class ModelPlatformTags implements IServiceTags {
  /**
   * Tags for environment, finance code, service, cluster and namespace, and for the restriction to automated changes.
   * @throws when the team has no service code
   */
  public tags({ team, service }: ServiceOfTeam): { [key: string]: string } {
    const { serviceCode } = team.team.props;
    const problems = new PlatformProblems(`Team '${team.team.name}'`);
    problems.require('serviceCode', serviceCode, 'Give the team its finance code: it goes into tags.');
    problems.throwIfAny();
    return {
      Environment: team.environment.name,
      ServiceCode: serviceCode!,
      ServiceName: service,
      ServiceType: 'Dedicated',
      ManagedBy: 'AzureServiceOperator',
      Restriction: 'AUTOMATED CHANGES ONLY',
      kubernetes_cluster: elementAt(team.environment.clusters, 0).name,
      kubernetes_namespace: team.namespace,
      kubernetes_label_ServiceCode: serviceCode!,
    };
  }
}
