import type { k8s } from 'cdk8s-plus-27';
import { SETTINGS_SECRET } from '../names';
import type { Plan } from '../plan';
import { CREDENTIAL_NAMES, SETTING_NAMES } from '../settings-data';

/**
 * Memory of the old generation (long-lived objects) and of the new one, in MiB. Node's default of 16 for the new generation costs 40 MiB
 * resident memory with 5,000 objects in the cluster; with 4 the controller needs no more processor time (docs/performance.md).
 */
const nodeOptions = (heapMegabytes: number) => `--max-old-space-size=${heapMegabytes} --max-semi-space-size=4`;

/**
 * glibc keeps memory that a thread has freed for that thread, in up to eight arenas per core. With two arenas the process stays some 30 MiB
 * smaller while it allocates and frees objects of a megabyte (docs/performance.md).
 */
const ARENAS: k8s.EnvVar = { name: 'MALLOC_ARENA_MAX', value: '2' };

/** All settings as references to the settings Secret; secret values as references to the user's Secrets. */
export function environmentOf({ props }: Plan, heapMegabytes: number): k8s.EnvVar[] {
  const { secrets = {}, from } = props.settings?.credential?._parts ?? {};
  const given = props.environment ?? {};
  const settings = SETTING_NAMES.map((name): k8s.EnvVar => {
    const secret = secrets[name];
    // A required reference: the pod does not start without the secret that the controller needs to sign in.
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
