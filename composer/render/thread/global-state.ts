/** Objects that all code of a thread shares. */
const SHARED: readonly object[] = [
  globalThis, Object, Object.prototype, Function.prototype, Array, Array.prototype, String, String.prototype, Number, Number.prototype,
  Boolean.prototype, Symbol, Symbol.prototype, BigInt.prototype, RegExp.prototype, Date.prototype, Error, Error.prototype,
  TypeError.prototype,
  Promise, Promise.prototype, Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype, Math, JSON, Reflect, Intl, Proxy,
  Uint8Array.prototype, Buffer, Buffer.prototype,
  Object.getPrototypeOf([][Symbol.iterator]()) as object,
  Object.getPrototypeOf(function* none() { /* its prototype */ }) as object,
];

/** The objects that all code of a thread shares, as they were when the thread began. */
export class GlobalState {
  private readonly names: ReadonlySet<PropertyKey> = new Set(Reflect.ownKeys(globalThis));
  private readonly shared: readonly object[] = [...SHARED, globalThis.Date, globalThis.process, globalThis.console];
  private readonly begin = this.properties();

  /**
   * Removes the variables that code has added to the globals, such as the registry of a schema library.
   * @returns whether all is as it was: if not, the thread must not run another claim
   */
  public restore(): boolean {
    for (const name of Reflect.ownKeys(globalThis)) if (!this.names.has(name)) Reflect.deleteProperty(globalThis, name);
    const now = this.properties();
    return now.length === this.begin.length && now.every((value, index) => Object.is(value, this.begin[index]));
  }

  private properties(): unknown[] {
    const found: unknown[] = [];
    for (const object of this.shared) {
      for (const key of Reflect.ownKeys(object)) {
        const { value, get } = Object.getOwnPropertyDescriptor(object, key)!;
        found.push(key, value ?? get);
      }
    }
    return found;
  }
}
