import { isText } from '../../../src/util/records';

/** `group/Kind` of an object; of what is none, what it has of them. */
export function groupKindOf(object: object): string {
  const { apiVersion, kind } = object as { apiVersion?: unknown; kind?: unknown };
  const version = isText(apiVersion) ? apiVersion : '';
  return `${version.includes('/') ? version.split('/')[0] : ''}/${isText(kind) ? kind : ''}`;
}
