/** An instruction of a Dockerfile, continued lines joined. */
export interface Instruction {
  readonly name: string;
  /** Flags like `--from=package`. */
  readonly flags: readonly string[];
  readonly value: string;
}

export function parseDockerfile(text: string): Instruction[] {
  const lines = text.replaceAll(/\\\n/g, ' ').split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!name) throw new Error(`no instruction: ${line}`);
    const words = rest!.split(/\s+/);
    const flags = words.slice(0, words.findIndex((word) => !word.startsWith('--')));
    return { name, flags, value: words.slice(flags.length).join(' ') };
  });
}

/** The instructions of each stage. */
export function stagesOf(instructions: readonly Instruction[]): Instruction[][] {
  return instructions.reduce<Instruction[][]>((stages, instruction) => {
    if (instruction.name === 'FROM') return [...stages, [instruction]];
    return stages.length === 0 ? stages : [...stages.slice(0, -1), [...stages[stages.length - 1]!, instruction]];
  }, []);
}
