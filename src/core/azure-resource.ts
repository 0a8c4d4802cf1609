import { ApiObject } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { ResourceLayers } from './aspects/resource-layers';
import { withScopeValues } from './aspects/scope-values';
import { AzureKindFacts, AzureResourceProps } from './azure-resource-props';
import type { CelExpression } from './cel/cel-expression';
import { AppChecks } from './checks/app-checks';
import { emitAfter } from './checks/chart-order';
import type { CheckedResource } from './checks/checked-resource';
import { constructsIn } from './checks/constructs-in';
import { rememberPlace, withPlace } from './checks/made-at';
import { annotationProblems } from './checks/resource-metadata';
import { type ChildArguments, childArguments, childrenOf, rememberChild } from './children';
import { ResourceExports } from './exports/resource-exports';
import type * as Grants from './grants/grant';
import type { IPrincipal } from './grants/principal';
import type { RoleGrant } from './grants/role-grant';
import { nameInAzure } from './naming/name-in-azure';
import { withObjectName } from './object-name';
import type { Output } from './output';
import { ownArmId } from './own-arm-id';
import { isResource, markAsResource } from './resource-internals';
import { AzureResourceReference, IAzureResourceRef } from './resource-reference';
import { Conversion } from './schema/conversion';
import { KindSchema } from './schema/kind-schema';
import type { SecretOutput } from './secret-value';
import { ChosenVersion, chosenVersion } from './versions/chosen-version';
import { withFirstRelease } from './versions/first-release';

// Loaded on demand: a grant is a resource, so its class needs this one first.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const grants = (): typeof Grants => require('./grants/grant') as typeof Grants;

/** Props that are not properties of the spec. */
const OWN_PROPS: ReadonlySet<string> = new Set([
  'metadata', 'reconcilePolicy', 'adopt', 'credential', 'apiVersion', 'additionalSpec', 'removalPolicy', 'ignoreChanges',
]);

/** Enough for a resource that another one makes (`addContainer`); bundles remember their own place. */
const FRAMES = 5;

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
  private askedExports?: ResourceExports;
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
    super(scope, id, { apiVersion: `${own.group}/${own.version}`, kind: own.kind, metadata: withObjectName(scope, id, layers.metadata), spec: late });
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
    const owner = this.owner?.construct;
    if (isResource(owner)) rememberChild(owner, this);
    const checks = AppChecks.of(this.node.root);
    rememberPlace(this, new.target, FRAMES);
    this.node.addValidation({ validate: () => withPlace(this, joined(this._check().problems, checks.problemsOf(this))) });
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
   * The ARM id that the resource has or will have: of its subscription, its owners' names and its own. Name and credential count as they
   * are when the id is read, so read it after `AzureNaming` and `Credentials` are set.
   * @throws when a part of the id is known only later, with the part
   */
  public get armId(): string {
    return ownArmId(this);
  }

  /**
   * Assigns a role on this resource, and on all that it contains. A second call for the same role and principal returns the first grant.
   * @param role the role: a `BuiltInRole`, or your own role definition
   * @param to an identity, e.g. a `UserAssignedIdentity`; else `Principal.fromConfig` of an output, or `Principal.fromObjectId`
   */
  public grant(role: IAzureResourceRef, to: IPrincipal): RoleGrant {
    return grants().grantOn(this, role, to);
  }

  /**
   * A value that Azure gives the resource, exported to a ConfigMap: to the destination in `operatorSpec.configMaps`, else to key `<output>`
   * of `<metadata.name>-outputs`.
   * @param name name of the output, e.g. `principalId`
   * @throws when the kind has no such output
   */
  public output(name: string): Output {
    return this.asked.output(name);
  }

  /**
   * A secret that Azure creates with the resource, exported to a Secret: to the destination in `operatorSpec.secrets`, else to key
   * `<output>` of `<metadata.name>-secrets`.
   * @param name name of the secret, e.g. `key1`
   * @throws when the kind has no such secret
   */
  public secretOutput(name: string): SecretOutput {
    return this.asked.secretOutput(name);
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
   * The arguments for the constructor of a child that this resource creates.
   * @internal
   */
  public _child<Options extends AzureResourceProps>(kind: string, id: string, options: Options): ChildArguments<Options, this> {
    return childArguments(this, kind, id, options);
  }

  /**
   * The first child of a kind.
   * @internal
   */
  public _childOf(kind: string): unknown {
    return childrenOf(this, kind)[0];
  }

  /**
   * Whether Azure's keys or connection strings are written to a Secret.
   * @internal
   */
  public get _exportsSecrets(): boolean {
    const { operatorSpec } = this.azureProps as { operatorSpec?: { secrets?: object } };
    return this.askedExports?.hasSecrets === true || operatorSpec?.secrets !== undefined;
  }

  /**
   * The Secret of the credential, if it is in the app.
   * @internal
   */
  public get _credentialSecret(): ApiObject | undefined {
    return this.layers.credential?.secret as ApiObject | undefined;
  }

  /**
   * Property, as a path in the props → the scope, or the owner, that has its value.
   * @internal
   */
  public get _origins(): ReadonlyMap<string, IConstruct> {
    return new Map([...(this._check().origins ?? []), ...this.layers.origins]);
  }

  /**
   * Whether the cluster refuses to delete the object.
   * @internal
   */
  public get _isProtected(): boolean {
    return this.layers.isProtected;
  }

  /**
   * An export of a text with values of this resource.
   * @internal
   */
  public _exportText(store: 'ConfigMap' | 'Secret', parts: readonly (string | CelExpression)[]): Output | SecretOutput {
    return this.asked.text(store, parts);
  }

  private get schema(): KindSchema {
    return KindSchema.of(this.kindFacts);
  }

  private get asked(): ResourceExports {
    return (this.askedExports ??= new ResourceExports(this, this.chosen));
  }

  private convert(): CheckedResource {
    const run = new Conversion(this.azureProps.additionalSpec);
    const { schema } = this;
    const spec = schema.spec.convert(withScopeValues(this, schema, run), run, OWN_PROPS);
    if (run.problems.length > 0) {
      run.problems.splice(0, Infinity, ...withFirstRelease(run.problems, this.chosen, (other) => this.problemsIn(other)));
    }
    if (this.chosen.problem !== undefined) run.problems.push(this.chosen.problem);
    this.layers.complete(spec, schema, run);
    const azureName = nameInAzure(this, spec, schema, run);
    this.askedExports?.addTo(spec, run);
    const problems = joined(run.problems, joined(annotationProblems(this.azureProps), this.layers.problems));
    return {
      spec,
      schema,
      problems: problems.map((problem) => `${this.kind} ${problem}`),
      links: run.links,
      destinations: run.destinations,
      origins: run.origins,
      azureName: schema.fixedName ?? (typeof azureName === 'string' ? azureName : undefined),
      lasting: !run.lazy,
    };
  }

  /** Problems of the spec in another version. */
  private problemsIn(schema: KindSchema): string[] {
    const run = new Conversion(this.azureProps.additionalSpec);
    schema.spec.convert(withScopeValues(this, schema, run), run, OWN_PROPS);
    return run.problems;
  }
}
