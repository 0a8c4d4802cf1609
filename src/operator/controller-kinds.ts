import { IConstruct } from 'constructs';
import { add, Found, KindInUse, kindsInApp, merged } from './kinds-in-use';
import { Catalog } from '../catalog/catalog';
import type { Kind } from '../catalog/kind';
import { serviceOfGroup } from '../util/api-groups';
import { suggestion } from '../util/nearest';

/** The kinds that a controller manages. They determine its RBAC rules, the CRDs to install and the webhook rules. */
export class ControllerKinds {
  /**
   * The kinds of all Azure objects in the controller's app, typed or untyped, in the versions of those objects, and the kinds that those
   * objects name as owners and references. Objects that are created after the controller are included.
   */
  public static inApp(): ControllerKinds {
    return new ControllerKinds(true, kindsInApp);
  }

  /**
   * The named kinds.
   * @param names `storage.azure.com/StorageAccount`, a whole group as `storage.azure.com/*`, or `StorageAccount` if only one group has that
   * kind
   */
  public static of(...names: string[]): ControllerKinds {
    return new ControllerKinds(false, (_, catalog) => named(names, catalog));
  }

  /** Every kind of the catalog. The CRDs alone take many megabytes, in the manifests and in the memory of the API server. */
  public static all(): ControllerKinds {
    return new ControllerKinds(false, (_, catalog) => ofKinds(catalog.allKinds));
  }

  private constructor(private readonly late: boolean, private readonly find: (root: IConstruct, catalog: Catalog) => Found) {}

  /**
   * The union of these kinds and others. A kind that one of both lists has all its versions, where webhooks convert between them.
   * @param others the kinds to add
   */
  public and(others: ControllerKinds): ControllerKinds {
    return new ControllerKinds(this.late || others.late, (root, catalog) => {
      const [a, b] = [this.find(root, catalog), others.find(root, catalog)];
      return { kinds: merged(a.kinds, b.kinds), problems: [...a.problems, ...b.problems] };
    });
  }

  /**
   * Whether the kinds are known only at synth.
   * @internal
   */
  public get _late(): boolean {
    return this.late;
  }

  /** @internal */
  public _resolve(root: IConstruct): Found {
    return this.find(root, Catalog.default());
  }
}

function ofKinds(kinds: readonly Kind[]): Found {
  return { kinds: new Map(kinds.map((kind): [string, KindInUse] => [kind.crdName, { kind, versions: [], listed: true }])), problems: [] };
}

function named(names: readonly string[], catalog: Catalog): Found {
  const kinds = new Map<string, KindInUse>();
  const problems: string[] = [];
  for (const name of names) {
    const found = kindsNamed(name, catalog);
    if (typeof found === 'string') problems.push(`kinds: '${name}': ${found}`);
    else for (const kind of found) add(kinds, { kind, versions: [], listed: true });
  }
  return { kinds, problems };
}

/** The kinds that match a name, or the problem. */
function kindsNamed(text: string, catalog: Catalog): readonly Kind[] | string {
  const [group, name] = text.includes('/') ? [text.slice(0, text.indexOf('/')), text.slice(text.indexOf('/') + 1)] : [undefined, text];
  if (group === undefined) {
    const found = catalog.allKinds.filter(({ kind }) => kind === name);
    if (found.length === 1) return found;
    if (found.length > 1) {
      return `several groups have this kind. Give one of ${found.map((kind) => `${kind.group}/${kind.kind}`).join(', ')}.`;
    }
    return `there is no such kind.${suggestion(
      name,
      catalog.allKinds.map(({ kind }) => kind),
    )} Give one like 'storage.azure.com/StorageAccount'.`;
  }
  const service = serviceOfGroup(group);
  const all = service === undefined ? [] : catalog.kindsOf(service);
  if (all.length === 0) return `there is no such group.${suggestion(service ?? group, catalog.services)} Give one like 'storage.azure.com/*'.`;
  if (name === '*') return all;
  const kind = catalog.kind(group, name);
  return kind
    ? [kind]
    : `the group has no such kind.${suggestion(
      name,
      all.map((other) => other.kind),
    )} Give one of its kinds, or '${group}/*'.`;
}
