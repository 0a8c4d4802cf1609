import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Build } from './kustomize-build';
import { groupKindOf } from './object-names';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { groupBy } from '../../../src/util/group-by';
import { isRecord, isText, text } from '../../../src/util/records';
import { objectsIn } from '../source-text';

const ORIGIN = 'config.kubernetes.io/origin';

/** Where an object of a build was written. */
export interface Origin {
  /** A file of objects, or the kustomization file whose generator makes the object. */
  readonly file: string;
}

/**
 * The origins of the objects of a build, by `objectKey`. Those of remote files are not among them.
 * @param directory that of the kustomization, as its files are named
 */
export function originsOf(build: Build, directory: string): Map<string, Origin> {
  const found = new Map<string, Origin>();
  const origins = build.origins();
  if (!origins) return found;
  const root = realpathSync(directory);
  const nameOfFile = (path: string) => join(directory, relative(root, join(origins.from, path)));
  for (const { value } of readYaml(origins.text)) {
    for (const { value: object } of objectsIn(value)) {
      const origin = originIn(object);
      if (!isRecord(object) || origin?.repo !== undefined) continue;
      const file = text(origin, 'path') ?? text(origin, 'configuredIn');
      if (file !== undefined) found.set(objectKey(object), { file: nameOfFile(file) });
    }
  }
  return found;
}

function originIn(object: unknown): Record<string, unknown> | undefined {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : {};
  const annotation = isRecord(metadata.annotations) ? metadata.annotations[ORIGIN] : undefined;
  if (!isText(annotation)) return undefined;
  const [document] = readYaml(annotation);
  return isRecord(document?.value) ? document.value : undefined;
}

/** An object among those of one build. */
export function objectKey(object: object): string {
  const { metadata } = object as { metadata?: unknown };
  const { name, namespace } = isRecord(metadata) ? metadata : {};
  return JSON.stringify([groupKindOf(object), namespace ?? '', name ?? '']);
}

/** Names are compared one with another in smaller sets only. */
const MAX_COMPARED = 1000;

interface Named {
  readonly object: object;
}

/**
 * For each object of a build that comes from one file, its object there: of the same kind, and with the name that it had before it got a
 * prefix or a suffix. Objects whose names say nothing are taken in their order.
 */
export function sourcesByName<T extends Named>(built: readonly Named[], written: readonly T[]): Map<Named, T> {
  const found = new Map<Named, T>();
  const kinds = groupBy(written, ({ object }) => groupKindOf(object));
  for (const [kind, ones] of groupBy(built, ({ object }) => groupKindOf(object))) {
    const left = new Set(kinds.get(kind));
    const take = (one: Named, source: T | undefined) => {
      if (source === undefined) return;
      found.set(one, source);
      left.delete(source);
    };
    const byName = new Map(Array.from(left, (source) => [nameOf(source), source]));
    for (const one of ones) take(one, byName.get(nameOf(one)));
    const open = ones.filter((one) => !found.has(one));
    if (open.length <= MAX_COMPARED) {
      for (const one of open) take(one, longestOf([...left].filter((source) => nameOf(one).includes(nameOf(source)))));
    }
    const rest = [...left];
    for (const one of open.filter((other) => !found.has(other))) take(one, rest.shift());
  }
  return found;
}

function longestOf<T extends Named>(candidates: readonly T[]): T | undefined {
  const length = (one: T | undefined) => (one === undefined ? -1 : nameOf(one).length);
  return candidates.reduce<T | undefined>((longest, one) => (length(one) > length(longest) ? one : longest), undefined);
}

function nameOf({ object }: Named): string {
  const { metadata } = object as { metadata?: unknown };
  return isRecord(metadata) && isText(metadata.name) ? metadata.name : '';
}
