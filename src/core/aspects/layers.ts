import { IConstruct } from 'constructs';
import { isResource, type ResourceInternals } from '../resource-internals';
import type { KindFilter } from './kind-filter';
import { unknownKinds } from './unknown-kinds';
import { takesDataAlong } from '../../azure/data-bearing-kinds';
import type { AdoptionPolicy } from '../adoption-policy';
import type { CredentialReference } from '../credentials/credential-reference';
import type { ReconcilePolicy } from '../reconcile-policy';
import type { RemovalPolicy } from '../removal/removal-policy';

/** The settings a scope can have, by topic, with the type of the value. */
export interface LayerValues {
  readonly tag: { readonly key: string; readonly value: string };
  readonly credential: CredentialReference;
  readonly reconcilePolicy: ReconcilePolicy;
  readonly adopt: AdoptionPolicy;
  readonly removalPolicy: RemovalPolicy;
  readonly location: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly skuTier: string;
  readonly secure: true;
}

/** A setting for all resources at and below a construct. */
export interface Layer<Topic extends keyof LayerValues = keyof LayerValues> {
  readonly topic: Topic;
  readonly value: LayerValues[Topic];
  readonly filter: KindFilter;
  /** Whether the setting applies only to kinds whose deletion deletes data. */
  readonly dataOnly: boolean;
}

/**
 * A setting that applies to a resource, with the depth of its scope in the tree: the scope nearest to the resource has the greatest depth.
 */
export interface DeclaredSetting<Value> {
  readonly value: Value;
  readonly depth: number;
}

/** A setting with its scope. */
export interface ScopeSetting<Value> extends DeclaredSetting<Value> {
  readonly scope: IConstruct;
}

/** Shared by all copies of the library that an app may load. */
const LAYERS = Symbol.for('cdk8s-aso.layers');

const NOTHING: readonly ScopeSetting<never>[] = [];

type Layered = IConstruct & { [LAYERS]?: Layer[] };

/**
 * Adds a setting to a scope. Resources look settings up when they are synthesized, so it makes no difference whether they were created
 * before or after.
 */
export function addLayer(scope: IConstruct, layer: Layer): void {
  const layers = own(scope);
  own(scope.node.root); // marks the root, so that apps without layers skip the look-up
  if (layers.length === 0) scope.node.addValidation({ validate: () => unknownKinds(scope, layers.map(({ filter }) => filter)) });
  layers.push(layer);
  for (const construct of scope.node.findAll()) if (isResource(construct)) construct._invalidate();
}

/** The settings that apply to a resource: nearest scope first; within a scope the more specific first, then the latest. */
export function declaredFor<Topic extends keyof LayerValues>(
  resource: ResourceInternals,
  topic: Topic,
): readonly ScopeSetting<LayerValues[Topic]>[] {
  if (!(LAYERS in resource.node.root)) return NOTHING;
  const declared: ScopeSetting<LayerValues[Topic]>[] = [];
  const { scopes } = resource.node;
  for (let depth = scopes.length - 1; depth >= 0; depth--) {
    const scope = scopes[depth] as Layered;
    const all = scope[LAYERS] ?? [];
    const layers = all.filter((layer): layer is Layer<Topic> => layer.topic === topic && fits(layer, resource));
    declared.push(...layers.reverse().sort((a, b) => specificity(b) - specificity(a)).map(({ value }) => ({ value, depth, scope })));
  }
  return declared;
}

function own(scope: IConstruct): Layer[] {
  const layered = scope as Layered;
  if (!layered[LAYERS]) Object.defineProperty(scope, LAYERS, { value: [] });
  return layered[LAYERS]!;
}

function fits({ filter: { kinds, exceptKinds }, dataOnly }: Layer, { apiGroup, kind }: ResourceInternals): boolean {
  const named = (names: readonly string[]) => names.includes(kind) || names.includes(`${apiGroup}/${kind}`);
  if (kinds && !named(kinds)) return false;
  if (exceptKinds && named(exceptKinds)) return false;
  return !dataOnly || takesDataAlong(apiGroup, kind);
}

function specificity({ filter, dataOnly }: Layer): number {
  return filter.kinds ? 2 : dataOnly ? 1 : 0;
}
