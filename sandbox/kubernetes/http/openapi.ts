import { SERVER_VERSION } from './version';
import type { ResourceDefinition } from '../resources/definition';
import type { Registry } from '../resources/registry';

/** The query parameters by which `kubectl` knows that the server itself checks fields and does dry runs. */
const WRITE_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}));

const info = { title: 'Kubernetes', version: SERVER_VERSION.gitVersion };

const pathOf = (group: string, version: string): string => (group ? `apis/${group}/${version}` : `api/${version}`);

/** `/openapi/v3`: where the documents of the group versions are. */
export function openApiIndex(registry: Registry): object {
  const paths = [...registry.groups].flatMap(([group, versions]) =>
    versions.map((version) => [
      pathOf(group, version),
      { serverRelativeURL: `/openapi/v3/${pathOf(group, version)}?hash=${registry.revision}` },
    ]),
  );
  return { paths: Object.fromEntries(paths) as object };
}

/**
 * `/openapi/v3/apis/GROUP/VERSION`: the operations by which clients learn what a patch may be. There are no schemas in
 * it: those of the big groups are megabytes, which every `kubectl apply` would fetch.
 */
export function openApiDocument(registry: Registry, path: string): object | undefined {
  for (const [group, versions] of registry.groups) {
    const version = versions.find((one) => pathOf(group, one) === path);
    if (!version) continue;
    const served = registry.all.filter((definition) =>
      definition.group === group && !definition.virtual && definition.versions.some((one) => one.name === version));
    return {
      openapi: '3.0.0',
      info,
      paths: Object.fromEntries(
        served.map((definition) => [
          `/${path}/${definition.namespaced ? 'namespaces/{namespace}/' : ''}${definition.plural}/{name}`,
          { patch: patchOperation(definition, version) },
        ]),
      ) as object,
      components: { schemas: {} },
    };
  }
  return undefined;
}

function patchOperation({ group, kind }: ResourceDefinition, version: string): object {
  return {
    'operationId': `patch${group}${version}${kind}`,
    'parameters': WRITE_PARAMETERS,
    'requestBody': {
      content: { 'application/json-patch+json': {}, 'application/merge-patch+json': {}, 'application/apply-patch+yaml': {} },
    },
    'responses': { 200: { description: 'OK' } },
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

export const OPENAPI_V2 = { swagger: '2.0', info, paths: {}, definitions: {} };

/** The same as a protocol buffer: field 1, the text "2.0". That is all of it that clients need in order to go on. */
export const OPENAPI_V2_PROTOBUF = Buffer.from([0x0a, 0x03, 0x32, 0x2e, 0x30]);
