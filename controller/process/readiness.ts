import type { Watchers } from './watchers';

/** Whether the process is ready, for `/readyz`. */
export class Readiness {
  /** The step of the start, or the end, that the process is at; undefined: it runs. */
  public waitsFor: string | undefined = 'the process starts';
  /** The webhooks, once they are served. */
  public admission: { readonly isReady: boolean } | undefined;
  private hasListed = false;

  public constructor(private readonly watchers: Pick<Watchers, 'notReady'> | undefined) {}

  /** The reason why the process is not ready; undefined: it is ready. */
  public notReady(): string | undefined {
    return this.waitsFor ?? this.notListed() ?? this.notCertified();
  }

  /** After the first complete list, a failed watch is reported by the objects that wait for it: this pod's webhooks are still needed. */
  private notListed(): string | undefined {
    const why = this.hasListed ? undefined : this.watchers?.notReady;
    this.hasListed ||= why === undefined;
    return why;
  }

  private notCertified(): string | undefined {
    return this.admission?.isReady === false ? 'the certificate of the webhooks is not there yet' : undefined;
  }
}
