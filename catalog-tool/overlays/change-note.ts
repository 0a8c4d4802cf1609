import { sentence } from './sentence';
import type { ChangeFacts, TakenValues } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/** The changes of a property that Azure takes: facts, a sentence, and the source. */
export interface ChangeNote extends ChangeFacts {
  /** For doc comments: `Storage and BlobStorage can be upgraded to StorageV2.` */
  readonly text: string;
  /** Addresses of pages, or words about an answer that was recorded. */
  readonly evidence: string | readonly string[];
}

type Check = (value: unknown) => boolean;

const isScalar: Check = (value) => ['string', 'number', 'boolean'].includes(typeof value);
const isText: Check = (value) => typeof value === 'string' && value.trim() !== '';
const areScalars: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isScalar);
const areTexts: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isText);
const isTaken: Check = (value) => ['up', 'added', 'elements'].includes(value as string) || (isRecord(value) && isTakenValues(value));

function isTakenValues(value: Record<string, unknown>): value is Record<string, unknown> & TakenValues {
  return Object.entries(value).every(([side, values]) => (side === 'from' || side === 'to') && areScalars(values)) && Object.keys(value).length > 0;
}

const CHECKS: Readonly<Record<keyof ChangeNote, Check>> = {
  takes: (value) => Array.isArray(value) && value.length > 0 && value.every(isTaken),
  order: areTexts,
  leftOut: (value) => isScalar(value) || (Array.isArray(value) && value.length === 0),
  resets: (value) => value === true,
  elements: areTexts,
  unless: (value) => isRecord(value) && Object.values(value).every(isScalar),
  when: (value) => isText(value) && /^(while|once|for|unless|where|when|if) .*[^.]$/.test(value as string),
  kinds: areTexts,
  code: (value) => typeof value === 'string' && /^[A-Za-z0-9]+$/.test(value),
  text: isText,
  evidence: (value) => isText(value) || areTexts(value),
};

/** @throws when a key is unknown, missing, or has no value of its form */
export function readChangeNote(value: Record<string, unknown>, at: string): ChangeNote {
  for (const [key, each] of Object.entries(value)) {
    if (!Object.hasOwn(CHECKS, key)) throw new Error(`${at} has ${key}, which nothing reads`);
    if (!CHECKS[key as keyof ChangeNote](each)) throw new Error(`${at}: ${key} is not what catalog/overlays takes there (docs/catalog.md)`);
  }
  for (const key of ['text', 'evidence']) if (!Object.hasOwn(value, key)) throw new Error(`${at} has no ${key}`);
  if (value.order !== undefined && !(value.takes as unknown[] | undefined)?.includes('up')) throw new Error(`${at} has an order, and takes no \`up\``);
  if (value.resets !== undefined && value.leftOut === undefined) throw new Error(`${at} resets, and has no leftOut`);
  return { ...value, text: sentence(value.text, `${at}: text`) } as unknown as ChangeNote;
}

/** The facts alone. */
export function changeFactsOf({ text: _, evidence: __, ...facts }: ChangeNote): ChangeFacts {
  return facts;
}
