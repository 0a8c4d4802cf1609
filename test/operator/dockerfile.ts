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
function stagesOf(instructions: readonly Instruction[]): Instruction[][] {
  return instructions.reduce<Instruction[][]>((stages, instruction) => {
    if (instruction.name === 'FROM') return [...stages, [instruction]];
    return stages.length === 0 ? stages : [...stages.slice(0, -1), [...stages[stages.length - 1]!, instruction]];
  }, []);
}

/** The instructions of the stage with a name. */
export function stageOf(instructions: readonly Instruction[], name: string): Instruction[] {
  const stage = stagesOf(instructions).find(([from]) => from!.value.endsWith(` AS ${name}`));
  if (!stage) throw new Error(`no stage ${name}`);
  return stage;
}

export function valuesOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ value }) => value);
}

/** The paths that a stage copies from the build context. */
export function copiedBy(stage: readonly Instruction[]): string[] {
  return stage.filter(({ name, flags }) => name === 'COPY' && !flags.some((flag) => flag.startsWith('--from')))
    .flatMap(({ value }) => value.split(' ').slice(0, -1))
    .map((path) => path.replace(/\/$/, ''));
}

/** Whether a path reaches the build: the last line of .dockerignore that fits decides, and a line for a folder counts for all in it. */
export function isSent(path: string, lines: readonly string[]): boolean {
  return lines.reduce((sent, line) => {
    const pattern = line.replace(/^!/, '');
    const expression = new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*')}(/|$)`);
    return expression.test(path) ? line.startsWith('!') : sent;
  }, true);
}
