export const LANGUAGES = ['typescript', 'python'] as const;
export const PROJECT_TYPES = ['plain', 'projen'] as const;
export const GITOPS = ['flux', 'argo-cd'] as const;

export type Language = (typeof LANGUAGES)[number];
export type GitOpsTool = (typeof GITOPS)[number];

/** The command line of `init`. */
export interface InitOptions {
  readonly language: Language;
  readonly project: (typeof PROJECT_TYPES)[number];
  readonly gitops?: GitOpsTool;
  readonly name?: string;
  readonly location?: string;
  readonly install: boolean;
  readonly output: 'text' | 'json';
}
