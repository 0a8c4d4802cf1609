import type { OwnerModel } from './model';

/** The modules that generated code imports: the library's own classes import each other, those of a project import the library. */
export interface Sources {
  /** The module of `AzureResource` and related classes. */
  readonly core: string;
  /** A module that registers the kinds with the library; none for built-in kinds. */
  readonly registration?: string;
  /**
   * The module of the reference interfaces of a service. Owners then have methods that create their children: an owner's file imports its
   * children's files, and these only the references. Undefined where the file of a kind has its reference, and owners have no methods.
   */
  readonly refs?: string;
  /** The specifier of another generated file. */
  file(path: string): string;
  /** Whether an owner's class is part of the library while the generated code is not. */
  builtIn(owner: OwnerModel & { readonly kind: 'known' }): boolean;
}

/** Sources for `src/services`. */
export const LIBRARY: Sources = { core: '../../core', refs: './refs', file: (path) => path, builtIn: () => false };
