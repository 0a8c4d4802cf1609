import { withoutTrailingSlashes } from '../../../azure/trailing-slashes';
/**
 * Joins the names of a principal: an object of the cluster, an ARM id, a client id, an object id in Entra. Two names that are declared to
 * be the same are joined (union-find).
 */
export class Principals {
  private readonly parents = new Map<string, string>();

  public join(one: string, other: string): void {
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.parents.set(b, a);
  }

  /** The representative of the principal: the same for all its names. */
  public of(name: string): string {
    let at = name;
    for (let next = this.parents.get(at); next !== undefined; next = this.parents.get(at)) at = next;
    // Shortens the path for later look-ups.
    if (at !== name) this.parents.set(name, at);
    return at;
  }
}

/** The names, normalized so that equal names are equal texts. */
export const principalName = {
  object: (namespace: string | undefined, name: string) => `object ${namespace ?? ''}/${name}`,
  armId: (id: string) => `arm ${withoutTrailingSlashes(id.toLowerCase())}`,
  clientId: (id: string) => `client ${id.toLowerCase()}`,
  objectId: (id: string) => `principal ${id.toLowerCase()}`,
  /** A credential with no other known name. */
  secret: (namespace: string, name: string) => `secret ${namespace}/${name}`,
  configMap: (namespace: string | undefined, name: string, key: string) => `config ${namespace ?? ''}/${name}/${key}`,
};
