import { elect } from './elect';
import { Heartbeat } from './heartbeat';
import { joinShards, type ShardMembership } from './join-shards';
import type { Order, Report, SupervisorData } from './messages';
import { PeerThread } from './peer-thread';
import { monotonicMs, SharedState } from './shared-state';
import { loadClusterAccess } from '../../engine/kubernetes';
import { KubeconfigError } from '../../engine/kubernetes/kubeconfig';
import { serveHealth } from '../../runtime/http/health';
import { ListenError, type Endpoint } from '../../runtime/http/http-endpoints';
import { systemElectionTime, type Leadership } from '../../runtime/leader';
import type { Logger } from '../../runtime/log/log';
import { Fence } from '../../runtime/shards/fence';

export interface SupervisorPort {
  postMessage(report: Report): void;
  on(event: 'message', listener: (order: Order) => void): unknown;
  close(): void;
}

/** The work of the supervisor's thread: answers probes, renews the Lease, and watches the heartbeat of the main thread. */
export async function runSupervisor(data: SupervisorData, port: SupervisorPort, logger: Logger): Promise<void> {
  const state = new SharedState(data.memory);
  const heartbeat = new Heartbeat(state, monotonicMs);
  const supervisor = new Supervisor(data, state, heartbeat, port, logger);
  try {
    await supervisor.listen();
  } catch (error) {
    const name = error instanceof ListenError ? 'ListenError' : error instanceof KubeconfigError ? 'KubeconfigError' : 'Error';
    port.postMessage({ is: 'failed', error: name, message: (error as Error).message });
    return port.close();
  }
  port.on('message', (order) => void supervisor.obey(order));
}

class Supervisor {
  private readonly ended = new AbortController();
  private notReady: string | undefined = 'the process starts';
  private endpoints: Endpoint[] = [];
  private leadership?: Leadership;
  private membership?: ShardMembership;
  private readonly peer: PeerThread;

  public constructor(
    private readonly data: SupervisorData,
    private readonly state: SharedState,
    private readonly heartbeat: Heartbeat,
    private readonly port: SupervisorPort,
    private readonly logger: Logger,
  ) {
    this.peer = new PeerThread(port);
  }

  public async listen(): Promise<void> {
    const { heartbeat } = this;
    this.endpoints = await serveHealth(this.data, {
      notLive: () => heartbeat.notLive,
      notReady: () => heartbeat.notReady ?? this.notReady,
    });
    this.port.postMessage({ is: 'listening', port: this.endpoints[0]?.port });
  }

  public async obey(order: Order): Promise<void> {
    switch (order.do) {
      case 'ready':
        this.notReady = order.notReady;
        return;
      case 'lead':
        return this.lead();
      case 'release':
        await this.leadership?.release();
        return this.port.postMessage({ is: 'released' });
      case 'join':
        return this.join();
      case 'leave':
        await this.membership?.release();
        return this.port.postMessage({ is: 'left' });
      case 'split':
        return this.membership?.split(order.namespaces);
      case 'prepared':
      case 'taken':
        return this.peer.answered(order);
      case 'close':
        this.ended.abort(new Error('the process ends'));
        await Promise.all(this.endpoints.map((endpoint) => endpoint.close()));
        return this.port.close();
    }
  }

  private async join(): Promise<void> {
    const { environment, kubeconfig, shards } = this.data;
    const time = { ...systemElectionTime, elapsed: monotonicMs };
    try {
      this.membership = await joinShards({
        ...shards!,
        access: await loadClusterAccess({ path: kubeconfig, environment }),
        logger: this.logger,
        time,
        fence: new Fence(time, shards!.fence),
        peer: this.peer,
        standstill: () => this.heartbeat.notLive,
        onRequest: ({ method, host, status }) => this.port.postMessage({ is: 'request', method, host, status }),
      }, this.ended.signal);
    } catch (error) {
      if (!this.ended.signal.aborted) this.port.postMessage({ is: 'failed', error: 'Error', message: (error as Error).message });
      return;
    }
    const { lost } = this.membership;
    this.port.postMessage({ is: 'joined' });
    const report = () => {
      const why = (lost.reason as { why?: string }).why ?? String(lost.reason);
      // The main thread may be unable to log it.
      this.logger.error({ why }, 'shard lost');
      this.port.postMessage({ is: 'shardLost', message: why });
    };
    lost.addEventListener('abort', report, { once: true });
    if (lost.aborted) report();
  }

  private async lead(): Promise<void> {
    const { environment, kubeconfig, lease } = this.data;
    try {
      this.leadership = await elect({
        ...lease!,
        access: await loadClusterAccess({ path: kubeconfig, environment }),
        logger: this.logger,
        time: { ...systemElectionTime, elapsed: monotonicMs },
        standstill: () => this.heartbeat.notLive,
        onTerm: (end) => (this.state.termEndMs = end),
        onRequest: ({ method, host, status }) => this.port.postMessage({ is: 'request', method, host, status }),
      }, this.ended.signal);
    } catch (error) {
      if (!this.ended.signal.aborted) this.port.postMessage({ is: 'failed', error: 'Error', message: (error as Error).message });
      return;
    }
    const { lost } = this.leadership;
    this.port.postMessage({ is: 'leading' });
    lost.addEventListener('abort', () => {
      const why = (lost.reason as { why?: string }).why ?? String(lost.reason);
      // The main thread may be unable to log it.
      this.logger.error({ why }, 'leadership lost');
      this.port.postMessage({ is: 'lost', message: why });
    }, { once: true });
  }
}
