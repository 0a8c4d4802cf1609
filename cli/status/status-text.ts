import { signOf } from './node-signs';
import { statusTree } from './status-tree';
import {
  controllerTexts,
  durationText,
  NODE_STATES,
  unreadTexts,
  type Cause,
  type Inspection,
  type InspectionNode,
  type Unread,
} from '../../engine/inspect';
import { objectTitleOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { groupBy } from '../../src/util/group-by';
import { capitalized, counted, firstOf, plural, shortened } from '../../src/util/words';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

export interface StatusTextOptions {
  readonly style: Style;
  readonly groupBy?: 'cause' | 'namespace' | undefined;
  readonly wide: boolean;
  /** Whether healthy subtrees are counted instead of listed; default: from {@link MOST_UNFOLDED} objects on. */
  readonly folds?: boolean | undefined;
  readonly shows: (node: InspectionNode) => boolean;
}

/** As many objects are listed one by one, healthy or not. */
const MOST_UNFOLDED = 60;
/** Causes with a line of their own; of the others the number is told. */
const MOST_CAUSES = 20;
/** Causes of one reason that are listed one by one. */
const MOST_ALIKE = 3;
const LONGEST_MESSAGE = 240;
const NUMBER = new Intl.NumberFormat('en');

/** The status of a cluster: numbers, controllers, causes, the owner graph. */
export function statusLines(inspection: Inspection, options: StatusTextOptions): string[] {
  const { nodes } = inspection;
  const { style, groupBy: grouping, shows } = options;
  const shown = nodes.filter(shows);
  const folds = options.folds ?? shown.length > MOST_UNFOLDED;
  const tree = () => statusTree(inspection, { style, now: inspection.now, folds, wide: options.wide, shows });
  const causes = grouping === 'namespace' ? [] : grouping === 'cause' ? causesWithNodes(inspection, options) : causeLines(inspection, options);
  return [
    ...summaryLines(inspection, shown, style),
    ...(causes.length > 0 ? ['', ...causes] : []),
    ...(grouping === 'cause' || shown.length === 0 ? [] : ['', ...tree()]),
  ];
}

/** `12 objects in 2 namespaces: 9 Ready, 2 Waiting, 1 Warning`, and the controllers. */
export function summaryLines(inspection: Inspection, shown: readonly InspectionNode[], style: Style): string[] {
  const namespaces = new Set(shown.map(({ namespace }) => namespace)).size;
  const states = [...NODE_STATES].reverse().flatMap((state) => {
    const count = shown.filter((node) => node.state === state).length;
    return count === 0 ? [] : [`${NUMBER.format(count)} ${state}`];
  });
  const isPartial = partialUnread(inspection).length > 0;
  const total = `${NUMBER.format(shown.length)} ${plural(shown.length, 'object')} in ${counted(namespaces, 'namespace')}`;
  const all = shown.length === inspection.nodes.length ? '' : ` (of ${NUMBER.format(inspection.nodes.length)})`;
  return [
    style.bold(`${total}${all}${states.length > 0 ? `: ${states.join(', ')}` : ''}${isPartial ? '; not everything could be read' : ''}`),
    ...controllerLines(inspection, style),
  ];
}

/** Kinds of Azure's that could not be read: the result is partial. */
export function partialUnread({ unread }: Inspection): readonly Unread[] {
  return unread.filter(({ group }) => mayBeInCatalog(group));
}

/** One line for all kinds that could not be read for the same cause. */
export function unreadLines({ unread }: Inspection): string[] {
  return unreadTexts(unread).map(oneLine);
}

function controllerLines({ controllers }: Inspection, style: Style): string[] {
  return controllerTexts(controllers).map((text, index) => {
    const controller = controllers?.[index];
    return (controller?.isRunning === false && controller.reconciles ? style.bad : style.dim)(oneLine(`Controller: ${text}`));
  });
}

interface ShownCause {
  readonly cause: Cause;
  readonly nodes: readonly InspectionNode[];
}

function causesOf({ causes, byKey }: Inspection, { shows }: StatusTextOptions): ShownCause[] {
  return causes.flatMap((cause) => {
    const nodes = cause.nodes.map((key) => byKey.get(key)).filter((node) => node !== undefined && shows(node)) as InspectionNode[];
    return nodes.length > 0 ? [{ cause, nodes }] : [];
  });
}

/** The causes, the most urgent first: a line each, and one for those that are alike. Progress is in the tree only. */
function causeLines(inspection: Inspection, options: StatusTextOptions): string[] {
  const urgent = causesOf(inspection, options)
    .filter(({ cause, nodes }) => cause.severity !== 'Info' || nodes.some(({ key }) => key !== cause.node));
  const groups = groupBy(urgent, ({ cause: { code, reason = '' }, nodes }) => `${code} ${reason} ${nodes.length > 1}`);
  const lines = [...groups.values()].flatMap((alike) => {
    if (alike.length > MOST_ALIKE) return [alikeLine(alike, inspection, options)];
    return alike.map((one) => causeLine(one, inspection, options));
  });
  const more = lines.length - MOST_CAUSES;
  return more > 0 ? [...lines.slice(0, MOST_CAUSES), options.style.dim(`… ${counted(more, 'further cause')}; --group-by cause lists all`)] : lines;
}

function causeLine({ cause, nodes }: ShownCause, inspection: Inspection, { style }: StatusTextOptions): string {
  const own = cause.node === undefined ? undefined : inspection.byKey.get(cause.node);
  const age = own?.since === undefined ? '' : ` (${durationText(inspection.now - own.since)})`;
  const waiting = nodes.filter(({ key }) => key !== cause.node).length;
  const text = causeText(cause, own);
  const who = `${counted(waiting, 'object')} ${plural(waiting, 'waits', 'wait')}`;
  const told = waiting === 0 || cause.code === 'Cycle' ? text : `${who}${cause.code === 'Condition' ? ' for ' : ': '}${text}`;
  return `${causeSign(cause, own, style)} ${shortened(oneLine(capitalized(told)), LONGEST_MESSAGE)}${style.dim(age)}`;
}

function causeText({ text, code, object, reason }: Cause, own: InspectionNode | undefined): string {
  if (code !== 'Condition' || !own) return text;
  return `${objectTitleOf(object)}: ${reason ?? ''}${own.message === '' ? '' : `: ${own.message}`}`;
}

function causeSign({ severity }: Cause, own: InspectionNode | undefined, style: Style): string {
  if (severity === 'Info') return signOf('Reconciling', style);
  return signOf(own?.state === 'Error' || severity === 'Error' ? 'Error' : 'Warning', style);
}

/** `! 40 objects: AuthorizationFailed: …; StorageAccount a/b, … and 37 more` */
function alikeLine(alike: readonly ShownCause[], inspection: Inspection, { style }: StatusTextOptions): string {
  const [first] = alike;
  if (!first) return '';
  const { cause } = first;
  const own = cause.node === undefined ? undefined : inspection.byKey.get(cause.node);
  const count = alike.reduce((sum, { nodes }) => sum + nodes.length, 0);
  const causes = `${counted(alike.length, 'cause')} of ${counted(count, 'object')}`;
  const titles = firstOf(alike.map((one) => objectTitleOf(one.cause.object)), MOST_ALIKE);
  const what = cause.code === 'Condition' ? cause.reason ?? '' : wordsOf(cause.code);
  return `${causeSign(cause, own, style)} ${shortened(oneLine(`${what}: ${causes}: ${titles}; the first: ${causeText(cause, own)}`), LONGEST_MESSAGE)}`;
}

/** `OwnerMissing` → `Owner missing` */
function wordsOf(code: string): string {
  return capitalized(code.replace(/(?<=[a-z])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`));
}

function causesWithNodes(inspection: Inspection, options: StatusTextOptions): string[] {
  const { style } = options;
  return causesOf(inspection, options).flatMap((one) => [
    causeLine(one, inspection, options),
    ...one.nodes.filter(({ key }) => key !== one.cause.node).map((node) => {
      const age = node.since === undefined ? '' : ` ${durationText(inspection.now - node.since)}`;
      return `    ${signOf(node.state, style)} ${objectTitleOf(node)}${style.dim(age)}`;
    }),
  ]);
}
