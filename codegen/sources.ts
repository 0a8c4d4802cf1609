import type { OwnerModel } from './model';

/** Where generated code finds what it uses: the library's own classes stand beside each other, those in a project import the library. */
export interface Sources {
  /** The module with `AzureResource` and the like. */
  readonly core: string;
  /** A module that makes the kinds known to the library; none for those that it comes with. */
  readonly registration?: string;
  /** The specifier of another generated file. */
  file(path: string): string;
  /** Whether the class of an owner is one of the library's, while the code is not. */
  builtIn(owner: OwnerModel & { readonly kind: 'known' }): boolean;
}

/** For `src/services`. */
export const LIBRARY: Sources = { core: '../../core', file: (path) => path, builtIn: () => false };
