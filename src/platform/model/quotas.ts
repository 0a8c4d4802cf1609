/** Resource quotas of a team. Quantities are spelt as in Kubernetes: `500m`, `2`, `1000Mi`. */
export interface Quotas {
  /**
   * Total CPU of all containers.
   * @default '5000'
   */
  readonly cpu?: string;
  /**
   * Total memory of all containers.
   * @default 5000Mi
   */
  readonly memory?: string;
  /**
   * Number of pods.
   * @default 50
   */
  readonly pods?: number;
  /**
   * Maximum CPU of one container.
   * @default 500m
   */
  readonly containerMaxCpu?: string;
  /**
   * Maximum memory of one container.
   * @default 1000Mi
   */
  readonly containerMaxMemory?: string;
}
