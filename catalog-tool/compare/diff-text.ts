import { isEmptyDiff, type AddedVersion, type CatalogDiff, type Changed } from './catalog-diff';

/** The maximum number of named properties per new version. The JSON has all of them. */
const NAMED = 8;

/** The difference as Markdown, for the changelog. */
export function diffText(diff: CatalogDiff): string {
  if (isEmptyDiff(diff)) return 'No difference.\n';
  const { kinds, versions, properties } = diff;
  const sections = [
    section(
      'New kinds',
      kinds.added.map(({ kind, versions: own, since }) => `${kind} ${own.join(', ')}${since === undefined ? '' : `: since ${since}`}`),
    ),
    section('Removed kinds', kinds.removed),
    section('New versions', versions.added.map(versionText)),
    section('Removed versions', versions.removed),
    section('New properties', properties.added),
    section('Removed properties', properties.removed),
    section('Changed properties', properties.changed.map(changeText)),
    section('Changed kinds', kinds.changed.map(changeText)),
    section('Changed versions', versions.changed.map(changeText)),
  ];
  return sections.filter((each) => each !== '').join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `### ${title}\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

function versionText({ version, since, before, brings = [], lacks = [] }: AddedVersion): string {
  const parts = [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(brings.length > 0 ? [`${brings.length} properties that ${before} lacks: ${named(brings)}`] : []),
    ...(lacks.length > 0 ? [`without ${lacks.length} that ${before} has: ${named(lacks)}`] : []),
  ];
  return parts.length > 0 ? `${version}: ${parts.join('; ')}` : version;
}

function named(paths: readonly string[]): string {
  return paths.slice(0, NAMED).map((path) => `\`${path}\``).join(', ') + (paths.length > NAMED ? ', …' : '');
}

function changeText({ what, fact, before, after }: Changed): string {
  return `${what}: \`${fact}\` ${valueText(before)} → ${valueText(after)}`;
}

function valueText(value: unknown): string {
  return value === undefined ? 'none' : `\`${JSON.stringify(value)}\``;
}
