/** Files that a directory of manifests means. */
export const MANIFEST_FILE = /\.(ya?ml|json)$/i;

/** Files that cdk8s writes beside the manifests. */
export const OTHER_FILES: readonly string[] = ['construct-metadata.json'];
