import { apiVersionOf } from '../../../src/object-id';
import { ApiError } from '../api-error';
import type { StoredObject } from '../objects';
import { without } from '../objects';
import type { Column } from './columns';
import { columnsOf } from './columns';
import type { Resolved } from '../resources/registry';
import type { Page } from '../storage/pages';

/** The representation of objects: whole, as metadata only, or as rows of a table. */
export interface Representation {
  readonly contentType: string;
  one(object: StoredObject): unknown;
  /** In pieces, because a list can be large. */
  list(page: Page): Iterable<string>;
}

export interface RepresentationOptions {
  readonly accept: string;
  readonly includeObject: string | null;
  readonly now: () => number;
}

/** Protocol buffers are read, not written; whoever asks for them takes JSON as well. */
const WRITTEN = /^(\*\/\*|application\/(\*|json|yaml|vnd\.kubernetes\.protobuf))\s*(;|$)/;

/** The first of the client's wishes that can be met. Throws ApiError 406 where there is none. */
export function representationFor(resolved: Resolved, options: RepresentationOptions): Representation {
  const wishes = options.accept.split(',').map((one) => one.trim()).filter(Boolean);
  if (wishes.length > 0 && !wishes.some((wish) => WRITTEN.test(wish))) throw ApiError.notAcceptable();
  for (const wish of wishes) {
    const parameters = new Map(wish.split(';').slice(1).map((parameter) => parameter.trim().split('=') as [string, string]));
    const as = parameters.get('as');
    const version = parameters.get('v') ?? 'v1';
    if (!as && (wish.startsWith('application/json') || wish.startsWith('*/*') || wish.startsWith('application/*'))) break;
    if (as === 'Table') return new Table(resolved, version, options.includeObject ?? 'Metadata', options.now);
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return new MetadataOnly(version);
  }
  return new Whole(resolved);
}

/** `{"kind": …, "items": [` … `]}`, an item at a time. */
function* listText(head: object, page: Page, key: string, item: (object: StoredObject) => unknown, end: object = {}): Iterable<string> {
  const metadata = {
    resourceVersion: page.resourceVersion,
    ...(page.continue ? { continue: page.continue, remainingItemCount: page.remainingItemCount } : end),
  };
  yield `${JSON.stringify({ ...head, metadata }).slice(0, -1)},"${key}":[`;
  for (const [index, object] of page.items.entries()) yield `${index > 0 ? ',' : ''}${JSON.stringify(item(object))}`;
  yield ']}\n';
}

class Whole implements Representation {
  public readonly contentType = 'application/json';
  private readonly apiVersion: string;

  public constructor(private readonly resolved: Resolved) {
    this.apiVersion = apiVersionOf({ group: resolved.definition.group, version: resolved.version.name });
  }

  /** No conversion: the object is shown as it was written, whatever version that was. */
  public one(object: StoredObject): unknown {
    return object.apiVersion === this.apiVersion ? object : { ...object, apiVersion: this.apiVersion };
  }

  public list(page: Page): Iterable<string> {
    const { listKind, custom } = this.resolved.definition;
    const head = { kind: listKind, apiVersion: this.apiVersion };
    // Of its own kinds a server tells the type once, for the list; of others with each element.
    if (!custom) return listText(head, page, 'items', (object) => without(object, 'kind', 'apiVersion'));
    return listText(head, page, 'items', (object) => this.one(object), { continue: '' });
  }
}

class MetadataOnly implements Representation {
  public readonly contentType = 'application/json';

  public constructor(private readonly version: string) {}

  public one(object: StoredObject): unknown {
    return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${this.version}`, metadata: object.metadata };
  }

  public list(page: Page): Iterable<string> {
    return listText({ kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${this.version}` }, page, 'items', (object) =>
      this.one(object),
    );
  }
}

class Table implements Representation {
  public readonly contentType = 'application/json';
  private readonly columns: readonly Column[];
  private readonly whole: Whole;
  private readonly metadataOnly: MetadataOnly;

  public constructor(
    resolved: Resolved,
    private readonly version: string,
    private readonly includeObject: string,
    private readonly now: () => number,
  ) {
    this.columns = columnsOf(resolved.definition, resolved.version);
    this.whole = new Whole(resolved);
    this.metadataOnly = new MetadataOnly(version);
  }

  public one(object: StoredObject): unknown {
    return { ...this.head, metadata: { resourceVersion: object.metadata.resourceVersion }, rows: [this.row(object)] };
  }

  public list(page: Page): Iterable<string> {
    return listText(this.head, page, 'rows', (object) => this.row(object));
  }

  private get head(): object {
    const columnDefinitions = this.columns.map(({ name, type, format, description = '', priority }) => ({
      name,
      type,
      format: format ?? '',
      description,
      priority,
    }));
    return { kind: 'Table', apiVersion: `meta.k8s.io/${this.version}`, columnDefinitions };
  }

  private row(object: StoredObject): object {
    const now = this.now();
    const partial =
      this.includeObject === 'None' ? undefined : this.includeObject === 'Object' ? this.whole.one(object) : this.metadataOnly.one(object);
    return { cells: this.columns.map((column) => column.cell(object, now)), ...(partial !== undefined && { object: partial }) };
  }
}
