import type { Explanation, PropertySummary } from './explanation';
import { listed, shortened } from '../../src/util/words';
import type { Style } from '../output/terminal';

const INDENT = '  ';
const LONGEST_LINE = 120;
const LONGEST_ROW = 140;
const NAME_WIDTH = 10;

/** An explanation for people. */
export function explanationText(explained: Explanation, style: Style): string {
  const { property, properties, example } = explained;
  return [
    head(explained, style),
    ...explained.text.map((text) => wrapped(text)),
    ...(property ? [propertyFacts(property)].filter((text) => text !== '') : []),
    ...(properties.length === 0 ? [] : [`${style.bold('Properties')} (* required)\n${table(properties, style)}`]),
    ...(explained.outputs.length === 0 ? [] : [`${style.bold('Outputs')}\n${wrapped(explained.outputs.join(', '), INDENT)}`]),
    ...(explained.secretOutputs.length === 0 ? [] : [`${style.bold('Secret outputs')}\n${wrapped(explained.secretOutputs.join(', '), INDENT)}`]),
    `${style.bold('Example, as a manifest')}\n${indented(example.yaml)}`,
    `${style.bold('Example, in TypeScript')}\n${indented(example.typescript)}`,
    explained.links.map((link) => style.dim(link)).join('\n'),
  ].join('\n\n');
}

function head({ path, property, manifest, apiVersion, arm, armType, armApiVersion, versions }: Explanation, style: Style): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Type', property && `${property.type}${property.required ? ', required' : ''}`],
    ['Manifest', property ? `${manifest} of ${apiVersion}` : apiVersion],
    ['Azure', armType === undefined ? undefined : `${arm === undefined ? '' : `${arm} of `}${armType} ${armApiVersion}`],
    ['Versions', property ? undefined : versions.join(', ')],
  ];
  const given = rows.filter((row): row is readonly [string, string] => row[1] !== undefined);
  return [style.bold(path), ...given.map(([name, value]) => {
    const start = `${INDENT}${name.padEnd(NAME_WIDTH)}`;
    return start + wrapped(value, ' '.repeat(start.length)).trimStart();
  })].join('\n');
}

function propertyFacts({ facts, allowed, default: value }: PropertySummary): string {
  const values = allowed ? [`Allowed: ${listed(allowed, 'or')}.`] : [];
  return [...values, ...facts, ...(value === undefined ? [] : [`Default: ${value}.`.replace(/\.\.$/, '.')])].map((fact) => wrapped(fact)).join('\n');
}

/** A line for each property: name, type, and its sentence as far as there is room. */
function table(properties: readonly PropertySummary[], style: Style): string {
  const rows = flat(properties, INDENT);
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const typeWidth = Math.min(34, Math.max(...rows.map(({ type }) => type.length)));
  return rows.map(({ name, type, about }) => {
    const start = `${name.padEnd(nameWidth)}  ${type.padEnd(typeWidth)}  `;
    return `${start.slice(0, nameWidth)}${style.dim(start.slice(nameWidth))}${shortened(about, Math.max(40, LONGEST_ROW - start.length))}`.trimEnd();
  }).join('\n');
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly about: string;
}

function flat(properties: readonly PropertySummary[], indent: string): Row[] {
  return properties.flatMap((property) => [
    { name: `${indent}${property.name}${property.required ? '*' : ''}`, type: property.type, about: aboutProperty(property) },
    ...flat(property.properties ?? [], `${indent}${INDENT}`),
  ]);
}

function aboutProperty({ text, facts, allowed }: PropertySummary): string {
  return text ?? (allowed ? allowed.join(', ') : facts[0] ?? '');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, INDENT);
}

/** Breaks a text between words. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const next = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (next.length <= LONGEST_LINE || line.trim() === '') {
      line = next;
    } else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line].join('\n');
}
