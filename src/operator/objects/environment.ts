import type { k8s } from 'cdk8s-plus-27';
import { SETTINGS_SECRET } from '../names';
import type { Plan } from '../plan';
import { CREDENTIAL_NAMES, SETTING_NAMES } from '../settings-data';

/**
 * Memory of objects that live, and of those that are made just now (MiB). Node's 16 for the latter cost 40 MiB resident with 5,000 objects in the
 * cluster, and with 4 the controller needs no more processor time (docs/performance.md).
 */
const nodeOptions = (heapMegabytes: number) => `--max-old-space-size=${heapMegabytes} --max-semi-space-size=4`;

/**
 * glibc keeps what one thread has freed for that thread, in up to eight places a core; with two places the process stays some 30 MiB smaller
 * while objects of a megabyte come and go (docs/performance.md).
 */
const ARENAS: k8s.EnvVar = { name: 'MALLOC_ARENA_MAX', value: '2' };

/** Every setting from the Secret, secrets from those of others. */
export function environmentOf({ props }: Plan, heapMegabytes: number): k8s.EnvVar[] {
  const { secrets = {}, from } = props.settings?.credential?._parts ?? {};
  const given = props.environment ?? {};
  const settings = SETTING_NAMES.map((name): k8s.EnvVar => {
    const secret = secrets[name];
    // Without its secret the controller could not sign in: the pod waits.
    if (secret) return { name, valueFrom: { secretKeyRef: { name: secret.secretName, key: secret.key } } };
    const source = from !== undefined && CREDENTIAL_NAMES.has(name) ? from : SETTINGS_SECRET;
    return { name, valueFrom: { secretKeyRef: { name: source, key: name, optional: true } } };
  });
  return [
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ...settings,
    ...(given.NODE_OPTIONS === undefined ? [{ name: 'NODE_OPTIONS', value: nodeOptions(heapMegabytes) }] : []),
    ...(given[ARENAS.name] === undefined ? [ARENAS] : []),
    ...Object.entries(given).map(([name, value]) => ({ name, value })),
  ];
}
