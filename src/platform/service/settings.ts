import { suggestion } from '../../util/nearest';
import type { PlatformProblems } from '../model/problems';

/** All settings of a kind; the compiler reports missing ones. */
export type SettingNames<T> = { readonly [name in keyof Required<T>]: true };

/** Adds problems for unknown settings: untyped callers (JSON, JavaScript) get no compiler errors. */
export function checkSettings(
  settings: object | undefined,
  known: Readonly<Record<string, true>>,
  field: string,
  problems: PlatformProblems,
): void {
  checkNames(settings, known, `${field}.settings`, problems);
}

/** Adds problems for unknown fields of any struct. */
export function checkNames(
  given: object | undefined,
  known: Readonly<Record<string, true>>,
  field: string,
  problems: PlatformProblems,
): void {
  for (const name of Object.keys(given ?? {})) {
    if (!Object.hasOwn(known, name)) {
      problems.add(
        `${field}.${name}`,
        `is no setting.${suggestion(name, Object.keys(known))} There are: ${Object.keys(known).join(', ')}.`,
      );
    }
  }
}

/** Adds problems for settings that only the owner of a resource may set, if another service owns it. */
export function checkReference(request: object, owners: readonly string[], what: string, field: string, problems: PlatformProblems): void {
  for (const name of owners) {
    const value = (request as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) {
      problems.add(
        `${field}.${name}`,
        `belongs to the service that has the ${what}. Say it there, or take the ${what} over with owned: true.`,
      );
    }
  }
}

/** The names of the settings. */
export function flags<T extends object>(settings: T): Record<keyof T, true> {
  return Object.fromEntries(Object.keys(settings).map((name) => [name, true])) as Record<keyof T, true>;
}
