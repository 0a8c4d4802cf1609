/** Takes a mistake back. */
export type Undo = () => void;

/** Puts something else in the place of a method. */
export function replaced<T extends object, K extends keyof T>(target: T, name: K, make: (real: T[K]) => T[K]): Undo {
  const real = target[name];
  target[name] = make(real);
  return () => {
    target[name] = real;
  };
}
