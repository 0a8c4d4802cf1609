import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { FluxProvider, FluxReference } from './flux-object';
import { PropChecks, secretRef, someOf } from './prop-checks';
import { omitUndefined } from '../util/records';

/** The Git revision to check out. Flux takes the most precise one: commit, name, semver, tag, branch. */
export interface GitReference {
  /**
   * A branch.
   * @default - master, if nothing else is given
   */
  readonly branch?: string;
  /**
   * A tag.
   * @default - none
   */
  readonly tag?: string;
  /**
   * The newest tag of a range of versions, e.g. `>=1.0.0 <2.0.0`.
   * @default - none
   */
  readonly semver?: string;
  /**
   * A reference, e.g. `refs/heads/main`.
   * @default - none
   */
  readonly name?: string;
  /**
   * A commit.
   * @default - none
   */
  readonly commit?: string;
}

/** Properties of a Flux GitRepository. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface GitRepositoryProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** The repository, `https://…` or `ssh://…`. */
  readonly url: string;
  /** Interval at which Flux checks the repository for new revisions. */
  readonly interval: string;
  /**
   * The revision to check out.
   * @default - the branch `master`
   */
  readonly ref?: GitReference;
  /**
   * Timeout of Git operations.
   * @default 60s
   */
  readonly timeout?: string;
  /**
   * Secret with the credentials for Git.
   * @default - none
   */
  readonly secretName?: string;
  /**
   * Authentication provider.
   * @default - generic
   */
  readonly provider?: FluxProvider;
  /**
   * Paths to exclude, in the format of `.gitignore`.
   * @default - the exclusions of Flux
   */
  readonly ignore?: string;
  /**
   * Folders to check out.
   * @default - all
   */
  readonly sparseCheckout?: string[];
  /**
   * Whether Flux suspends reconciliation of the object.
   * @default false
   */
  readonly suspend?: boolean;
}

/**
 * A Flux GitRepository: a Git repository with manifests.
 * @see https://fluxcd.io/flux/components/source/gitrepositories/
 */
export class GitRepository extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props URL, revision and credentials of the repository
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: GitRepositoryProps) {
    super(scope, id, {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      ...(props.metadata && { metadata: props.metadata }),
      spec: specOf(scope, id, props),
    });
  }

  /** Reference for the `sourceRef` of Kustomizations and charts. */
  public get reference(): FluxReference {
    const { namespace } = this.metadata;
    return { kind: this.kind, name: this.name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

function specOf(scope: Construct, id: string, props: GitRepositoryProps): object {
  const checks = new PropChecks(scope, id);
  checks.name('metadata.name', props.metadata?.name);
  if (!/^(https?|ssh):\/\/.+/.test(props.url ?? '')) {
    checks.add('url', `'${props.url ?? ''}' is no address that Flux takes. Give https://… or ssh://git@host/path.`);
  }
  checks.interval('interval', props.interval);
  checks.duration('timeout', props.timeout, true);
  checks.name('secretName', props.secretName);
  if (props.provider === 'gcp') checks.add('provider', "'gcp' has no Git. Give generic, azure, aws or github.");
  if (props.ref && Object.values(props.ref).every((value) => !value)) {
    checks.add('ref', 'says nothing. Give branch, tag, semver, name or commit.');
  }
  checks.throwIfAny();
  return omitUndefined({
    url: props.url,
    interval: props.interval,
    ref: props.ref && omitUndefined({ ...props.ref }),
    timeout: props.timeout,
    secretRef: secretRef(props.secretName),
    provider: props.provider,
    ignore: props.ignore,
    sparseCheckout: someOf(props.sparseCheckout),
    suspend: props.suspend,
  });
}
