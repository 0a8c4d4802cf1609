import { KubernetesError, type Discovery, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';

/** The API of each object, by what the server serves now. The answer throws KubernetesError for a kind that it does not serve. */
export async function discoveredTypes(
  client: { discovery(): Promise<Discovery> },
): Promise<(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>) => ResourceType> {
  const { types } = await client.discovery();
  const known = new Map(types.map((type) => [`${type.group === '' ? '' : `${type.group}/`}${type.version} ${type.kind}`, type]));
  return ({ apiVersion, kind }) => {
    const type = known.get(`${apiVersion} ${kind}`);
    if (!type) throw new KubernetesError(404, 'NotFound', `the API server serves no ${apiVersion} ${kind}`);
    return type;
  };
}
