import {
  controllerOfText,
  credentialText,
  deletionText,
  durationText,
  isSettled,
  operationText,
  ownerNote,
  policyText,
  referenceNote,
  referenceTarget,
  type ChainLink,
  type Explanation,
  type Inspection,
  type InspectionNode,
  type NextTry,
  type ReferenceFacts,
} from '../../engine/inspect';
import { documentation } from '../../src/documentation';
import { objectTitleOf } from '../../src/object-id';
import { capitalized, counted, plural, shortened } from '../../src/util/words';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';
import { signOf, stateWords } from '../status/node-signs';

const LABEL_WIDTH = 12;
const LONGEST_MESSAGE = 1_000;
const MOST_REFERENCES = 20;
const MOST_EVENTS = 5;

/** The explanation of one object: verdict, chain, facts, advice. */
export function whyLines(explanation: Explanation, inspection: Inspection, style: Style): string[] {
  const { node, cause } = explanation;
  const age = node.since === undefined ? '' : `, since ${durationText(inspection.now - node.since)}`;
  return [
    `${signOf(node.state, style)} ${style.bold(objectTitleOf(node))}: ${stateWords(node)}${age}`,
    ...(node.message === '' ? [] : [`  ${messageText(node.message)}`]),
    '',
    ...(cause ? causeLines(explanation, style) : [withoutCause(node)]),
    '',
    ...factLines(explanation, inspection, style),
    ...eventLines(explanation, inspection, style),
    ...adviceLines(explanation, style),
  ];
}

function withoutCause({ state, message }: Explanation['node']): string {
  if (message !== '') return 'It is in sync, with the warning above.';
  return `Nothing is wrong with it${state === 'Suspended' ? ': the policy skip only reads' : ''}.`;
}

function messageText(message: string): string {
  return shortened(oneLine(message), LONGEST_MESSAGE);
}

function causeLines({ node, chain, cause, next, nextOfCause }: Explanation, style: Style): string[] {
  if (!cause) return [];
  const waiting = cause.nodes.filter((key) => key !== cause.node).length;
  const isAlone = waiting === 0 || (waiting === 1 && cause.node !== node.key);
  const others = isAlone ? '' : ` (${counted(waiting, 'object')} ${plural(waiting, 'waits', 'wait')} for it)`;
  return [
    `${style.bold('Cause')}       ${messageText(capitalized(cause.text))}${others}`,
    ...(chain.length > 1 ? chain.flatMap((link, index) => chainLines(link, index, style)) : []),
    ...(next ? [`${style.bold('Next')}        ${nextText(next)}`] : []),
    ...(nextOfCause ? [`${' '.repeat(LABEL_WIDTH)}${objectTitleOf(cause.object)}: ${nextText(nextOfCause)}`] : []),
  ];
}

function nextText({ text, before }: NextTry): string {
  return `${text}${before === undefined ? '' : ` (before ${new Date(before).toISOString().slice(11, 19)} UTC)`}`;
}

function chainLines({ node, title, wait }: ChainLink, index: number, style: Style): string[] {
  const indent = `${' '.repeat(LABEL_WIDTH)}${'   '.repeat(index)}`;
  const arrow = index === 0 ? '' : '└─ ';
  const state = node ? `${signOf(node.state, style)} ${title}  ${stateWords(node)}` : `${style.warn('✗')} ${title}`;
  return [`${indent}${arrow}${state}${wait === undefined ? '' : style.dim(`: ${shortened(oneLine(wait.text), 200)}`)}`];
}

function adviceLines({ advice }: Explanation, style: Style): string[] {
  if (!advice) return [];
  return [
    '',
    `${style.bold('Advice'.padEnd(LABEL_WIDTH))}${advice.text}`,
    ...(advice.commands.length > 0 ? ['', ...advice.commands.map((command) => `    ${command}`)] : []),
    ...(advice.document === undefined ? [] : ['', style.dim(documentation(advice.document))]),
  ];
}

