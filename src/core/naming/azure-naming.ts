import { IConstruct } from 'constructs';
import { applyNaming } from './applied-naming';
import { AzureNameRules } from './azure-name-rules';
import { IAzureNamingStrategy } from './azure-naming-strategy';
import { CloudAdoptionFrameworkNaming } from './cloud-adoption-framework';
import { CloudAdoptionFrameworkOptions } from './cloud-adoption-framework-options';
import { invalidateChecks } from './invalidate-checks';
import { isTellingName } from '../../azure/names/telling-names';
import { KindSchema } from '../schema/kind-schema';

/** Ids that cdk8s omits from names, too. */
const SILENT: ReadonlySet<string> = new Set(['Default', 'Resource']);

/**
 * Derives the Azure names of resources without an explicit one. Without a naming, a resource has the same name in Azure as in Kubernetes.
 *
 * ```ts
 * AzureNaming.cloudAdoptionFramework({ workload: 'shop', environment: 'prod' }).applyTo(app);
 * ```
 *
 * Names derive from the ids of constructs, and Azure cannot rename resources: a changed id, a moved construct or a changed naming results
 * in another resource. Set `azureName` on resources that have to keep their name.
 */
export class AzureNaming {
  /**
   * Names by Microsoft's Cloud Adoption Framework, e.g. `rg-shop-prod`, `vnet-shop-hub-prod`, `stshopfilesprod`.
   * @param options the parts of the names
   * @see https://learn.microsoft.com/azure/cloud-adoption-framework/ready/azure-best-practices/resource-naming
   */
  public static cloudAdoptionFramework(options: CloudAdoptionFrameworkOptions = {}): AzureNaming {
    return new AzureNaming(new CloudAdoptionFrameworkNaming(options));
  }

  /**
   * Names by your own strategy.
   * @param strategy derives the names
   */
  public static of(strategy: IAzureNamingStrategy): AzureNaming {
    return new AzureNaming(strategy);
  }

  /** The same names as in Kubernetes, for a part of a tree to which another naming is applied. */
  public static kubernetesNames(): AzureNaming {
    return new AzureNaming();
  }

  private constructor(private readonly strategy?: IAzureNamingStrategy) {}

  /**
   * Names all resources below the scope without an `azureName`. It may be applied again further down; the nearest naming counts.
   *
   * Excluded are kinds whose names have a meaning outside of the app, such as DNS zones and records, settings of a server, and
   * administrators; and role assignments, for which there is `RoleAssignmentNaming`.
   * @param scope an app, a chart or any other construct
   */
  public applyTo(scope: IConstruct): void {
    applyNaming(scope, this);
    invalidateChecks(scope);
  }

  /**
   * The name of a resource below the scope to which the naming was applied; undefined for kinds whose names cannot be derived.
   * @internal
   */
  public _nameOf(resource: IConstruct, scope: IConstruct, schema: KindSchema): string | undefined {
    if (!this.strategy || !schema.azureNameIsFree) return undefined;
    const rules = AzureNameRules._of(schema);
    if (!rules || isTellingName(rules.armType)) return undefined;
    const below = resource.node.scopes.slice(scope.node.scopes.length).map(({ node }) => node.id);
    const path = below.filter((id) => !SILENT.has(id));
    const { group, kind } = schema.version.kind;
    return this.strategy.nameOf({ resource, group, kind, path: path.length > 0 ? path : [kind], rules });
  }
}
