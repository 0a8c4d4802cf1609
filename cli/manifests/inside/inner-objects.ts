import type { FoundInside, Holder, ReadObject } from './holder';
import { HOLDERS, HOLDERS_BY_CHOICE } from './holders';
import { mentionsAzure, readInnerText } from './inner-text';
import { describeHolder, type HolderName, type InnerObject, type Inside } from './inside';
import { elementsOf, memberOf, placeSteps, type PlaceStep } from './place-path';
import { valueAt } from './value-at';
import type { YamlDocument } from '../../../engine/yaml/read-yaml';
import { isDroppedGroup, isMeantForAzure } from '../../../src/catalog';
import { spellPath, type FieldPath } from '../../../src/catalog/validate-spec';
import { groupOf } from '../../../src/object-id';
import { mayBeInCatalog } from '../../../src/util/api-groups';
import { isRecord, isText, omitUndefined, text, type Struct } from '../../../src/util/records';
import type { Problem } from '../../output/problem';
import { objectsIn, type SourceText } from '../source-text';

/** Objects in objects in objects: more than people write. */
const MAX_DEPTH = 6;
const MAX_FIELD = 200;

/** An object of a document that may hold others. */
export interface PossibleHolder {
  readonly value: unknown;
  /** From the root of the document to the object. */
  readonly path: FieldPath;
  readonly document: YamlDocument;
  readonly source: SourceText;
}

export interface InsideOptions {
  /** Kinds whose objects are looked into by choice: `ConfigMap`. */
  readonly kinds?: readonly string[] | undefined;
}

/** Objects in an object of a document, at any depth, and what could not be read. */
export interface InnerObjects {
  readonly objects: readonly InnerObject[];
  readonly problems: readonly Problem[];
}

const ALL: readonly Holder[] = [...HOLDERS, ...HOLDERS_BY_CHOICE];
const PLACES = ALL.flatMap(({ places }) => places);
const STEPS = new Map<string, readonly PlaceStep[]>(PLACES.map((place) => [place, placeSteps(place)] as const));
const BY_KIND = new Map<string, Holder[]>();
for (const holder of ALL) for (const kind of holder.kinds) BY_KIND.set(kind, [...(BY_KIND.get(kind) ?? []), holder]);
const NOTHING: InnerObjects = { objects: [], problems: [] };

/**
 * The objects in an object: those of Azure, and what stands beside them. Objects that hold nothing of Azure have none.
 */
export function innerObjects(outer: PossibleHolder, options: InsideOptions = {}): InnerObjects {
  if (!isRecord(outer.value) || !BY_KIND.has(String(outer.value.kind))) return NOTHING;
  const reader = new InnerReader(outer, options);
  reader.read();
  const { objects, problems } = reader;
  return objects.some(({ value }) => isAzure(value)) ? { objects: objects.filter(isReadable), problems } : { objects: [], problems };
}

const mentions = new WeakMap<YamlDocument, boolean>();

/** Whether texts of a document may have objects of Azure: a list of many holders is one document. */
function mayHaveAzure({ document, source }: PossibleHolder): boolean {
  const known = mentions.get(document);
  if (known !== undefined) return known;
  const [from, , to] = document.document.range;
  const found = mentionsAzure(source.text.slice(from, to));
  mentions.set(document, found);
  return found;
}

/** Whether a value is an object of Azure, or is meant to be one. */
export function isAzure(value: unknown): boolean {
  const { apiVersion, kind } = isRecord(value) ? value : {};
  if (!isText(apiVersion) || !isText(kind)) return false;
  const group = groupOf({ apiVersion });
  return mayBeInCatalog(group) || isDroppedGroup(group) || isMeantForAzure(group, kind);
}

/** Mistakes in objects of other kinds are their holder's business. */
function isReadable({ value }: InnerObject): boolean {
  return isAzure(value) || (isRecord(value) && isText(value.apiVersion) && isText(value.kind) && text(value.metadata, 'name') !== undefined);
}

/** A value on the way to an inner object: where it is in its document, and from the holder. */
interface Spot {
  readonly value: unknown;
  readonly document: YamlDocument;
  readonly source: SourceText;
  readonly at: FieldPath;
  /** From the nearest holder. */
  readonly path: FieldPath;
}

