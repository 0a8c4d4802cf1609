import { writeFileSync } from 'node:fs';
import type { Stage } from './stage';
import { until } from '../../setup/until';

type End = () => Promise<unknown>;

/** A fault that is caused to the built controller, and the alert that tells of it. */
export interface RealFault {
  readonly alert: string;
  /** Where an alert has several faults. */
  readonly by?: string;
  /** Further alerts that rightly fire with it. */
  readonly also?: readonly string[];
  /** Alerts that may fire with it, depending on what the objects were doing. */
  readonly may?: readonly string[];
  /** Causes the fault, and resolves when it has begun. The returned function repairs it, and resolves when it is over. */
  readonly cause: (stage: Stage) => Promise<End>;
  /** Scrapes during the fault. Default: 4. */
  readonly scrapes?: number;
  /** The scrapes of the fault are its whole length, and not played again. */
  readonly isOnce?: boolean;
}

const CREDENTIAL = { annotations: { 'serviceoperator.azure.com/credential-from': 'wrong' } };
const of = (reason: string) => new RegExp(`^cdk8s_aso_resources\\{.*ready="False",reason="${reason}"`);
const notReady = /^cdk8s_aso_resources\{.*ready="(?!True)/;
const everything = { times: 1_000_000 };

/** Answers all requests for resource groups in the way of a fault. */
const azure = (fault: object, path = '/resourcegroups/') => async (stage: Stage): Promise<End> => {
  const end = stage.environment.azure.faults.add({ path, ...everything, ...fault });
  return async () => {
    end();
    await stage.gone(notReady);
  };
};

/** Two groups that a user changes all the time. */
function edits(stage: Stage): () => Promise<void> {
  let edit = 0;
  return stage.again(async () => {
    edit += 1;
    await Promise.all([0, 1].map((index) => stage.environment.patch('ResourceGroup', 'team', `base-${index}`, { spec: { tags: { edit: String(edit) } } })));
  }, 200);
}

function throttled(fault: object, series: RegExp): RealFault['cause'] {
  return async (stage) => {
    const stop = edits(stage);
    const end = await azure({ status: 429, retryAfter: 1, ...fault })(stage);
    await stage.seen(series).finally(stop);
    return async () => {
      await end();
      await stage.gone(series);
    };
  };
}

/** In the order in which one controller gets them; those that end its process come last. */
export const REAL_FAULTS: readonly RealFault[] = [
  {
    alert: 'AsoDriftDetectionFails',
    cause: async (stage) => {
      const failed = /^cdk8s_aso_drift_detection_failures_total\{/;
      const before = stage.sum(failed);
      const end = stage.environment.azure.faults.add({
        path: '/providers/microsoft.resourcegraph', status: 403, code: 'AuthorizationFailed', ...everything,
      });
      await stage.seen(failed, before);
      return async () => end();
    },
  },
  {
    alert: 'AsoResourcesFail',
    cause: async (stage) => {
      const end = stage.environment.azure.faults.add({ path: '/refused', method: 'PUT', status: 409, code: 'QuotaExceeded', ...everything });
      await stage.group('team', 'refused');
      await stage.seen(of('QuotaExceeded'));
      return async () => {
        end();
        await stage.gone(notReady);
      };
    },
  },
  {
    alert: 'AsoResourcesWait',
    cause: async (stage) => {
      await stage.environment.object('team', 'UserAssignedIdentity', 'waiting', { location: 'uksouth', owner: { name: 'later' } });
      await stage.seen(of('WaitingForOwner'));
      return async () => {
        await stage.group('team', 'later');
        await stage.gone(notReady);
      };
    },
  },
  {
    alert: 'AsoCredentialsFail',
    cause: async (stage) => {
      const ids = { ...stage.environment.azure.env, AZURE_CLIENT_SECRET: 'wrong' };
      await stage.environment.secret('team', 'wrong', ids as Record<string, string>);
      await stage.group('team', 'unauthorized', {}, CREDENTIAL);
      await stage.seen(of('Credential.*'));
      return async () => {
        await stage.environment.delete('ResourceGroup', 'team', 'unauthorized');
        await stage.environment.patch('Secret', 'team', 'wrong', {
          data: { AZURE_CLIENT_SECRET: Buffer.from(stage.environment.azure.env.AZURE_CLIENT_SECRET!).toString('base64') },
        });
        await stage.gone(notReady);
      };
    },
  },
  {
    alert: 'AsoCredentialPropagationRefused',
    cause: async (stage) => {
      await stage.environment.namespace('refuses');
      await stage.environment.patch('UserAssignedIdentity', 'team', 'identity', {
        metadata: { annotations: { 'aso.cdk8s.io/propagate-credentials-to': 'Secret/refuses/credential' } },
      });
      await stage.seen(/^cdk8s_aso_credential_propagation_targets\{.*state="refused"/);
      return async () => {
        await stage.environment.patch('Namespace', '', 'refuses', {
          metadata: { annotations: { 'aso.cdk8s.io/accepts-credentials-from': 'team' } },
        });
        await stage.seen(/^cdk8s_aso_credential_propagation_targets\{.*state="propagated"/);
        await stage.gone(/^cdk8s_aso_credential_propagation_targets\{.*state="refused"/);
      };
    },
  },
  { alert: 'AsoAzureThrottles', by: 'a resource provider', scrapes: 6, cause: throttled({}, /^cdk8s_aso_arm_budget_blocked_types\{/) },
  {
    alert: 'AsoAzureThrottles',
    by: 'Azure Resource Manager',
    scrapes: 6,
    cause: throttled({ code: 'SubscriptionRequestsThrottled', message: 'Number of requests exceeded.' }, /^cdk8s_aso_arm_budget_blocked\{/),
  },
  { alert: 'AsoAzureErrors', also: ['AsoResourcesFail'], scrapes: 6, cause: azure({ status: 503 }) },
  { alert: 'AsoAzureUnreachable', may: ['AsoResourcesFail'], scrapes: 6, cause: azure({ drop: true }, '/') },
  {
    alert: 'AsoReconcileErrors',
    scrapes: 6,
    // The wait after an error has no scale, so users who change the objects take the place of the minutes.
    cause: async (stage) => {
      stage.environment.proxy.disturb = ({ method, path }) => (
        method !== 'GET' && /resourcegroups\/base-\d(\/status)?$/.test(path) ? { status: 403 } : undefined
      );
      const stop = edits(stage);
      await stage.seen(/^controller_runtime_reconcile_errors_total\{/);
      return async () => {
        await stop();
        stage.environment.proxy.disturb = undefined;
        await stage.environment.patch('ResourceGroup', 'team', 'base-0', { spec: { tags: { edit: 'last' } } });
        await stage.environment.patch('ResourceGroup', 'team', 'base-1', { spec: { tags: { edit: 'last' } } });
        await stage.gone(notReady);
      };
    },
  },
  {
    alert: 'AsoApiServerErrors',
    may: ['AsoReconcileErrors'],
    scrapes: 6,
    cause: async (stage) => {
      stage.environment.proxy.disturb = ({ resource, isWatch }) => (resource === 'leases' || isWatch ? undefined : { status: 500 });
      const stop = edits(stage);
      return async () => {
        await stop();
        stage.environment.proxy.disturb = undefined;
        await stage.gone(notReady);
      };
    },
  },
  {
    alert: 'AsoTenantWorkStopped',
    isOnce: true,
    cause: async (stage) => {
      for (let index = 0; index < 5; index += 1) {
        const value = `"planted-crash" + "${'x'.repeat(1_500)}" + "${index}"`;
        await stage.group('team', `crash-${index}`, { operatorSpec: { configMapExpressions: [{ name: `out-${index}`, key: 'k', value }] } });
      }
      await stage.seen(/^cdk8s_aso_worker_jobs_total\{.*outcome="crash"/, 4);
      return async () => {
        await Promise.all([0, 1, 2, 3, 4].map((index) => stage.environment.delete('ResourceGroup', 'team', `crash-${index}`)));
        await stage.gone(notReady);
      };
    },
  },
  {
    alert: 'AsoWebhookPanics',
    isOnce: true,
    cause: async (stage) => {
      expect(await stage.review({ 'planted-mistake': true })).toBe(500);
      return async () => undefined;
    },
  },
  {
    alert: 'AsoReconcilePanics',
    may: ['AsoReconcileErrors'],
    isOnce: true,
    cause: async (stage) => {
      await stage.group('team', 'panic', { tags: { 'planted-mistake': 'yes' } });
      await stage.seen(/^controller_runtime_reconcile_panics_total\{/);
      return async () => {
        await stage.environment.patch('ResourceGroup', 'team', 'panic', { spec: { tags: null } });
        await stage.gone(notReady);
      };
    },
  },
  {
    alert: 'AsoWebhookSlow',
    scrapes: 10,
    cause: async (stage) => {
      let reviews = 0;
      return stage.again(() => {
        reviews += 1;
        // The verdict on an expression is kept, so each review has one of its own.
        const value = `"planted-delay ${reviews}" + "${'x'.repeat(1_500)}"`;
        return stage.review({ operatorSpec: { configMapExpressions: [{ name: 'out', key: 'k', value }] } });
      }, 0);
    },
  },
  {
    alert: 'AsoCertificateUnreadable',
    scrapes: 12,
    cause: async (stage) => {
      writeFileSync(stage.certificateFile, 'broken');
      const errors = /^certwatcher_read_certificate_errors_total\{/;
      await stage.seen(errors, stage.sum(errors));
      return async () => {
        writeFileSync(stage.certificateFile, stage.certificate);
        const reads = /^certwatcher_read_certificate_total\{/;
        await stage.seen(reads, stage.sum(reads));
      };
    },
  },
  {
    alert: 'AsoEventLoopSlow',
    // A process that stands still may miss the time of its requests.
    may: ['AsoApiServerErrors'],
    scrapes: 3,
    cause: async (stage) => {
      const { controller } = stage.environment;
      const stop = stage.again(async () => {
        controller!.signal('SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, 1_300));
        controller!.signal('SIGCONT');
      }, 60);
      await stage.recording.next(1);
      return async () => {
        await stop();
        await stage.recording.next(2);
      };
    },
  },
  {
    alert: 'AsoControllerDown',
    cause: async (stage) => {
      stage.recording.timeoutMs = 450;
      stage.environment.controller!.signal('SIGSTOP');
      await stage.gone(/^up\{/);
      return async () => {
        stage.recording.timeoutMs = 10_000;
        stage.environment.controller!.signal('SIGCONT');
        await stage.seen(/^up\{/);
      };
    },
  },
  {
    alert: 'AsoControllerMemory',
    cause: async (stage) => {
      stage.environment.controller!.signal('SIGUSR2');
      await stage.seen(/^process_resident_memory_bytes\{/, 450 * 1024 * 1024);
      return () => restart(stage);
    },
  },
  {
    alert: 'AsoControllerRestarts',
    isOnce: true,
    cause: async (stage) => {
      for (let index = 0; index < 4; index += 1) await restart(stage);
      return async () => undefined;
    },
  },
  {
    alert: 'AsoNoLeader',
    cause: async (stage) => {
      await stage.takeLease();
      await until('the process has lost its Lease, and the next one has none', () => (
        stage.sum(/^up\{/) === 1 && stage.sum(/^leader_election_master_status\{/) === 0
      ));
      return async () => {
        await stage.freeLease();
        await stage.seen(/^leader_election_master_status\{/);
        await stage.gone(notReady);
      };
    },
  },
];

/** Ends the process, whose Lease is free then; resolves when the next one leads, and its metrics were read. */
async function restart(stage: Stage): Promise<void> {
  const { environment: { controller } } = stage;
  const startTime = () => stage.sum(/^process_start_time_seconds\{/);
  await stage.seen(/^process_start_time_seconds\{/);
  const before = startTime();
  // The metric has whole seconds: a process that starts within the same one is no other process for Prometheus.
  await until('the process has run for two seconds', () => Date.now() / 1000 - before > 2);
  const { starts } = controller!;
  controller!.signal('SIGTERM');
  await until('the next process runs', () => controller!.starts > starts);
  await until('the metrics of the next process were read', () => startTime() > before);
  await stage.seen(/^leader_election_master_status\{/);
}
