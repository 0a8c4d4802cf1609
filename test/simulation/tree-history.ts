import { AZURE_TYPES } from './kinds';
import type { KubeModel, Write } from './kube-model';
import type { Stored } from './truth/policy';
import { nameInTree, rootOf } from './truth/trees';

interface Period {
  readonly root: string;
  /** Undefined: until now. */
  end?: number;
}

/** An object of Azure, as `ResourceGroup a/arg`. */
export type Place = string;

export const placeOf = ({ kind, metadata }: Pick<Stored, 'kind' | 'metadata'>): Place => `${kind} ${metadata.namespace}/${metadata.name}`;

/** The roots that objects have had, by what the API server has stored. */
export class TreeHistory {
  private readonly periods = new Map<string, Map<Place, Period[]>>();

  /** @param now the time in which periods are measured */
  public constructor(private readonly kube: Pick<KubeModel, 'all'>, private readonly now: () => number) {}

  /** Anybody's write, after it. Answers the objects whose root has changed. */
  public written({ object, what, removed }: Write): readonly { readonly place: Place; readonly before: string; readonly root: string }[] {
    const { namespace } = object.metadata;
    if (namespace === undefined || !isOfAzure(object) || !(removed || what === 'create' || what === 'edit')) return [];
    const objects = AZURE_TYPES.flatMap((type) => this.kube.all(type)).filter(({ metadata }) => metadata.namespace === namespace);
    const byName = new Map(objects.map((one) => [nameInTree(one), one]));
    const known = this.ofNamespace(namespace);
    return objects.flatMap((one) => {
      const place = placeOf(one);
      const root = rootOf(one, (name) => byName.get(name));
      const periods = known.get(place) ?? [];
      known.set(place, periods);
      const last = periods.at(-1);
      if (last?.root === root) return [];
      if (last) last.end = this.now();
      periods.push({ root });
      return last ? [{ place, before: last.root, root }] : [];
    });
  }

  /** The roots that the object has had at some time since then, in their order; one that is gone keeps its last. */
  public rootsOf(namespace: string, place: Place, since = -Infinity): string[] {
    const periods = this.ofNamespace(namespace).get(place) ?? [];
    const roots = periods.filter(({ end = Infinity }) => end >= since).map(({ root }) => root);
    // The last one last, also where the object has come back to it.
    return [...new Set(roots.reverse())].reverse();
  }

  /** All roots in a namespace. */
  public allRoots(namespace: string): string[] {
    return [...new Set([...this.ofNamespace(namespace).values()].flatMap((periods) => periods.map(({ root }) => root)))];
  }

  /** All objects that there have been. */
  public places(namespace: string): readonly Place[] {
    return [...this.ofNamespace(namespace).keys()];
  }

  private ofNamespace(namespace: string): Map<Place, Period[]> {
    const known = this.periods.get(namespace) ?? new Map<Place, Period[]>();
    this.periods.set(namespace, known);
    return known;
  }
}

export function isOfAzure({ kind }: Pick<Stored, 'kind'>): boolean {
  return AZURE_TYPES.some((type) => type.kind === kind);
}
