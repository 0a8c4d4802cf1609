import { Environment } from '@marcbachmann/cel-js';
import { registerFunctions } from './functions';
import { registerMacros } from './macros';
import { SchemaTypes } from './schema-types';
import type { TypedConstructor } from './typed-object';
import type { KindVersion } from '../../../src/catalog';

export interface KindEnvironment {
  readonly environment: Environment;
  /** Wraps an object as `self`. */
  readonly self: TypedConstructor;
}

const LIMITS = { maxAstNodes: 5000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000, maxCallArguments: 32 };

let shared: Environment | undefined;
const known = new WeakMap<KindVersion, KindEnvironment>();

/** The environment of a kind's version; cached, because it is expensive for large kinds. */
export function environmentOf(version: KindVersion): KindEnvironment {
  let found = known.get(version);
  if (!found) {
    found = create(version);
    known.set(version, found);
  }
  return found;
}

/** Whether the environment is cached. */
export function hasEnvironment(version: KindVersion): boolean {
  return known.has(version);
}

function create(version: KindVersion): KindEnvironment {
  const types = new SchemaTypes(version);
  const environment = dialect().clone();
  for (const { name, ctor, fields } of types.all()) environment.registerType(name, { ctor, fields: { ...fields } });
  environment.registerVariable('self', types.self().name);
  environment.registerVariable('secret', 'map<string, string>');
  return { environment, self: types.self().ctor };
}

let untyped: Environment | undefined;

/** The environment of objects whose kind is not known: every member of `self` has the type of its value. */
export function untypedEnvironment(): Environment {
  untyped ??= dialect().clone().registerVariable('self', 'dyn');
  return untyped;
}

function dialect(): Environment {
  if (!shared) {
    shared = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true, limits: LIMITS });
    registerFunctions(shared);
    registerMacros(shared);
  }
  return shared;
}
