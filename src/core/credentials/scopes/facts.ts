/** Whose credential it is that applies to a resource. */
export enum CredentialLevel {
  /** The resource names a Secret of its own (`credential-from`). */
  RESOURCE = 'resource',
  /** The Secret `aso-credential` of the namespace. */
  NAMESPACE = 'namespace',
  /** The controller's own, `aso-controller-settings`. */
  GLOBAL = 'global',
  /** None that is known. */
  NONE = 'none',
}

/** How the controller signs in with a credential. */
export enum CredentialMode {
  /** A federated credential trusts a service account of the cluster; the Secret holds nothing secret. */
  WORKLOAD_IDENTITY = 'workload identity',
  /** A managed identity of the cluster's nodes. */
  MANAGED_IDENTITY = 'managed identity',
  /** A service principal with a client secret. */
  CLIENT_SECRET = 'client secret',
  /** A service principal with a certificate. */
  CLIENT_CERTIFICATE = 'client certificate',
  /** A file of credentials that the controller can read. */
  IDENTITY_FILE = 'identity file',
  /** Something else writes the Secret, and its keys are not known. */
  UNKNOWN = 'unknown',
}

/** Whether the roles of a credential suffice for a resource. */
export enum CredentialVerdict {
  /** They give all that the resource needs. */
  SUFFICIENT = 'sufficient',
  /** At least one action that the resource needs is given by none of the principal's roles. */
  TOO_NARROW = 'too-narrow',
  /** No credential applies. */
  NO_CREDENTIAL = 'no-credential',
  /** The credential's roles, or what they allow, or the place of the resource, are not known. */
  UNKNOWN = 'unknown',
  /** Not an Azure Resource Manager resource (a user in a database, a group of Entra): roles of Azure do not decide. */
  NOT_APPLICABLE = 'not-applicable',
}

/** Who can have the controller act as an identity. */
export enum IdentityReach {
  /** Whoever may write a credential Secret or name one in any namespace. */
  ANY_NAMESPACE = 'any-namespace',
  /** The namespaces whose service account `aso-workload` it trusts. */
  NAMED_NAMESPACES = 'named-namespaces',
  /** Only who has its secret or certificate. */
  SECRET_HOLDERS = 'secret-holders',
  /** Only the controller itself, for its own credential. */
  CONTROLLER_ONLY = 'controller-only',
  /** Its federated credentials are not known. */
  UNKNOWN = 'unknown',
}

/** A role that the principal of a credential has. */
export interface HeldRole {
  /** Name of the role, or the id of its definition where the name is not known. */
  readonly role: string;
  /** ARM id of the scope in which it is given; undefined where it is not known. */
  readonly scope?: string;
  /** What gives it: `RoleAssignment namespace/name`, or `declared`. */
  readonly givenBy: string;
  /** Whether it is known what the role allows. */
  readonly actionsKnown: boolean;
}

/** A credential of the app. */
export interface CredentialFacts {
  /** `namespace/name` of the Secret. */
  readonly secret: string;
  /** Where it applies. */
  readonly level: CredentialLevel;
  /** How the controller signs in. */
  readonly mode: CredentialMode;
  /** Who writes the Secret. */
  readonly writtenBy: string;
  /** The principal as which it acts: the identity of the app, an ARM id, or the client id. */
  readonly principal: string;
  /** The client id, where it is known. */
  readonly clientId?: string;
  /** The Entra tenant, where it is known. */
  readonly tenantId?: string;
  /** The subscription, where it is known. */
  readonly subscriptionId?: string;
  /** The roles of the principal, as far as they are known. */
  readonly roles: HeldRole[];
  /** The resources to which it applies: `Kind namespace/name`. */
  readonly resources: string[];
}

/** Which credential applies to a resource, and whether it suffices. */
export interface ResourceCredential {
  /** `Kind namespace/name`. */
  readonly resource: string;
  /** API group. */
  readonly group: string;
  /** Kind. */
  readonly kind: string;
  /** Name of the Kubernetes object. */
  readonly name: string;
  /** Namespace, where the manifest has one. */
  readonly namespace?: string;
  /** Path of the construct; undefined for manifests of files. */
  readonly constructPath?: string;
  /** The ARM id that it has or will have, where it is known. */
  readonly armId?: string;
  /** Whose credential applies. */
  readonly level: CredentialLevel;
  /** Why this one, in words. */
  readonly why: string;
  /** `namespace/name` of the Secret; undefined where none applies. */
  readonly secret?: string;
  /** The principal as which the controller acts. */
  readonly principal?: string;
  /** The credential's subscription, where it is known. */
  readonly subscriptionId?: string;
  /** Whether the roles suffice. */
  readonly verdict: CredentialVerdict;
  /** The actions that the controller needs, each followed by ` on ` and the scope where that is another resource. */
  readonly neededActions: string[];
  /** Those that none of the principal's roles gives. */
  readonly missingActions: string[];
  /** What is missing, ambiguous or does not fit, with what to do. */
  readonly problems: string[];
}

/** An identity with which a credential acts, and who can use it. */
export interface IdentityFacts {
  /** The identity of the app (`UserAssignedIdentity namespace/name`), an ARM id, or the client id. */
  readonly principal: string;
  /** Who can have the controller act as it. */
  readonly reach: IdentityReach;
  /** Why, and what narrows it. */
  readonly why: string;
  /** The credentials that act as it: `namespace/name`. */
  readonly credentials: string[];
  /** The subjects that its federated credentials trust. */
  readonly subjects: string[];
  /** Its roles, as far as they are known. */
  readonly roles: HeldRole[];
}
