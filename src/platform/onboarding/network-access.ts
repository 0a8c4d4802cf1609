/** Where pods may connect to. */
export interface NetworkDestination {
  /** Addresses, e.g. `10.20.0.0/16`. */
  readonly cidr: string;
  /**
   * TCP ports.
   * @default - all
   */
  readonly ports?: number[];
}

/** Who may talk to a team's pods, and to whom they may talk, besides themselves. */
export interface NetworkAccess {
  /**
   * Namespaces whose pods may connect to the team's, e.g. that of the ingress controller.
   * @default - none
   */
  readonly fromNamespaces?: string[];
  /**
   * Where the team's pods may connect to. Given, even empty, they reach nothing else but each other and the cluster's DNS.
   * @default - anywhere; in Calico's policies each other, and what the platform's GlobalNetworkPolicies allow besides
   */
  readonly to?: NetworkDestination[];
}
