import { type Inspection, type InspectionNode } from '../../engine/inspect';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { withoutSecrets, type WirePlan } from '../../page';
import { UUID } from '../../src/azure/uuid';
import { visibleLiteral } from '../../src/azure/visible-text';
import { type ObjectId, objectKeyOf } from '../../src/object-id';
import type { Manifest } from '../manifests/manifests';
import { oneLine } from '../output/problem';
import { planRequests, type PlannedRequest } from '../plan/requests';

/** Objects that a plan of one object looks at: itself, its owners, and what it refers to. */
const MOST_OBJECTS = 200;
const SUBSCRIPTION = /^\/subscriptions\/([^/]+)/i;

/** The request that the controller would send for an object, as `cdk8s-aso plan` has it. */
export function planOfNode(
  node: InspectionNode,
  inspection: Inspection,
  objectOf: (node: InspectionNode) => KubernetesObject | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): WirePlan {
  const needed = neededFor(node, inspection);
  const known = subscriptionOf(node, needed, environment.AZURE_SUBSCRIPTION_ID);
  const manifests = needed.flatMap((one) => {
    const object = objectOf(one);
    return object ? [manifestOf(object)] : [];
  });
  const { requests, withoutRequest, problems } = planRequests(manifests, known);
  const isOwn = ({ manifest }: { readonly manifest: Manifest }) => manifest === manifests[0];
  const request = requests.find(isOwn);
  const notes = known === undefined ? ['the subscription is not known: the ids show zeros in its place'] : [];
  return {
    ...(request ? { text: textOf(request, notes) } : {}),
    problems: [
      ...withoutRequest.filter(isOwn).map(({ reason }) => oneLine(reason)),
      ...(request ? [] : problems.map(({ object, field, message }) => oneLine([object, field, message].filter(Boolean).join(': ')))),
    ],
  };
}

/** The node first, with its owners and what it refers to: ids depend on these and their owners. */
function neededFor(node: InspectionNode, { byKey }: Inspection): InspectionNode[] {
  const needed = new Map<string, InspectionNode>();
  const find = (name: ObjectId | undefined) => (name === undefined ? undefined : byKey.get(objectKeyOf(name)));
  for (const start of [node, ...node.references.map(({ object }) => find(object))]) {
    for (let next = start; next && !needed.has(next.key) && needed.size < MOST_OBJECTS; next = find(next.owner?.object)) {
      needed.set(next.key, next);
    }
  }
  return [...needed.values()];
}

/** Of its own id, else of an id next to it, else of its credential, else of the environment. */
function subscriptionOf(node: InspectionNode, needed: readonly InspectionNode[], given: string | undefined): string | undefined {
  const ids = needed.flatMap(({ armId }) => SUBSCRIPTION.exec(armId ?? '')?.[1] ?? []);
  return [...ids, node.credential?.subscriptionId, given].find((id) => id !== undefined && UUID.test(id));
}

function manifestOf(object: KubernetesObject): Manifest {
  return { file: 'cluster', line: 0, object, lineOf: () => 0 };
}

function textOf({ method, path, armApiVersion, body, notes }: PlannedRequest, more: readonly string[]): string {
  return [
    ...[...notes, ...more].map((note) => `# ${oneLine(note)}`),
    `${method} ${oneLine(path)}?api-version=${armApiVersion}`,
    ...(body === undefined ? [] : ['', visibleLiteral(JSON.stringify(withoutSecrets(body), undefined, 2))]),
  ].join('\n');
}
