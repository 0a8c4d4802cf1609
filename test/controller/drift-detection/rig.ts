import { BatchDriftDetection, type BatchDriftDetectionOptions } from '../../../controller/drift-detection';
import type { Subject } from '../../../controller/drift-detection/observed-state';
import { sharedKeyOf } from '../../../controller/reconcile/object-key';
import type { ReconcileReport } from '../../../controller/reconcile/reconciler-options';
import { ArmError, type ArmClient, type ArmRequest, type ArmResponse } from '../../../engine/arm/types';
import type { ObjectId } from '../../../src/object-id';
import { FakeClock } from '../reconcile/fake-clock';

export const HOUR = 3_600_000;
export const MINUTE = 60_000;
export const LAG = 5 * MINUTE;
const SUBSCRIPTION = '/subscriptions/s';

interface Version {
  readonly at: number;
  readonly value: number;
}

/** Azure with resources that have one value each, and rows that show it late. */
export class Rig implements ArmClient {
  public readonly subscriptionId = 's';
  public readonly endpoint = 'https://arm.test';
  public readonly clock = new FakeClock();
  public readonly requests: string[] = [];
  public readonly changedInCluster = new Set<string>();
  public readonly detection: BatchDriftDetection;
  private readonly history = new Map<string, Version[]>();

  public constructor(private readonly list = false, options: Partial<BatchDriftDetectionOptions> = {}) {
    this.detection = new BatchDriftDetection({
      clock: this.clock, syncPeriod: HOUR, lag: LAG, subjectOf: (key) => this.subjectOf(key), ...options,
    });
  }

  /** Answers instead of Azure. */
  public intercept: (request: ArmRequest) => Partial<ArmResponse> | undefined = () => undefined;
  /** By how much a row is late when it is asked for, up to `LAG`. */
  public lag: () => number = () => LAG;
  /** More members of a row. */
  public more: (name: string) => Record<string, unknown> = () => ({});

  public key(name: string): ObjectId {
    return { group: 'g', kind: 'K', namespace: 'n', name };
  }

  public set(name: string, value: number): void {
    this.history.set(name, [...(this.history.get(name) ?? []), { at: this.clock.now(), value }]);
  }

  public value(name: string, at = Infinity): number | undefined {
    return this.history.get(name)?.filter((version) => version.at <= at).at(-1)?.value;
  }

  /** A reconcile that reads, and puts right what is not `wanted`. */
  public reconcile(name: string, wanted = 0): 'read' | 'put' {
    const differs = this.value(name) !== wanted;
    if (differs) this.set(name, wanted);
    this.requests.push(`${differs ? 'PUT' : 'GET'} ${name}`);
    this.report(name, differs ? ['read', 'put', 'read', 'complete'] : ['resolve', 'read', 'complete'], { value: wanted });
    return differs ? 'put' : 'read';
  }

  public report(
    name: string,
    actions: string[],
    status: Record<string, unknown>,
    result: ReconcileReport['result'] = { kind: 'success' },
  ): void {
    const object = { apiVersion: 'g/v1', kind: 'K', metadata: { name, namespace: 'n' }, status };
    this.detection.reconcileEnded({ key: this.key(name), object, actions, result, nextIn: HOUR, priority: 'resync' });
  }

  public async confirms(name: string): Promise<boolean> {
    const answer = this.detection.confirms(this.key(name));
    await this.clock.advance(1_000);
    return answer;
  }

  /** A sync of all of them: who is confirmed has no reconcile. Answers how many were. */
  public async sync(names: readonly string[]): Promise<number> {
    const answers = names.map((name) => this.detection.confirms(this.key(name)));
    await this.clock.advance(1_000);
    let confirmed = 0;
    for (const [index, name] of names.entries()) {
      if (!(await answers[index])) {
        this.reconcile(name);
      } else {
        confirmed += 1;
        this.detection.nextIn(this.key(name), HOUR);
      }
    }
    return confirmed;
  }

  public async send(request: ArmRequest): Promise<ArmResponse> {
    this.requests.push(`${request.method} ${request.url.includes('ResourceGraph') ? 'rows' : 'list'}`);
    const answer = this.intercept(request) ?? {
      body: this.list ? { value: this.rows(this.names) } : { data: this.rows(this.asked(request)) },
    };
    if (answer.status === 0) throw new ArmError('UnknownError', 'no answer');
    return { status: 200, headers: {}, text: '', body: undefined, ...answer };
  }

  public get names(): string[] {
    return [...this.history.keys()];
  }

  private asked({ body }: ArmRequest): string[] {
    const { query } = body as { query: string };
    return this.names.filter((name) => query.includes(`/${name}'`));
  }

  private rows(names: readonly string[]): unknown[] {
    const seen = this.clock.now() - (this.list ? 0 : this.lag());
    return names.flatMap((name) => {
      const value = this.value(name, seen);
      return value === undefined ? [] : [{ id: `${SUBSCRIPTION}/THINGS/${name}`, properties: { value, ...this.more(name) } }];
    });
  }

  private subjectOf(key: ObjectId): Subject {
    const { name } = key;
    const source = this.list
      ? ({ of: 'list', url: `${SUBSCRIPTION}/things`, apiVersion: '1' } as const)
      : ({ of: 'table', table: 'resources', subscriptionId: 's' } as const);
    const fingerprint = `${sharedKeyOf(key)}${this.changedInCluster.has(name) ? ' changed' : ''}`;
    return {
      armId: `${SUBSCRIPTION}/things/${name}`,
      credential: { client: this, tenantId: 't', source: 'n/s' },
      source,
      shape: {},
      sentAt: 0,
      fingerprint,
    };
  }
}
