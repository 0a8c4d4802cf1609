import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { Kustomization } from './kustomization';
import { findTool, runTool, type Tool, type ToolFailure, type ToolLimits, type ToolRun } from './run-tool';
import { formatYaml } from '../../../engine/yaml/format-yaml';

/** The programs that build a kustomization, the first choice first. */
const BUILDERS: readonly (readonly [string, ...string[]])[] = [['kustomize', 'build'], ['kubectl', 'kustomize']];

/** The program of this machine that builds kustomizations. */
export function kustomizeTool(path?: string): Tool | undefined {
  return findTool(BUILDERS, path);
}

export interface Build {
  /** The output of the tool. */
  readonly text: string;
  /** Builds again, for the origin of each object, if the tool gives it. */
  origins(): BuildWithOrigins | undefined;
}

export interface BuildWithOrigins {
  readonly text: string;
  /** The directory from which its paths are. */
  readonly from: string;
}

/**
 * Builds a kustomization. The objects are those of the tool itself; a second build, through an overlay in a temporary directory, says
 * where they come from, because `buildMetadata` counts nowhere but in the kustomization that is built.
 */
export function buildKustomization(
  kustomization: Kustomization, tool: Tool, limits: ToolLimits = {},
): Build | ToolFailure {
  const run = runTool(tool, [kustomization.directory], limits);
  if ('failure' in run) return run;
  return { text: run.output, origins: () => withOrigins(kustomization, (directory) => runTool(tool, [directory], limits)) };
}

function withOrigins({ directory, isComponent }: Kustomization, run: (directory: string) => ToolRun): BuildWithOrigins | undefined {
  const temporary = mkdtempSync(join(realpathSync(tmpdir()), 'cdk8s-aso-build-'));
  try {
    const from = join(temporary, 'overlay');
    mkdirSync(from);
    // An absolute path would be refused.
    const path = relative(from, realpathSync(directory)).split(sep).join('/');
    const overlay = { [isComponent ? 'components' : 'resources']: [path], buildMetadata: ['originAnnotations'] };
    writeFileSync(join(from, 'kustomization.yaml'), formatYaml(overlay));
    const built = run(from);
    return 'output' in built ? { text: built.output, from } : undefined;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
