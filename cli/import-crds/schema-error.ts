/** A schema that says less than a CRD of `apiextensions.k8s.io/v1` has to: what is wrong, at which path. */
export class SchemaError extends Error {
  public constructor(public readonly path: string, message: string, public readonly fix: string) {
    super(message);
    this.name = 'SchemaError';
  }
}
