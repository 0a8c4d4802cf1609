import { BuiltInRole, Region, RemovalPolicy } from 'cdk8s-aso';

/** A team and the resources reserved for it. */
export interface Team {
  /** The team's namespace, e.g. `fin-ledger`; the team's other names are derived from it. */
  readonly namespace: string;
  readonly resourceGroup: string;
  /** Three to twenty-four lower-case letters and digits, unique in all of Azure. */
  readonly storageAccount: string;
  /**
   * Client id of the team's identity. Azure assigns it when the identity is created, so the platform knows it only after
   * the first reconcile: read it from the ConfigMap `<namespace>-mi-credential` and enter it here. Until then use any UUID;
   * the objects in the team's own namespace wait.
   */
  readonly identityClientId: string;
}

/** One environment of the platform: a subscription, a cluster, shared services and the teams. */
export interface Environment {
  readonly location: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** Part of the names of the objects of role assignments. */
  readonly subscriptionName: string;
  readonly clusterOidcIssuerUrl: string;
  /** Namespace of the platform's own objects, whose credential has rights on the whole subscription. */
  readonly platformNamespace: string;
  readonly platformIdentityClientId: string;
  readonly operatorNamespace: string;
  readonly operatorServiceAccount: string;
  readonly sharedResourceGroup: string;
  readonly serviceBusNamespace: string;
  readonly postgresServer: string;
  readonly identityPrefix: string;
  /** The role of a team on the shared Service Bus; `BuiltInRole.custom(id)` for a narrower role of your own. */
  readonly serviceBusRole: BuiltInRole;
  /** The role of a team on the shared database server. */
  readonly databaseRole: BuiltInRole;
  /**
   * Removal policy of resource groups and of resources with data, which applies when their objects are deleted, for example after a team
   * is removed from the list: `RETAIN` leaves them in Azure, `DESTROY` deletes them.
   */
  readonly dataRemoval: RemovalPolicy;
  readonly teams: Team[];
}

/** The first development environment. All values are made up. */
export const dev1: Environment = {
  location: Region.UK_SOUTH,
  tenantId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11',
  subscriptionId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
  subscriptionName: 'azr-orc-dev1',
  clusterOidcIssuerUrl: 'https://uksouth.oic.prod-aks.azure.com/7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11/5d0e9b7c-1a2f-4c38-b6d4-93e8f7a0c2d6/',
  platformNamespace: 'platform',
  platformIdentityClientId: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486',
  operatorNamespace: 'azureserviceoperator-system',
  operatorServiceAccount: 'azureserviceoperator-default',
  sharedResourceGroup: 'devorcinfrg1401',
  serviceBusNamespace: 'devorcinfsb1401',
  postgresServer: 'devorcdbsps1401',
  identityPrefix: 'devorcinfmid1401',
  serviceBusRole: BuiltInRole.SERVICE_BUS_DATA_OWNER,
  databaseRole: BuiltInRole.CONTRIBUTOR,
  dataRemoval: RemovalPolicy.RETAIN,
  teams: [
    {
      namespace: 'orchard-harvest',
      resourceGroup: 'devorcinfrg1401-orchard-harvest',
      storageAccount: 'devorcharvestst1401',
      identityClientId: '3e9a7d51-c2b4-4680-9f1e-a8d0c6b25e73',
    },
    {
      namespace: 'orchard-market',
      resourceGroup: 'devorcinfrg1401-orchard-market',
      storageAccount: 'devorcmarketst1401',
      identityClientId: '91c4e8b6-5d7f-4a23-8b0c-f2e6a9d13b58',
    },
  ],
};
