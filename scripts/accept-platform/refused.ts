// Errors of constructs name the fields of constructs; cases name inputs.

/** Construct field → input. */
export type FieldNames = Readonly<Record<string, string>>;

/** The refusal of a construct, in the words of the inputs. */
export class Refused extends Error {}

/** Does a step; what it refuses is said with the names of the inputs. */
export function step<T>(names: FieldNames, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(translated((error as Error).message, names));
  }
}

/** Whether a message names a field: all of it, and not just the beginning of a longer one. */
export function namesField(message: string, field: string): boolean {
  return new RegExp(`(?<![\\w.\\]])${escaped(field)}(?![\\w[]|\\.\\w)`).test(message);
}

function translated(message: string, names: FieldNames): string {
  const longestFirst = Object.keys(names).sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return message;
  const field = new RegExp(`(?<![\\w.\\]'])(${longestFirst.map(escaped).join('|')})(?=(?:\\.\\w+|\\[\\d+\\])*: )`, 'g');
  return message.replace(field, (_, name: string) => names[name] ?? name);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
