import {
  type Advice,
  type Changes,
  type CredentialChange,
  type Fate,
  type ObjectChange,
  type PropertyChange,
  type ResourceChange,
  type RoleChange,
  type Summary,
} from './changes';
import { objectTitleOf } from '../../src/object-id';
import { counted, shortened } from '../../src/util/words';
import { oneLine } from '../output/problem';

/** The severity of an entry, for colours and symbols. */
export type Tone = 'bad' | 'warn' | 'good' | 'dim';

/** A text; its marked pieces come from the files. */
export type Text = readonly (string | { readonly name: string })[];

export interface Entry {
  readonly sign: string;
  readonly tone: Tone;
  readonly head: Text;
  readonly lines: readonly { readonly is: 'fact' | 'property' | 'why' | 'fix'; readonly text: Text }[];
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The sections that text and Markdown output print, in the same words and order. */
export interface Report {
  readonly sections: readonly Section[];
  readonly summary: string;
}

type SectionOfFate = readonly [fate: Fate, title: string, sign: string, tone: Tone];

/** The section above the warnings. */
const DELETED: SectionOfFate = ['deleted', 'Deleted in Azure', '-', 'bad'];
/** The sections below the warnings. */
const OTHERS: readonly SectionOfFate[] = [
  ['refused', 'Cannot be changed in place', '!', 'bad'],
  ['moved', 'Moved to another object', '>', 'warn'],
  ['created', 'Created', '+', 'good'],
  ['adopted', 'Taken over', '+', 'good'],
  ['watched', 'Only read', '=', 'dim'],
  ['changed', 'Changed', '~', 'warn'],
  ['policy', 'Reconcile policy', '~', 'warn'],
  ['apiVersion', 'API version (the resource stays as it is)', '=', 'dim'],
  ['exports', 'Exports', '=', 'dim'],
  ['kept', 'Kept in Azure, no longer managed', '=', 'dim'],
];

/** Longer values are cut off; JSON has them in full. */
const LONGEST = 120;
/** The most properties of a guard rail or another object that are printed without `--verbose`. */
const SHOWN_PROPERTIES = 5;

export function reportOf(changes: Changes, verbose: boolean): Report {
  const section = ([fate, title, sign, tone]: SectionOfFate): Section => {
    const ofFate = changes.resources.filter((found) => found.fate === fate);
    return { title, entries: ofFate.map((found) => resourceEntry(found, sign, tone)) };
  };
  const sections: Section[] = [
    section(DELETED),
    { title: 'Beware', entries: changes.warnings.map(warningEntry) },
    ...OTHERS.map(section),
    { title: 'Roles', entries: changes.roles.map(roleEntry) },
    { title: 'Credentials', entries: changes.credentials.map(credentialEntry) },
    { title: 'Guard rails', entries: changes.guardRails.map((found) => objectEntry(found, verbose)) },
    { title: 'Other Kubernetes objects', entries: otherEntries(changes.otherObjects, verbose) },
  ];
  return { sections: sections.filter(({ entries }) => entries.length > 0), summary: summaryText(changes.summary) };
}

/** `1 created, 2 changed, …` */
export function summaryText(summary: Summary): string {
  const { created, adopted, watched, changed, refused, deleted, dataLost, kept, moved } = summary;
  const { rolesGranted, rolesRevoked, accessKept, credentials } = summary;
  return [
    `${created} created`,
    ...(adopted > 0 ? [`${adopted} taken over`] : []),
    ...(watched > 0 ? [`${watched} only read`] : []),
    `${changed} changed`,
    ...(refused > 0 ? [`${refused} that cannot be changed in place`] : []),
    `${deleted} deleted in Azure${dataLost > 0 ? ` (${dataLost} with data)` : ''}`,
    `${kept} kept`,
    `${moved} moved`,
    `roles +${rolesGranted} −${rolesRevoked}`,
    ...(accessKept > 0 ? [`access kept ${accessKept}`] : []),
    `credentials ${credentials}`,
  ].join(', ');
}

function warningEntry({ message, fix }: Advice): Entry {
  return { sign: '!', tone: 'bad', head: [message], lines: [{ is: 'fix', text: [fix] }] };
}

function resourceEntry(found: ResourceChange, sign: string, tone: Tone): Entry {
  const head: Text = [
    ...(found.from ? [{ name: objectTitleOf(found.from) }, ' → '] : []),
    { name: objectTitleOf(found) },
    ...(found.dataLost === undefined
      ? []
      : [found.fate === 'deleted' ? `, and with it ${found.dataLost}` : `: at stake is ${found.dataLost}`]),
  ];
  const facts: Entry['lines'] = [
    ...(found.armId === undefined ? [] : [{ is: 'fact' as const, text: [{ name: found.armId }] }]),
    ...(found.addressRanges === undefined ? [] : [{ is: 'fact' as const, text: [{ name: found.addressRanges.join(', ') }] }]),
    ...(found.apiVersion
      ? [{ is: 'property' as const, text: ['apiVersion: ', { name: found.apiVersion.old }, ' → ', { name: found.apiVersion.new }] }]
      : []),
    ...(found.policy
      ? [{ is: 'property' as const, text: ['reconcile-policy: ', { name: found.policy.old }, ' → ', { name: found.policy.new }] }]
      : []),
  ];
  return { sign, tone, head, lines: [...facts, ...found.properties.map(propertyLine), ...found.advice.flatMap(adviceLines)] };
}

const ROLE_SIGNS: Readonly<Record<RoleChange['change'], readonly [string, Tone, string]>> = {
  granted: ['+', 'good', ' gets '],
  revoked: ['-', 'bad', ' loses '],
  kept: ['!', 'bad', ' keeps '],
  renamed: ['!', 'bad', ' has under another name '],
  moved: ['>', 'warn', ' has by another object '],
  changed: ['~', 'warn', ' still has '],
};

function roleEntry({ change, principal, role, scope, object, from, properties, advice }: RoleChange): Entry {
  const [sign, tone, verb] = ROLE_SIGNS[change];
  const by: Text = from ? [{ name: objectTitleOf(from) }, ' → ', { name: objectTitleOf(object) }] : [{ name: objectTitleOf(object) }];
  return {
    sign,
    tone,
    head: [{ name: principal }, verb, { name: role }, ' on ', { name: scope }],
    lines: [{ is: 'fact', text: by }, ...properties.map(propertyLine), ...advice.flatMap(adviceLines)],
  };
}

const CREDENTIAL_WORDS: Readonly<Record<CredentialChange['of'], string>> = {
  assignment: 'credential of ',
  federation: 'tokens accepted by ',
  secret: 'credential ',
  serviceAccount: 'identity of pods with ',
};
const SIGNS: Readonly<Record<CredentialChange['change'], readonly [string, Tone]>> = {
  added: ['+', 'good'],
  removed: ['-', 'bad'],
  kept: ['!', 'bad'],
  changed: ['~', 'warn'],
  renamed: ['!', 'bad'],
};

function credentialEntry({ of, change, subject, properties, advice }: CredentialChange): Entry {
  const [sign, tone] = SIGNS[change];
  return {
    sign,
    tone,
    head: [CREDENTIAL_WORDS[of], { name: subject }, ` ${change}`],
    lines: [...properties.map(propertyLine), ...advice.flatMap(adviceLines)],
  };
}

function objectEntry(found: ObjectChange, verbose: boolean): Entry {
  const [sign, tone] = SIGNS[found.change];
  const head: Text = [{ name: objectTitleOf(found) }, ` ${found.change}`];
  const notes = found.advice.flatMap(adviceLines);
  if (verbose) return { sign, tone, head, lines: [...found.properties.map(propertyLine), ...notes] };
  const first = found.properties.slice(0, SHOWN_PROPERTIES);
  const listed = first.flatMap((property, index): Text => [index === 0 ? ': ' : '; ', ...propertyText(property)]);
  const more = found.properties.length - SHOWN_PROPERTIES;
  return { sign, tone, head: [...head, ...listed, ...(more > 0 ? [`; and ${more} more`] : [])], lines: notes };
}

function otherEntries(others: readonly ObjectChange[], verbose: boolean): Entry[] {
  if (others.length === 0) return [];
  if (verbose) return others.map((found) => objectEntry(found, true));
  const of = (change: ObjectChange['change']) => others.filter((found) => found.change === change).length;
  const summary: Entry = {
    sign: '=',
    tone: 'dim',
    head: [`${of('added')} added, ${of('changed')} changed, ${of('removed')} removed (--verbose lists them)`],
    lines: [],
  };
  return [...others.filter(({ advice }) => advice.length > 0).map((found) => objectEntry({ ...found, properties: [] }, false)), summary];
}

function propertyLine(property: PropertyChange): Entry['lines'][number] {
  return { is: 'property', text: propertyText(property) };
}

function propertyText(property: PropertyChange): Text {
  const values: Text = [{ name: formatValue(property.old) }, ' → ', { name: formatValue(property.new) }];
  const path = { name: oneLine(property.path) };
  if (property.secret === 'value') return [path, ': changed (the values may be secrets and are not shown)'];
  return property.secret === 'reference' ? [path, ': reference changed, ', ...values] : [path, ': ', ...values];
}

function adviceLines({ message, fix }: Advice): Entry['lines'] {
  return [{ is: 'why', text: [message] }, { is: 'fix', text: [fix] }];
}

/** A string without quotes, unless it could be read as another type or the text is ambiguous. */
function formatValue(value: unknown): string {
  if (value === undefined) return '(not set)';
  const plain =
    typeof value === 'string' && value !== '' && !/^(true|false|null|[-+]?[\d.]+(e[-+]?\d+)?|\s.*|.*\s|\(not set\))$/is.test(value);
  const text = oneLine(plain ? value : JSON.stringify(value));
  return text.length > LONGEST ? `${shortened(text, LONGEST)} (${counted(text.length, 'character')})` : text;
}
