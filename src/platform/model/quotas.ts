/**
 * Resource quotas of a team in its namespace. Quantities are spelt as in Kubernetes: `500m`, `2`, `1000Mi`. The defaults are those of an
 * environment without quotas of its own; what an environment's `quotas` leave out is not limited.
 */
export interface Quotas {
  /**
   * Total CPU that containers may request.
   * @default '8'
   */
  readonly cpu?: string;
  /**
   * Total memory that containers may request.
   * @default 16Gi
   */
  readonly memory?: string;
  /**
   * Total CPU limit of all containers.
   * @default - not limited
   */
  readonly cpuLimit?: string;
  /**
   * Total memory limit of all containers.
   * @default 32Gi
   */
  readonly memoryLimit?: string;
  /**
   * Number of pods.
   * @default 50
   */
  readonly pods?: number;
  /**
   * Number of persistent volume claims.
   * @default 10
   */
  readonly persistentVolumeClaims?: number;
  /**
   * Total size of persistent volume claims.
   * @default 100Gi
   */
  readonly storage?: string;
  /**
   * Number of Services of type LoadBalancer, each of which has an IP address of its own.
   * @default 0
   */
  readonly loadBalancers?: number;
  /**
   * Number of node ports, which Services of the types NodePort and, unless they say otherwise, LoadBalancer have.
   * @default 0
   */
  readonly nodePorts?: number;
  /**
   * CPU request of a container that has none.
   * @default 100m
   */
  readonly containerCpu?: string;
  /**
   * Memory request of a container that has none.
   * @default 256Mi
   */
  readonly containerMemory?: string;
  /**
   * CPU limit of a container that has none.
   * @default - containerMaxCpu
   */
  readonly containerCpuLimit?: string;
  /**
   * Memory limit of a container that has none.
   * @default 512Mi
   */
  readonly containerMemoryLimit?: string;
  /**
   * Maximum CPU of one container.
   * @default '4'
   */
  readonly containerMaxCpu?: string;
  /**
   * Maximum memory of one container.
   * @default 8Gi
   */
  readonly containerMaxMemory?: string;
}
