import { credentialSecret } from './credential-secret';
import type { KindClass } from './kind-class';
import type { SourceObject } from './read';
import type { KindVersion } from '../../src/catalog';
import { isRecord } from '../../src/util/records';

/** An object on its way to become a construct. */
export class Item {
  /** Properties of the spec that go to `additionalSpec` because the check refuses them: path → why. */
  public readonly demoted = new Map<string, string>();
  /** Why it becomes an ApiObject, although its kind is known, and what could be done about it. */
  public refused?: { readonly why: string; readonly fix: string };
  /** Whether all but its kind and version comes by JSON patch: cdk8s cannot render it otherwise. */
  public patched = false;
  /** Where it comes out differently, whatever is tried. */
  public lost?: string;

  public constructor(
    public readonly source: SourceObject,
    /** The class of its kind; absent for kinds and versions that the catalog does not have. */
    public readonly kindClass?: KindClass,
    public readonly version?: KindVersion,
  ) {}

  public refuse(why: string, fix = `write ${this.kindClass?.className ?? 'a construct'} once it fits`): void {
    this.refused ??= { why, fix };
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
    const [group, version] = (this.object.apiVersion as string).split('/');
    return version === undefined ? '' : group;
  }

  public get metadata(): Readonly<Record<string, unknown>> {
    return isRecord(this.object.metadata) ? this.object.metadata : {};
  }

  /** `metadata.name`; undefined where it has none that is a text. */
  public get name(): string | undefined {
    return typeof this.metadata.name === 'string' && this.metadata.name !== '' ? this.metadata.name : undefined;
  }

  public get namespace(): string | undefined {
    return typeof this.metadata.namespace === 'string' && this.metadata.namespace !== '' ? this.metadata.namespace : undefined;
  }

  /** Whether it becomes an `AsoCredential`. */
  public get isCredential(): boolean {
    return this.refused === undefined && credentialSecret(this.object) !== undefined;
  }

  /** Whether it becomes the construct of an Azure resource. */
  public get typed(): boolean {
    return this.kindClass !== undefined && this.refused === undefined;
  }

  /** `Kind namespace/name` */
  public get title(): string {
    const name = this.name ?? '(no name)';
    return `${this.kind} ${this.namespace === undefined ? name : `${this.namespace}/${name}`}`;
  }
}
