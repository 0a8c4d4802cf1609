import type { Cluster } from './cluster';
import { allowsCredentialExport, GLOBAL_SECRET, NAMESPACE_SECRET } from '../../engine/credentials';
import { ExportError, type ExportedObject } from '../../engine/export';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import {
  ACCEPTS_CREDENTIALS_FROM,
  ALLOWS_CREDENTIAL_EXPORTS,
  ASO_PREFIX,
  CREDENTIAL_FROM,
  LIBRARY_PREFIX,
  PROPAGATE_TO,
} from '../../src/azure/annotations';
import { acceptsPropagation, propagationSources, propagationTargets } from '../../src/azure/credential-propagation';

/** Labels and annotations by which controllers recognize the owner of a Secret. */
const RESERVED_MARKS = [LIBRARY_PREFIX, ASO_PREFIX];
const IDENTITY = ['managedidentity.azure.com', 'UserAssignedIdentity'] as const;

/**
 * Rejects exports to objects that decide about credentials. A user who may write Azure objects chooses the names and the content of their
 * exports, but need not have the permission to write Secrets.
 */
export class ExportGuard {
  /** @param identities all identities of the cluster. Default: those in the caches */
  public constructor(
    private readonly cluster: Cluster,
    private readonly operatorNamespace: string,
    private readonly identities: () => readonly KubernetesObject[] = () => cluster.typeOf(...IDENTITY)?.store.list() ?? [],
  ) {}

  /** @throws ExportError when the object must not be written */
  public check(desired: ExportedObject): void {
    const { name, namespace } = desired.metadata;
    const why =
      reservedMark(desired)
      ?? this.propagatorOf(desired)
      ?? (desired.kind === 'Secret' ? this.unlessAllowed(namespace, name, this.credential(desired)) : undefined);
    if (why === undefined) return;
    throw new ExportError(
      'protected',
      `refused to write ${desired.kind} ${namespace}/${name}: ${why}`,
      'FailedWritingAdditionalKubernetesObjects',
      'Error',
    );
  }

  private unlessAllowed(namespace: string, name: string, why: string | undefined): string | undefined {
    if (why === undefined) return undefined;
    if (allowsCredentialExport(this.namespace(namespace), name)) return undefined;
    return `${why}. Export to another name, or have the platform list "${name}" in the annotation ${ALLOWS_CREDENTIAL_EXPORTS} of the Namespace`;
  }

  /**
   * Why the Secret is a credential, or would become one. Another Secret may have the keys of a credential: while its exporter owns it, no
   * object can use it as one (see CredentialResolver).
   */
  private credential(desired: ExportedObject): string | undefined {
    const { name, namespace } = desired.metadata;
    if (name === NAMESPACE_SECRET) return 'that is the credential of the namespace';
    if (name === GLOBAL_SECRET) return 'that is the name of the controller\'s settings';
    if (namespace === this.operatorNamespace) return 'the namespace is that of the controller';
    const user = this.userOf(namespace, name);
    return user && `${user} uses it as its credential (annotation ${CREDENTIAL_FROM})`;
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

  /** Why the object is reserved for an identity: the platform has annotated the Namespace, whichever of the two writes first. */
  private propagatorOf({ kind, metadata: { name, namespace } }: ExportedObject): string | undefined {
    const sources = propagationSources(this.namespaceAnnotation(namespace, ACCEPTS_CREDENTIALS_FROM) ?? '').entries;
    const identity = this.identities()
      .find(({ metadata }) => {
        const text = metadata.annotations?.[PROPAGATE_TO];
        if (!text) return false;
        const from = { namespace: metadata.namespace ?? '', name: metadata.name };
        return (
          (from.namespace === namespace || acceptsPropagation(sources, from))
          && propagationTargets(text).entries.some(
            (target) => target.kind === kind && target.namespace === namespace && target.name === name,
          )
        );
      });
    return (
      identity
      && `UserAssignedIdentity ${identity.metadata.namespace}/${identity.metadata.name} propagates to it (annotation ${PROPAGATE_TO}). Export to another name`
    );
  }

  private namespaceAnnotation(namespace: string, key: string): string | undefined {
    return this.namespace(namespace)?.metadata.annotations?.[key];
  }

  private namespace(name: string): KubernetesObject | undefined {
    return this.cluster.find({ group: '', kind: 'Namespace', namespace: '', name });
  }
}

function reservedMark({ metadata: { labels = {}, annotations = {} } }: ExportedObject): string | undefined {
  const isReserved = (key: string) => RESERVED_MARKS.some((prefix) => key.toLowerCase().startsWith(prefix));
  const mark = [...Object.keys(labels), ...Object.keys(annotations)].find(isReserved);
  return mark === undefined ? undefined : `the label or annotation "${mark}" is the operator's own: choose another one`;
}
