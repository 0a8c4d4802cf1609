import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ResourceLayers } from './aspects/resource-layers';
import { AzureKindFacts, AzureResourceProps } from './azure-resource-props';
import { propertyNameOf } from '../catalog/property-names';
import { annotationProblems } from './checks/annotations';
import { AppChecks } from './checks/app-checks';
import { emitAfter } from './checks/chart-order';
import type { CheckedResource } from './checks/checked-resource';
import { constructsIn } from './checks/constructs-in';
import type { ConfigMapDestination } from './destinations';
import { nameInAzure } from './naming/name-in-azure';
import { Output } from './output';
import { isResource, markAsResource } from './resource-internals';
import { AzureResourceReference, IAzureResourceRef } from './resource-reference';
import { Conversion } from './schema/conversion';
import { KindSchema } from './schema/kind-schema';
import { SecretOutput } from './secret-value';
import { suggestion } from '../util/nearest';
import { ChosenVersion, chosenVersion } from './versions/chosen-version';
import { firstReleaseThat, withFirstRelease } from './versions/first-release';

/** Props that are not properties of the spec. */
const OWN_PROPS: ReadonlySet<string> = new Set([
  'metadata', 'reconcilePolicy', 'adopt', 'credential', 'apiVersion', 'additionalSpec', 'removalPolicy', 'ignoreChanges',
]);

/** The properties common to ConfigMap and Secret destinations. */
type DestinationLike = Pick<ConfigMapDestination, 'name' | 'key'>;

/** Concatenates two lists without a copy where one is empty, as nearly all are. */
function joined(some: string[], others: string[]): string[] {
  return others.length === 0 ? some : some.length === 0 ? others : [...some, ...others];
}

/** Stands in for the spec until synthesis, because outputs requested after construction belong to it. */
class LazySpec {
  public source?: { _toSpec(): unknown };
  public resolve(): unknown {
    return this.source!._toSpec();
  }
}

/**
 * An Azure resource as a Kubernetes object of Azure Service Operator. Every kind of the catalog is a subclass.
 *
 * The properties of the spec are flat in the props, under their own names. They are checked when the app is synthesized; each finding names
 * the construct, the property, the reason and the fix.
 *
 * @see https://azure.github.io/azure-service-operator/
 */
export abstract class AzureResource extends ApiObject implements IAzureResourceRef {
  /**
   * Whether a construct is an Azure resource of this library, whichever copy of it.
   * @param construct the construct
   */
  public static isAzureResource(construct: any): boolean {
    return isResource(construct);
  }

