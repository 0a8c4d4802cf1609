import type { ChosenVersion } from './chosen-version';
import { isUpTo, sinceOf, writtenVersions } from './served-version';
import { Catalog } from '../../catalog/catalog';
import { KindSchema } from '../schema/kind-schema';

const NO_PROPERTY = /^(.*?: there is no such property\.)/s;

/** The problems of the same props in another version. */
export type Recheck = (schema: KindSchema) => string[];

/**
 * Adds to each problem whether it comes from the version in which the object is written, and the first release without it. To find out, it
 * converts the props again for each later version, which takes time only if there are problems.
 * @param problems each as `<property>: <problem>`
 */
export function withFirstRelease(problems: readonly string[], { facts, release, own }: ChosenVersion, recheck: Recheck): string[] {
  if (problems.length === 0 || (release === undefined && !own)) return [...problems];
  const kind = Catalog.default().kind(facts.group, facts.kind);
  if (!kind) return [...problems];
  const isLater = (other: string) => release === undefined || !isUpTo(other, release);
  const later = writtenVersions(kind).filter((written) => written.version !== facts.version && isLater(written.release));
  const found = later.map(({ version }) => new Set(recheck(KindSchema.of({ ...facts, version })).map(propertyOf)));
  return problems.map((problem) => {
    const first = later[found.findIndex((properties) => !properties.has(propertyOf(problem)))];
    if (!first) return problem;
    const reason = own
      ? `apiVersion asks for ${facts.version} (since Azure Service Operator ${sinceOf(kind, facts.version)})`
      : `Azure Service Operator ${release} has ${facts.kind} in version ${facts.version}`;
    const [text] = NO_PROPERTY.exec(problem) ?? [];
    const what = text === undefined ? 'which does not allow that' : 'which lacks it';
    const does = text === undefined ? 'allows it' : 'has it';
    return `${text ?? problem} ${reason}, ${what}; ${first.release} is the first release that ${does} (version ${first.version}).`;
  });
}

/** The message with the first release that exports a value; undefined if no release does. */
export function firstReleaseThat({ facts }: ChosenVersion, exports: (schema: KindSchema) => boolean): string | undefined {
  const kind = Catalog.default().kind(facts.group, facts.kind);
  const first = kind && writtenVersions(kind).find(({ version }) => exports(KindSchema.of({ ...facts, version })));
  return first && `Azure Service Operator ${first.release} is the first release that has it (version ${first.version}); this one is written in version ${facts.version}.`;
}

function propertyOf(problem: string): string {
  const end = problem.indexOf(': ');
  return end < 0 ? problem : problem.slice(0, end);
}
