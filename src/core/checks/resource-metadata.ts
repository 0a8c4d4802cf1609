import { App, ImplicitTokenResolver, LazyResolver, NumberStringUnionResolver } from 'cdk8s';
import { CREDENTIAL_FROM, RECONCILE_POLICY } from '../../azure/annotations';
import { struct } from '../../util/records';
import type { AzureResourceProps } from '../azure-resource-props';
import { ReconcilePolicy } from '../reconcile-policy';
import type { ResourceInternals } from '../resource-internals';
import { settledValue } from '../schema/conversion';

const NONE: Readonly<Record<string, string>> = {};

/** Problems where both a prop and an annotation set the policy or the credential. */
export function annotationProblems({ metadata, reconcilePolicy, credential }: AzureResourceProps): string[] {
  const problems: string[] = [];
  const annotations = metadata?.annotations ?? NONE;
  if (contradicts(annotations[RECONCILE_POLICY], reconcilePolicy)) {
    problems.push(`reconcilePolicy: contradicts the annotation ${RECONCILE_POLICY} in metadata. Give one of them.`);
  }
  if (contradicts(annotations[CREDENTIAL_FROM], credential?.secretName)) {
    problems.push(`credential: contradicts the annotation ${CREDENTIAL_FROM} in metadata. Give one of them.`);
  }
  return problems;
}

function contradicts(annotation: string | undefined, prop: string | undefined): boolean {
  return annotation !== undefined && prop !== undefined && annotation !== prop;
}

/** The value of an annotation as the manifest will have it, whether from a prop or added later. */
export function annotationOf(resource: ResourceInternals, name: string): unknown {
  // cdk8s keeps the written annotations. They are looked up first, because most resources lack the annotation and resolving all metadata
  // takes long.
  const { annotations: written } = resource.metadata as unknown as { readonly annotations?: Readonly<Record<string, unknown>> };
  if (written !== undefined) {
    if (!Object.hasOwn(written, name)) return undefined;
    const settled = settledValue(written[name]);
    if ((typeof settled === 'string' || settled === undefined) && resolvesAsUsual(resource)) return settled;
  }
  const { annotations } = resource.metadata.toJson() as { readonly annotations?: Readonly<Record<string, unknown>> };
  return annotations?.[name];
}

/** The members of metadata that have a property of their own in cdk8s' class. */
const MEMBERS: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences']);

/** The metadata as the manifest will have it. */
export function metadataOf(resource: ResourceInternals): Readonly<Record<string, unknown>> {
  return (resolvesAsUsual(resource) ? plainMetadata(resource.metadata) : undefined) ?? struct(resource.metadata.toJson()) ?? {};
}

/** Metadata as cdk8s keeps it, which is what it writes if all is text. Undefined where something has to be resolved: that takes long. */
function plainMetadata(metadata: ResourceInternals['metadata']): Readonly<Record<string, unknown>> | undefined {
  const written = metadata as unknown as Partial<Written>;
  const { name, namespace, labels, annotations, finalizers, ownerReferences, _additionalAttributes: more } = written;
  if (!more || !finalizers || !ownerReferences || finalizers.length > 0 || ownerReferences.length > 0) return undefined;
  if (!isTextOrNone(name) || !isTextOrNone(namespace) || !Object.keys(more).every((key) => MEMBERS.has(key))) return undefined;
  const found = { name, namespace, labels: settledTexts(labels), annotations: settledTexts(annotations) };
  return found.labels && found.annotations ? found : undefined;
}

/** Private fields of cdk8s' class. */
interface Written {
  readonly name: unknown;
  readonly namespace: unknown;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly finalizers: readonly unknown[];
  readonly ownerReferences: readonly unknown[];
  readonly _additionalAttributes: Readonly<Record<string, unknown>>;
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** The texts of a map, with its tokens resolved. Undefined where a value is no text. */
function settledTexts(map: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, string>> | undefined {
  if (!map) return undefined;
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(map)) {
    const settled = settledValue(value);
    if (typeof settled === 'string') found[key] = settled;
    else if (settled !== undefined) return undefined;
  }
  return found;
}

const USUAL: ReadonlySet<unknown> = new Set([LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver]);

/** Whether the app has no resolvers of its own, which could change any value. */
function resolvesAsUsual(resource: ResourceInternals): boolean {
  const { resolvers } = resource.node.root as Partial<App>;
  return resolvers !== undefined && resolvers.every((resolver) => USUAL.has(resolver.constructor));
}

/** Whether the object only reads a resource that is managed elsewhere. */
export function isOnlyRead(resource: ResourceInternals): boolean {
  return annotationOf(resource, RECONCILE_POLICY) === ReconcilePolicy.SKIP;
}
