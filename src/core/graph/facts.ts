/** What one node of an owner graph has to do with another. An edge reads from left to right: from – relation – to. */
export enum GraphRelation {
  /** Azure keeps `to` inside `from`, or `to` extends `from`. */
  OWNS = 'owns',
  /** The spec of `from` names `to`. */
  REFERENCES = 'references',
  /** `to` reads a value that `from` writes to a ConfigMap or Secret. */
  FEEDS = 'feeds',
  /** The operator acts for `from` with the credential `to`. */
  AUTHENTICATES_WITH = 'authenticatesWith',
}

/** What a node is. */
export enum GraphRole {
  /** A resource in Azure. */
  RESOURCE = 'resource',
  /** The Secret with which the operator signs in for others. */
  CREDENTIAL = 'credential',
  /** A ConfigMap or Secret whose values others read. */
  VALUES = 'values',
  /** Something that runs in the cluster and reads what a resource exports. */
  WORKLOAD = 'workload',
}

/** What an owner graph can be written as. */
export enum GraphFormat {
  /** Text, owners above what they own. */
  TREE = 'tree',
  /** Mermaid, which GitHub and many wikis show as a picture. */
  MERMAID = 'mermaid',
  /** The language of Graphviz. */
  DOT = 'dot',
  /** All that is known, for programs. */
  JSON = 'json',
}

/** An object, or an Azure resource that is named only by its ARM id. */
export interface GraphNode {
  /** What edges call the node: `group/Kind/namespace/name`, or the ARM id. Unique in the graph. */
  readonly key: string;
  /** What the node is. */
  readonly role: GraphRole;
  /** Whether it is only referred to, not a part of what the graph was made of. */
  readonly external: boolean;
  /** Kind, e.g. `StorageAccount`; the ARM type where only an ARM id is known. */
  readonly kind: string;
  /** Name of the Kubernetes object; the last name of the ARM id where only that is known. */
  readonly name: string;
  /**
   * API group, e.g. `storage.azure.com`.
   * @default - a core object, or only the ARM id is known
   */
  readonly group?: string;
  /**
   * Namespace.
   * @default - whichever the object is applied to, or only the ARM id is known
   */
  readonly namespace?: string;
  /**
   * Name in Azure.
   * @default - not an Azure resource, or the name is known only later
   */
  readonly azureName?: string;
  /**
   * Type in Azure Resource Manager, e.g. `Microsoft.Storage/storageAccounts`.
   * @default - not an ARM resource
   */
  readonly armType?: string;
  /**
   * The ARM id that the resource has or will have.
   * @default - not an ARM resource, or the subscription, an owner or a name is not known
   */
  readonly armId?: string;
  /**
   * The built-in role that it assigns, e.g. `Storage Blob Data Reader`.
   * @default - none, or a role that is not built in: that one is a node
   */
  readonly builtInRole?: string;
  /**
   * Path of the construct.
   * @default - not a construct of the app
   */
  readonly constructPath?: string;
}

/** One node's relation to another. */
export interface GraphEdge {
  /** What `from` has to do with `to`. */
  readonly relation: GraphRelation;
  /** Key of the node where the edge starts. */
  readonly from: string;
  /** Key of the node where it ends. */
  readonly to: string;
  /** The property or annotation that says so, e.g. `spec.owner`. */
  readonly path: string;
  /** Whether the operator waits: not for what is named by ARM id. */
  readonly waits: boolean;
  /**
   * `ConfigMap` or `Secret`, of a value.
   * @default - the edge is no flow of values
   */
  readonly store?: string;
  /**
   * Name of the ConfigMap or Secret.
   * @default - the edge is no flow of values
   */
  readonly storeName?: string;
  /**
   * Key in the ConfigMap or Secret.
   * @default - all keys, or the edge is no flow of values
   */
  readonly storeKey?: string;
}

/** Nodes that wait for each other: none of them will ever be made. */
export interface GraphCycle {
  /** The nodes in the order in which they wait, the first one again at the end. */
  readonly nodes: GraphNode[];
  /** `StorageAccount a (spec.identity…) → …`, for people. */
  readonly description: string;
}

/** Resources that have to be made one after the other. */
export interface GraphPath {
  /** The resources, first to last. */
  readonly nodes: GraphNode[];
  /** How many of them there are. */
  readonly steps: number;
  /** How long they take, one after the other, where durations were given; else 0. */
  readonly seconds: number;
}

/** How long resources take. */
export interface GraphDurations {
  /** Seconds by key of a node, by `group/Kind` or by kind; the most exact one counts. */
  readonly seconds: { [nodeOrKind: string]: number };
  /**
   * Seconds of all others.
   * @default 0
   */
  readonly otherwise?: number;
}

/** What helps to make a graph. */
export interface OwnerGraphOptions {
  /**
   * The subscription of resources whose credential is not in the app: for their ARM ids.
   * @default - none: such resources have no ARM id
   */
  readonly subscriptionId?: string;
}
