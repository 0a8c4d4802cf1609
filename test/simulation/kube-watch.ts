import { objectName } from './facts';
import { hasSecretOf } from './secret-text';
import type { Stored } from './truth/policy';

export interface KubeWatchOptions {
  /** The current leader; undefined if there is only one process. */
  readonly leader: () => string | undefined;
  readonly violated: (text: string) => void;
}

const CREDENTIAL_NAMES = new Set(['aso-credential', 'aso-controller-settings']);
const TEXTS = new Set(['annotations', 'labels']);

/** Judges what the controller sends to the API server, and what it logs. */
export class KubeWatch {
  public constructor(private readonly options: KubeWatchOptions) {}

  /** `text`: as it is sent. */
  public sent(identity: string, object: Stored, verb: string, text: string): void {
    if (object.kind !== 'Lease' && object.kind !== 'Event') this.leads(identity, object);
    if (verb === 'PATCH' && object.kind !== 'Event') this.patches(object);
    if (text.includes('HIDDEN-') || object.kind === 'Secret') this.secretsStay(object);
  }

  public logged(level: string, text: string): void {
    if (hasSecretOf(text, '-')) this.options.violated(`a secret is in the log: ${text.slice(0, 200)}`);
    // A process that leads no more ends its reconciliations as it should: by writing nothing.
    const isMistake = text.includes('"stack"') && !text.includes('"name":"NotLeadingError"');
    if (level === 'warn' && text.startsWith('a reconcile ended without a result') && isMistake) this.options.violated(text);
  }

  private leads(identity: string, object: Stored): void {
    const leader = this.options.leader();
    if (leader !== undefined && leader !== identity) {
      this.options.violated(`${identity} writes ${objectName(object)}, and ${leader || 'nobody'} leads`);
    }
  }

  /**
   * A merge patch replaces lists as a whole, so it must be of the version that was read, or others' finalizers are lost, and of that
   * object, or a new one of the same name gets them. One that replaces nothing must not depend on the version: it would be refused for
   * somebody's edit.
   */
  private patches(object: Stored): void {
    const { resourceVersion, uid, finalizers, ownerReferences, annotations = {} } = object.metadata;
    const hasLists = finalizers !== undefined || ownerReferences !== undefined;
    const isClaim = Object.keys(annotations).includes('serviceoperator.azure.com/operator-namespace');
    const hasTexts = Object.keys(object.metadata).some((name) => TEXTS.has(name));
    if (hasLists && resourceVersion === undefined) {
      this.options.violated(`a patch of lists of ${objectName(object)} without a resourceVersion`);
    }
    if (hasLists && object.kind !== 'Secret' && uid === undefined) {
      this.options.violated(`a patch of lists of ${objectName(object)} without a uid`);
    }
    if (!hasLists && !isClaim && hasTexts && resourceVersion !== undefined) {
      this.options.violated(`a patch of annotations of ${objectName(object)} with a resourceVersion`);
    }
  }

  /** Secrets must not appear where users without access to Secrets can read them. */
  private secretsStay(object: Stored): void {
    const { violated } = this.options;
    if (object.kind !== 'Secret') {
      if (hasSecretOf(JSON.stringify(object), '-')) violated(`a secret is in a write of ${objectName(object)}`);
      return;
    }
    const { data = {}, stringData = {}, ...rest } = object as Stored & { readonly stringData?: Readonly<Record<string, string>> };
    const keys = [...Object.keys(data), ...Object.keys(stringData)];
    const isCredential = CREDENTIAL_NAMES.has(object.metadata.name) && keys.length > 0;
    if (isCredential) violated(`the controller writes the credential ${objectName(object)}`);
    if (hasSecretOf(JSON.stringify(rest), '-')) violated(`a secret is in metadata of ${objectName(object)}`);
    const values = [...Object.values(stringData), ...Object.values(data).map((value) => Buffer.from(value, 'base64').toString())];
    if (hasSecretOf(values.join(' '), object.metadata.namespace!)) violated(`a secret of another namespace is in ${objectName(object)}`);
  }
}
