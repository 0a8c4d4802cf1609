import { ArmError, type ArmClient } from '../../../engine/arm/types';
import { fromArm } from '../../../engine/convert';
import { ExportError, exportsOf } from '../../../engine/export';
import { NO_SECRET_VALUES } from '../../../engine/export/types';
import { hooksOf, KindError } from '../../../engine/kinds';
import type { ObjectLookup } from '../../../engine/resolve';
import { nameFromConfigOf, versionOf } from '../../../engine/resolve';
import { AZURE_NAME_FROM_CONFIG, RESOURCE_ID } from '../../../src/azure/annotations';
import { groupOf } from '../../../src/object-id';
import { isText, member, struct } from '../../../src/util/records';
import { namespaceOf, type Manifest } from '../../manifests/manifests';
import type { Candidate } from '../requests';

/** Data of ConfigMaps, by `namespace/name`. */
export type ConfigMaps = Map<string, Record<string, string>>;

/**
 * The values that the controller would export to ConfigMaps from a resource in Azure: other objects of the files take values from there.
 * Empty where the export would fail: then what needs it is unknown.
 */
export async function exportedConfigMaps(
  { object, version }: Candidate, armId: string, answer: unknown, client: ArmClient, lookup: ObjectLookup,
): Promise<[key: string, data: Readonly<Record<string, string>>][]> {
  const operatorSpec = member(object.spec, 'operatorSpec');
  const [configMaps, configMapExpressions] = [member(operatorSpec, 'configMaps'), member(operatorSpec, 'configMapExpressions')];
  if (!configMaps && !configMapExpressions) return [];
  const namespace = namespaceOf(object);
  const exporting = {
    ...object,
    metadata: { ...object.metadata, namespace, annotations: { ...object.metadata.annotations, [RESOURCE_ID]: armId } },
    spec: {
      ...object.spec,
      operatorSpec: { ...(configMaps ? { configMaps } : {}), ...(configMapExpressions ? { configMapExpressions } : {}) },
    },
    status: fromArm(version, answer),
  };
  try {
    const hooks = hooksOf(version.kind.group, version.kind.kind);
    const configMapValues = await hooks.configMapValues?.({ object: exporting, version, armId, client, lookup }, exporting.status);
    const exported = exportsOf(version, exporting, NO_SECRET_VALUES, configMapValues === undefined ? {} : { configMapValues });
    return exported.configMaps.map(({ metadata, data = {} }) => [`${namespace}/${metadata.name}`, data]);
  } catch (error) {
    if (error instanceof ExportError || error instanceof KindError || error instanceof ArmError) return [];
    throw error;
  }
}

/** The manifests with the known values of ConfigMaps filled in. Values in the files take precedence. */
export function withConfigMaps(manifests: readonly Manifest[], known: ConfigMaps): Manifest[] {
  const data = new Map([...known].map(([key, values]) => [key, { ...values }]));
  const others: Manifest[] = [];
  for (const manifest of manifests) {
    const { object } = manifest;
    if (object.kind !== 'ConfigMap' || groupOf(object) !== '') {
      others.push(manifest);
      continue;
    }
    const key = `${namespaceOf(object)}/${object.metadata.name}`;
    data.set(key, { ...data.get(key), ...texts(object.data) });
  }
  const configMaps = [...data].map(([key, values]): Manifest => {
    const [namespace = '', name = ''] = key.split('/');
    return {
      file: '',
      line: 0,
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: values },
      lineOf: () => 0,
    };
  });
  return [...others.map((manifest) => withName(manifest, data)), ...configMaps];
}

/** With the Azure name that the claim would read out of a ConfigMap. */
function withName(manifest: Manifest, data: ReadonlyMap<string, Readonly<Record<string, string>>>): Manifest {
  const { object } = manifest;
  const version = versionOf(object);
  const reference = version && nameFromConfigOf(object, version);
  const values = reference && data.get(`${namespaceOf(object)}/${reference.name}`);
  const azureName = values && Object.hasOwn(values, reference.key) ? values[reference.key] : undefined;
  if (azureName === undefined || azureName === '') return manifest;
  const annotations = { [AZURE_NAME_FROM_CONFIG]: azureName, ...object.metadata.annotations };
  return { ...manifest, object: { ...object, metadata: { ...object.metadata, annotations } } };
}

function texts(data: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(struct(data) ?? {}).filter((entry): entry is [string, string] => isText(entry[1])));
}
