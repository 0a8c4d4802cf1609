import type { Cluster } from './cluster';
import { CREDENTIAL_FROM } from './core/annotations';
import { ACCEPTS_CREDENTIALS_FROM, acceptsFeed, feedSources, FEEDS, feedTargets } from '../../src/azure/credential-feeds';
import { GLOBAL_SECRET, NAMESPACE_SECRET, REQUIRED_KEYS } from '../credentials';
import { ExportError, type ExportedObject } from '../export';
import type { KubernetesObject } from '../kubernetes/types';

/**
 * On a Namespace: names of the Secrets that exports may write there although they are credentials, comma-separated; `*` for all. Kubernetes'
 * roles for teams do not allow to change Namespaces, so the annotation is the platform's word.
 */
export const ALLOWS_CREDENTIAL_EXPORTS = 'aso.cdk8s.io/allows-credential-exports';

/** Labels and annotations by which controllers know whose a Secret is. */
const RESERVED_MARKS = ['aso.cdk8s.io/', 'serviceoperator.azure.com/'];
const IDENTITY = ['managedidentity.azure.com', 'UserAssignedIdentity'] as const;

/**
 * Keeps exports off what decides who acts as whom. Who may write objects chooses the names and the content of what they export; who may write
 * Secrets is another question.
 */
export class ExportGuard {
  public constructor(private readonly cluster: Cluster, private readonly operatorNamespace: string) {}

  /**
   * @param existing what is there now
   * @throws ExportError when the object is not to be written
   */
  public check(desired: ExportedObject, existing: KubernetesObject | undefined): void {
    const { name, namespace } = desired.metadata;
    const why = reservedMark(desired) ?? this.feeder(desired) ?? (desired.kind === 'Secret' ? this.unlessAllowed(namespace, name, this.credential(desired, existing)) : undefined);
    if (why === undefined) return;
    throw new ExportError('protected', `refused to write ${desired.kind} ${namespace}/${name}: ${why}`, 'FailedWritingAdditionalKubernetesObjects', 'Error');
  }

  private unlessAllowed(namespace: string, name: string, why: string | undefined): string | undefined {
    if (why === undefined) return undefined;
    // A Namespace that is not known yet allows nothing.
    const allowed = this.namespaceAnnotation(namespace, ALLOWS_CREDENTIAL_EXPORTS)?.split(',').map((part) => part.trim()) ?? [];
    if (allowed.includes('*') || allowed.includes(name)) return undefined;
    return `${why}. Export to another name, or have the platform list "${name}" in the annotation ${ALLOWS_CREDENTIAL_EXPORTS} of the Namespace`;
  }

  /** Why the Secret is a credential, or would be one. */
  private credential(desired: ExportedObject, existing: KubernetesObject | undefined): string | undefined {
    const { name, namespace } = desired.metadata;
    if (name === NAMESPACE_SECRET) return 'that is the credential of the namespace';
    if (name === GLOBAL_SECRET) return 'that is the name of the controller\'s settings';
    if (namespace === this.operatorNamespace) return 'the namespace is that of the controller';
    const user = this.userOf(namespace, name);
    if (user) return `${user} uses it as its credential (annotation ${CREDENTIAL_FROM})`;
    if (isCredential(existing?.data)) return 'it holds a credential';
    return isCredential({ ...desired.stringData }) ? `with the keys ${REQUIRED_KEYS.join(', ')} it would be a credential` : undefined;
  }

  private userOf(namespace: string, name: string): string | undefined {
    if (this.namespaceAnnotation(namespace, CREDENTIAL_FROM) === name) return `Namespace ${namespace}`;
    for (const { type, store } of this.cluster.watched) {
      if (type.group === '') continue;
      const user = store.list(namespace).find(({ metadata }) => metadata.annotations?.[CREDENTIAL_FROM] === name);
      if (user) return `${user.kind} ${user.metadata.name}`;
    }
    return undefined;
  }

  /** Why the object belongs to an identity that is to write it: the platform has said so, whoever of both comes first. */
  private feeder({ kind, metadata: { name, namespace } }: ExportedObject): string | undefined {
    const sources = feedSources(this.namespaceAnnotation(namespace, ACCEPTS_CREDENTIALS_FROM) ?? '').entries;
    const identity = this.cluster.typeOf(...IDENTITY)?.store.list().find(({ metadata }) => {
      const text = metadata.annotations?.[FEEDS];
      if (!text) return false;
      const from = { namespace: metadata.namespace ?? '', name: metadata.name };
      return (from.namespace === namespace || acceptsFeed(sources, from))
        && feedTargets(text).entries.some((target) => target.kind === kind && target.namespace === namespace && target.name === name);
    });
    return identity && `UserAssignedIdentity ${identity.metadata.namespace}/${identity.metadata.name} feeds it (annotation ${FEEDS}). Export to another name`;
  }

  private namespaceAnnotation(namespace: string, key: string): string | undefined {
    return this.cluster.find({ group: '', kind: 'Namespace', namespace: '', name: namespace })?.metadata.annotations?.[key];
  }
}

function reservedMark({ metadata: { labels = {}, annotations = {} } }: ExportedObject): string | undefined {
  const isReserved = (key: string) => RESERVED_MARKS.some((prefix) => key.toLowerCase().startsWith(prefix));
  const mark = [...Object.keys(labels), ...Object.keys(annotations)].find(isReserved);
  return mark === undefined ? undefined : `the label or annotation "${mark}" is the operator's own: choose another one`;
}

/** Only what has all of these keys is taken for a credential. */
function isCredential(data: Readonly<Record<string, unknown>> | undefined): boolean {
  return data !== undefined && REQUIRED_KEYS.every((key) => Object.hasOwn(data, key));
}
