import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { FluxHealthExpressions } from './flux-health';
import type { FluxDependency, FluxReference } from './flux-object';
import { lateList, PropChecks, someOf } from './prop-checks';
import { omitUndefined } from '../util/records';

const SOURCES = ['GitRepository', 'OCIRepository', 'Bucket', 'ExternalArtifact'];
const VARIABLE = /^[_a-zA-Z][_a-zA-Z0-9]*$/;

/** Kind of an object that holds variables for substitution. */
export enum SubstituteKind {
  /** A ConfigMap. */
  CONFIG_MAP = 'ConfigMap',
  /** A Secret. */
  SECRET = 'Secret',
}

/** A ConfigMap or Secret of the Kustomization's namespace whose keys are variables. */
export interface SubstituteSource {
  /** Name of the ConfigMap or Secret. */
  readonly name: string;
  /**
   * Whether the source is a ConfigMap or a Secret.
   * @default SubstituteKind.CONFIG_MAP
   */
  readonly kind?: SubstituteKind;
  /**
   * Whether the Kustomization proceeds if the source is missing. Its variables are then empty in the objects, unless Flux has the feature
   * gate `StrictPostBuildSubstitutions`.
   * @default false
   */
  readonly optional?: boolean;
}

/** Values for the `${VARIABLE}` in the objects of a Kustomization. */
export interface PostBuild {
  /**
   * Variables and their values. They win over `substituteFrom`.
   * @default - none
   */
  readonly substitute?: { [variable: string]: string };
  /**
   * Further sources of variables. A later one takes precedence.
   * @default - none
   */
  readonly substituteFrom?: SubstituteSource[];
}

/** An object whose health the Kustomization waits for. */
export interface FluxHealthCheck {
  /** API version, e.g. `managedidentity.azure.com/v1api20230131`. */
  readonly apiVersion: string;
  /** Kind. */
  readonly kind: string;
  /** Name. */
  readonly name: string;
  /**
   * Namespace.
   * @default - that of the Kustomization
   */
  readonly namespace?: string;
}

/** How Flux treats the applied objects when the Kustomization is deleted. */
export enum KustomizationDeletionPolicy {
  /** Flux deletes them if `prune` is on. */
  MIRROR_PRUNE = 'MirrorPrune',
  /** Flux deletes them. */
  DELETE = 'Delete',
  /** Flux deletes them, and the Kustomization stays until they are gone. */
  WAIT_FOR_TERMINATION = 'WaitForTermination',
  /** Flux leaves them in the cluster. */
  ORPHAN = 'Orphan',
}

/** Properties of a Flux Kustomization. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface KustomizationProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** Interval at which Flux applies the manifests again. */
  readonly interval: string;
  /** The source of the manifests: a `GitRepository`, `OCIRepository`, `Bucket` or `ExternalArtifact`. */
  readonly sourceRef: FluxReference;
  /**
   * Folder in the source, relative to its root.
   * @default - the root
   */
  readonly path?: string;
  /**
   * Whether Flux deletes objects from the cluster that are no longer in the source.
   * @default true
   */
  readonly prune?: boolean;
  /**
   * How Flux treats the applied objects when the Kustomization is deleted.
   * @default - MirrorPrune
   */
  readonly deletionPolicy?: KustomizationDeletionPolicy;
  /**
   * Kustomizations that must be ready first.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * Whether the Kustomization is ready only when all of its objects are.
   * @default false
   */
  readonly wait?: boolean;
  /**
   * Objects whose health the Kustomization waits for. With `wait`, Flux ignores this list.
   * @default - none
   */
  readonly healthChecks?: FluxHealthCheck[];
  /**
   * The health of kinds, for `wait` and `healthChecks`: `FluxHealth.expressionsIn(app)` for those of Azure Service Operator, in Flux 2.5 or
   * newer.
   * @default - Flux decides by the conditions that are common in Kubernetes
   */
  readonly healthCheckExprs?: FluxHealthExpressions[];
  /**
   * Timeout of applying and of waiting for health.
   * @default - the interval
   */
  readonly timeout?: string;
  /**
   * Interval at which Flux retries after a failure.
   * @default - the interval
   */
  readonly retryInterval?: string;
  /**
   * Variables in the files.
   * @default - none
   */
  readonly postBuild?: PostBuild;
  /**
   * Namespace that overrides the namespace of all objects.
   * @default - the objects' own namespaces
   */
  readonly targetNamespace?: string;
  /**
   * Service account in the Kustomization's namespace that Flux impersonates.
   * @default - Flux's own
   */
  readonly serviceAccountName?: string;
  /**
   * Whether Flux deletes and recreates objects when an immutable field changes.
   * @default false
   */
  readonly force?: boolean;
  /**
   * Whether Flux suspends reconciliation of the Kustomization.
   * @default false
   */
  readonly suspend?: boolean;
}

