import { staysUp, type SandboxOptions } from './options';
import { Catalog, type Kind } from '../../src/catalog';
import { graphObjectOf } from '../../src/core/graph/manifest-object';
import { member, text } from '../../src/util/records';
import type { Manifest } from '../manifests/manifests';

/**
 * The kinds that the sandbox serves: those of the files, and those that they name as owners and in references. The controller watches each
 * kind that is served, which takes most of the time of a small run. Undefined: all, where other programs may use the sandbox.
 */
export function servedKinds(manifests: readonly Manifest[], options: SandboxOptions): readonly Kind[] | undefined {
  const { controller, kubeconfig, writeEnv, kubernetesPort } = options;
  const isShared = [kubeconfig, writeEnv, kubernetesPort].some((given) => given !== undefined);
  if (staysUp(options) || !controller || isShared) return undefined;
  const catalog = Catalog.default();
  const named = manifests.flatMap(({ object }) => {
    if (object.kind === 'CustomResourceDefinition') return [definedBy(object.spec)];
    const facts = graphObjectOf(object);
    return facts ? [facts, ...(facts.owner ? [facts.owner] : []), ...facts.references] : [];
  });
  const kinds = new Set(named.flatMap(({ group, kind }) => (group && kind ? catalog.kind(group, kind) : undefined) ?? []));
  return kinds.size === 0 ? undefined : [...kinds];
}

function definedBy(spec: unknown): { readonly group?: string | undefined; readonly kind?: string | undefined } {
  return { group: text(spec, 'group'), kind: text(member(spec, 'names'), 'kind') };
}
