import type { Contrary } from './contrary';
import { NORMALISATIONS } from './normalisations';
import recorded from './recorded-additions.json';
import { otherRegion } from './regions';
import { isRecord } from '../../../src/util/records';
import type { Json } from '../model/store';

type Additions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Members by which a list's items are told apart whatever their order. */
const isNamed = (value: unknown): boolean => isRecord(value) && typeof value.name === 'string';

/** A resource in the form of a GET's answer, told in the ways that the seed has for it. Identifies the same resource to any reader. */
export function inOtherWords(contrary: Contrary, answer: Json): Json {
  const id = String(answer.id).toLowerCase();
  const type = String(answer.type).toLowerCase();
  const told = new Telling(contrary, id, type);
  const added = contrary.does('additions', id) ? withAdditions(answer, type) : answer;
  return told.whole(withoutState(contrary, id, added));
}

/** The answer with the members that were recorded of its type, where it has a member's parent and not the member. */
function withAdditions(answer: Json, type: string): Json {
  return Object.entries((recorded as Additions)[type] ?? {}).reduce((body, [path, value]) => addedAt(body, path.split('/'), value) as Json, answer);
}

function addedAt(target: unknown, [segment = '', ...rest]: readonly string[], value: unknown): unknown {
  if (!isRecord(target)) return target;
  const isList = segment.endsWith('[]');
  const name = isList ? segment.slice(0, -2) : segment;
  const inner = target[name];
  if (rest.length === 0) return inner === undefined ? { ...target, [name]: value } : target;
  if (isList) return Array.isArray(inner) ? { ...target, [name]: inner.map((element) => addedAt(element, rest, value)) } : target;
  return isRecord(inner) ? { ...target, [name]: addedAt(inner, rest, value) } : target;
}

function withoutState(contrary: Contrary, id: string, answer: Json): Json {
  const { properties } = answer;
  if (!isRecord(properties) || properties.provisioningState !== 'Succeeded' || !contrary.does('stateless', id)) return answer;
  const { provisioningState: _, ...rest } = properties;
  return { ...answer, properties: rest };
}

/** One answer, from its leaves up. */
class Telling {
  private readonly ofValues;
  private readonly regions: boolean;
  private readonly roles: boolean;
  private readonly order: boolean;
  private readonly empties: boolean;
  private readonly spellId: (text: string) => string;
  private readonly turn: number;

  public constructor(contrary: Contrary, id: string, type: string) {
    this.ofValues = contrary.does('values', id) ? NORMALISATIONS.filter(({ types }) => type.startsWith(types)) : [];
    this.regions = contrary.does('regions', id);
    this.roles = contrary.does('roles', id);
    this.order = contrary.does('order', id);
    // Microsoft.Network tells every list, in every recorded answer: one that is missing means that the answer is not whole.
    this.empties = !type.startsWith('microsoft.network/') && contrary.does('empties', id);
    this.spellId = contrary.does('ids', id) ? contrary.pick(ID_SPELLINGS, 'id', id) : (text) => text;
    this.turn = this.order ? contrary.count('answer', id) : 0;
  }

  public whole(answer: Json): Json {
    return Object.fromEntries(Object.entries(answer).flatMap(([name, value]) => this.member(name, value, '')));
  }

  private member(name: string, value: unknown, path: string): [string, unknown][] {
    const here = `${path}/${name}`;
    const told = this.value(value, name, here);
    // Which members are empty is Azure's; identities and tags have a form of their own at the top.
    if (!this.empties || path === '') return [[this.idOr(name), told]];
    if (told === null || (Array.isArray(told) && told.length === 0)) return this.turnsNull(here) ? [[name, null]] : [];
    return [[this.idOr(name), told]];
  }

  private turnsNull(path: string): boolean {
    return path.length % 2 === 0;
  }

  private value(value: unknown, name: string, path: string): unknown {
    if (typeof value === 'string') return this.text(value, name, path);
    if (typeof value === 'number') return this.normalised(String(value), path) ?? value;
    if (Array.isArray(value)) return this.list(value, name, path);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => this.member(key, inner, path)));
  }

  private list(list: readonly unknown[], name: string, path: string): unknown[] {
    const told = list.map((element) => this.value(element, name, `${path}[]`));
    if (!this.order || told.length < 2 || !told.every(isNamed)) return told;
    const shift = 1 + (this.turn % (told.length - 1 || 1));
    return [...told.slice(shift), ...told.slice(0, shift)].reverse();
  }

  private text(text: string, name: string, path: string): string {
    const normalised = this.normalised(text, path);
    if (typeof normalised === 'string') return normalised;
    if (this.roles && ROLE.test(text)) return text.replace(/^\/subscriptions\/[^/]+/i, '');
    return this.idOr(this.regions ? otherRegion(text, name) : text);
  }

  private normalised(text: string, path: string): unknown {
    return this.ofValues.find((normalisation) => normalisation.path.test(path))?.change(text);
  }

  private idOr(text: string): string {
    return ID.test(text) && !ROLE.test(text) ? this.spellId(text) : text;
  }
}

const ID = /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+\/providers\//i;
const ROLE = /\/providers\/Microsoft\.Authorization\/roleDefinitions\/[^/]+$/i;
const GROUP = /\/resourcegroups\/([^/]+)\/providers\/([^/]+)/i;

const ID_SPELLINGS: readonly [(id: string) => string, ...((id: string) => string)[]] = [
  (id) => id.replace(GROUP, (_, group: string, provider: string) => `/resourcegroups/${group}/providers/${provider}`),
  (id) => id.replace(GROUP, (_, group: string, provider: string) => `/resourceGroups/${group.toUpperCase()}/providers/${provider}`),
  (id) => id.replace(GROUP, (_, group: string, provider: string) => `/resourceGroups/${group}/providers/${provider.toLowerCase()}`),
  (id) => id.replace(GROUP, (_, group: string, provider: string) => `/resourcegroups/${group.toUpperCase()}/providers/${provider.toLowerCase()}`),
  (id) => id.toLowerCase(),
];
