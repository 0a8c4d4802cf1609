import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { FluxDependency, FluxProvider } from './flux-object';
import { PropChecks, secretRef, someOf } from './prop-checks';
import { omitUndefined } from '../util/records';

/** Properties of a Flux ImageRepository. Durations are spelt as in Go: `90s`, `5m`, `1h30m`. */
export interface ImageRepositoryProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** The image, without a tag: `registry.azurecr.io/image/ledger`. */
  readonly image: string;
  /** Interval at which Flux lists the image's tags. */
  readonly interval: string;
  /**
   * Timeout of listing tags.
   * @default - the interval
   */
  readonly timeout?: string;
  /**
   * Secret of type `kubernetes.io/dockerconfigjson`.
   * @default - none
   */
  readonly secretName?: string;
  /**
   * Authentication provider.
   * @default - generic
   */
  readonly provider?: FluxProvider;
  /**
   * Regular expressions of tags to exclude, at most 25.
   * @default - signatures (`.sig`)
   */
  readonly exclusionList?: string[];
  /**
   * The version of the API. Flux 2.7 has `v1` too.
   * @default v1beta2
   */
  readonly version?: string;
  /**
   * Whether Flux suspends reconciliation of the object.
   * @default false
   */
  readonly suspend?: boolean;
}

/**
 * A Flux ImageRepository: an image whose tags Flux scans.
 * @see https://fluxcd.io/flux/components/image/imagerepositories/
 */
export class ImageRepository extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props image, interval and credentials
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: ImageRepositoryProps) {
    super(scope, id, {
      apiVersion: `image.toolkit.fluxcd.io/${props.version ?? 'v1beta2'}`,
      kind: 'ImageRepository',
      ...(props.metadata && { metadata: props.metadata }),
      spec: specOf(scope, id, props),
    });
  }

  /** Reference for the `imageRepository` of image policies. */
  public get reference(): FluxDependency {
    const { namespace } = this.metadata;
    return { name: this.name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

function specOf(scope: Construct, id: string, props: ImageRepositoryProps): object {
  const checks = new PropChecks(scope, id);
  checks.name('metadata.name', props.metadata?.name);
  checks.require('image', props.image, 'Give the image, e.g. registry.azurecr.io/image/ledger.');
  const fault = faultOf(props.image ?? '');
  if (fault) checks.add('image', `'${props.image}' ${fault}`);
  checks.interval('interval', props.interval);
  checks.duration('timeout', props.timeout, true);
  checks.name('secretName', props.secretName);
  if ((props.exclusionList?.length ?? 0) > 25) checks.add('exclusionList', 'has more than 25 expressions. Put some of them together.');
  checks.throwIfAny();
  return omitUndefined({
    image: props.image,
    interval: props.interval,
    timeout: props.timeout,
    secretRef: secretRef(props.secretName),
    provider: props.provider,
    exclusionList: someOf(props.exclusionList),
    suspend: props.suspend,
  });
}

function faultOf(image: string): string | undefined {
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (image.includes('://')) return 'has a scheme. Leave it out: registry.azurecr.io/image/ledger.';
  if (name.includes(':') || name.includes('@')) return 'has a tag or digest. Leave it out: the policy chooses the tag.';
  if (/[A-Z\s]/.test(image)) return 'has upper-case letters or spaces, which no registry takes. Write it in lower case.';
  return undefined;
}
