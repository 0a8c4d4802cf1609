import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findTool, runTool, type Tool, type ToolLimits, type ToolRun } from './run-tool';
import { MANIFEST_FILE } from '../file-names';

const CHART_FILE = 'Chart.yaml';
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

/** Renders a chart. Helm fetches nothing for that: charts that it depends on must be in `charts/`. */
export function renderChart(directory: string, values: readonly string[], tool: Tool, limits: ToolLimits = {}): ToolRun {
  return runTool(tool, [RELEASE, directory, '--include-crds', ...values.flatMap((file) => ['--values', file])], { ...limits, fetches: false });
}

/** The templates and CRDs of a chart and of the charts in it, without tests, notes and helpers. */
export function templateFiles(chart: string): string[] {
  const found: string[] = [];
  const walk = (directory: string, depth: number): void => {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (found.length >= MAX_FILES) return;
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH && !(depth === 0 && entry.name === 'tests')) walk(path, depth + 1);
      } else if (entry.isFile() && MANIFEST_FILE.test(entry.name) && !entry.name.startsWith('_')) {
        found.push(path);
      }
    }
  };
  walk(join(chart, 'crds'), 0);
  walk(join(chart, 'templates'), 0);
  for (const entry of entriesOf(join(chart, 'charts'))) {
    if (entry.isDirectory() && found.length < MAX_FILES) found.push(...templateFiles(join(chart, 'charts', entry.name)));
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
