import { IConstruct } from 'constructs';
import { applyNaming } from './applied-naming';
import { AzureNameRules } from './azure-name-rules';
import { IAzureNamingStrategy } from './azure-naming-strategy';
import { CloudAdoptionFrameworkNaming } from './cloud-adoption-framework';
import { CloudAdoptionFrameworkOptions } from './cloud-adoption-framework-options';
import { invalidateChecks } from './invalidate-checks';
import { isTellingName } from '../../azure/names/name-facts';
import { KindSchema } from '../schema/kind-schema';

/** Ids that cdk8s leaves out of names, too. */
const SILENT: ReadonlySet<string> = new Set(['Default', 'Resource']);

/**
 * How resources get their Azure names where they are not given one. Without it, a resource is called in Azure as in Kubernetes.
 *
 * ```ts
 * AzureNaming.cloudAdoptionFramework({ workload: 'shop', environment: 'prod' }).applyTo(app);
 * ```
 *
 * Names are made of the ids of constructs, and Azure cannot rename anything: to change an id, to move a construct or to change the
 * naming is to have another resource. Give `azureName` to what has to keep its name.
 */
export class AzureNaming {
  /**
   * Names by Microsoft's Cloud Adoption Framework, e.g. `rg-shop-prod`, `vnet-shop-hub-prod`, `stshopfilesprod`.
   * @param options what names consist of
   * @see https://learn.microsoft.com/azure/cloud-adoption-framework/ready/azure-best-practices/resource-naming
   */
  public static cloudAdoptionFramework(options: CloudAdoptionFrameworkOptions = {}): AzureNaming {
    return new AzureNaming(new CloudAdoptionFrameworkNaming(options));
  }

  /**
   * Names by a strategy of your own.
   * @param strategy gives the names
   */
  public static of(strategy: IAzureNamingStrategy): AzureNaming {
    return new AzureNaming(strategy);
  }

  /** As if there were no naming: for a part of a tree to which one is applied. */
  public static kubernetesNames(): AzureNaming {
    return new AzureNaming();
  }

  private constructor(private readonly strategy?: IAzureNamingStrategy) {}

  /**
   * Names everything below the scope that has no `azureName` of its own. It may be applied again further down; the nearest counts.
   *
   * Left alone are kinds whose names mean something to Azure or to the world, such as DNS zones and records, settings of a
   * server, and administrators; and role assignments, for which there is `RoleAssignmentNaming`.
   * @param scope an app, a chart or any other construct
   */
  public applyTo(scope: IConstruct): void {
    applyNaming(scope, this);
    invalidateChecks(scope);
  }

  /**
   * The name of a resource below the scope to which the naming was applied; undefined where it cannot be made up.
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
