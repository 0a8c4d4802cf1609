import { App, ImplicitTokenResolver, Lazy, LazyResolver, NumberStringUnionResolver } from 'cdk8s';
import { CREDENTIAL_FROM, RECONCILE_POLICY } from '../../azure/annotations';
import { suggestion } from '../../util/nearest';
import type { AzureResource } from '../azure-resource';
import type { AzureResourceProps } from '../azure-resource-props';
import { isKubernetesName } from '../kubernetes-name';
import { ReconcilePolicy } from '../reconcile-policy';
import { shown } from '../schema/conversion';


const NONE: Readonly<Record<string, string>> = {};
const POLICIES: string[] = Object.values(ReconcilePolicy);

/** Problems with policy and credential, whether given as props or as annotations. */
export function annotationProblems({ metadata, reconcilePolicy, credential }: AzureResourceProps): string[] {
  const problems: string[] = [];
  const annotations = metadata?.annotations ?? NONE;
  const policy = reconcilePolicy ?? annotations[RECONCILE_POLICY];
  if (policy !== undefined && !POLICIES.includes(policy)) {
    // The controller takes an unknown policy for `manage` and may then delete what was to be kept.
    problems.push(`reconcilePolicy: ${shown(policy)} is not a policy.${suggestion(String(policy), POLICIES)} Allowed: ${POLICIES.join(', ')}.`);
  }
  if (contradicts(annotations[RECONCILE_POLICY], reconcilePolicy)) problems.push(`reconcilePolicy: contradicts the annotation ${RECONCILE_POLICY} in metadata. Give one of them.`);
  if (contradicts(annotations[CREDENTIAL_FROM], credential?.secretName)) problems.push(`credential: contradicts the annotation ${CREDENTIAL_FROM} in metadata. Give one of them.`);
  const secret = annotations[CREDENTIAL_FROM] as unknown;
  if (typeof secret === 'string' && !isKubernetesName(secret)) {
    problems.push(`metadata.annotations["${CREDENTIAL_FROM}"]: ${shown(secret)} is not the name of a Secret; the credential has to be in the resource's own namespace. Give the bare name of a Secret, or the prop 'credential'.`);
  }
  return problems;
}

function contradicts(annotation: string | undefined, prop: string | undefined): boolean {
  return annotation !== undefined && prop !== undefined && annotation !== prop;
}

/** The value of an annotation as it will stand in the manifest, when it was given as a prop or added later. */
export function annotationOf(resource: AzureResource, name: string): unknown {
  // cdk8s keeps what was written to itself; it is asked first because most resources have no such annotation, and resolving all metadata takes long.
  const { annotations: written } = resource.metadata as unknown as { readonly annotations?: Readonly<Record<string, unknown>> };
  if (written !== undefined) {
    if (!Object.hasOwn(written, name)) return undefined;
    const settled = settle(written[name]);
    if ((typeof settled === 'string' || settled === undefined) && resolvesAsUsual(resource)) return settled;
  }
  const { annotations } = resource.metadata.toJson() as { readonly annotations?: Readonly<Record<string, unknown>> };
  return annotations?.[name];
}

/** What stands for a value that is worked out late has been worked out. */
function settle(value: unknown): unknown {
  let settled = value;
  while (typeof settled === 'object' && settled !== null) {
    if (settled instanceof Lazy) settled = settled.produce();
    else if (typeof (settled as { resolve?: unknown }).resolve === 'function') settled = (settled as { resolve(): unknown }).resolve();
    else break;
  }
  return settled;
}

const USUAL: ReadonlySet<unknown> = new Set([LazyResolver, ImplicitTokenResolver, NumberStringUnionResolver]);

/** An app may have resolvers of its own, which make of a value what they like. */
function resolvesAsUsual(resource: AzureResource): boolean {
  const { resolvers } = resource.node.root as Partial<App>;
  return resolvers !== undefined && resolvers.every((resolver) => USUAL.has(resolver.constructor));
}

/** Whether the object only reads a resource that something else manages. */
export function isOnlyRead(resource: AzureResource): boolean {
  return annotationOf(resource, RECONCILE_POLICY) === ReconcilePolicy.SKIP;
}
