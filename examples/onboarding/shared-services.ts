import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Environment } from './environment';
import { AsoAuthentication, AsoCredential, dbforpostgresql, resources, servicebus } from 'cdk8s-aso';

/** The services that all teams share, and the credential under which the platform creates them. */
export class SharedServices extends Chart {
  public readonly serviceBus: servicebus.Namespace;
  public readonly postgres: dbforpostgresql.FlexibleServer;

  public constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id, { namespace: environment.platformNamespace });
    const { location } = environment;

    new AsoCredential(this, 'credential', {
      subscriptionId: environment.subscriptionId,
      tenantId: environment.tenantId,
      authentication: AsoAuthentication.workloadIdentity(environment.platformIdentityClientId),
    });

    const owner = new resources.ResourceGroup(this, 'group', { metadata: { name: environment.sharedResourceGroup }, location });

    this.serviceBus = new servicebus.Namespace(this, 'service-bus', {
      metadata: { name: environment.serviceBusNamespace },
      owner,
      location,
      sku: { name: servicebus.SBSkuName.STANDARD, tier: servicebus.SBSkuTier.STANDARD },
    });

    // Entra authentication only: there is no administrator password to keep.
    this.postgres = new dbforpostgresql.FlexibleServer(this, 'postgres', {
      metadata: { name: environment.postgresServer },
      owner,
      location,
      version: dbforpostgresql.FlexibleServerVersion.V16,
      sku: { name: 'Standard_B2s', tier: dbforpostgresql.SkuTier.BURSTABLE },
      storage: { storageSizeGB: 32 },
      authConfig: {
        activeDirectoryAuth: dbforpostgresql.ActiveDirectoryAuth.ENABLED,
        passwordAuth: dbforpostgresql.PasswordAuth.DISABLED,
        tenantId: environment.tenantId,
      },
    });
  }
}
