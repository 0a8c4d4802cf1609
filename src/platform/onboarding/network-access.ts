/** A destination of pods' connections. */
export interface NetworkDestination {
  /** Range of addresses, e.g. `10.20.0.0/16`. */
  readonly cidr: string;
  /**
   * TCP ports.
   * @default - all
   */
  readonly ports?: number[];
}

/** The connections that a team's pods may accept and open, besides those among themselves. */
export interface NetworkAccess {
  /**
   * Namespaces whose pods may connect to the team's pods, e.g. that of the ingress controller.
   * @default - none
   */
  readonly fromNamespaces?: string[];
  /**
   * Destinations of the team's pods. With a list, even an empty one, the pods reach only these, each other and the cluster's DNS.
   * @default - all destinations; with Calico each other, and the destinations that the platform's GlobalNetworkPolicies allow
   */
  readonly to?: NetworkDestination[];
}
