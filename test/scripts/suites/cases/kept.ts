/** A state of a test's module. */
export const storageKinds: string[] = [];
