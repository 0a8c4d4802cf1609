import type { Construct } from 'constructs';
import type { AzureResourceProps } from './azure-resource-props';
import type { ResourceInternals } from './resource-internals';

// In the global symbol registry, because an app may load two copies of the library.
const CHILDREN = Symbol.for('cdk8s-aso.children');
const CHILD_NAME = Symbol.for('cdk8s-aso.childName');

type Remembering = ResourceInternals & { [CHILDREN]?: Map<string, ResourceInternals[]> };

/** Remembers the children of each kind, in the order of their construction. */
export function rememberChild(owner: ResourceInternals, child: ResourceInternals): void {
  const known = owner as Remembering;
  if (!known[CHILDREN]) Object.defineProperty(owner, CHILDREN, { value: new Map() });
  const children = known[CHILDREN]!;
  const others = children.get(child.kind);
  if (others) others.push(child);
  else children.set(child.kind, [child]);
}

/** The children of a kind, first to last. */
export function childrenOf(owner: ResourceInternals, kind: string): readonly ResourceInternals[] {
  return (owner as Remembering)[CHILDREN]?.get(kind) ?? [];
}

/** Scope, id and props of a child that its owner creates. */
export type ChildArguments<Options, Owner> = [Construct, string, Options & { readonly owner: Owner }];

/**
 * The arguments for the constructor of a child. It is a sibling of its owner: in cdk8s, a dependency on a construct is one on all
 * constructs below it, so a child below its owner would depend on its own siblings. Its path has the ids of the owner and of the child and
 * the name of the kind, since Azure allows, for example, an A record and a TXT record of one name.
 * @param kind name of the kind within its owner, e.g. `subnet`
 */
export function childArguments<Options extends AzureResourceProps, Owner extends ResourceInternals>(
  owner: Owner,
  kind: string,
  id: string,
  options: Options,
): ChildArguments<Options, Owner> {
  const { scope, path } = owner.node;
  if (typeof id !== 'string' || id === '') {
    throw new Error(`[${path}] The id of the ${kind} is missing. Give a text that is unique among its siblings.`);
  }
  // The owner of an object is in its namespace.
  const namespace = owner._given.metadata?.namespace;
  const metadata = namespace === undefined ? {} : { metadata: { namespace, ...options?.metadata } };
  const props = Object.defineProperty({ ...options, ...metadata, owner }, CHILD_NAME, { value: id });
  return [scope!, [owner.node.id, id, ...(id === kind ? [] : [kind])].join('-'), props];
}

/** The name in Azure that the id of a child gives; undefined for resources that no owner created. */
export function childName(props: AzureResourceProps): string | undefined {
  return (props as { [CHILD_NAME]?: string })[CHILD_NAME];
}