/** An object on the way down: the outermost holder, or an inner object that is one itself. */
interface Level {
  readonly value: Struct;
  readonly document: YamlDocument;
  readonly source: SourceText;
  readonly isTemplate: boolean;
  readonly isPatched: boolean;
  readonly by?: string;
  readonly depth: number;
  /** Texts in it that were read, by their places. */
  readonly texts: Map<string, { readonly value: string; readonly read: SourceText | undefined }>;
  /** From the outermost holder to a field of this object. */
  pathOf(field: FieldPath): FieldPath;
  /** From the root of the document to a field of this object. */
  placeOf(field: FieldPath): FieldPath;
}

class InnerReader {
  public readonly objects: InnerObject[] = [];
  public readonly problems: Problem[] = [];
  public readonly holder: HolderName;
  /** Anchors let a text stand at many places: each is read again, and no more than the file could hold. */
  private left: number;
  private nameless = 0;

  public constructor(private readonly outer: PossibleHolder, private readonly options: InsideOptions) {
    const { apiVersion, kind, metadata } = outer.value as Struct;
    const [namespace, name] = [text(metadata, 'namespace'), text(metadata, 'name')];
    this.holder = omitUndefined({ apiVersion: String(apiVersion), kind: String(kind), namespace, name });
    this.left = outer.source.text.length * MAX_DEPTH;
  }

  public read(): void {
    const { value, path, document, source } = this.outer;
    this.into({
      value: value as Struct,
      document,
      source,
      pathOf: (field) => field,
      placeOf: (field) => [...path, ...field],
      isTemplate: false,
      isPatched: false,
      depth: 1,
      texts: new Map(),
    });
  }

  private into(level: Level): void {
    for (const holder of this.holdersOf(level.value)) {
      for (const place of holder.places) {
        const { value, document, source } = level;
        const start: Spot = { value, document, source, at: [], path: [] };
        for (const spot of this.spots(start, STEPS.get(place)!, level)) this.found(spot, holder, level);
      }
    }
  }

  private holdersOf({ apiVersion, kind }: Struct): Holder[] {
    if (!isText(apiVersion)) return [];
    const group = groupOf({ apiVersion });
    return (BY_KIND.get(String(kind)) ?? [])
      .filter((holder) => holder.group === group && (!HOLDERS_BY_CHOICE.includes(holder) || this.options.kinds?.includes(String(kind))));
  }

  /** The values at a place, from a value on. A spot's `at` is from the level's object while it is in that document. */
  private* spots(spot: Spot, [step, ...rest]: readonly PlaceStep[], level: Level): Generator<Spot> {
    if (step === undefined) {
      yield spot;
      return;
    }
    const value = memberOf(spot.value, step.member);
    const member = step.member === '' ? [] : [step.member];
    for (const [key, element] of elementsOf(value, step.each)) {
      const below = [...member, ...(key === undefined ? [] : [key])];
      const next: Spot = { ...spot, value: element, at: [...spot.at, ...below], path: [...spot.path, ...below] };
      if (!step.isText) yield* this.spots(next, rest, level);
      else for (const inText of this.documentsOf(next, level)) yield* this.spots(inText, rest, level);
    }
  }

  /** The documents of a text. */
  private* documentsOf(spot: Spot, level: Level): Generator<Spot> {
    const { value } = spot;
    if (!isText(value) || !mayHaveAzure(this.outer) || !value.includes(':')) return;
    const read = this.textAt(value, spot, level);
    for (const inner of read?.documents ?? []) {
      if (inner.fault === undefined) yield { ...spot, value: inner.value, document: inner, source: read!, at: [] };
    }
  }

  /** A text that is read: once, though several places lead to it. */
  private textAt(value: string, { document, source, at, path }: Spot, level: Level): SourceText | undefined {
    const key = spellPath(path);
    const known = level.texts.get(key);
    // Several documents of one text may have a text at the same place.
    if (known?.value === value) return known.read;
    const before = this.left;
    this.left -= value.length;
    const place = source === level.source ? level.placeOf(at) : at;
    const read = this.left < 0 ? undefined : readInnerText(value, place, document, source);
    level.texts.set(key, { value, read });
    const field = level.pathOf(path);
    if (this.left < 0 && before >= 0) {
      this.problems.push(this.problemAt(field, 'stands for far more text than the file holds', 'write the texts out, without anchors'));
    }
    this.problems.push(...(read?.problems ?? []).map((problem) => ({ ...problem, field: spellPath(field) })));
    return read;
  }