function factLines(explanation: Explanation, inspection: Inspection, style: Style): string[] {
  const { node, owners, answer, controller } = explanation;
  const { now, byKey } = inspection;
  const fact = (label: string, ...texts: string[]) => texts.map((text, index) => `${index === 0 ? style.bold(label.padEnd(LABEL_WIDTH)) : ' '.repeat(LABEL_WIDTH)}${text}`);
  return [
    ...fact('Resource', node.armId === undefined ? `no ARM id yet${node.isClaimed ? '' : ': it is not claimed'}` : oneLine(node.armId)),
    ...fact('Condition', conditionText(node)),
    ...fact('Owner', ...ownerTexts(node, owners, style)),
    ...(node.references.length > 0 ? fact('References', ...referenceTexts(node.references, byKey, style)) : []),
    ...(node.credential ? fact('Credential', oneLine(credentialText(node.credential))) : []),
    ...fact('Policy', oneLine(policyText(node.policy))),
    ...fact('Controller', oneLine(controllerOfText(controller, inspection))),
    ...(node.operation ? fact('Operation', operationText(node.operation, now)) : []),
    ...(node.deletion ? fact('Deletion', oneLine(deletionText(node.deletion, now))) : []),
    ...(answer ? fact('Azure', ...answerTexts(answer, node, now)) : []),
  ];
}

function conditionText({ reason, severity, state, observedGeneration, generation, since }: InspectionNode): string {
  if (reason === '') return 'none';
  const when = since === undefined || state === 'Stale' ? '' : `, ${new Date(since).toISOString()}`;
  const behind = observedGeneration !== undefined && generation !== undefined && observedGeneration < generation
    ? `, of generation ${observedGeneration}; the spec is at ${generation}`
    : '';
  return `Ready ${isSettled(state) ? 'True' : 'False'}${severity === undefined ? '' : ` ${severity}`} ${oneLine(reason)}${when}${behind}`;
}

function ownerTexts({ owner }: InspectionNode, owners: readonly InspectionNode[], style: Style): string[] {
  if (!owner) return ['none'];
  if (owner.armId !== undefined) return [`by ARM id: ${oneLine(owner.armId)}`];
  if (owners.length > 0) return [owners.map((one) => `${signOf(one.state, style)} ${one.kind} ${one.name} ${stateWords(one)}`).join('  ←  ')];
  const title = owner.object === undefined ? '' : objectTitleOf(owner.object);
  return [`${style.warn('✗')} ${title} ${ownerNote(owner)}`];
}

function referenceTexts(references: readonly ReferenceFacts[], byKey: Inspection['byKey'], style: Style): string[] {
  const texts = references.slice(0, MOST_REFERENCES).map((reference) => referenceLine(reference, byKey, style));
  return references.length > MOST_REFERENCES ? [...texts, `… ${references.length - MOST_REFERENCES} more`] : texts;
}

function referenceLine(reference: ReferenceFacts, byKey: Inspection['byKey'], style: Style): string {
  const { path, state } = reference;
  const sign = state === 'resolved' || state === 'external' ? style.good('✓') : state === 'unknown' ? '?' : style.warn('✗');
  return `${sign} ${oneLine(`${path}: ${referenceTarget(reference)} ${referenceNote(reference, byKey)}`)}`;
}

function answerTexts({ of, answer }: NonNullable<Explanation['answer']>, node: InspectionNode, now: number): string[] {
  const { code, status, requestId, message, at, count } = answer;
  const whose = of.key === node.key ? '' : `of ${objectTitleOf(of)}: `;
  const often = count > 1 ? `, ${count} times` : '';
  return [
    `${whose}${status === undefined ? '' : `HTTP ${status} `}${oneLine(code)}, ${durationText(now - at)} ago${often}`,
    ...(message === '' || messageText(message) === messageText(of.message) ? [] : [messageText(message)]),
    requestId === undefined ? 'request id not known (the controller of ASO logs it at debug level)' : `request id ${oneLine(requestId)}`,
  ];
}

function eventLines({ events }: Explanation, { now }: Inspection, style: Style): string[] {
  const shown = events.slice(0, MOST_EVENTS);
  if (shown.length === 0) return [];
  return shown.map(({ type, reason, message, count, last }, index) => {
    const label = index === 0 ? style.bold('Events'.padEnd(LABEL_WIDTH)) : ' '.repeat(LABEL_WIDTH);
    const times = count > 1 ? ` ×${count}` : '';
    const text = `${durationText(now - last)} ago ${oneLine(reason)}${times}: ${shortened(oneLine(message), 160)}`;
    return `${label}${type === 'Warning' ? style.warn('!') : ' '} ${text}`;
  });
}
