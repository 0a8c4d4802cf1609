import { templateAt } from './chart';
import { isProblem } from './known-kustomizations';
import { isKustomizationFile, readKustomization } from './kustomization';
import { objectKey, originsOf, sourcesByName, type Origin } from './origins';
import type { BuiltText } from './sources';
import type { FillScalar } from '../../../engine/yaml/node-value';
import { groupBy } from '../../../src/util/group-by';
import type { Problem } from '../../output/problem';
import type { Inside } from '../inside/inside';
import { manifestsIn, type Manifest, type Manifests } from '../manifests';
import { readSourceText } from '../source-text';

type ReadText = (file: string) => string;

/**
 * The objects that a tool has built, each with the place where it is written: its fields may come from elsewhere, such as a patch. Places
 * are looked up when the first one is read: another build may be needed for them.
 * @param file the kustomization or chart: the place of objects of which no other is known
 */
export function placedManifests(
  file: string, built: BuiltText, readText: ReadText, fill?: FillScalar, kinds?: readonly string[],
): Manifests {
  const text = built.by === 'kustomize' ? built.build.text : built.text;
  const { manifests, problems } = manifestsIn(readSourceText(text, file, fill), kinds);
  const hasDefaults = built.by === 'helm' && built.hasDefaults;
  let known: Map<Manifest, Manifest> | undefined;
  const placeOf = (manifest: Manifest): Manifest => {
    known ??= placesOf(manifests, built, readText, kinds);
    return known.get(manifest) ?? atBeginning(manifest, file);
  };
  const placed = manifests.map((manifest): Manifest => ({
    object: manifest.object,
    ...(manifest.inside && { inside: manifest.inside }),
    ...(hasDefaults && { hasDefaults }),
    get file() {
      return placeOf(manifest).file;
    },
    get line() {
      return placeOf(manifest).line;
    },
    lineOf: (path) => placeOf(manifest).lineOf(path),
  }));
  const isToBeGiven = ({ cause }: Problem) => hasDefaults && cause === 'empty';
  return {
    manifests: placed,
    problems: problems.filter((problem) => !isToBeGiven(problem)).map((problem) => inBuild(problem, built)),
    notes: problems.filter(isToBeGiven).map((problem) => ({ ...inBuild({ ...problem, file }, built), fix: '--values FILE gives a chart its values' })),
  };
}

/** The objects of a build as they are written, as far as it is known where. */
function placesOf(
  manifests: readonly Manifest[], built: BuiltText, readText: ReadText, kinds: readonly string[] | undefined,
): Map<Manifest, Manifest> {
  const originOf = built.by === 'kustomize' ? kustomizeOrigins(built) : helmOrigins(built);
  const places = new Map<Manifest, Manifest>();
  for (const [origin, ones] of groupBy(manifests, (manifest) => originOf(manifest)?.file ?? '')) {
    if (origin === '') continue;
    const found = isKustomizationFile(origin) ? new Map<object, Manifest>() : sourcesByName(ones, writtenIn(origin, readText, kinds));
    for (const one of ones) places.set(one, found.get(one) ?? atGenerator(one, origin));
  }
  return places;
}

/** The objects of a file, or none where it has no objects of its own: generators and scripts make some. */
function writtenIn(file: string, readText: ReadText, kinds: readonly string[] | undefined): Manifest[] {
  try {
    return manifestsIn(readSourceText(readText(file), file), kinds).manifests;
  } catch {
    return [];
  }
}

function kustomizeOrigins({ build, tree }: Extract<BuiltText, { by: 'kustomize' }>): (manifest: Manifest) => Origin | undefined {
  const origins = originsOf(build, tree.root.directory);
  return ({ object, inside }) => origins.get(objectKey(inside ? holderObject(inside) : object));
}

/** The holder of an inner object, as far as its key needs it. */
function holderObject({ holder: { apiVersion, kind, name, namespace } }: Inside): object {
  return { apiVersion, kind, metadata: { name, namespace } };
}

function helmOrigins({ text, directory }: Extract<BuiltText, { by: 'helm' }>): (manifest: Manifest) => Origin | undefined {
  const at = templateAt(text, directory);
  return ({ line }) => {
    const file = at(line);
    return file === undefined ? undefined : { file };
  };
}

/** The generator that makes an object, in its kustomization file. */
function atGenerator(manifest: Manifest, file: string): Manifest {
  const kustomization = isKustomizationFile(file) ? readKustomization(file) : undefined;
  const field = { ConfigMap: 'configMapGenerator', Secret: 'secretGenerator' }[manifest.object.kind];
  const beginning = atBeginning(manifest, file);
  if (!kustomization || isProblem(kustomization) || field === undefined) return beginning;
  const line = kustomization.lineOf([field]);
  return { ...beginning, line, lineOf: () => line };
}

function atBeginning({ object }: Manifest, file: string): Manifest {
  return { object, file, line: 1, lineOf: () => 1 };
}

/** A line of what was printed is nowhere to be found. */
function inBuild({ line: _, ...problem }: Problem, { by }: BuiltText): Problem {
  return { ...problem, message: `what ${by} builds ${problem.message}` };
}
