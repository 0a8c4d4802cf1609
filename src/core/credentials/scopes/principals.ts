import { withoutTrailingSlashes } from '../../../azure/trailing-slashes';
/**
 * Names that mean one principal: an object of the cluster, an ARM id, a client id, an object id in Entra. Whoever says that two of them
 * are the same joins them.
 */
export class Principals {
  private readonly parents = new Map<string, string>();

  public join(one: string, other: string): void {
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.parents.set(b, a);
  }

  /** What stands for the principal: the same for all its names. */
  public of(name: string): string {
    let at = name;
    for (let next = this.parents.get(at); next !== undefined; next = this.parents.get(at)) at = next;
    // The way is short from now on, however the names were joined.
    if (at !== name) this.parents.set(name, at);
    return at;
  }
}

/** The names, each spelt so that equal ones are equal. */
export const principalName = {
  object: (namespace: string | undefined, name: string) => `object ${namespace ?? ''}/${name}`,
  armId: (id: string) => `arm ${withoutTrailingSlashes(id.toLowerCase())}`,
  clientId: (id: string) => `client ${id.toLowerCase()}`,
  objectId: (id: string) => `principal ${id.toLowerCase()}`,
  /** A credential of which nothing else is known. */
  secret: (namespace: string, name: string) => `secret ${namespace}/${name}`,
  configMap: (namespace: string | undefined, name: string, key: string) => `config ${namespace ?? ''}/${name}/${key}`,
};
