import type { TextRange, VersionUse } from './version-uses';
import type { FieldPath } from '../../src/catalog/validate-spec';
import type { LocatedFinding } from '../check/located-finding';

/** A change of a file's text. */
export interface Edit extends TextRange {
  readonly file: string;
  readonly text: string;
}

/** Something that an upgrade changes. */
export interface UpgradeFinding extends LocatedFinding {
  /** The release that makes the change, e.g. `v2.19.0`; absent where it is none of ASO's. */
  readonly release?: string | undefined;
  /** Changes that `--fix` writes; absent where only a person can decide. */
  readonly edits?: readonly Edit[] | undefined;
}

/** The members of a finding that say which object is meant, and where it, or a field of it, is in its file. A cluster has no lines. */
export function placeOf(use: VersionUse, path?: FieldPath) {
  const { file, group, version, kind, namespace, name } = use;
  const line = path ? use.lineOf(path) : use.line;
  return { file, ...(line > 0 && { line }), apiVersion: `${group}/${version}`, kind, namespace, name };
}
