import { fitName } from '../../azure/names/fit-name';
import { NameScope, nameFactsOf, nameProblem, nameScopeOf } from '../../azure/names/name-facts';
import { Catalog } from '../../catalog/catalog';
import type { Validations } from '../../catalog/facts';
import { Conversion } from '../schema/conversion';
import { KindSchema } from '../schema/kind-schema';

/** The scope in which an Azure name has to be unique. */
export enum NameUniqueness {
  /** All of Azure: the name is a part of a DNS name. */
  GLOBAL = 'global',
  /** The Entra tenant. */
  TENANT = 'tenant',
  /** The subscription. */
  SUBSCRIPTION = 'subscription',
  /** The region, across all of Azure. */
  REGION = 'region',
  /** The resource group. */
  RESOURCE_GROUP = 'resource-group',
  /** The parent resource. */
  PARENT = 'parent',
}

const UNIQUENESS: Record<NameScope, NameUniqueness> = {
  global: NameUniqueness.GLOBAL,
  tenant: NameUniqueness.TENANT,
  subscription: NameUniqueness.SUBSCRIPTION,
  region: NameUniqueness.REGION,
  resourceGroup: NameUniqueness.RESOURCE_GROUP,
  parent: NameUniqueness.PARENT,
};

/** The longest Azure name of any type. */
const LONGEST = 260;

const rules = new WeakMap<KindSchema, AzureNameRules>();

/**
 * The rules of Azure for the names of a kind's resources.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */
export class AzureNameRules {
  /**
   * The rules for a kind.
   * @param group API group, e.g. `storage.azure.com`
   * @param kind e.g. `StorageAccount`
   * @throws when the catalog has no such kind, or its resources have no name of their own
   */
  public static of(group: string, kind: string): AzureNameRules {
    const found = Catalog.default().kind(group, kind);
    if (!found) throw new Error(`AzureNameRules.of: the catalog has no ${kind} of ${group}. Give group and kind like 'storage.azure.com', 'StorageAccount'.`);
    const known = AzureNameRules._of(KindSchema.of({ group, kind, version: found.latest.name }));
    if (!known) throw new Error(`AzureNameRules.of: ${kind} of ${group} has no Azure name that one could choose.`);
    return known;
  }

  /** @internal */
  public static _of(schema: KindSchema): AzureNameRules | undefined {
    let found = rules.get(schema);
    const { azureName } = schema.version.specType.props;
    if (!found && azureName && schema.version.isArm) rules.set(schema, (found = new AzureNameRules(schema, azureName)));
    return found;
  }

  /** ARM type, e.g. `Microsoft.Storage/storageAccounts`. */
  public readonly armType: string;
  /** The scope in which a name has to be unique. */
  public readonly uniqueness: NameUniqueness;
  /** Minimum number of characters. */
  public readonly minLength: number;
  /** Maximum number of characters. */
  public readonly maxLength: number;

  private constructor(private readonly schema: KindSchema, { minLength = 1, maxLength = LONGEST }: Validations) {
    this.armType = schema.version.facts.arm!.type;
    this.uniqueness = UNIQUENESS[nameScopeOf(this.armType)];
    const { min = 1, max = LONGEST } = nameFactsOf(this.armType);
    this.minLength = Math.max(min, minLength);
    this.maxLength = Math.min(max, maxLength);
  }

  /**
   * The reason why Azure would refuse a name; undefined if the name is valid.
   * @param name the name
   */
  public problemOf(name: string): string | undefined {
    const run = new Conversion();
    run.enter('azureName');
    this.schema.azureName!(name, run);
    return run.problems[0]?.replace(/^azureName: /, '') ?? nameProblem(this.armType, name);
  }

  /**
   * A valid name from words, in lower case, with an allowed separator: `-`, `_` or none. If the words are too long or too short, or contain
   * characters that no name may have, the name ends with a hash of them.
   * @param words e.g. `['st', 'shop', 'files']`
   * @throws when no valid name can be built from the words
   */
  public fit(words: string[]): string {
    const initials = this.schema.version.kind.kind.replace(/[^A-Z]/g, '').toLowerCase();
    const found = fitName(words, this.maxLength, (name) => this.problemOf(name) === undefined, initials);
    if (found === undefined) throw new Error(`no Azure name for ${this.armType} can be made of '${words.join('\', \'')}'. Give azureName.`);
    return found;
  }
}
