import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { FluxProvider, FluxReference } from './flux-object';
import { PropChecks, secretRef } from './prop-checks';
import { omitUndefined } from '../util/records';

/** Properties of a Flux HelmRepository. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface HelmRepositoryProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** URL of the charts: `https://…` for an index, `oci://…` for a registry. */
  readonly url: string;
  /**
   * Interval at which Flux fetches the index.
   * @default 1m
   */
  readonly interval?: string;
  /**
   * Timeout of a fetch.
   * @default 60s
   */
  readonly timeout?: string;
  /**
   * Secret with `username` and `password`.
   * @default - none
   */
  readonly secretName?: string;
  /**
   * Authentication provider for `oci://`.
   * @default - generic
   */
  readonly provider?: FluxProvider;
  /**
   * Whether Flux suspends reconciliation of the object.
   * @default false
   */
  readonly suspend?: boolean;
}

/**
 * A Flux HelmRepository: a repository of Helm charts.
 * @see https://fluxcd.io/flux/components/source/helmrepositories/
 */
export class HelmRepository extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props URL and credentials of the repository
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: HelmRepositoryProps) {
    super(scope, id, {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'HelmRepository',
      ...(props.metadata && { metadata: props.metadata }),
      spec: specOf(scope, id, props),
    });
  }

  /** Reference for the `sourceRef` of charts. */
  public get reference(): FluxReference {
    const { namespace } = this.metadata;
    return { kind: this.kind, name: this.name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

function specOf(scope: Construct, id: string, props: HelmRepositoryProps): object {
  const checks = new PropChecks(scope, id);
  checks.name('metadata.name', props.metadata?.name);
  const oci = props.url?.startsWith('oci://');
  if (!oci && !/^https?:\/\/.+/.test(props.url ?? '')) {
    checks.add('url', `'${props.url ?? ''}' is no address of charts. Give https://… or oci://….`);
  }
  checks.duration('interval', props.interval);
  checks.duration('timeout', props.timeout, true);
  checks.name('secretName', props.secretName);
  if (props.provider !== undefined && !oci) {
    checks.add('provider', 'counts for oci:// only. Leave it out, and give secretName if the server wants a password.');
  }
  checks.throwIfAny();
  return omitUndefined({
    url: props.url,
    type: oci ? 'oci' : undefined,
    interval: props.interval,
    timeout: props.timeout,
    secretRef: secretRef(props.secretName),
    provider: props.provider,
    suspend: props.suspend,
  });
}
