import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findTool, runTool, type Tool, type ToolLimits, type ToolRun } from './run-tool';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { isRecord } from '../../../src/util/records';
import { MANIFEST_FILE } from '../file-names';
import { readLimited } from '../read-limited';

const CHART_FILE = 'Chart.yaml';
/** Helm renders files of any name in `templates/`; these have objects. */
const TEMPLATE_FILE = /\.(ya?ml|json|tpl)$/i;
/** The name of a release where none is given, as `helm template` has it. */
const RELEASE = 'release-name';
const MAX_FILES = 10_000;
const MAX_DEPTH = 10;

export function isChart(names: readonly string[]): boolean {
  return names.includes(CHART_FILE);
}

export function helmTool(path?: string): Tool | undefined {
  return findTool([['helm', 'template']], path);
}

/** Whether a chart only has definitions for others: helm renders nothing of it. */
export function isLibraryChart(directory: string): boolean {
  try {
    const [chart] = readYaml(readLimited(join(directory, CHART_FILE)));
    return isRecord(chart?.value) && chart.value.type === 'library';
  } catch {
    return false; // Helm has words for a chart that cannot be read.
  }
}

/** Renders a chart. Helm fetches nothing for that: charts that it depends on must be in `charts/`. */
export function renderChart(directory: string, values: readonly string[], tool: Tool, limits: ToolLimits = {}): ToolRun {
  return runTool(tool, [RELEASE, directory, '--include-crds', ...values.flatMap((file) => ['--values', file])], { ...limits, fetches: false });
}

/** The templates and CRDs of a chart and of the charts in it, without tests, notes, helpers and libraries. */
export function templateFiles(chart: string): string[] {
  const found: string[] = [];
  const walk = (directory: string, named: RegExp, depth = 0): void => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (found.length >= MAX_FILES) return;
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH && !(depth === 0 && entry.name === 'tests')) walk(path, named, depth + 1);
      } else if (entry.isFile() && named.test(entry.name) && !entry.name.startsWith('_')) {
        found.push(path);
      }
    }
  };
  walk(join(chart, 'crds'), MANIFEST_FILE);
  walk(join(chart, 'templates'), TEMPLATE_FILE);
  for (const entry of entriesOf(join(chart, 'charts'))) {
    const inner = join(chart, 'charts', entry.name);
    if (entry.isDirectory() && found.length < MAX_FILES && !isLibraryChart(inner)) found.push(...templateFiles(inner));
  }
  return found;
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // A chart need not have it.
  }
}

/** For each line of what helm prints, counted from 1, the template that it comes from: helm writes it above each document. */
export function templateAt(text: string, directory: string): (line: number) => string | undefined {
  const places: { readonly line: number; readonly file: string }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const found = /^# Source: [^/]+\/(.+)$/.exec(line.trimEnd());
    if (found) places.push({ line: index + 1, file: join(directory, found[1]!) });
  }
  return (line) => places.findLast((place) => place.line <= line)?.file;
}
