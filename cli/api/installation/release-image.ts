/** The composer's image of a release. */
export function releaseImage(version: string): string {
  return `ghcr.io/cdk8s-aso/cdk8s-aso-composer:${version}`;
}
