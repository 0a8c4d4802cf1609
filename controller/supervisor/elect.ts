import { Connection, RestClient, type ClusterAccess } from '../../engine/kubernetes';
import { LEASE_NAME, LeaderElector, type ElectionTime, type Leadership, type LeaderElectorOptions } from '../../runtime/leader';
import type { Logger } from '../../runtime/log/log';

export interface ElectOptions extends Pick<LeaderElectorOptions, 'standstill' | 'onTerm'> {
  readonly access: ClusterAccess;
  readonly logger: Logger;
  readonly namespace: string;
  readonly identity: string;
  readonly userAgent: string;
  readonly time?: ElectionTime;
  readonly onRequest: (request: { readonly method: string; readonly host: string; readonly status?: number | undefined }) => void;
}

/** Resolves when this process leads. The Lease has its own connection, so that hundreds of requests cannot block it. */
export async function elect(options: ElectOptions, signal: AbortSignal): Promise<Leadership> {
  const { access, logger, namespace, identity, userAgent, onRequest, ...election } = options;
  const connection = new Connection(access, { userAgent: `${userAgent}/leader-election`, maxRequests: 2, timeout: 5_000, onRequest });
  const elector = new LeaderElector({
    ...election,
    client: new RestClient(connection),
    namespace,
    identity,
    onLeader: (leader) => leader && leader !== identity && logger.info({ leader }, 'waits: another replica leads'),
    onError: (err) => logger.warn({ message: (err as Error).message }, 'the Lease of the leader election could not be read or written'),
  });
  try {
    logger.info({ lease: `${namespace}/${LEASE_NAME}`, identity }, 'leader election');
    const leadership = await elector.acquire(signal);
    logger.info({ identity }, 'leads');
    return {
      lost: leadership.lost,
      get isCurrent() {
        return leadership.isCurrent;
      },
      release: async () => {
        await leadership.release();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
