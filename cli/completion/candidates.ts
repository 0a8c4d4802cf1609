import type { Command, Option } from 'commander';
import { submoduleOf } from '../../codegen/names';
import { innermost } from '../../codegen/service-model';
import { NODE_STATES } from '../../engine/inspect/types';
import { Catalog, type Kind } from '../../src/catalog';
import { AsoRelease } from '../../src/core/versions/aso-release';
import { locate } from '../explain/locate';
import { Models, structOf } from '../explain/models';
import { subjectOf } from '../explain/subject';

const releases = () => AsoRelease.all.map(({ name }) => name);

/** Values of options that are names of the catalog. */
const VALUES: Readonly<Record<string, (catalog: Catalog, words: readonly string[]) => readonly string[]>> = {
  '--state': () => NODE_STATES,
  '--kind': (catalog) => catalog.allKinds.map(({ group, kind }) => `${group}/${kind}`),
  '--group': (catalog) => catalog.groups,
  '--release': releases,
  '--from': releases,
  '--to': releases,
  '--api-version': (catalog, words) => versionsOf(words, catalog),
};

/**
 * The words that can stand in the place of the last one: commands, options, values, kinds and properties. Empty where a file is expected.
 * @param words the command line after the name of the program, up to the cursor
 */
export function candidates(program: Command, words: readonly string[], catalog: Catalog = Catalog.default()): string[] {
  const last = words.at(-1) ?? '';
  const [name, ...others] = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const outer = program.commands.find((one) => one.name() === name);
  const inner = outer?.commands.find((one) => one.name() === others[0]);
  const command = inner ?? outer;
  return [...new Set(allCandidates())].filter((candidate) => candidate.startsWith(last));

  function allCandidates(): readonly string[] {
    if (!command) return name === undefined || name === 'help' ? [...commandsOf(program), ...(last.startsWith('-') ? ['--help', '--version'] : [])] : [];
    const assigned = /^(--[a-z-]+)=/.exec(last)?.[1];
    if (assigned !== undefined) return valuesOf(command, assigned, words, catalog).map((value) => `${assigned}=${value}`);
    if (last.startsWith('-')) return optionsOf(command);
    if (command === outer && command.commands.length > 0) return commandsOf(command);
    const before = words.at(-2) ?? '';
    if (takesValue(command, before)) return valuesOf(command, before, words, catalog);
    if (command.name() === 'explain') return others.length === 0 ? pathsOf(last, catalog) : [];
    if (command.name() === 'why') return others.length === 0 ? catalog.allKinds.map(({ kind }) => `${kind}/`) : [];
    return (command.registeredArguments[others.length]?.argChoices) ?? [];
  }
}

function commandsOf(program: Command): string[] {
  return [...program.createHelp().visibleCommands(program).map((command) => command.name())];
}

function optionsOf(command: Command): string[] {
  return command.createHelp().visibleOptions(command).flatMap(({ long }) => long ?? []);
}

function optionNamed(command: Command, text: string): Option | undefined {
  return command.options.find(({ long, short }) => text === long || text === short);
}

function takesValue(command: Command, text: string): boolean {
  const option = optionNamed(command, text);
  return option !== undefined && (option.required || option.optional);
}

function valuesOf(command: Command, text: string, words: readonly string[], catalog: Catalog): readonly string[] {
  const option = optionNamed(command, text);
  return option?.argChoices ?? VALUES[option?.long ?? '']?.(catalog, words) ?? [];
}

/** Services, the kinds of a service, or the properties of a kind or a property; by the names in TypeScript. */
function pathsOf(text: string, catalog: Catalog): string[] {
  const dot = text.lastIndexOf('.');
  if (dot < 0) return [...catalog.services.map((service) => `${submoduleOf(service)}.`), ...catalog.allKinds.map(({ kind }) => kind)];
  const start = text.slice(0, dot);
  try {
    const subject = subjectOf(start, catalog);
    if (subject.is === 'service') return catalog.kindsOf(subject.service).map(({ kind }) => `${start}.${kind}`);
    return subject.is === 'spec' ? propertiesOf(subject.kind, subject, catalog).map((property) => `${start}.${property}`) : [];
  } catch {
    // No such kind or property: nothing can follow.
    return [];
  }
}

function propertiesOf(kind: Kind, subject: Parameters<typeof locate>[0], catalog: Catalog): string[] {
  const models = new Models(catalog, kind, kind.latest.name);
  const located = locate(subject, models);
  const last = located.path.at(-1);
  if (last && innermost(last.property.type).is !== 'declared') return [];
  const struct = last ? structOf(last.property.type, located.kind, located.service) : located.kind.spec;
  return struct?.properties.map(({ propName }) => propName) ?? [];
}

function versionsOf(words: readonly string[], catalog: Catalog): readonly string[] {
  try {
    const subject = subjectOf(words.find((word, index) => index > 0 && /^[A-Za-z]/.test(word)) ?? '', catalog);
    return subject.is === 'spec' ? subject.kind.versionNames : [];
  } catch {
    return [];
  }
}