/**
 * A Flux Kustomization: a folder of a source that Flux applies to the cluster periodically.
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/
 */
export class Kustomization extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props source, interval and checks
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: KustomizationProps) {
    super(scope, id, {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      ...(props.metadata && { metadata: props.metadata }),
      spec: specOf(scope, id, props),
    });
  }

  /** Reference for the `dependsOn` of other Kustomizations. */
  public get dependency(): FluxDependency {
    const { namespace } = this.metadata;
    return { name: this.name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

function specOf(scope: Construct, id: string, props: KustomizationProps): object {
  const checks = new PropChecks(scope, id);
  checks.interval('interval', props.interval);
  checks.duration('timeout', props.timeout);
  checks.duration('retryInterval', props.retryInterval);
  checks.referenceTo(SOURCES, 'sourceRef', props.sourceRef);
  checks.name('metadata.name', props.metadata?.name);
  checks.namespace('targetNamespace', props.targetNamespace);
  checks.name('serviceAccountName', props.serviceAccountName);
  if (!lateList(props.dependsOn)) checks.dependencies('dependsOn', props.dependsOn, props.metadata);
  // The path may be a token, which resolves to a text only at synth.
  if (typeof props.path === 'string' && props.path.split('/').includes('..')) {
    checks.add('path', `'${props.path}' leaves the source. Give a folder of it, e.g. ./teams/ledger.`);
  }
  props.healthChecks?.forEach((check, index) => {
    checks.reference(`healthChecks[${index}]`, check);
    checks.require(`healthChecks[${index}].apiVersion`, check.apiVersion, 'Give the API version of the object.');
    checks.require(`healthChecks[${index}].kind`, check.kind, 'Give the kind of the object.');
  });
  if (!lateList(props.healthCheckExprs)) checkExpressions(checks, props.healthCheckExprs);
  checkVariables(checks, props.postBuild);
  checks.throwIfAny();
  return omitUndefined({
    interval: props.interval,
    retryInterval: props.retryInterval,
    timeout: props.timeout,
    sourceRef: omitUndefined({ ...props.sourceRef }),
    path: props.path,
    prune: props.prune ?? true,
    deletionPolicy: props.deletionPolicy,
    dependsOn: lateList(props.dependsOn) ?? someOf(props.dependsOn?.map((dependency) => omitUndefined({ ...dependency }))),
    wait: props.wait,
    healthChecks: someOf(props.healthChecks?.map((check) => omitUndefined({ ...check }))),
    healthCheckExprs: lateList(props.healthCheckExprs)
      ?? someOf(props.healthCheckExprs?.map((expressions) => omitUndefined({ ...expressions }))),
    postBuild: postBuildOf(props.postBuild),
    targetNamespace: props.targetNamespace,
    serviceAccountName: props.serviceAccountName,
    force: props.force,
    suspend: props.suspend,
  });
}

function checkExpressions(checks: PropChecks, list: readonly FluxHealthExpressions[] | undefined): void {
  list?.forEach((expressions, index) => {
    for (const field of ['apiVersion', 'kind', 'current'] as const) {
      checks.require(`healthCheckExprs[${index}].${field}`, expressions[field], 'FluxHealth.expressionsFor(…) has all of them.');
    }
  });
}

function checkVariables(checks: PropChecks, postBuild: PostBuild | undefined): void {
  for (const [variable, value] of Object.entries(postBuild?.substitute ?? {})) {
    const field = `postBuild.substitute.${variable}`;
    if (!VARIABLE.test(variable)) checks.add(field, 'is no name of a variable. Write letters, digits and \'_\', no digit first.');
    if (typeof value !== 'string') checks.add(field, `${JSON.stringify(value)} is no text. Write '${value}'.`);
  }
  postBuild?.substituteFrom?.forEach((source, index) => checks.reference(`postBuild.substituteFrom[${index}]`, source));
}

function postBuildOf(postBuild: PostBuild | undefined): object | undefined {
  const { substitute = {}, substituteFrom = [] } = postBuild ?? {};
  if (Object.keys(substitute).length === 0 && substituteFrom.length === 0) return undefined;
  return omitUndefined({
    substitute: Object.keys(substitute).length > 0 ? substitute : undefined,
    substituteFrom: someOf(substituteFrom.map(sourceOf)),
  });
}

function sourceOf({ kind, name, optional }: SubstituteSource): object {
  return { kind: kind ?? SubstituteKind.CONFIG_MAP, name, ...(optional ? { optional } : {}) };
}
