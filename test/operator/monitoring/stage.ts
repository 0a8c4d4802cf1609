import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Recording } from './recording';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes';
import { loopbackCertificate } from '../../../sandbox/azure/http/certificate';
import { webhookPath } from '../../../src/catalog/webhook-configurations';
import { objectOf, versionOf } from '../../controller/admission/objects';
import { freePort } from '../../e2e/servers';
import { HostileEnvironment, OPERATOR_NAMESPACE } from '../../hostile/hostile-environment';
import { until } from '../../setup/until';

/** Retries and polls come 60 times as soon, so half a second stands for half a minute: the interval of many a Prometheus. */
export const SCRAPE_MS = 500;
export const SCRAPES_PER_MINUTE = 2;
const PLANTED = pathToFileURL(join(__dirname, 'planted-mistakes.mjs')).href;
const GROUP = versionOf('resources', 'ResourceGroup');
const LEASE = 'controllers-leader-election-azinfra-generated';
const LEASES: ResourceType = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true };

export interface StageOptions {
  readonly pod?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly webhooks?: boolean;
  readonly recording?: Recording;
}

/** The built controller with everything on, its servers, and the recording of its metrics. */
export class Stage {
  public static async start({ pod = 'controller-0', env = {}, flags = [], webhooks, recording }: StageOptions = {}): Promise<Stage> {
    const port = await freePort();
    const certificates = mkdtempSync(join(tmpdir(), 'cdk8s-aso-certificates-'));
    const { cert, key } = await loopbackCertificate();
    writeFileSync(join(certificates, 'tls.crt'), cert);
    writeFileSync(join(certificates, 'tls.key'), key);
    const environment = await HostileEnvironment.start({
      webhooks: webhooks ?? false,
      env: { NODE_OPTIONS: `--import=${PLANTED}`, AZURE_SYNC_PERIOD: '3s', ...env },
      flags: [
        `--metrics-addr=127.0.0.1:${port}`, '--secure-metrics=false', ...(webhooks ? ['--webhook-cert-dir', certificates] : []), ...flags,
      ],
    });
    const stage = new Stage(environment, recording ?? new Recording(SCRAPE_MS), pod, join(certificates, 'tls.crt'), cert, recording === undefined);
    stage.recording.add(pod, port);
    return stage;
  }

  private constructor(
    public readonly environment: HostileEnvironment,
    public readonly recording: Recording,
    public readonly pod: string,
    public readonly certificateFile: string,
    public readonly certificate: string,
    private readonly ownsRecording: boolean,
  ) {}

  public async close(): Promise<void> {
    if (this.ownsRecording) await this.recording.stop();
    else this.recording.remove(this.pod);
    await this.environment.close();
  }

  public async group(namespace: string, name: string, spec: object = {}, metadata: Partial<KubernetesObject['metadata']> = {}): Promise<void> {
    try {
      await this.environment.object(namespace, 'ResourceGroup', name, { location: 'uksouth', ...spec }, metadata);
    } catch (error) {
      // A test that is tried again.
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error;
      await this.environment.patch('ResourceGroup', namespace, name, { spec, metadata });
    }
  }

  /** Waits until the last scrape has series of this form whose values together are more than the number. */
  public async seen(series: RegExp, moreThan = 0): Promise<void> {
    await until(`${String(series)} is more than ${moreThan}`, () => this.sum(series) > moreThan);
  }

  public async gone(series: RegExp): Promise<void> {
    await until(`${String(series)} is 0`, () => this.sum(series) === 0);
  }

  public sum(series: RegExp): number {
    const { samples } = this.recording;
    return [...samples.at(-1) ?? []].filter(([name]) => series.test(name)).reduce((sum, [, value]) => sum + value, 0);
  }

  /** A review of a resource group as the API server sends it; resolves to the status of the answer. */
  public review(spec: Record<string, unknown>): Promise<number> {
    const object = objectOf(GROUP, { location: 'uksouth', ...spec });
    const body = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid: 'u', operation: 'CREATE', name: 'x', namespace: 'default', object },
    };
    return new Promise((resolve, reject) => {
      request({
        host: '127.0.0.1',
        port: this.environment.webhookPort,
        path: webhookPath('validate', GROUP),
        method: 'POST',
        agent: false,
        rejectUnauthorized: false,
        headers: { 'content-type': 'application/json' },
      }, (answer) => answer.on('end', () => resolve(answer.statusCode ?? 0)).resume()).on('error', reject).end(JSON.stringify(body));
    });
  }

  /** Gives the Lease of the leader to somebody else. */
  public async takeLease(): Promise<void> {
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    const spec = { holderIdentity: 'another', leaseDurationSeconds: 3600, renewTime };
    await this.environment.client.patch(LEASES, LEASE, OPERATOR_NAMESPACE, { spec }, 'application/merge-patch+json');
  }

  public async freeLease(): Promise<void> {
    await this.environment.client.delete(LEASES, LEASE, OPERATOR_NAMESPACE);
  }

  /** Repeats something until the returned function is called. */
  public again(act: () => Promise<unknown>, pauseMs: number): () => Promise<void> {
    let ended = false;
    const running = (async () => {
      while (!ended) {
        await act().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    })();
    return () => {
      ended = true;
      return running;
    };
  }
}
