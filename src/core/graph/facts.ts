/** The relation between two nodes of an owner graph. An edge reads from left to right: from – relation – to. */
export enum GraphRelation {
  /** Azure keeps `to` inside `from`, or `to` extends `from`. */
  OWNS = 'owns',
  /** The spec of `from` references `to`. */
  REFERENCES = 'references',
  /** `to` reads a value that `from` writes to a ConfigMap or Secret. */
  FEEDS = 'feeds',
  /** The operator uses the credential `to` for `from`. */
  AUTHENTICATES_WITH = 'authenticatesWith',
}

/** The role of a node. */
export enum GraphRole {
  /** A resource in Azure. */
  RESOURCE = 'resource',
  /** The Secret with which the operator authenticates for other nodes. */
  CREDENTIAL = 'credential',
  /** A ConfigMap or Secret whose values other nodes read. */
  VALUES = 'values',
  /** A workload of the cluster that reads values which a resource exports. */
  WORKLOAD = 'workload',
}

/** The output formats of an owner graph. */
export enum GraphFormat {
  /** Text; owners above the resources that they own. */
  TREE = 'tree',
  /** Mermaid, which GitHub and many wikis render as a picture. */
  MERMAID = 'mermaid',
  /** Graphviz DOT. */
  DOT = 'dot',
  /** All facts, for programs. */
  JSON = 'json',
}

/** An object, or an Azure resource that is referenced only by its ARM id. */
export interface GraphNode {
  /** The node's key in edges: `group/Kind/namespace/name`, or the ARM id. Unique in the graph. */
  readonly key: string;
  /** The role of the node. */
  readonly role: GraphRole;
  /** Whether the node is only referenced and not one of the objects of the graph. */
  readonly external: boolean;
  /** Kind, e.g. `StorageAccount`; the ARM type if only an ARM id is known. */
  readonly kind: string;
  /** Name of the Kubernetes object; the last name of the ARM id if only that is known. */
  readonly name: string;
  /**
   * API group, e.g. `storage.azure.com`.
   * @default - a core object, or only the ARM id is known
   */
  readonly group?: string | undefined;
  /**
   * Namespace.
   * @default - the namespace to which the object is applied, or only the ARM id is known
   */
  readonly namespace?: string | undefined;
  /**
   * Name in Azure.
   * @default - not an Azure resource, or the name is known only later
   */
  readonly azureName?: string | undefined;
  /**
   * Type in Azure Resource Manager, e.g. `Microsoft.Storage/storageAccounts`.
   * @default - not an ARM resource
   */
  readonly armType?: string | undefined;
  /**
   * The ARM id that the resource has or will have.
   * @default - not an ARM resource, or the subscription, an owner or a name is not known
   */
  readonly armId?: string | undefined;
  /**
   * The region, as in the spec.
   * @default - the kind has none
   */
  readonly location?: string | undefined;
  /**
   * Ranges of addresses in CIDR notation.
   * @default - neither a network nor a subnet
   */
  readonly addressRanges?: string[] | undefined;
  /**
   * The built-in role that the resource assigns, e.g. `Storage Blob Data Reader`.
   * @default - none, or a role that is not built in and therefore a node
   */
  readonly builtInRole?: string | undefined;
  /**
   * Path of the construct.
   * @default - not a construct of the app
   */
  readonly constructPath?: string | undefined;
  /**
   * Properties whose values the resource has from a scope (`Defaults`, `SecureDefaults`, `Tags`, `Credentials`, policies), as paths in the
   * props: `location`, `tags.team`. The value is the path of the construct that has the setting, empty for the app; for a location, it may
   * be the owner.
   * @default - none; manifests do not say where their values come from
   */
  readonly defaults?: { [property: string]: string } | undefined;
}

/** A directed relation between two nodes. */
export interface GraphEdge {
  /** The relation between `from` and `to`. */
  readonly relation: GraphRelation;
  /** Key of the node where the edge starts. */
  readonly from: string;
  /** Key of the node where it ends. */
  readonly to: string;
  /** The property or annotation that defines the edge, e.g. `spec.owner`. */
  readonly path: string;
  /** Whether the operator waits for the other node; it does not wait for resources referenced by ARM id. */
  readonly waits: boolean;
  /**
   * `ConfigMap` or `Secret`, for a value.
   * @default - the edge is no flow of values
   */
  readonly store?: string | undefined;
  /**
   * Name of the ConfigMap or Secret.
   * @default - the edge is no flow of values
   */
  readonly storeName?: string | undefined;
  /**
   * Key in the ConfigMap or Secret.
   * @default - all keys, or the edge is no flow of values
   */
  readonly storeKey?: string | undefined;
}

/** Nodes that wait for each other: none of them will ever be created. */
export interface GraphCycle {
  /** The nodes in waiting order; the first one is repeated at the end. */
  readonly nodes: GraphNode[];
  /** `StorageAccount a (spec.identity…) → …`, for humans. */
  readonly description: string;
}

/** Resources that have to be created one after the other. */
export interface GraphPath {
  /** The resources, first to last. */
  readonly nodes: GraphNode[];
  /** The number of resources. */
  readonly steps: number;
  /** Their total duration in seconds if durations were passed, else 0. */
  readonly seconds: number;
}

/** Durations of resources. */
export interface GraphDurations {
  /** Seconds by key of a node, by `group/Kind` or by kind; the most specific entry counts. */
  readonly seconds: { [nodeOrKind: string]: number };
  /**
   * Seconds of all other resources.
   * @default 0
   */
  readonly otherwise?: number;
}

/** Options for building a graph. */
export interface OwnerGraphOptions {
  /**
   * The subscription of resources whose credential is not in the app, to predict their ARM ids.
   * @default - none: such resources have no ARM id
   */
  readonly subscriptionId?: string;
}
