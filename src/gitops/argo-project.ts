import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { ArgoDestination } from './argo-destination';
import { destinationSpec } from './argo-spec';
import type { CrdPattern } from './crd-pattern';
import { PropChecks, someOf } from './prop-checks';
import { omitUndefined } from '../util/records';

/** A kind, or several by `*`. */
export interface ArgoKind {
  /** Kind, e.g. `ConfigMap`, or `*`. */
  readonly kind: string;
  /**
   * API group, e.g. `apps`, or `*`.
   * @default - the core group
   */
  readonly group?: string;
}

/** Properties of an Argo CD AppProject. */
export interface ArgoProjectProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path, in the namespace `argocd`
   */
  readonly metadata?: ApiObjectMetadata;
  /** URLs of the repositories that Applications may use; `*` is a wildcard. */
  readonly sourceRepos: string[];
  /** Clusters and namespaces into which Applications may deploy; `*` is a wildcard. */
  readonly destinations: ArgoDestination[];
  /**
   * The kinds of Azure Service Operator that Applications may create. With this or `kinds`, all others are refused.
   * @default - `kinds`
   */
  readonly azureKinds?: CrdPattern;
  /**
   * Kinds in a namespace that Applications may create.
   * @default - all, unless there are `azureKinds`
   */
  readonly kinds?: ArgoKind[];
  /**
   * Kinds without a namespace that Applications may create, e.g. `Namespace`.
   * @default - none
   */
  readonly clusterKinds?: ArgoKind[];
  /**
   * A text for people.
   * @default - none
   */
  readonly description?: string;
}

/**
 * An Argo CD AppProject: limits for the Applications of a team.
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/project-specification/
 */
export class ArgoProject extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props repositories, destinations and kinds
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: ArgoProjectProps) {
    super(scope, id, {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { namespace: 'argocd', ...props.metadata },
      spec: specOf(scope, id, props),
    });
  }
}

function specOf(scope: Construct, id: string, props: ArgoProjectProps): object {
  const { azureKinds, kinds, clusterKinds = [] } = props;
  const checks = new PropChecks(scope, id);
  checks.name('metadata.name', props.metadata?.name);
  if (!someOf(props.sourceRepos)) checks.add('sourceRepos', 'is empty, so no Application would be allowed. Give the URLs of repositories.');
  if (!someOf(props.destinations)) checks.add('destinations', 'is empty, so no Application would be allowed. Give a namespace at least.');
  [...(kinds ?? []), ...clusterKinds].forEach(({ kind }) => checks.require('kind', kind, 'Give the kind, e.g. ConfigMap.'));
  checks.throwIfAny();
  const listed = () => [...(azureKinds?._list ?? []).map(kindOfPattern), ...(kinds ?? []).map(kindOf)];
  return omitUndefined({
    description: props.description,
    sourceRepos: props.sourceRepos,
    destinations: props.destinations.map((destination) => destinationSpec({ ...destination, namespace: destination.namespace ?? '*' })),
    clusterResourceWhitelist: someOf(clusterKinds.map(kindOf)),
    namespaceResourceWhitelist: azureKinds || kinds ? Lazy.any({ produce: listed }) : undefined,
  });
}

function kindOf({ kind, group }: ArgoKind): object {
  return { group: group ?? '', kind };
}

function kindOfPattern(pattern: string): object {
  const [group, kind] = pattern.split('/');
  return { group, kind };
}
