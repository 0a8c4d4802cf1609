import type { AzureRule } from '../../src/azure/rules/rule';

/** Where Azure's rules find a mistake. */
export type Door = 'synth' | 'check' | 'simulator';

export const DOORS: readonly Door[] = ['synth', 'check', 'simulator'];

/** A case that is not found where the others of its rule are. */
export interface Exception {
  readonly rule: string;
  /** Text in the wrong spec of the case. */
  readonly wrong: string;
  readonly doors: readonly Door[];
  readonly why: string;
}

/** `azure-rules.test.ts` proves that these cases are not found there, and that all others are found everywhere, warnings by `check`. */
export const EXCEPTIONS: readonly Exception[] = [
  { rule: 'messaging-rights-twice', wrong: '"rights":[]', doors: ['simulator'], why: 'an empty list is not sent' },
];

/** Rules of several objects, which are not in `src/azure/rules`. The simulator has none of them. */
export const RULES_OF_SETS: readonly { readonly rule: string; readonly doors: readonly Door[]; readonly why: string }[] = [
  { rule: 'administrator-password', doors: ['check'], why: 'the password is in a Secret, which no construct reads; the simulator takes any' },
  { rule: 'private-dns-registration-taken', doors: ['synth', 'check'], why: 'the simulator compares resources of one parent only' },
];

/** The places that find the mistakes of a rule. Warnings are of manifests; no PUT is refused for what fails later. */
export function doorsOf({ code, fails }: AzureRule): readonly Door[] {
  return fails === undefined ? code === undefined ? ['check'] : DOORS : ['synth', 'check'];
}
