import { LEARN, ofMembers, rule, type AzureRule, type Violation } from './rule';
import { valueAtPath, valuesAt } from './values';
import { nearest } from '../../util/nearest';
import { isRecord } from '../../util/records';
import { Region } from '../region';

const LOCATIONS = [`${LEARN}/reliability/regions-list`, 'LocationNotAvailableForResourceType'] as const;
const TAGS = `${LEARN}/azure-resource-manager/management/tag-resources`;

const REGIONS: ReadonlySet<string> = new Set(Object.values(Region).filter((name) => typeof name === 'string'));
/** Geographies, and regions of Azure whose names have no point of the compass. */
const OTHER_PLACES: ReadonlySet<string> = new Set([
  'usgovvirginia', 'usgovarizona', 'usgovtexas', 'usgoviowa', 'eastusstg', 'southcentralusstg', 'eastusslv', 'brazilus',
  'global', 'asia', 'asiapacific', 'australia', 'brazil', 'canada', 'europe', 'france', 'germany', 'india', 'indonesia', 'israel', 'italy',
  'japan', 'korea', 'malaysia', 'mexico', 'newzealand', 'norway', 'poland', 'qatar', 'singapore', 'southafrica', 'spain', 'sweden',
  'switzerland', 'taiwan', 'uae', 'uk', 'unitedstates', 'unitedstateseuap', 'usa', 'china', 'usgov',
]);
const COMPASS = /(?:north|south|east|west|central)/g;
/** `north*europe`: a name without its points of the compass, and where they are. */
const shapeOf = (name: string) => name.replace(/euap$/, '').replace(/\d$/, '').replace(COMPASS, '*').replace(/\*+/g, '*');
const shapes = once(() => new Set([
  ...[...REGIONS].map(shapeOf),
  'usdod*', 'ussec*', 'usnat*', 'china*', 'germany*', 'jioindia*', 'taiwan*', 'belgium*', 'denmark*', 'finland*', 'greece*', 'saudiarabia*',
]));
/** Regions by their words in any order. */
const byWords = once(() => new Map([...REGIONS].reverse().map((name) => [wordsOf(name), name])));

/** A table for names that are no region: most are one, and need none. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function wordsOf(name: string): string {
  return [...(name.match(COMPASS) ?? []), name.replace(COMPASS, '').replace(/\d$/, '')].sort().join(' ');
}

/** A name of the form of Azure's regions in a land that has one: `eastus3`, perhaps a region of tomorrow. */
function mayBeRegion(name: string): boolean {
  return REGIONS.has(name) || OTHER_PLACES.has(name) || (shapeOf(name).includes('*') && shapes().has(shapeOf(name)));
}

function regionProblem(value: string): Omit<Violation, 'field'> | undefined {
  if (REGIONS.has(value)) return undefined;
  // ARM compares names without blanks and case.
  const name = value.toLowerCase().replace(/ /g, '');
  if (name === '' || mayBeRegion(name)) return undefined;
  const letters = name.replace(/[-_]/g, '');
  const meant = nearest(letters, REGIONS, 2) ?? byWords().get(wordsOf(letters));
  if (meant !== undefined) return { message: `'${value}' is no region; did you mean ${meant}?`, fix: `write ${meant}` };
  // A region of another land may be newer than this release; all have a point of the compass in their names.
  return name.search(COMPASS) >= 0 && /^[a-z]+\d?$/.test(name) ? undefined
    : { message: `'${value}' is no region that this release knows`, fix: 'write the name of a region as Azure\'s tools do, e.g. uksouth', severity: 'warning' };
}

const MOST_TAGS = 50;
const LONGEST_TAG = { name: 512, value: 256 };

export const COMMON_RULES: readonly AzureRule[] = [
  rule('region', [], 'A location is a region of Azure.', LOCATIONS, ofMembers(['location', 'locations'], ({ spec }) =>
    ['location', 'locations[].locationName'].flatMap((path) => valuesAt(spec, path)).flatMap(({ field, value }): Violation[] => {
      const problem = typeof value === 'string' ? regionProblem(value) : undefined;
      return problem ? [{ field, ...problem }] : [];
    }))),
  rule('tag-count', [], 'A resource has 50 tags at most.', [TAGS, 'InvalidTags'], ofMembers(['tags'], ({ spec }) => {
    const tags = valueAtPath(spec, 'tags');
    const count = isRecord(tags) ? Object.keys(tags).length : 0;
    return count > MOST_TAGS ? [{ field: 'tags', message: `has ${count} tags`, fix: `give ${MOST_TAGS} at most` }] : [];
  })),
  rule('tag-name', [], 'The name of a tag has 512 characters at most, none of `<>%&\\?/`, and no prefix of Azure\'s.', [TAGS, 'InvalidTagNameCharacters'], ofMembers(['tags'], ({ spec }) => {
    const tags = valueAtPath(spec, 'tags');
    return Object.keys(isRecord(tags) ? tags : {}).flatMap((name): Violation[] => {
      const problem = name.length > LONGEST_TAG.name || /[<>%&\\?/]/.test(name) || /^(microsoft|azure|windows)/i.test(name);
      // Links that the portal keeps: `hidden-link:/subscriptions/…`.
      return problem && !name.startsWith('hidden-') ? [{ field: 'tags', message: `'${name.slice(0, 60)}' cannot be the name of a tag`, fix: 'write a name without <>%&\\?/ that does not begin with microsoft, azure or windows' }] : [];
    });
  })),
  rule('tag-case', [], 'Names of tags differ in more than upper and lower case.', [TAGS, 'InvalidRequestContent'], ofMembers(['tags'], ({ spec }) => {
    const tags = valueAtPath(spec, 'tags');
    const names = Object.keys(isRecord(tags) ? tags : {});
    const lower = names.map((name) => name.toLowerCase());
    const twice = new Set(lower).size === names.length ? undefined : names.find((_, index) => lower.indexOf(lower[index]!) < index);
    return twice === undefined ? [] : [{ field: 'tags', message: `'${twice}' is there in another case too`, fix: 'keep one of them' }];
  })),
  rule('tag-value', [], 'The value of a tag has 256 characters at most.', [TAGS, 'InvalidTagValueLength'], ofMembers(['tags'], ({ spec }) => {
    const tags = valueAtPath(spec, 'tags');
    return Object.entries(isRecord(tags) ? tags : {})
      .filter(([, value]) => typeof value === 'string' && value.length > LONGEST_TAG.value)
      .map(([name, value]) => ({ field: 'tags', message: `the value of '${name}' has ${String(value).length} characters`, fix: `write ${LONGEST_TAG.value} at most` }));
  })),
];
