import type { ApiObject } from 'cdk8s';
import type { ResourceInternals } from '../resource-internals';
import type { CheckedResource } from './checked-resource';
import { metadataOf } from './resource-metadata';
import { ADOPT, CREDENTIAL_FROM, IGNORE_RULES, RECONCILE_POLICY } from '../../azure/annotations';
import type { KindVersion } from '../../catalog/kind';
import { propertyNameOf } from '../../catalog/property-names';
import { FieldPath, parsePath, spellPath } from '../../catalog/validate-spec';
import { isText, struct } from '../../util/records';
import type { GraphObject } from '../graph/graph-object';
import { azureObject } from '../graph/manifest-object';
import type { AzureObject, RuleManifest, SetObject } from '../rules/set-object';

/** The annotations that rules for constructs read. */
const ASKED = [RECONCILE_POLICY, CREDENTIAL_FROM, IGNORE_RULES, ADOPT];

/** Adapts a resource to the rules. Values that few rules need are computed on demand. */
export class ConstructSubject implements AzureObject {
  public readonly group: string;
  public readonly kind: string;
  public readonly namespace: string | undefined;
  public readonly name: string;
  public readonly spec: Readonly<Record<string, unknown>>;
  public readonly isWhole: boolean;
  public readonly version: KindVersion;
  private knownFacts?: GraphObject;
  private knownAnnotations?: Readonly<Record<string, string>>;
  private knownMetadata?: Readonly<Record<string, unknown>>;

  public constructor(public readonly index: number, private readonly resource: ResourceInternals, checked: CheckedResource) {
    this.group = resource.apiGroup;
    this.kind = resource.kind;
    this.namespace = resource.metadata.namespace;
    this.name = resource.name;
    this.spec = checked.spec;
    this.isWhole = checked.problems.length === 0;
    this.version = checked.schema.version;
  }

  public get title(): string {
    return `'${this.resource.node.path}'`;
  }

  public get annotations(): Readonly<Record<string, string>> {
    return (this.knownAnnotations ??= rulesAnnotations(this.metadata.annotations));
  }

  public get metadata(): Readonly<Record<string, unknown>> {
    return (this.knownMetadata ??= metadataOf(this.resource));
  }

  public get facts(): GraphObject {
    const { group, kind, namespace, name } = this;
    return (this.knownFacts ??= azureObject({ group, kind, namespace, name }, this.version, this.spec));
  }

  public get manifest(): RuleManifest {
    const { name, namespace, annotations, spec } = this;
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }), annotations };
    return { apiVersion: this.version.apiVersion, kind: this.kind, metadata, spec };
  }

  public fieldName(field: string): string {
    const [root, ...steps] = parsePath(field);
    return root === 'spec' ? propPath(steps) : field;
  }
}

/** Those of the annotations that the rules read. */
function rulesAnnotations(given: unknown): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const annotations = struct(given) ?? {};
  for (const key of ASKED) {
    const value = annotations[key];
    if (isText(value)) found[key] = value;
  }
  return found;
}

/** A ConfigMap, Secret or workload of the app as a subject. */
export function otherSubject(index: number, object: ApiObject): SetObject {
  const { kind, name, apiGroup, metadata: { namespace }, node: { path } } = object;
  let written: RuleManifest | undefined;
  return {
    index,
    group: apiGroup === 'core' ? '' : apiGroup,
    kind,
    namespace,
    name,
    annotations: {},
    title: `'${path}'`,
    isWhole: true,
    fieldName: (field) => field,
    get spec() {
      return struct(this.manifest.spec) ?? {};
    },
    get manifest() {
      return (written ??= manifestOf(object));
    },
  };
}

/** The object as it will be written; without its spec where that cannot be written, which synthesis itself reports. */
function manifestOf(object: ApiObject): RuleManifest {
  try {
    return object.toJson() as RuleManifest;
  } catch {
    return { apiVersion: object.apiVersion, kind: object.kind, metadata: { name: object.name } } as RuleManifest;
  }
}

/** The path of a prop from the path of its property in the spec. */
function propPath(steps: FieldPath): string {
  return steps.length === 0
    ? 'spec'
    : spellPath(steps.map((step, index) => (typeof step === 'number' ? step : propertyNameOf(step, index === 0))));
}
