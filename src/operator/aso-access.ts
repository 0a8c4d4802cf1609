import { ApiObjectMetadata, Lazy } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { accessRules, diagnosisRules } from './access-rules';
import { AsoAccessLevel } from './aso-access-level';
import { ControllerKinds } from './controller-kinds';

const RBAC = 'rbac.authorization.k8s.io';

/** A user, group or service account of Kubernetes. */
export class AsoSubject {
  /**
   * A group, by the name that the API server knows: with AKS and Entra the object id of the group.
   * @param name e.g. `platform-engineers`
   */
  public static group(name: string): AsoSubject {
    return new AsoSubject({ kind: 'Group', apiGroup: RBAC, name });
  }

  /**
   * A user.
   * @param name e.g. `ada@example.com`
   */
  public static user(name: string): AsoSubject {
    return new AsoSubject({ kind: 'User', apiGroup: RBAC, name });
  }

  /**
   * A service account: a program that runs in a cluster.
   * @param namespace its namespace
   * @param name its name
   */
  public static serviceAccount(namespace: string, name: string): AsoSubject {
    return new AsoSubject({ kind: 'ServiceAccount', namespace, name });
  }

  private constructor(private readonly subject: k8s.Subject) {}

  /** @internal */
  public _subject(): k8s.Subject {
    return this.subject;
  }
}

/** Properties of {@link AsoAccess}. */
export interface AsoAccessProps {
  /** The users, groups and service accounts. */
  readonly subjects: AsoSubject[];

  /** The rights. */
  readonly level: AsoAccessLevel;

  /**
   * The kinds.
   *
   * @default - those of all Azure objects in the app
   */
  readonly kinds?: ControllerKinds;

  /**
   * The namespaces in which the rights count.
   *
   * @default - all
   */
  readonly namespaces?: string[];

  /**
   * Kubernetes metadata of the roles; namespaces are added.
   *
   * @default - names made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;
}

/**
 * The exact rights of a program or group on Azure objects: roles for the kinds in use, and their bindings.
 *
 * The author of an Azure object acts with the credential of its namespace. Rights on kinds that change access in Azure, such as role
 * assignments, are therefore a level of their own.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */
export class AsoAccess extends Construct {
  /**
   * @param scope the scope of the construct
   * @param id the id, unique within the scope
   * @param props subjects, level, kinds and namespaces
   * @throws when there is no subject, or a namespace twice
   */
  public constructor(scope: Construct, id: string, props: AsoAccessProps) {
    super(scope, id);
    const { subjects, level, namespaces = [], metadata } = props;
    if (subjects.length === 0) throw new Error('AsoAccess subjects: name at least one user, group or service account.');
    const twice = namespaces.find((name, index) => namespaces.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`AsoAccess namespaces: '${twice}' is named twice.`);
    const kinds = props.kinds ?? ControllerKinds.inApp();
    const rules = Lazy.any({ produce: () => accessRules(level, this.resolved(kinds)) }) as k8s.PolicyRule[];
    const bound = subjects.map((subject) => subject._subject());
    const common = metadata?.toJson() as k8s.ObjectMeta | undefined;
    for (const namespace of namespaces) {
      const role = new k8s.KubeRole(this, `role-${namespace}`, { metadata: { ...common, namespace }, rules });
      new k8s.KubeRoleBinding(this, `binding-${namespace}`, {
        metadata: { ...common, namespace }, roleRef: { apiGroup: RBAC, kind: 'Role', name: role.name }, subjects: bound,
      });
    }
    if (namespaces.length === 0) this.everywhere('role', common, rules, bound);
    // Cluster-scoped objects have no namespace.
    else if (level === AsoAccessLevel.DIAGNOSE) this.everywhere('cluster', common, [...diagnosisRules()], bound);
  }

  private everywhere(id: string, metadata: k8s.ObjectMeta | undefined, rules: k8s.PolicyRule[], subjects: k8s.Subject[]): void {
    const role = new k8s.KubeClusterRole(this, id, { ...(metadata && { metadata }), rules });
    new k8s.KubeClusterRoleBinding(this, `${id}-binding`, {
      ...(metadata && { metadata }), roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role.name }, subjects,
    });
  }

  private resolved(kinds: ControllerKinds): ReturnType<ControllerKinds['_resolve']>['kinds'] {
    const found = kinds._resolve(this.node.root);
    if (found.problems.length > 0) throw new Error(`AsoAccess ${found.problems.join(' ')}`);
    return found.kinds;
  }
}
