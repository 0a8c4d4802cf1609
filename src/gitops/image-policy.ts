import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { FluxDependency } from './flux-object';
import { PropChecks } from './prop-checks';
import { omitUndefined } from '../util/records';

/** Sort order of tags. */
export enum TagOrder {
  /** Z is newer than A, 2 newer than 1. */
  ASCENDING = 'asc',
  /** A is newer than Z, 1 newer than 2. */
  DESCENDING = 'desc',
}

/** Selects the tags that the policy considers. */
export interface TagFilter {
  /** A regular expression. */
  readonly pattern: string;
  /**
   * Part of the tag to compare, e.g. `$ts` for a group of that name.
   * @default - all of it
   */
  readonly extract?: string;
}

/** Properties of a Flux ImagePolicy. Give one of `semver`, `alphabetical` and `numerical`. */
export interface ImagePolicyProps {
  /**
   * Kubernetes metadata.
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
  /** The ImageRepository. */
  readonly imageRepository: FluxDependency;
  /**
   * Selects the newest version in a range, e.g. `>=1.0.0`; `>=0.1.0-0` includes prereleases.
   * @default - none
   */
  readonly semver?: string;
  /**
   * Selects the last tag in alphabetical order.
   * @default - none
   */
  readonly alphabetical?: TagOrder;
  /**
   * Selects the last tag in numerical order.
   * @default - none
   */
  readonly numerical?: TagOrder;
  /**
   * The tags that the policy considers.
   * @default - all
   */
  readonly filterTags?: TagFilter;
  /**
   * The version of the API. Flux 2.7 has `v1` too.
   * @default v1beta2
   */
  readonly version?: string;
}

/**
 * A Flux ImagePolicy: selects the newest tag of an image.
 * @see https://fluxcd.io/flux/components/image/imagepolicies/
 */
export class ImagePolicy extends ApiObject {
  /**
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the image and the rule that selects the tag
   * @throws when a prop is missing or malformed: one error that lists all problems
   */
  public constructor(scope: Construct, id: string, props: ImagePolicyProps) {
    super(scope, id, {
      apiVersion: `image.toolkit.fluxcd.io/${props.version ?? 'v1beta2'}`,
      kind: 'ImagePolicy',
      ...(props.metadata && { metadata: props.metadata }),
      spec: specOf(scope, id, props),
    });
  }
}

function specOf(scope: Construct, id: string, props: ImagePolicyProps): object {
  const { semver, alphabetical, numerical } = props;
  const checks = new PropChecks(scope, id);
  checks.name('metadata.name', props.metadata?.name);
  checks.reference('imageRepository', props.imageRepository);
  const ways = [semver, alphabetical, numerical].filter((way) => way !== undefined);
  if (ways.length !== 1) checks.add('semver', `${ways.length === 0 ? 'nothing says' : 'several things say'} which tag is the newest. Give one of semver, alphabetical and numerical.`);
  if (semver === '') checks.add('semver', 'is empty. Give a range, e.g. >=1.0.0.');
  if (props.filterTags) checks.require('filterTags.pattern', props.filterTags.pattern, 'Give a regular expression.');
  checks.throwIfAny();
  return omitUndefined({
    imageRepositoryRef: omitUndefined({ ...props.imageRepository }),
    policy: omitUndefined({
      semver: semver === undefined ? undefined : { range: semver },
      alphabetical: alphabetical && { order: alphabetical },
      numerical: numerical && { order: numerical },
    }),
    filterTags: props.filterTags && omitUndefined({ ...props.filterTags }),
  });
}