  private found(spot: Spot, holder: Holder, level: Level): void {
    const { value, path } = spot;
    const found: FoundInside = { value, path, holder: level.value };
    if (typeof value !== 'object' || value === null) return;
    const read: ReadObject | undefined = holder.read ? holder.read(found) : { value };
    if (!read) return;
    const { pathOf = (field: FieldPath) => field } = read;
    for (const { value: object, path: below } of objectsIn(read.value)) {
      const fieldOf = (field: FieldPath) => pathOf([...below, ...field]);
      this.add(object, spot, fieldOf, holder, level);
    }
  }

  private add(written: unknown, spot: Spot, fieldOf: (field: FieldPath) => FieldPath, holder: Holder, level: Level): void {
    if (!isRecord(written) || !isText(written.apiVersion) || !isText(written.kind)) return;
    const value = this.named(written, holder, level);
    const isSameText = spot.source === level.source;
    const placeOf = (field: FieldPath) => {
      const place = [...spot.at, ...fieldOf(field)];
      return isSameText ? level.placeOf(place) : place;
    };
    const pathOf = (field: FieldPath) => level.pathOf([...spot.path, ...fieldOf(field)]);
    const isTemplate = level.isTemplate || holder.isTemplate === true;
    const isPatched = level.isPatched || holder.isPatched === true;
    const by = level.by ?? holder.by;
    const { withoutRules } = holder;
    const changes = holder.changes?.[written.kind];
    const facts = omitUndefined({ holder: this.holder, by, isTemplate, isPatched, changes, withoutRules });
    const inside: Inside = { ...facts, written: spot.value, pathOf };
    this.objects.push({ value, inside, document: spot.document, source: spot.source, placeOf });
    const { document, source } = spot;
    if (!BY_KIND.has(String(value.kind))) return;
    const depth = level.depth + 1;
    if (depth > MAX_DEPTH) this.tooDeep(value, pathOf);
    else this.into({ value, document, source, pathOf, placeOf, isTemplate, isPatched, by, depth, texts: new Map() });
  }

  private tooDeep(value: Struct, pathOf: Inside['pathOf']): void {
    if (this.holdersOf(value).length === 0) return;
    const message = `is an object in ${MAX_DEPTH} others, and what is in it is not read`;
    this.problems.push(this.problemAt(pathOf([]), message, 'give the inner object in a file of its own'));
  }

  private problemAt(path: FieldPath, message: string, fix: string): Problem {
    const { document, source } = this.outer;
    const line = source.lineAt(document.document.contents?.range[0] ?? 0);
    return { file: source.file, line, object: describeHolder(this), field: spellPath(path).slice(0, MAX_FIELD), message, fix };
  }

  /** The object with the namespace and the name that its holder gives it. */
  private named(object: Struct, holder: Holder, level: Level): Struct {
    const { namespace: rule, targetNamespace } = holder;
    const metadata = isRecord(object.metadata) ? object.metadata : {};
    const target = targetNamespace === undefined ? undefined : valueAt(level.value, ['spec', ...targetNamespace.split('.')]);
    const outer = isText(target) && target !== '' ? target : text(level.value.metadata, 'namespace');
    const own = metadata.namespace ?? undefined;
    const namespace = rule === 'of-holder' ? outer : own ?? (rule === 'holder-by-default' && object.kind !== 'Namespace' ? outer : undefined);
    const { namespace: _, ...rest } = metadata;
    const name = metadata.name ?? this.nameOf(holder, level);
    return { ...object, metadata: { ...rest, ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) } };
  }

  private nameOf({ isNamedByHolder, isTemplate }: Holder, level: Level): string | undefined {
    const ofHolder = isNamedByHolder ? text(level.value.metadata, 'name') : undefined;
    // Names that come later differ.
    return ofHolder ?? (isTemplate || level.isTemplate ? `<NAME ${(this.nameless += 1)}>` : undefined);
  }
}
