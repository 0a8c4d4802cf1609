import { suggestion } from '../../util/nearest';
import type { PlatformProblems } from '../model/problems';

/** All settings of a kind: the compiler sees to it that none is left out. */
export type SettingNames<T> = { readonly [name in keyof Required<T>]: true };

/** Notes settings that a kind does not have: plain data and JavaScript know no types. */
export function checkSettings(settings: object | undefined, known: Readonly<Record<string, true>>, field: string, problems: PlatformProblems): void {
  checkNames(settings, known, `${field}.settings`, problems);
}

/** The same for any struct. */
export function checkNames(given: object | undefined, known: Readonly<Record<string, true>>, field: string, problems: PlatformProblems): void {
  for (const name of Object.keys(given ?? {})) {
    if (!Object.hasOwn(known, name)) problems.add(`${field}.${name}`, `is no setting.${suggestion(name, Object.keys(known))} There are: ${Object.keys(known).join(', ')}.`);
  }
}

/** Notes what cannot be said of a thing that is another service's. */
export function checkReference(request: object, owners: readonly string[], what: string, field: string, problems: PlatformProblems): void {
  for (const name of owners) {
    const value = (request as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) problems.add(`${field}.${name}`, `belongs to the service that has the ${what}. Say it there, or take the ${what} over with owned: true.`);
  }
}

/** The names of some settings. */
export function flags<T extends object>(settings: T): Record<keyof T, true> {
  return Object.fromEntries(Object.keys(settings).map((name) => [name, true])) as Record<keyof T, true>;
}
