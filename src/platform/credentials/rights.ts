import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';

const RBAC = 'rbac.authorization.k8s.io';

/** A rule of a Role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Name and namespace of an object. */
export interface Subject {
  readonly name: string;
  readonly namespace: string;
}

/** Grants rights in one namespace to a service account. */
export function grantRights(scope: Construct, id: string, metadata: Subject, rules: readonly Rule[], subject: Subject): void {
  new ApiObject(scope, `${id}Role`, { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules });
  new ApiObject(scope, `${id}RoleBinding`, {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', ...subject }],
  });
}
