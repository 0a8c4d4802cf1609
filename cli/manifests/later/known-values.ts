import { isSeq, type YAMLMap } from 'yaml';
import { evaluated } from './envsubst';
import { replaceVariables, variablesIn, type Variable } from './variables';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { plainValue, type ScalarValue } from '../../../engine/yaml/go-scalar';
import { groupOf } from '../../../src/object-id';
import { isRecord, isText } from '../../../src/util/records';

const FLUX_GROUP = 'kustomize.toolkit.fluxcd.io';
/** Label or annotation of an object that Flux leaves as it is: `disabled`. */
export const FLUX_SUBSTITUTE = `${FLUX_GROUP}/substitute`;

/** How a scalar stands in a file. */
export type ScalarStyle = 'plain' | 'quoted' | 'block';

/** Values of variables: of the command line, and those that Flux would substitute. */
export class KnownValues {
  public constructor(
    private readonly given: ReadonlyMap<string, string>,
    private readonly flux: ReadonlyMap<string, string> = new Map(),
  ) {}

  public get isEmpty(): boolean {
    return this.given.size + this.flux.size === 0;
  }

  /** The values that Flux would fill in, by name. */
  public get substitutions(): ReadonlyMap<string, string> {
    return this.flux;
  }

  /** With the values that Flux's objects among those of the files have. Values of the command line come first. */
  public withFlux(objects: readonly KubernetesObject[]): KnownValues {
    return new KnownValues(this.given, fluxSubstitutions(objects));
  }

  /**
   * The value of a scalar with the variables filled in; undefined where it has none that is known. What is filled in has the type that its
   * text has, as in a text that envsubst prints. Flux writes texts anew before it substitutes, and quotes are lost then. It knows braces
   * alone.
   * @param around the maps around the scalar, the outermost first
   * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution
   */
  public fill(source: string, style: ScalarStyle, around: readonly YAMLMap[] = []): ScalarValue | undefined {
    const variables = variablesIn(source);
    if (variables.length === 0) return undefined;
    const flux = isLeftToFlux(around) ? this.flux : new Map<string, string>();
    const valueOf = ({ name, text }: Variable) => {
      const value = this.given.get(name) ?? (text.startsWith('${') ? flux.get(name) : undefined);
      return value === undefined ? undefined : evaluated(text, value);
    };
    const used = variables.filter((variable) => valueOf(variable) !== undefined);
    if (used.length === 0) return undefined;
    const text = replaceVariables(source, valueOf);
    const isOfFlux = used.every(({ name }) => !this.given.has(name));
    return style === 'plain' || (style === 'quoted' && isOfFlux) ? plainValue(text) : text;
  }
}

/** Whether Flux substitutes in the object that the maps are those of. Lists are no objects of their own. */
function isLeftToFlux(around: readonly YAMLMap[]): boolean {
  const object = around.find((map) => map.has('apiVersion') && !isSeq(map.get('items')));
  return ['labels', 'annotations'].every((field) => object?.getIn(['metadata', field, FLUX_SUBSTITUTE]) !== 'disabled');
}

/**
 * The substitutions of Flux's Kustomizations (`postBuild`): those of the ConfigMaps that they name, as far as the files have them and no
 * Secret overrides them, and their own, which come first. Kustomizations for several clusters may differ: a name with two values is not
 * known.
 */
function fluxSubstitutions(objects: readonly KubernetesObject[]): Map<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { apiVersion, kind, metadata, spec } of objects) {
    if (kind !== 'Kustomization' || groupOf({ apiVersion }) !== FLUX_GROUP) continue;
    const postBuild: unknown = spec?.postBuild;
    if (!isRecord(postBuild)) continue;
    const own = new Map<string, string>();
    for (const source of Array.isArray(postBuild.substituteFrom) ? postBuild.substituteFrom : []) {
      if (!isRecord(source)) continue;
      const found = objects.find((one) => (
        one.kind === source.kind && one.metadata.name === source.name && namespaceOf(one) === namespaceOf({ metadata })
      ));
      // A later source overrides an earlier one: what a Secret, or an object that is not in the files, overrides is not known.
      if (!found) own.clear();
      else if (source.kind === 'ConfigMap') for (const [name, value] of textsOf(found.data)) own.set(name, value);
      else for (const name of keysOfSecret(found)) own.delete(name);
    }
    if (isRecord(postBuild.substitute)) {
      for (const [name, value] of Object.entries(postBuild.substitute)) {
        if (isText(value) || typeof value === 'number' || typeof value === 'boolean') own.set(name, String(value));
      }
    }
    for (const [name, value] of own) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return new Map(Array.from(values).flatMap(([name, [first, second]]) => (second === undefined ? [[name, first!]] : [])));
}

function textsOf(data: unknown): [string, string][] {
  return Object.entries(isRecord(data) ? data : {}).filter((entry): entry is [string, string] => isText(entry[1]));
}

function keysOfSecret({ data, stringData }: KubernetesObject): string[] {
  return [data, stringData].flatMap((map) => Object.keys(isRecord(map) ? map : {}));
}

function namespaceOf({ metadata }: Pick<KubernetesObject, 'metadata'>): string {
  return metadata.namespace ?? 'default';
}
