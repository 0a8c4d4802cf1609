import { admitted, claimOf, problemText } from './claim-check';
import type { ApiFacts } from '../../composer/definition/api-facts';
import type { FindObject } from '../../composer/render/object-reads';
import type { Renderer } from '../../composer/render/renderer';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { groupOf, objectIdOf, objectKeyOf, versionNameOf } from '../../src/object-id';
import { describeObject, type Manifest } from '../manifests/manifests';

/** The objects that claims can read in a test: what the cluster would have. */
export interface ReadableObjects {
  readonly find: FindObject;
  /** Objects that the API server would refuse, with their place. */
  readonly problems: readonly string[];
}

/** Whether an object is of a kind that claims may read and that is none of the definition's kinds. */
export function isReadOnly({ apiVersion, kind }: KubernetesObject, facts: readonly ApiFacts[]): boolean {
  const group = groupIn(apiVersion);
  return facts.some(({ reads }) => reads.some((one) => one.group === group && one.kind === kind)) && !definitionOf(apiVersion, kind, facts);
}

/** Makes objects of files readable: with the defaults of their schema, in the definition's version, where they are of its kinds. */
export async function readableObjects(
  manifests: readonly Manifest[], facts: readonly ApiFacts[], renderer: Renderer,
): Promise<ReadableObjects> {
  const found = new Map<string, KubernetesObject>();
  const problems: string[] = [];
  for (const manifest of manifests) {
    const { object, file, line } = manifest;
    const stored = await storedObject(object, facts, renderer);
    if (typeof stored === 'string') problems.push(`${file}:${line}: ${describeObject(object)}: ${stored}`);
    else found.set(objectKeyOf(objectIdOf(stored)), stored);
  }
  const find: FindObject = (name) => {
    const object = found.get(objectKeyOf(name));
    return object ? { state: 'present', object } : { state: 'absent' };
  };
  return { find, problems };
}

/** As the API server would store it, or what is wrong with it. */
async function storedObject(object: KubernetesObject, facts: readonly ApiFacts[], renderer: Renderer): Promise<KubernetesObject | string> {
  const { apiVersion, kind, metadata } = object;
  const definition = definitionOf(apiVersion, kind, facts);
  if (!definition) {
    const read = facts.flatMap(({ reads }) => reads).find((one) => one.group === groupIn(apiVersion) && one.kind === kind);
    if (!read) return 'is of no kind that the definition has or reads';
    const { namespace, ...others } = metadata;
    return { ...object, metadata: read.namespaced === false ? others : { ...others, namespace: namespace ?? 'default' } };
  }
  const [newest] = definition.versions;
  const version = versionNameOf({ apiVersion });
  if (!definition.versions.some(({ name }) => name === version)) {
    return 'has a version that the definition does not serve: '
    + `write ${definition.group}/${newest.name}`;
  }
  const claim = claimOf(object, definition);
  const { spec, issues } = admitted(claim, definition);
  if (issues.length > 0) return problemText({ reason: 'InvalidSpec', issues });
  const { group } = definition;
  const [converted] = version === newest.name
    ? [{ spec, problem: undefined }]
    : await renderer.convert({ group, kind, from: version, to: newest.name, specs: [spec] });
  if (converted!.problem) return problemText(converted!.problem);
  return { ...claim, apiVersion: `${group}/${newest.name}`, spec: converted!.spec, ...(object.status && { status: object.status }) } as KubernetesObject;
}

function definitionOf(apiVersion: string, kind: string, facts: readonly ApiFacts[]): ApiFacts | undefined {
  return facts.find((one) => one.group === groupIn(apiVersion) && one.kind === kind);
}

function groupIn(apiVersion: string): string {
  return groupOf({ apiVersion });
}
