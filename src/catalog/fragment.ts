import type { ServiceFacts, StatusFacts, TypeExpression, TypeFacts } from './facts';
import { isArray, isConstrained, isMap, isRef } from './type-expression';
import { valueAt } from '../util/elements';
import { isRecord } from '../util/records';

/** The kinds of one API group that are not in the catalog, with their status types. */
export interface ImportedService extends ServiceFacts, Pick<StatusFacts, 'statusTypes'> {}

/** The result of `cdk8s-aso import-crds`: facts from CRDs, in the format of the catalog. */
export interface CatalogFragment {
  /** The format version; there is only one. */
  readonly cdk8sAsoCatalog: 1;
  readonly services: readonly ImportedService[];
}

/** Thrown for a text that is no valid fragment of a catalog. */
export class FragmentError extends Error {
  public constructor(message: string) {
    super(message);
    this.name = 'FragmentError';
  }
}

/** @throws FragmentError when the text is no fragment, or has a format that this version of the library does not know */
export function parseFragment(json: string): CatalogFragment {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new FragmentError(`not a catalog fragment: ${(error as Error).message}. Write it with cdk8s-aso import-crds.`);
  }
  if (!isRecord(value) || value.cdk8sAsoCatalog === undefined) {
    throw new FragmentError('not a catalog fragment: it has no cdk8sAsoCatalog. Write it with cdk8s-aso import-crds.');
  }
  if (value.cdk8sAsoCatalog !== 1) {
    throw new FragmentError(
      `a catalog fragment of format ${String(value.cdk8sAsoCatalog)}; this library reads format 1. Run cdk8s-aso import-crds again.`,
    );
  }
  if (!Array.isArray(value.services) || !value.services.every(isService)) {
    throw new FragmentError('a catalog fragment with damaged services. Run cdk8s-aso import-crds again.');
  }
  return { ...value, cdk8sAsoCatalog: 1, services: value.services };
}

/** The facts of one version of a kind as text; equal facts give equal texts. */
export function versionText(service: ImportedService, kind: string, version: string): string {
  const { versions } = valueAt(service.kinds, kind);
  const own = valueAt(versions, version);
  const facts = own.sameAs === undefined ? own : { ...versions[own.sameAs], ...own };
  const at = own.sameAs ?? version;
  return JSON.stringify([facts, reached(service.types[at] ?? {}, facts.spec), reached(service.statusTypes[at] ?? {}, facts.status)]);
}

function reached(types: Readonly<Record<string, TypeFacts>>, root: string | undefined): [string, TypeFacts][] {
  const found = new Map<string, TypeFacts>();
  const visit = (name: string): void => {
    const facts = Object.hasOwn(types, name) ? types[name] : undefined;
    if (found.has(name) || !facts) return;
    found.set(name, facts);
    for (const property of Object.values(facts.props)) namesIn(property.type).forEach(visit);
  };
  if (root !== undefined) visit(root);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

function namesIn(type: TypeExpression): string[] {
  if (isRef(type)) return [type.ref];
  if (isArray(type)) return namesIn(type.array);
  if (isMap(type)) return namesIn(type.map);
  return isConstrained(type) ? namesIn(type.type) : [];
}

function isService(value: unknown): value is ImportedService {
  return (
    isRecord(value)
    && typeof value.group === 'string'
    && typeof value.service === 'string'
    && [value.kinds, value.types, value.statusTypes].every(isRecord)
    && Object.values(value.kinds as object).every(
      (kind: unknown) => isRecord(kind) && isRecord(kind.versions) && typeof kind.latest === 'string',
    )
  );
}
