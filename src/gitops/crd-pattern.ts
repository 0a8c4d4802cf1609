import { ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { Catalog } from '../catalog/catalog';
import { ASO_GROUPS, mayBeInCatalog } from '../util/api-groups';

const ENTRY = /^[-a-z0-9.]+\.(azure\.com|aso\.cdk8s\.io)\/(\*|[A-Za-z0-9]+)$/;

/** Which CRDs Azure Service Operator installs: the value `crdPattern` of its chart. */
export class CrdPattern {
  /**
   * All kinds of some groups.
   * @param groups e.g. `storage.azure.com`
   * @throws when a group does not belong to Azure Service Operator
   */
  public static fromGroups(groups: string[]): CrdPattern {
    return CrdPattern.of(groups.map((group) => `${group}/*`));
  }

  /**
   * Single kinds and groups.
   * @param patterns e.g. `storage.azure.com/StorageAccount`, `network.azure.com/*`
   * @throws when the list is empty, or a pattern is malformed
   */
  public static of(patterns: string[]): CrdPattern {
    if (patterns.length === 0) {
      throw new Error('CrdPattern: patterns: is empty, so no kind would be installed. Give at least resources.azure.com/*.');
    }
    patterns.forEach((pattern, index) => {
      if (!ENTRY.test(pattern)) throw new Error(`CrdPattern: patterns[${index}]: '${pattern}' is no <group>/<kind>. Write it like storage.azure.com/* or storage.azure.com/StorageAccount.`);
    });
    return new CrdPattern(() => [...new Set(patterns)]);
  }

  /**
   * The kinds that the app uses, collected at synth, so that the first object of a new kind also installs its CRD.
   * @param scope the app, or the part of it to search
   */
  public static kindsIn(scope: Construct): CrdPattern {
    return new CrdPattern(() => kindsIn(scope));
  }

  /** @internal */
  public static _allGroups(): CrdPattern {
    return new CrdPattern(() => Catalog.default().groups.map((group) => `${group}/*`));
  }

  private constructor(private readonly patterns: () => string[]) {}

  /** The value, e.g. `resources.azure.com/*;storage.azure.com/*`, without kinds that ASO has not. Complete only at synth. */
  public get text(): string {
    return this.patterns().filter((pattern) => pattern.slice(0, pattern.indexOf('/')).endsWith(ASO_GROUPS)).join(';');
  }

  /** @internal */
  public get _list(): string[] {
    return this.patterns();
  }

  /** @internal */
  public get _late(): unknown {
    return Lazy.any({ produce: () => this.text });
  }
}

function kindsIn(scope: Construct): string[] {
  const catalog = Catalog.default();
  const kinds = scope.node
    .findAll()
    .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct))
    .filter(({ apiGroup, kind }) => mayBeInCatalog(apiGroup) && catalog.kind(apiGroup, kind) !== undefined)
    .map(({ apiGroup, kind }) => `${apiGroup}/${kind}`);
  if (kinds.length === 0) throw new Error(`[${scope.node.path}] CrdPattern.kindsIn: there is no Azure resource, so no kind would be installed. Give the scope in which the resources are.`);
  return [...new Set(kinds)].sort();
}
