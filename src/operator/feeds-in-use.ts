import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { FEED_KINDS, FEEDS, feedTargets, type FeedKind } from '../azure/credential-feeds';

/**
 * What the identities of an app are fed to. Only an annotation of this app can tell: a controller for named kinds, or for another app's
 * objects, has to be told with `credentialFeeds`.
 */
export function feedsInUse(root: IConstruct, told: boolean | undefined): ReadonlySet<FeedKind> {
  if (told !== undefined) return new Set(told ? FEED_KINDS : []);
  const annotations = root.node.findAll().flatMap((construct) => {
    if (!ApiObject.isApiObject(construct)) return [];
    const { annotations: given } = (construct as ApiObject).metadata.toJson() as { annotations?: Record<string, unknown> };
    const text = given?.[FEEDS];
    return typeof text === 'string' ? [text] : [];
  });
  return new Set(annotations.flatMap((text) => feedTargets(text).entries.map(({ kind }) => kind)));
}
