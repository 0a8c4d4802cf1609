import { hasWebhooks } from './composer-webhooks';
import { bundleName, labelsOf, type ComposerName } from './names';
import type { ApiFacts } from '../../../composer/definition/api-facts';
import { WEBHOOK_PORT, webhookSecret } from '../../../composer/webhooks/webhook-names';
import { DEFINITION_REVISION } from '../../../src/azure/annotations';

export interface DeploymentOptions extends ComposerName {
  readonly image: string;
  /** Whether the image has the bundle, as `api build --image-context` makes it. */
  readonly bundleInImage: boolean;
  readonly replicas: number;
  /** Whether claims are reviewed before they are stored. */
  readonly admission: boolean;
  /** Whether cert-manager makes the certificate of the webhooks. */
  readonly certManager: boolean;
  readonly revision: string;
  readonly facts: readonly ApiFacts[];
}

export const COMPOSER_PORTS = { metrics: 8080, health: 8081 } as const;
/** The bundle in the composer's container. */
export const BUNDLE_FILE = '/bundle/bundle.js';
/** The certificate of the webhooks, where cert-manager makes it. */
const CERTIFICATES = '/certificates';
const USER = 65532;
const THREADS = 2;
/** Memory of the process without its threads, in MiB, and the part of it for JavaScript objects. */
const PROCESS_MEMORY = { limit: 512, heap: 384 } as const;
/** Seconds; the composer ends within 18. */
const GRACE_SECONDS = 20;

/** The Deployment of a composer. One pod works, the others wait for its Lease. */
export function composerDeployment(options: DeploymentOptions): object {
  const { name, namespace, image, bundleInImage, replicas, revision, facts, admission, certManager } = options;
  const labels = labelsOf(name);
  const webhooks = hasWebhooks({ facts, admission });
  const mounted = [
    ...(bundleInImage ? [] : [{ name: 'bundle', mountPath: '/bundle', source: { configMap: { name: bundleName(name, revision) } } }]),
    ...(webhooks && certManager ? [{ name: 'certificate', mountPath: CERTIFICATES, source: { secret: { secretName: webhookSecret(name) } } }] : []),
  ];
  const get = (path: string) => ({ httpGet: { path, port: 'health' }, timeoutSeconds: 5 });
  const container = {
    name: 'composer',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: [
      `--bundle=${BUNDLE_FILE}`, `--name=${name}`, `--threads=${THREADS}`, `--metrics-addr=:${COMPOSER_PORTS.metrics}`,
      `--health-addr=:${COMPOSER_PORTS.health}`, ...(webhooks ? [`--webhook-port=${WEBHOOK_PORT}`] : []),
      ...(webhooks && certManager ? [`--webhook-cert-dir=${CERTIFICATES}`] : []),
      ...(admission ? ['--admission'] : []), '--json-logging',
    ],
    env: [
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'NODE_OPTIONS', value: `--max-old-space-size=${PROCESS_MEMORY.heap}` },
    ],
    ports: Object.entries({ ...COMPOSER_PORTS, ...(webhooks && { webhooks: WEBHOOK_PORT }) }).map(([port, containerPort]) => ({ name: port, containerPort, protocol: 'TCP' })),
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { cpu: String(THREADS), memory: `${memoryLimit(facts)}Mi` } },
    startupProbe: { ...get('/healthz'), periodSeconds: 5, failureThreshold: 24 },
    livenessProbe: get('/healthz'),
    readinessProbe: get('/readyz'),
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    ...(mounted.length > 0 && { volumeMounts: mounted.map(({ name: of, mountPath }) => ({ name: of, mountPath, readOnly: true })) }),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      // The new pod waits for the Lease of the old one, and is ready meanwhile.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: { ...labels, ...(webhooks && { [DEFINITION_REVISION]: revision }) },
          annotations: { [DEFINITION_REVISION]: revision },
        },
        spec: {
          serviceAccountName: name,
          automountServiceAccountToken: true,
          terminationGracePeriodSeconds: GRACE_SECONDS,
          securityContext: { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, seccompProfile: { type: 'RuntimeDefault' } },
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
            maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: labels },
          })),
          containers: [container],
          ...(mounted.length > 0 && { volumes: mounted.map(({ name: of, source }) => ({ name: of, ...source })) }),
        },
      },
    },
  };
}

/** One pod may be away: of two, the other takes the Lease. */
export function disruptionBudget({ name, namespace }: ComposerName): object {
  const labels = labelsOf(name);
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace, labels },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
}

/** In MiB: each thread may have the definition's heap, and the same of buffers. */
function memoryLimit(facts: readonly ApiFacts[]): number {
  return PROCESS_MEMORY.limit + THREADS * 2 * Math.max(...facts.map(({ limits }) => limits.memoryMb));
}
