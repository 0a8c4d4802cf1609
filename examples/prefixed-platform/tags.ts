import type { IServiceTags, ServiceOfTeam } from 'cdk8s-aso/platform';

/** The nine tags of this platform's resources. */
export class FinanceTags implements IServiceTags {
  /**
   * Tags for environment, finance code, service, cluster and namespace, and for the restriction to automated changes.
   * @throws when the team has no service code
   */
  public tags({ team, service }: ServiceOfTeam): { [key: string]: string } {
    const { serviceCode } = team.team.props;
    if (!serviceCode) throw new Error(`Team '${team.team.name}': serviceCode: required. Give the team its finance code: it goes into tags.`);
    const { environment, namespace } = team;
    return {
      Environment: environment.name,
      ServiceCode: serviceCode,
      ServiceName: service,
      ServiceType: 'Dedicated',
      ManagedBy: 'AzureServiceOperator',
      Restriction: 'AUTOMATED CHANGES ONLY',
      kubernetes_cluster: environment.clusters[0]?.name ?? '',
      kubernetes_namespace: namespace,
      kubernetes_label_ServiceCode: serviceCode,
    };
  }
}
