import type { UnknownStateError } from '../../engine/kubernetes/cache-state';
import type { ResourceType } from '../../engine/kubernetes/types';
import type { Logger } from '../../runtime/log/log';
import type { ObjectId } from '../../src/object-id';

/** Logs each unknown kind that an object needs, once and again when the reason changes: not once for each object. */
export class UnknownStateLog {
  private readonly logged = new Map<string, string>();

  public constructor(private readonly logger: Logger) {}

  public log({ unknown: { group, kind, why, reason, isMomentary }, message }: UnknownStateError, object: ObjectId): void {
    const name = `${group}/${kind}`;
    if (isMomentary || this.logged.get(name) === why) return;
    this.logged.set(name, why);
    this.logger.warn(
      { kind: object.kind, namespace: object.namespace, name: object.name, needs: { group, kind }, reason, message },
      'an object waits for what is not known',
    );
  }

  public forget({ group, kind }: Pick<ResourceType, 'group' | 'kind'>): void {
    this.logged.delete(`${group}/${kind}`);
  }
}
