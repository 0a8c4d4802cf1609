import type { ChosenVersion } from './chosen-version';
import { isUpTo, sinceOf, writtenVersions } from './served-version';
import { Catalog } from '../../catalog/catalog';
import { KindSchema } from '../schema/kind-schema';

const NO_PROPERTY = /^(.*?: there is no such property\.)/s;

/** What another version finds in the same props. */
export type Recheck = (schema: KindSchema) => string[];

/**
 * Says of each problem with a spec whether it comes from the version in which the object is written, and which release is the first
 * without it. Found out by trying: the props are converted again, for each later version. That takes its time only where
 * something is wrong.
 * @param problems `<property>: <what>`
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

/** The release that first exports a value; undefined where none does, or where the version at hand is as good as any. */
export function firstReleaseThat({ facts }: ChosenVersion, exports: (schema: KindSchema) => boolean): string | undefined {
  const kind = Catalog.default().kind(facts.group, facts.kind);
  const first = kind && writtenVersions(kind).find(({ version }) => exports(KindSchema.of({ ...facts, version })));
  return first && `Azure Service Operator ${first.release} is the first release that has it (version ${first.version}); this one is written in version ${facts.version}.`;
}

function propertyOf(problem: string): string {
  const end = problem.indexOf(': ');
  return end < 0 ? problem : problem.slice(0, end);
}
