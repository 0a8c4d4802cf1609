import { apiVersionOf } from '../../../src/object-id';
import type { ResourceDefinition, ResourceVersion } from '../resources/definition';
import { verbsOf } from '../resources/definition';
import type { Registry } from '../resources/registry';

const STATUS_VERBS = ['get', 'patch', 'update'];

/** The documents from which clients learn what is served. */
export class Discovery {
  public constructor(private readonly registry: Registry) {}

  /** `/api` */
  public get coreVersions(): object {
    return { kind: 'APIVersions', versions: this.registry.groups.get('') ?? [], serverAddressByClientCIDRs: [] };
  }

  /** `/apis` */
  public get groups(): object {
    const groups = [...this.registry.groups].filter(([group]) => group !== '').map(([group, versions]) => describeGroup(group, versions));
    return { kind: 'APIGroupList', apiVersion: 'v1', groups };
  }

  /** `/apis/GROUP` */
  public group(group: string): object | undefined {
    const versions = this.registry.groups.get(group);
    return versions && { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(group, versions) };
  }

  /** `/apis/GROUP/VERSION` or `/api/v1` */
  public resources(group: string, version: string): object | undefined {
    if (!this.registry.groups.get(group)?.includes(version)) return undefined;
    const resources = this.served(group, version).flatMap(([definition, served]) => {
      const { plural, singular, namespaced, kind, shortNames, categories } = definition;
      const resource = {
        name: plural,
        singularName: singular,
        namespaced,
        kind,
        verbs: verbsOf(definition),
        ...(shortNames.length > 0 && { shortNames }),
        ...(categories.length > 0 && { categories }),
      };
      return served.status ? [resource, { name: `${plural}/status`, singularName: '', namespaced, kind, verbs: STATUS_VERBS }] : [resource];
    });
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf({ group, version }), resources };
  }

  /** `/api` and `/apis` for who accepts all of it in one answer. */
  public aggregated(core: boolean, apiVersion: string): object {
    const items = [...this.registry.groups].filter(([group]) => (group === '') === core).map(([group, versions]) => ({
      metadata: { ...(group && { name: group }), creationTimestamp: null },
      versions: versions.map((version) => ({
        version,
        resources: this.served(group, version).map(([definition, served]) => describeResource(definition, served, version)),
        freshness: 'Current',
      })),
    }));
    return { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${apiVersion}`, metadata: {}, items };
  }

  private served(group: string, version: string): [ResourceDefinition, ResourceVersion][] {
    return this.registry.all
      .filter((definition) => definition.group === group)
      .flatMap((definition) => {
        const served = definition.versions.find((one) => one.name === version);
        return served ? [[definition, served] as [ResourceDefinition, ResourceVersion]] : [];
      });
  }
}

function describeGroup(name: string, versions: readonly string[]): object {
  const described = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: described, preferredVersion: described[0] };
}

function describeResource(definition: ResourceDefinition, served: ResourceVersion, version: string): object {
  const { group, plural, singular, namespaced, kind, shortNames, categories } = definition;
  const responseKind = { group, version, kind };
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(definition),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(served.status && { subresources: [{ subresource: 'status', responseKind, verbs: STATUS_VERBS }] }),
  };
}

/** The version of aggregated discovery that the client accepts, if it does at all. */
export function aggregatedVersion(accept: string): string | undefined {
  return accept
    .split(',')
    .filter((wish) => wish.includes('as=APIGroupDiscoveryList'))
    .map((wish) => /;v=(v2(?:beta1)?)(?:;|$)/.exec(wish.replace(/\s/g, ''))?.[1])
    .find((version) => version !== undefined);
}
