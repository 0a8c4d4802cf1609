import { reconciles, titleOf } from './controllers';
import { CONTROLLER_LEASE } from '../../../engine/inspect';
import { groupOf } from '../../../src/object-id';
import { firstOf } from '../../../src/util/words';
import { isAllowed, type AccessReviewer } from '../../cluster/access-rights';
import { atATime } from '../../cluster/at-a-time';
import type { ClusterFacts, ControllerState } from '../facts';
import type { Finding } from '../finding';

interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Of an object of the controller's own namespace: its name. */
  readonly own?: string;
}

const AT_A_TIME = 8;
const MOST_NAMED = 4;
/** docs/operator.md#rights; of each resource the verbs that every installation needs. */
const ALWAYS: readonly Right[] = [
  { verb: 'list', group: '', resource: 'secrets' },
  { verb: 'update', group: '', resource: 'secrets' },
  { verb: 'list', group: '', resource: 'configmaps' },
  { verb: 'update', group: '', resource: 'configmaps' },
  { verb: 'create', group: '', resource: 'events' },
  { verb: 'update', group: 'coordination.k8s.io', resource: 'leases', own: CONTROLLER_LEASE },
];
const CLUSTER: readonly Right[] = [
  { verb: 'list', group: '', resource: 'namespaces' },
  { verb: 'list', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
];

/** Rights that a controller's service account lacks. */
export async function rightsFindings(reviewer: AccessReviewer, { controllers, types, objects }: ClusterFacts): Promise<Finding[]> {
  const used = new Set(objects.map((object) => `${groupOf(object)}/${object.kind}`));
  const kinds = types.filter(({ group, kind }) => used.has(`${group}/${kind}`)).flatMap(({ group, plural }): Right[] => [
    { verb: 'list', group, resource: plural },
    { verb: 'watch', group, resource: plural },
    { verb: 'update', group, resource: plural, subresource: 'status' },
  ]);
  const found: Finding[] = [];
  for (const controller of controllers.filter(reconciles)) {
    const lacking: string[] = [];
    const reviews = namespacesOf(controller).flatMap((namespace) => [...ALWAYS, ...kinds].map((right) => ({ right, namespace })));
    await atATime([...reviews, ...CLUSTER.map((right) => ({ right, namespace: '' }))], AT_A_TIME, async ({ right, namespace }) => {
      const where = right.own === undefined ? namespace : controller.namespace;
      if (!(await mayAct(reviewer, controller, right, where))) lacking.push(formatRight(right, where));
    });
    if (lacking.length === 0) continue;
    found.push({
      id: 'rights-missing',
      severity: 'error',
      object: titleOf(controller),
      message: `its service account ${controller.namespace}/${controller.serviceAccount} may not ${firstOf(lacking.sort(), MOST_NAMED)}`,
      cure: 'apply the roles of the installation again; roles by hand have to follow the kinds in use: docs/operator.md#rights',
    });
  }
  return found;
}

/** All namespaces are one question. */
function namespacesOf({ targetNamespaces = [] }: ControllerState): readonly string[] {
  return targetNamespaces.length === 0 ? [''] : targetNamespaces;
}

function mayAct(
  reviewer: AccessReviewer,
  { namespace, serviceAccount }: ControllerState,
  { verb, group, resource, subresource, own }: Right,
  where: string,
): Promise<boolean> {
  const attributes = {
    verb, group, resource, ...(subresource && { subresource }), ...(own && { name: own }), ...(where !== '' && { namespace: where }),
  };
  return isAllowed(reviewer, attributes, {
    user: `system:serviceaccount:${namespace}:${serviceAccount}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  });
}

function formatRight({ verb, group, resource, subresource }: Right, namespace: string): string {
  const name = `${resource}${group === '' ? '' : `.${group}`}${subresource ? `/${subresource}` : ''}`;
  return `${verb} ${name}${namespace === '' ? '' : ` in ${namespace}`}`;
}
