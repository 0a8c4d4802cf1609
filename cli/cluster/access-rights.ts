import { atATime } from './at-a-time';
import { ACCESS_REVIEWS, SELF_ACCESS_REVIEWS } from './resource-types';
import type { KubernetesObject, ResourceType } from '../../engine/kubernetes/types';
import { member } from '../../src/util/records';
import { listed } from '../../src/util/words';

/** The part of a client that asks whether an account may do something. Nothing is stored by it. */
export interface AccessReviewer {
  create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject>;
}

/** Verbs on objects of a type that a command needs. */
export interface Right {
  readonly type: ResourceType;
  readonly verbs: readonly string[];
  readonly subresource?: string;
  /** Only this object; absent: all of the type. */
  readonly name?: string;
  /** Absent: in all namespaces. */
  readonly namespace?: string;
}

/** `resourceAttributes` of an access review. */
export interface AccessAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
}

const AT_A_TIME = 8;

/**
 * Whether this user, or another account, may do something.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 * @param account another one than that of the connection
 * @throws KubernetesError where the API server does not tell
 */
export async function isAllowed(
  reviewer: AccessReviewer, resourceAttributes: AccessAttributes, account?: { readonly user: string; readonly groups: readonly string[] },
): Promise<boolean> {
  const type = account ? ACCESS_REVIEWS : SELF_ACCESS_REVIEWS;
  const spec = { ...account, resourceAttributes };
  const { status } = await reviewer.create(type, { apiVersion: 'authorization.k8s.io/v1', kind: type.kind, metadata: { name: '' }, spec });
  return member(status, 'allowed') === true;
}

/** The rights that this user does not have, with the verbs that are missing, in order. @throws KubernetesError as {@link isAllowed} */
export async function missingRights(reviewer: AccessReviewer, rights: readonly Right[]): Promise<Right[]> {
  const missing = new Map<Right, string[]>();
  const asked = rights.flatMap((right) => right.verbs.map((verb) => ({ right, verb })));
  await atATime(asked, AT_A_TIME, async ({ right, verb }) => {
    const { type: { group, version, plural }, subresource, name, namespace } = right;
    const attributes = {
      verb,
      group,
      version,
      resource: plural,
      ...(subresource !== undefined && { subresource }),
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
    };
    if (!(await isAllowed(reviewer, attributes))) missing.set(right, [...(missing.get(right) ?? []), verb]);
  });
  return rights.flatMap((right) => {
    const verbs = missing.get(right);
    return verbs ? [{ ...right, verbs: verbs.sort() }] : [];
  });
}

/**
 * Rights that an account lacks, a text for those of the same verbs at the same place: `get or list secrets, users.sql.azure.com in all
 * namespaces`, `get secrets admin in the namespace team`.
 */
export function rightTexts(rights: readonly Right[]): string[] {
  const objects = new Map<string, string[]>();
  for (const right of rights) {
    const { type: { namespaced }, verbs, namespace } = right;
    const place = !namespaced ? '' : namespace === undefined ? ' in all namespaces' : ` in the namespace ${namespace}`;
    // The verbs, and the end of the text.
    const key = JSON.stringify([listed(verbs, 'or'), place]);
    objects.set(key, [...(objects.get(key) ?? []), objectText(right)]);
  }
  return [...objects].map(([key, names]) => {
    const [verbs, place] = JSON.parse(key) as [string, string];
    return `${verbs} ${names.join(', ')}${place}`;
  });
}

function objectText({ type, subresource, name }: Right): string {
  const resource = `${type.plural}${type.group === '' ? '' : `.${type.group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  return name === undefined ? resource : `${resource} ${name}`;
}
