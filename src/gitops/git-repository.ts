import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { FluxChecks, omitUndefined, secretRef, someOf } from './flux-checks';
import type { FluxProvider, FluxReference } from './flux-object';

/** What of a Git repository is checked out. Flux takes the most precise one: commit, name, semver, tag, branch. */
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

/** What a Flux GitRepository takes. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface GitRepositoryProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** The repository, `https://…` or `ssh://…`. */
  readonly url: string;
  /** How often the repository is asked. */
  readonly interval: string;
  /**
   * What is checked out.
   * @default - the branch `master`
   */
  readonly ref?: GitReference;
  /**
   * How long Git may take.
   * @default 60s
   */
  readonly timeout?: string;
  /**
   * Secret with what Git needs to sign in.
   * @default - none
   */
  readonly secretName?: string;
  /**
   * Who signs in.
   * @default - generic
   */
  readonly provider?: FluxProvider;
  /**
   * What is left out, as in `.gitignore`.
   * @default - what Flux leaves out
   */
  readonly ignore?: string;
  /**
   * Folders to which the checkout is limited.
   * @default - all of it
   */
  readonly sparseCheckout?: string[];
  /**
   * Whether Flux leaves it alone.
   * @default false
   */
  readonly suspend?: boolean;
}

/**
 * A Flux GitRepository: where manifests are.
 * @see https://fluxcd.io/flux/components/source/gitrepositories/
 */
export class GitRepository extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the repository
   * @throws when something is missing or malformed: one error that names all of it
   */
  public constructor(scope: Construct, id: string, props: GitRepositoryProps) {
    super(scope, id, { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', metadata: props.metadata, spec: specOf(scope, id, props) });
  }

  /** For the `sourceRef` of Kustomizations and charts. */
  public get reference(): FluxReference {
    const { namespace } = this.metadata;
    return { kind: this.kind, name: this.name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

function specOf(scope: Construct, id: string, props: GitRepositoryProps): object {
  const checks = new FluxChecks(scope, id);
  checks.name('metadata.name', props.metadata?.name);
  if (!/^(https?|ssh):\/\/.+/.test(props.url ?? '')) checks.add('url', `'${props.url ?? ''}' is no address that Flux takes. Give https://… or ssh://git@host/path.`);
  checks.interval('interval', props.interval);
  checks.duration('timeout', props.timeout, true);
  checks.name('secretName', props.secretName);
  if (props.provider === 'gcp') checks.add('provider', '\'gcp\' has no Git. Give generic, azure, aws or github.');
  if (props.ref && Object.values(props.ref).every((value) => !value)) checks.add('ref', 'says nothing. Give branch, tag, semver, name or commit.');
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
