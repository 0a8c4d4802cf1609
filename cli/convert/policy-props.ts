import { literal, type Code, type Entry } from './expression';
import { ADOPT, IGNORE_CHANGES, RECONCILE_POLICY, REMOVAL_POLICY } from '../../src/azure/annotations';
import type { KindVersion } from '../../src/catalog';
import { stepsOf } from '../../src/catalog/change-path';
import { propertyNameOf } from '../../src/catalog/property-names';
import { AdoptionPolicy } from '../../src/core/adoption-policy';
import { ReconcilePolicy } from '../../src/core/reconcile-policy';
import { ignoredChanges } from '../../src/core/removal/ignored-changes';
import { RemovalPolicy } from '../../src/core/removal/removal-policy';

/** The annotations of an object, by name. */
type Annotations = Readonly<Record<string, string>>;

/** A prop, and the annotation that it sets. */
export interface AnnotationProp {
  readonly annotation: string;
  readonly entry: Entry;
}

/** Policies as props, when the props set exactly the annotations that were read. */
export function policyProps(annotations: Annotations, version: KindVersion): AnnotationProp[] {
  return [policy(annotations), adoption(annotations), changes(annotations, version)].filter((found) => found !== undefined);
}

function policy(annotations: Annotations): AnnotationProp | undefined {
  const value = annotations[RECONCILE_POLICY];
  // Protection adds objects of its own, which the files already contain if it is in use: its annotation stays and is checked by itself.
  if (value === ReconcilePolicy.DETACH_ON_DELETE && annotations[REMOVAL_POLICY] === undefined) {
    return prop('removalPolicy', RECONCILE_POLICY, member('RemovalPolicy', 'RETAIN', RemovalPolicy.RETAIN));
  }
  const known = Object.entries(ReconcilePolicy).find(([, allowed]) => allowed === value);
  return known && prop('reconcilePolicy', RECONCILE_POLICY, member('ReconcilePolicy', known[0], known[1]));
}

function adoption(annotations: Annotations): AnnotationProp | undefined {
  const known = Object.entries(AdoptionPolicy).find(([, allowed]) => allowed === annotations[ADOPT]);
  return known && prop('adopt', ADOPT, member('AdoptionPolicy', known[0], known[1]));
}

function changes(annotations: Annotations, version: KindVersion): AnnotationProp | undefined {
  const text = annotations[IGNORE_CHANGES];
  const paths = text === undefined ? undefined : changePaths(text, version);
  return paths && prop('ignoreChanges', IGNORE_CHANGES, literal(paths, ['metadata', 'annotations', IGNORE_CHANGES]));
}

/** The paths as the props spell them; undefined when the props would not write the same text. */
function changePaths(text: string, version: KindVersion): string[] | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read.length === 0 || !read.every((path) => typeof path === 'string')) return undefined;
  const given = read.map((path) => spellings(path).find((spelling) => isWrittenAs(spelling, path, version)) ?? path);
  const { paths, problems } = ignoredChanges(given, version);
  return problems.length === 0 && JSON.stringify(paths) === text ? given : undefined;
}

/** A path as the spec spells it and as the props spell it. */
function spellings(path: string): string[] {
  const renamed = stepsOf(path)
    ?.map(({ is, text, source }, index) => (is === 'name' ? source.replace(text, propertyNameOf(text, index === 0)) : source))
    .join('');
  return renamed === undefined ? [path] : [path, renamed];
}

function isWrittenAs(spelling: string, path: string, version: KindVersion): boolean {
  const { paths, problems } = ignoredChanges([spelling], version);
  return problems.length === 0 && paths[0] === path;
}

function prop(key: string, annotation: string, value: Entry['value']): AnnotationProp {
  return { annotation, entry: { key, value, at: ['metadata', 'annotations', annotation] } };
}

function member(type: string, name: string, value: string): Code {
  return { is: 'code', uses: [], value: () => value, text: (names) => `${names.core(type)}.${name}` };
}
