import type * as kplus from 'cdk8s-plus-27';

/** cdk8s-plus, loaded on demand: it takes longer to load than everything else here together. */
// eslint-disable-next-line @typescript-eslint/no-require-imports
export const plus = (): typeof kplus => require('cdk8s-plus-27') as typeof kplus;

/** `EnvValue` of a ConfigMap key. cdk8s-plus reads the name only, so no construct for the ConfigMap is made. */
export function configMapEnvValue(name: string, key: string): kplus.EnvValue {
  return plus().EnvValue.fromConfigMap({ name } as kplus.IConfigMap, key);
}

/** `EnvValue` of a Secret key. */
export function secretEnvValue(name: string, key: string): kplus.EnvValue {
  return plus().EnvValue.fromSecretValue({ secret: { name } as kplus.ISecret, key });
}
