import { credentialSecret } from './credential-secret';
import type { KindClass } from './kind-class';
import { Texts } from './parameters/texts';
import type { SourceObject } from './read';
import type { KindVersion } from '../../src/catalog';
import { KindSchema } from '../../src/core/schema/kind-schema';
import { parseApiVersion } from '../../src/object-id';
import { isRecord } from '../../src/util/records';

/** Why an object is kept as an `ApiObject`. */
export type KeptReason = 'kind-later' | 'unknown-kind' | 'newer-version' | 'unknown-version' | 'twice' | 'misfit' | 'other-api';

export interface Kept {
  readonly reason: KeptReason;
  readonly why: string;
  readonly fix: string;
}

/** A place in an object at which other objects stand. */
export interface InnerPlace {
  readonly holder: Item;
  /** From the holder to the list, or to the one object. */
  readonly path: readonly string[];
  readonly isList: boolean;
  readonly items: readonly Item[];
}

/** An object that is converted to a construct. */
export class Item {
  /** Properties of the spec that move to `additionalSpec` because the check rejects them: path → reason. */
  public readonly demoted = new Map<string, string>();
  /** The reason why an object of a known kind becomes an ApiObject, and the fix. */
  public refused?: Kept;
  /** Whether a JSON patch sets everything except kind and version, because cdk8s cannot render the object otherwise. */
  public patched = false;
  /** The place in another object at which it stands. */
  public inside?: InnerPlace;
  /** The places in it whose objects are constructs as well. */
  public openPlaces: readonly InnerPlace[] = [];
  /** Its texts, in which variables of the files are parameters. */
  public texts = Texts.NONE;
  /** The place where the rendered object still differs from the source after all fallbacks. */
  public lost?: string;

  public constructor(
    public readonly source: SourceObject,
    /** The class of the kind; absent for kinds and versions that the catalog does not have. */
    public readonly kindClass?: KindClass,
    public readonly version?: KindVersion,
    /** The class of the kind in other versions. */
    public readonly otherVersions?: KindClass,
  ) {}

  public refuse(why: string, fix = `write ${this.kindClass?.className ?? 'a construct'} once it fits`, reason: KeptReason = 'misfit'): void {
    this.refused ??= { reason, why, fix };
  }

  public demote(key: string, why: string): void {
    this.demoted.set(key, why);
  }

  public get object(): Readonly<Record<string, unknown>> {
    return this.source.object;
  }

  public get kind(): string {
    return this.object.kind as string;
  }

  public get group(): string {
    const { group, version } = parseApiVersion(this.object.apiVersion as string);
    return version === undefined ? '' : group;
  }

  public get metadata(): Readonly<Record<string, unknown>> {
    return isRecord(this.object.metadata) ? this.object.metadata : {};
  }

  /** `metadata.name`; undefined when it is absent or not a string. */
  public get name(): string | undefined {
    return typeof this.metadata.name === 'string' && this.metadata.name !== '' ? this.metadata.name : undefined;
  }

  /** An object in another one is in the namespace of that one. */
  public get namespace(): string | undefined {
    if (this.inside) return this.inside.holder.namespace;
    return typeof this.metadata.namespace === 'string' && this.metadata.namespace !== '' ? this.metadata.namespace : undefined;
  }

  /** Whether the object becomes an `AsoCredential`. */
  public get isCredential(): boolean {
    return this.refused === undefined && credentialSecret(this.object, this.texts) !== undefined;
  }

  /** Whether the object becomes the construct of an Azure resource. */
  public get typed(): boolean {
    return this.kindClass !== undefined && this.refused === undefined;
  }

  /** `Kind namespace/name` */
  public get title(): string {
    const name = this.name ?? '(no name)';
    return `${this.kind} ${this.namespace === undefined ? name : `${this.namespace}/${name}`}`;
  }
}

/** Whether core would set the azureName that the manifest does not have. */
export function leavesNameOut(item: Item): boolean {
  if (!item.typed) return false;
  const schema = KindSchema.of({ group: item.group, kind: item.kind, version: item.version!.name });
  const spec = (item.object.spec ?? {}) as Record<string, unknown>;
  return (
    schema.azureNameIsFree
    && [schema.azureNameAlternative, 'azureName'].every((name) => name === undefined || (spec[name] ?? undefined) === undefined)
  );
}
