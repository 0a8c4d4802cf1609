import { InvalidArgumentError, Option, type Command } from 'commander';
import { HOLDERS_BY_CHOICE } from './holders';

/** The option of commands that read files with objects in objects. */
export interface InsideOption {
  /** Kinds that are looked into besides those that hold objects always. */
  readonly inside?: readonly string[];
}

/** Adds `--inside`. */
export function addInsideOption(command: Command): Command {
  const kinds = HOLDERS_BY_CHOICE.flatMap((holder) => holder.kinds);
  const several = (text: string, before: readonly string[] | undefined) => {
    if (!kinds.includes(text)) throw new InvalidArgumentError(`give ${kinds.join(' or ')}.`);
    return [...(before ?? []), text];
  };
  return command.addOption(new Option('--inside <kind>', `read manifests in texts of a ${kinds.join(' or ')} as well`).argParser(several));
}
