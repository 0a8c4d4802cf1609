/** A function of the platform was called that `compose` must not use. */
export function refused(name: string, why = 'it has no network, no files, no clock and no randomness'): never {
  throw new Error(`${name} cannot be used: compose must give the same objects for the same claim, so ${why}`);
}

/** A function, or a class, that throws when it is called. */
export function refusedFunction(name: string): () => never {
  return function notInCompose() {
    return refused(name);
  };
}

/** A stand-in for a module of Node: functions throw when they are called; a library may ask for the module and never call it. */
export function refusedModule(name: string, real: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(real).map((key) => {
    const value = (real as Record<string, unknown>)[key];
    const title = `${name}.${key}`;
    if (typeof value === 'function') return [key, refusedFunction(title)];
    return [key, typeof value === 'object' && value !== null && key !== 'constants' ? refusedModule(title, value) : value];
  }));
}
