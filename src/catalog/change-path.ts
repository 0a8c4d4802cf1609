/** One step of a path: a property or key, every element, or one element by its place. */
export interface Step {
  readonly is: 'name' | 'all' | 'index';
  readonly text: string;
  /** As it was written. */
  readonly source: string;
}

const STEP = /^(?:(\.?)([^.[\]"]+)|\[\*\]|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/;

/** Takes a path apart: `a.b[*].c["d.e"]`; undefined where the text is none. */
export function stepsOf(text: string): Step[] | undefined {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (!match) return undefined;
    const [source, dot, name, place, quoted] = match;
    // A dot stands between names, and nowhere else.
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
