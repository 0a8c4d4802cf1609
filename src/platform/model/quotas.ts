/** How much of a cluster a team may use. Quantities are spelt as Kubernetes spells them: `500m`, `2`, `1000Mi`. */
export interface Quotas {
  /**
   * CPU of all containers together.
   * @default '5000'
   */
  readonly cpu?: string;
  /**
   * Memory of all containers together.
   * @default 5000Mi
   */
  readonly memory?: string;
  /**
   * Number of pods.
   * @default 50
   */
  readonly pods?: number;
  /**
   * CPU of one container at most.
   * @default 500m
   */
  readonly containerMaxCpu?: string;
  /**
   * Memory of one container at most.
   * @default 1000Mi
   */
  readonly containerMaxMemory?: string;
}
