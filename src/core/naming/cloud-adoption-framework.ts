import { NameUniqueness } from './azure-name-rules';
import { AzureNameRequest, IAzureNamingStrategy } from './azure-naming-strategy';
import type { CloudAdoptionFrameworkOptions } from './cloud-adoption-framework-options';
import { CAF_ABBREVIATIONS } from '../../azure/names/abbreviations';
import { shortHash } from '../../azure/names/fit-name';

const FAR_AND_WIDE: ReadonlySet<NameUniqueness> = new Set([NameUniqueness.GLOBAL, NameUniqueness.REGION]);

/**
 * `<type>-<workload>-<ids of the constructs>-<environment>-<region>-<instance>`; child resources, whose names are unique within the parent
 * only, are `<type>-<ids of the constructs>`.
 * @internal
 */
export class CloudAdoptionFrameworkNaming implements IAzureNamingStrategy {
  private readonly abbreviations: ReadonlyMap<string, string>;

  public constructor(private readonly options: CloudAdoptionFrameworkOptions) {
    this.abbreviations = new Map(
      Object.entries(options.abbreviations ?? {}).map(([type, abbreviation]) => [type.toLowerCase(), abbreviation]),
    );
  }

  public nameOf({ kind, path, rules }: AzureNameRequest): string {
    const { workload, environment, region, instance, uniqueIn } = this.options;
    const abbreviation = this.abbreviationOf(rules.armType, kind);
    const ids = withoutType(path, [abbreviation, kind]);
    const inside = rules.uniqueness === NameUniqueness.PARENT;
    const words = inside ? [abbreviation, ...ids] : [abbreviation, workload, ...ids, environment, region, instance];
    if (uniqueIn !== undefined && FAR_AND_WIDE.has(rules.uniqueness)) words.push(shortHash(uniqueIn));
    return rules.fit(words.filter((word): word is string => word !== undefined && word !== ''));
  }

  private abbreviationOf(armType: string, kind: string): string {
    const type = armType.toLowerCase();
    return this.abbreviations.get(type) ?? this.abbreviations.get(kind.toLowerCase()) ?? CAF_ABBREVIATIONS[type] ?? '';
  }
}

/** The ids without the last one if it only repeats the type: `rg` of a resource group. */
function withoutType(path: readonly string[], types: readonly string[]): readonly string[] {
  const id = path.at(-1);
  if (id === undefined || path.length < 2) return path;
  const last = id.toLowerCase().replace(/[^a-z0-9]/g, '');
  return types.some((type) => type.toLowerCase() === last) ? path.slice(0, -1) : path;
}
