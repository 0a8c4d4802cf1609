import type { Fate, LiveChange, PropertyDifference } from './changes';
import { counted } from '../../../src/util/words';
import type { Entry, Report, Text, Tone } from '../../diff/report';
import { describeManifest } from '../../manifests/manifests';

const SECTIONS: readonly (readonly [fate: Fate, title: string, sign: string, tone: Tone])[] = [
  ['create', 'Create', '+', 'good'],
  ['update', 'Update', '~', 'warn'],
  ['delete', 'Delete', '-', 'bad'],
  ['unknown', 'Unknown', '?', 'bad'],
  ['noChange', 'No change', '=', 'dim'],
];

export type LiveSummary = Readonly<Record<Fate, number>>;

export function summaryOf(changes: readonly LiveChange[]): LiveSummary {
  const of = (fate: Fate) => changes.filter((change) => change.fate === fate).length;
  return { create: of('create'), update: of('update'), noChange: of('noChange'), delete: of('delete'), unknown: of('unknown') };
}

/** The parts that text and Markdown print. */
export function liveReport(changes: readonly LiveChange[], problems: number): Report {
  const { create, update, noChange, delete: deleted, unknown } = summaryOf(changes);
  const refused = changes.filter(({ properties }) => properties.some(({ refusal }) => refusal && refusal.when === undefined)).length;
  const sections = SECTIONS.map(([fate, title, sign, tone]) => ({
    title,
    entries: changes.filter((change) => change.fate === fate).map((change) => entryOf(change, sign, tone)),
  }));
  const counts = [
    `${create} to create`,
    `${update} to update${refused > 0 ? ` (${refused} that Azure refuses)` : ''}`,
    `${noChange} without change`,
    ...(deleted > 0 ? [`${deleted} to delete`] : []),
    `${unknown} unknown`,
  ];
  if (problems > 0) counts.push(counted(problems, 'problem'));
  return { sections: sections.filter(({ entries }) => entries.length > 0), summary: counts.join(', ') };
}

function entryOf({ manifest, fate, armId, properties, reason, notes }: LiveChange, sign: string, tone: Tone): Entry {
  // Where nothing happens, the name is enough.
  const id: Entry['lines'] = armId === undefined || fate === 'noChange' ? [] : [{ is: 'fact', text: [{ name: armId }] }];
  return {
    sign,
    tone,
    head: [{ name: describeManifest(manifest) }],
    lines: [
      ...id,
      ...properties.map((property) => ({ is: 'property' as const, text: propertyText(property) })),
      ...(reason === undefined ? [] : [{ is: 'why' as const, text: [reason] }]),
      ...notes.map((note) => ({ is: 'why' as const, text: [note] })),
    ],
  };
}

function propertyText({ path, named = path, unknown, onlyInAzure, ...values }: PropertyDifference): Text {
  // Elements that nothing names are counted.
  const isNameless = onlyInAzure !== undefined && named.endsWith('/-');
  const name = { name: isNameless ? named.slice(0, -'/-'.length) : named };
  if (isNameless) return [name, `: ${counted(onlyInAzure, 'element')} more in Azure → (not set)`];
  if (onlyInAzure !== undefined && values.old === undefined) return [name, ': only in Azure → (not set)'];
  if (unknown !== undefined) return [name, ': known only later (', unknown, ')'];
  if (values.old === undefined && values.new === undefined) return [name, ': differs'];
  return [name, ': ', value(values.old), ' → ', value(values.new)];
}

function value(text: string | undefined): Text[number] {
  return text === undefined ? '(not set)' : { name: text };
}

/** For programs. */
export function liveJson(changes: readonly LiveChange[]): unknown {
  return {
    changes: changes.map(({ manifest: { object }, fate, armId, armApiVersion, properties, reason, notes }) => ({
      apiVersion: object.apiVersion,
      kind: object.kind,
      namespace: object.metadata.namespace ?? 'default',
      name: object.metadata.name,
      change: fate,
      armId,
      armApiVersion,
      properties,
      reason,
      notes,
    })),
    summary: summaryOf(changes),
  };
}
