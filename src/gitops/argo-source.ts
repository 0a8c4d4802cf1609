/** How Argo CD renders a Helm chart. */
export interface ArgoHelm {
  /**
   * Name of the release.
   * @default - the name of the Application
   */
  readonly releaseName?: string;
  /**
   * Values of the chart.
   * @default - those of the chart
   */
  readonly values?: { [key: string]: any };
  /**
   * Files of values in the source, or in another source with `ref`: `$values/prod.yaml`. Later ones win, and `values` over all.
   * @default - none
   */
  readonly valueFiles?: string[];
  /**
   * Whether the CRDs in the chart's `crds` folder are left out.
   * @default false
   */
  readonly skipCrds?: boolean;
}

/**
 * A source of manifests: a folder of a Git repository, or a Helm chart.
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/
 */
export interface ArgoSource {
  /** URL of the Git repository, or of the Helm repository; an OCI registry without `oci://`. */
  readonly repoUrl: string;
  /**
   * Branch, tag or commit; the version of a chart, which is required there.
   * @default HEAD
   */
  readonly targetRevision?: string;
  /**
   * Folder of the repository, relative to its root. Not for a chart.
   * @default - the root
   */
  readonly path?: string;
  /**
   * Name of the chart in the Helm repository.
   * @default - the source is a Git repository
   */
  readonly chart?: string;
  /**
   * How the chart is rendered.
   * @default - with the chart's values
   */
  readonly helm?: ArgoHelm;
  /**
   * Whether plain manifests are also read from the folders below `path`.
   * @default false
   */
  readonly recurse?: boolean;
  /**
   * Name by which `valueFiles` of other sources refer to this one.
   * @default - none
   */
  readonly ref?: string;
}
