/** One step of a path: a property or key, all elements, or one element by its index. */
export interface Step {
  readonly is: 'name' | 'all' | 'index';
  readonly text: string;
  /** The step as written. */
  readonly source: string;
}

const STEP = /^(?:(\.?)([^.[\]"]+)|\[\*\]|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/;

/** Parses a path such as `a.b[*].c["d.e"]`; undefined if the text is none. */
export function stepsOf(text: string): Step[] | undefined {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return undefined;
    const [source, dot, name, place, quoted] = match;
    // Dots are valid only between names.
    if (name !== undefined && (dot === '.') !== steps.length > 0) return undefined;
    const step = stepOf(name, place, quoted);
    if (!step || step.text === '') return undefined;
    steps.push({ ...step, source });
    rest = rest.slice(source.length);
  }
  return steps.length > 0 ? steps : undefined;
}

function stepOf(name?: string, place?: string, quoted?: string): Omit<Step, 'source'> | undefined {
  if (name !== undefined) return name.trim() === name ? { is: 'name', text: name } : undefined;
  if (place !== undefined) return { is: 'index', text: place };
  if (quoted === undefined) return { is: 'all', text: '*' };
  try {
    return { is: 'name', text: JSON.parse(quoted) as string };
  } catch {
    return undefined;
  }
}