  /**
   * `ApiObject` answers `instanceof` for all its subclasses alike, so any API object would count as any kind.
   * @internal
   */
  public static override [Symbol.hasInstance](value: unknown): value is AzureResource {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  private readonly kindFacts: AzureKindFacts;
  private readonly azureProps: AzureResourceProps;
  private readonly chosen: ChosenVersion;
  private configMapExports?: Map<string, Output>;
  private secretExports?: Map<string, SecretOutput>;
  private ownReference?: AzureResourceReference;
  private readonly layers: ResourceLayers;
  private checked: CheckedResource | undefined;

  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param facts the kind of the catalog
   * @param props the spec's properties, metadata, policy and credential
   */
  protected constructor(scope: Construct, id: string, facts: AzureKindFacts, props: AzureResourceProps) {
    const late = new LazySpec();
    // JavaScript callers may omit the props; missing properties are reported at synth, with the construct's path.
    const given = props ?? {};
    const layers = new ResourceLayers(given);
    const chosen = chosenVersion(scope, id, facts, given.apiVersion);
    const own = chosen.facts;
    super(scope, id, { apiVersion: `${own.group}/${own.version}`, kind: own.kind, metadata: layers.metadata, spec: late });
    late.source = this;
    this.layers = layers;
    layers.attach(this);
    this.kindFacts = own;
    this.chosen = chosen;
    this.azureProps = given;
    const dependencies = constructsIn(given, OWN_PROPS);
    if (given.credential?.secret) dependencies.add(given.credential.secret);
    for (const dependency of dependencies) {
      if (dependency !== this && dependency.node.root === this.node.root) emitAfter(this, dependency);
    }
    markAsResource(this);
    const checks = AppChecks.of(this.node.root);
    this.node.addValidation({ validate: () => joined(this._check().problems, checks.problemsOf(this)) });
  }

  /** The reference to this resource. */
  public get reference(): AzureResourceReference {
    return (this.ownReference ??= { group: this.kindFacts.group, kind: this.kindFacts.kind, name: this.name, construct: this });
  }

  /** The reference to this resource. */
  public get azureResourceRef(): AzureResourceReference {
    return this.reference;
  }

  /** The owner: the resource in which Azure keeps this one. Undefined for kinds without an owner. */
  public get owner(): AzureResourceReference | undefined {
    return (this.azureProps as { owner?: IAzureResourceRef }).owner?.azureResourceRef;
  }

  /**
   * The name in Azure. Undefined where it is known only later: role assignments and definitions without an explicit name, names read from a
   * ConfigMap.
   */
  public get azureName(): string | undefined {
    return this._check().azureName;
  }

  /**
   * A value that Azure gives the resource, exported to a ConfigMap: to the destination in `operatorSpec.configMaps`, else to key `<output>`
   * of `<metadata.name>-outputs`.
   * @param name name of the output, e.g. `principalId`
   * @throws when the kind has no such output
   */
  public output(name: string): Output {
    const names = Object.keys(this.schema.exports.configMaps ?? {});
    return this.exported(this.configMapExports ??= new Map(), name, names, 'output', this.configMapsProperty, 'outputs', Output._of);
  }

  /**
   * A secret that Azure creates with the resource, exported to a Secret: to the destination in `operatorSpec.secrets`, else to key
   * `<output>` of `<metadata.name>-secrets`.
   * @param name name of the secret, e.g. `key1`
   * @throws when the kind has no such secret
   */
  public secretOutput(name: string): SecretOutput {
    return this.exported(
      (this.secretExports ??= new Map()),
      name,
      this.schema.exports.secrets ?? [],
      'secret output',
      'secrets',
      'secrets',
      SecretOutput._of,
    );
  }

  /**
   * Converts the props to the spec, with all problems found.
   * @internal
   */
  public _check(): CheckedResource {
    return (this.checked ??= this.convert());
  }

  /** @internal */
  public _toSpec(): unknown {
    const { spec, lasting } = this._check();
    if (!lasting) this._invalidate();
    return spec;
  }

  /**
   * Has the props converted again: tokens may resolve to another value the next time.
   * @internal
   */
  public _invalidate(): void {
    this.checked = undefined;
  }

  /**
   * The props as the caller passed them, for checks that need the value objects rather than the manifest's text.
   * @internal
   */
  public get _given(): AzureResourceProps {
    return this.azureProps;
  }

  /**
   * Whether the cluster refuses to delete the object.
   * @internal
   */
  public get _isProtected(): boolean {
    return this.layers.isProtected;
  }

  private get schema(): KindSchema {
    return KindSchema.of(this.kindFacts);
  }

  private get configMapsProperty(): string {
    return this.schema.exports.configMapsProperty ?? 'configMaps';
  }

  private exported<T>(
    known: Map<string, T>, name: string, names: string[], what: string, property: string, suffix: string,
    make: (producer: AzureResource, name: string, destination: string, key: string) => T,
  ): T {
    const before = known.get(name);
    if (before) return before;
    if (!names.includes(name)) {
      const others =
        names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none; operatorSpec.configMapExpressions may give what you need.';
      const exportsIt = ({ exports }: KindSchema) =>
        (property === 'secrets' ? (exports.secrets ?? []) : Object.keys(exports.configMaps ?? {})).includes(name);
      const why = firstReleaseThat(this.chosen, exportsIt) ?? `${suggestion(name, names)} ${others}`.trim();
      throw new Error(`[${this.node.path}] ${this.kind} has no ${what} '${name}'. ${why}`);
    }
    const own = this.destinationOf(property, name);
    const made = make(this, name, own?.name ?? `${this.name}-${suffix}`, own?.key ?? name);
    known.set(name, made);
    this._invalidate();
    return made;
  }

  /** The destination that the user wrote for an export. */
  private destinationOf(property: string, name: string): DestinationLike | undefined {
    const { operatorSpec } = this.azureProps as { operatorSpec?: Record<string, Record<string, DestinationLike> | undefined> };
    return operatorSpec?.[propertyNameOf(property, false)]?.[propertyNameOf(name, false)];
  }

  private convert(): CheckedResource {
    const run = new Conversion(this.azureProps.additionalSpec);
    const { schema } = this;
    const spec = schema.spec.convert(this.azureProps, run, OWN_PROPS);
    if (run.problems.length > 0) {
      run.problems.splice(0, Infinity, ...withFirstRelease(run.problems, this.chosen, (other) => this.problemsIn(other)));
    }
    if (this.chosen.problem !== undefined) run.problems.push(this.chosen.problem);
    this.layers.complete(spec, schema, run);
    const azureName = nameInAzure(this, spec, schema, run);
    if (this.configMapExports) this.addExports(spec, this.configMapsProperty, this.configMapExports, run);
    if (this.secretExports) this.addExports(spec, 'secrets', this.secretExports, run);
    const problems = joined(run.problems, joined(annotationProblems(this.azureProps), this.layers.problems));
    return {
      spec,
      schema,
      problems: problems.map((problem) => `${this.kind} ${problem}`),
      links: run.links,
      destinations: run.destinations,
      azureName: schema.fixedName ?? (typeof azureName === 'string' ? azureName : undefined),
      lasting: !run.lazy,
    };
  }

  /** Problems of the spec in another version. */
  private problemsIn(schema: KindSchema): string[] {
    const run = new Conversion(this.azureProps.additionalSpec);
    schema.spec.convert(this.azureProps, run, OWN_PROPS);
    return run.problems;
  }

  private addExports(spec: Record<string, unknown>, property: string, exported: Map<string, Output | SecretOutput>, run: Conversion): void {
    const operatorSpec = { ...(spec.operatorSpec as Record<string, unknown> | undefined) };
    const destinations = { ...(operatorSpec[property] as Record<string, unknown> | undefined) };
    for (const [name, value] of exported) {
      if (destinations[name] !== undefined) continue;
      const to =
        value instanceof Output
          ? { store: 'ConfigMap' as const, name: value.configMapName }
          : { store: 'Secret' as const, name: value.secretName };
      destinations[name] = { name: to.name, key: value.key };
      run.destinations.push({ ...to, path: `operatorSpec.${property}.${name}`, key: value.key, annotations: [], labels: [] });
    }
    operatorSpec[property] = destinations;
    spec.operatorSpec = operatorSpec;
  }
}
