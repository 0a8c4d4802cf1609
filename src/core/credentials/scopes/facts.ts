/** The level of the credential that applies to a resource. */
export enum CredentialLevel {
  /** The resource names a Secret itself (`credential-from`). */
  RESOURCE = 'resource',
  /** The Secret `aso-credential` of the namespace. */
  NAMESPACE = 'namespace',
  /** The controller's own credential, `aso-controller-settings`. */
  GLOBAL = 'global',
  /** No known credential. */
  NONE = 'none',
}

/** The method by which the controller authenticates with a credential. */
export enum CredentialMode {
  /** A federated credential trusts a service account of the cluster; the Secret contains no secret. */
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
  /** The roles allow all actions that the resource needs. */
  SUFFICIENT = 'sufficient',
  /** None of the principal's roles allows at least one of the actions that the resource needs. */
  TOO_NARROW = 'too-narrow',
  /** No credential applies. */
  NO_CREDENTIAL = 'no-credential',
  /** The credential's roles, the actions of a role, or the resource's place in Azure are not known. */
  UNKNOWN = 'unknown',
  /** Not an Azure Resource Manager resource (a user in a database, a group of Entra): Azure roles do not apply. */
  NOT_APPLICABLE = 'not-applicable',
}

/** The users or namespaces that can have the controller act as an identity. */
export enum IdentityReach {
  /** Every user who may write a credential Secret, or name one, in any namespace. */
  ANY_NAMESPACE = 'any-namespace',
  /** The namespaces whose service account `aso-workload` the identity trusts. */
  NAMED_NAMESPACES = 'named-namespaces',
  /** Only holders of its secret or certificate. */
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
  /** ARM id of the role's scope; undefined if it is not known. */
  readonly scope?: string;
  /** The source of the role: `RoleAssignment namespace/name`, or `declared`. */
  readonly givenBy: string;
  /** Whether the actions of the role are known. */
  readonly actionsKnown: boolean;
}

/** A credential of the app. */
export interface CredentialFacts {
  /** `namespace/name` of the Secret. */
  readonly secret: string;
  /** The level at which the credential applies. */
  readonly level: CredentialLevel;
  /** The method by which the controller authenticates. */
  readonly mode: CredentialMode;
  /** The objects or tools that write the Secret. */
  readonly writtenBy: string;
  /** The principal of the credential: the identity of the app, an ARM id, or the client id. */
  readonly principal: string;
  /** The client id, if it is known. */
  readonly clientId?: string;
  /** The Entra tenant, if it is known. */
  readonly tenantId?: string;
  /** The subscription, if it is known. */
  readonly subscriptionId?: string;
  /** The known roles of the principal. */
  readonly roles: HeldRole[];
  /** The resources to which it applies: `Kind namespace/name`. */
  readonly resources: string[];
}

/** The credential that applies to a resource, and whether it suffices. */
export interface ResourceCredential {
  /** `Kind namespace/name`. */
  readonly resource: string;
  /** API group. */
  readonly group: string;
  /** Kind. */
  readonly kind: string;
  /** Name of the Kubernetes object. */
  readonly name: string;
  /** Namespace, if the manifest has one. */
  readonly namespace?: string;
  /** Path of the construct; undefined for manifests of files. */
  readonly constructPath?: string;
  /** The ARM id that the resource has or will have, if it is known. */
  readonly armId?: string;
  /** The level of the credential that applies. */
  readonly level: CredentialLevel;
  /** The reason for this credential, as text. */
  readonly why: string;
  /** `namespace/name` of the Secret; undefined if none applies. */
  readonly secret?: string;
  /** The principal as which the controller acts. */
  readonly principal?: string;
  /** The credential's subscription, if it is known. */
  readonly subscriptionId?: string;
  /** Whether the roles suffice. */
  readonly verdict: CredentialVerdict;
  /** The actions that the controller needs, each followed by ` on ` and the scope if that is another resource. */
  readonly neededActions: string[];
  /** The needed actions that none of the principal's roles allows. */
  readonly missingActions: string[];
  /** Problems of the credential or its selection, each with its fix. */
  readonly problems: string[];
}

/** An identity that a credential uses, and who can have the controller act as it. */
export interface IdentityFacts {
  /** The identity of the app (`UserAssignedIdentity namespace/name`), an ARM id, or the client id. */
  readonly principal: string;
  /** The users or namespaces that can have the controller act as the identity. */
  readonly reach: IdentityReach;
  /** The reason for `reach`, with the limits. */
  readonly why: string;
  /** The credentials that use the identity: `namespace/name`. */
  readonly credentials: string[];
  /** The subjects that its federated credentials trust. */
  readonly subjects: string[];
  /** The known roles of the identity. */
  readonly roles: HeldRole[];
}
