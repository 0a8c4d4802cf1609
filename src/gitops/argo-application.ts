import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { ArgoDestination } from './argo-destination';
import type { ArgoSource } from './argo-source';
import { checkSource, checkSync, destinationSpec, sourceSpec, syncSpec } from './argo-spec';
import type { ArgoSyncPolicy } from './argo-sync';
import { PropChecks, someOf } from './prop-checks';
import { ARGO_RESOURCES_FINALIZER } from '../azure/annotations';
import { omitUndefined } from '../util/records';

/**
 * Properties of objects that Argo CD does not compare with Git.
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/
 */
export interface ArgoIgnoredDifference {
  /** Kind of the objects, e.g. `ManagedCluster`. */
  readonly kind: string;
  /**
   * API group, e.g. `containerservice.azure.com`.
   * @default - the core group
   */
  readonly group?: string;
  /**
   * Name of the object.
   * @default - all objects of the kind
   */
  readonly name?: string;
  /**
   * Namespace of the object.
   * @default - all namespaces
   */
  readonly namespace?: string;
  /**
   * JSON pointers, e.g. `/spec/agentPoolProfiles/0/count`.
   * @default - `jqPathExpressions`
   */
  readonly jsonPointers?: string[];
  /**
   * Expressions of jq, e.g. `.spec.agentPoolProfiles[].count`.
   * @default - `jsonPointers`
   */
  readonly jqPathExpressions?: string[];
}

/** Properties of an Argo CD Application. */
export interface ArgoApplicationProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path, in the namespace `argocd`
   */
  readonly metadata?: ApiObjectMetadata;
  /** The sources of the manifests. */
  readonly sources: ArgoSource[];
  /**
   * Cluster and namespace.
   * @default - the cluster of Argo CD
   */
  readonly destination?: ArgoDestination;
  /**
   * The project, which limits sources, destinations and kinds.
   * @default default
   */
  readonly project?: string;
  /**
   * How Argo CD brings the objects into the cluster.
   * @default - you start each sync; server-side apply, 5 retries
   */
  readonly syncPolicy?: ArgoSyncPolicy;
  /**
   * Properties that Argo CD neither compares nor applies. What an operator writes on its objects needs no entry, because it is not in Git.
   * @default - none
   */
  readonly ignoreDifferences?: ArgoIgnoredDifference[];
  /**
   * Whether Argo CD deletes the objects, and thereby the resources in Azure, when the Application is deleted.
   * @default false
   */
  readonly deleteObjects?: boolean;
  /**
   * The number of former revisions to which a rollback is possible.
   * @default - 10
   */
  readonly revisionHistoryLimit?: number;
}

/**
 * An Argo CD Application: manifests of a Git repository, or a Helm chart, that Argo CD brings into a cluster.
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/
 */
export class ArgoApplication extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props sources and destination
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: ArgoApplicationProps) {
    const finalizers = [...(props.metadata?.finalizers ?? []), ...(props.deleteObjects ? [ARGO_RESOURCES_FINALIZER] : [])];
    super(scope, id, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { namespace: 'argocd', ...props.metadata, ...(finalizers.length > 0 && { finalizers }) },
      spec: specOf(scope, id, props),
    });
  }
}

function specOf(scope: Construct, id: string, props: ArgoApplicationProps): object {
  const { destination = {}, ignoreDifferences = [], syncPolicy = {} } = props;
  checkProps(new PropChecks(scope, id), props);
  const [first, ...others] = props.sources.map(sourceSpec);
  return omitUndefined({
    project: props.project ?? 'default',
    ...(others.length === 0 ? { source: first } : { sources: [first, ...others] }),
    destination: destinationSpec(destination),
    syncPolicy: syncSpec(syncPolicy, ignoreDifferences.length > 0),
    ignoreDifferences: someOf(ignoreDifferences.map(({ group, ...difference }) => omitUndefined({ group: group ?? '', ...difference }))),
    revisionHistoryLimit: props.revisionHistoryLimit,
  });
}

function checkProps(checks: PropChecks, props: ArgoApplicationProps): void {
  const { sources, destination = {}, ignoreDifferences = [], syncPolicy = {} } = props;
  checks.name('metadata.name', props.metadata?.name);
  if (!sources || sources.length === 0) checks.add('sources', 'required. Give the folder of a Git repository, or a Helm chart.');
  sources?.forEach((source, index) => checkSource(checks, `sources[${index}]`, source));
  if (destination.server !== undefined && destination.name !== undefined) {
    checks.add('destination', 'has both server and name. Give one of them.');
  }
  checks.namespace('destination.namespace', destination.namespace);
  checkSync(checks, syncPolicy);
  ignoreDifferences.forEach(({ kind, jsonPointers, jqPathExpressions }, index) => {
    const field = `ignoreDifferences[${index}]`;
    checks.require(`${field}.kind`, kind, 'Give the kind of the objects.');
    if (!someOf(jsonPointers) && !someOf(jqPathExpressions)) checks.add(field, 'names no property. Give jsonPointers or jqPathExpressions.');
    jsonPointers?.filter((pointer) => !pointer.startsWith('/')).forEach((pointer) => {
      checks.add(`${field}.jsonPointers`, `'${pointer}' is no JSON pointer. Write it like /spec/count.`);
    });
  });
  checks.throwIfAny();
}
