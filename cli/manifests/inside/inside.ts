import type { YamlDocument } from '../../../engine/yaml/read-yaml';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import type { SourceText } from '../source-text';

/** The type and the name of an object that holds others. */
export interface HolderName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The object that an inner object is in. */
export interface Inside {
  readonly holder: HolderName;
  /** The tool whose controller applies the inner object. */
  readonly by: string;
  /** Changes that the tool makes to it. */
  readonly changes?: string;
  /** Whether the holder is a template: something makes objects of it, once, often, or never. */
  readonly isTemplate: boolean;
  /** The value as it is written in the holder; one of a text is in no object. */
  readonly written: unknown;
  /** Whether other objects add fields to it, or change them. */
  readonly isPatched: boolean;
  /** Rules whose advice the tool does not let anybody follow. */
  readonly withoutRules?: readonly string[];
  /** From the holder to a field of the inner object: what stands in a text follows the path of the text. */
  pathOf(field: FieldPath): FieldPath;
}

/** An object in another one. Its namespace and name are those that its holder gives it. */
export interface InnerObject {
  readonly value: unknown;
  readonly inside: Inside;
  /** The document that it is written in: that of its holder, or one of a text in it. */
  readonly document: YamlDocument;
  readonly source: SourceText;
  /** From the root of that document to a field of it. */
  placeOf(field: FieldPath): FieldPath;
}

/** `Kind namespace/name` of the holder. */
export function describeHolder({ holder: { kind, namespace, name } }: Pick<Inside, 'holder'>): string {
  return `${kind} ${[namespace, name].filter((part) => part !== undefined).join('/')}`.trim();
}

/** The manifests without those of templates: what is applied as it is, or as another tool changes it. */
export function withoutTemplates<T extends { readonly inside?: Inside }>(manifests: readonly T[]): T[] {
  return manifests.filter(({ inside }) => inside?.isTemplate !== true);
}
