import { createHash } from 'node:crypto';
import { Lazy, Size, SizeRoundingBehavior } from 'cdk8s';
import { Cpu, k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { METRICS_CERTIFICATE_DIRECTORY, WEBHOOK_CERTIFICATE_DIRECTORY } from './arguments';
import { hasMetricsCertificate } from './certificates';
import { environmentOf } from './environment';
import { placementOf } from './placement';
import { SETTINGS_DIGEST } from '../../azure/annotations';
import { WEBHOOK_SECRET } from '../../catalog/webhook-configurations';
import { GlobalCredential } from '../global-credential';
import { DEPLOYMENT, LABELS, METRICS_SECRET, PORTS } from '../names';
import type { Plan } from '../plan';

/** Seconds beyond the timeout of running reconciles. A killed pod does not release its lease, which then has to expire. */
const GRACE_SECONDS = 20;
const USER = 65532;
/** Share of the memory limit for JavaScript objects; the rest is for buffers, code and stacks. */
const HEAP_SHARE = 0.75;
const TOKEN = {
  directory: '/var/run/secrets/tokens',
  path: 'azure-identity',
  audience: 'api://AzureADTokenExchange',
  seconds: 3600,
} as const;

/** Creates the Deployment. The arguments are resolved at synth because they name the kinds. */
export function makeDeployment(scope: Construct, plan: Plan, settings: Readonly<Record<string, string>>, args: () => string[]): void {
  const { props, namespace, replicas, hasWatchers } = plan;
  const labels = { ...props.labels, ...LABELS };
  // The process reads the settings only at startup.
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
  new k8s.KubeDeployment(scope, 'deployment', {
    metadata: { name: DEPLOYMENT, namespace, labels },
    spec: {
      replicas,
      revisionHistoryLimit: props.revisionHistoryLimit ?? 10,
      selector: { matchLabels: LABELS },
      // At least one pod keeps serving webhooks. The lease decides which pod reconciles.
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: k8s.IntOrString.fromNumber(1), maxUnavailable: k8s.IntOrString.fromNumber(0) },
      },
      template: {
        metadata: { labels, annotations: { ...props.podAnnotations, [SETTINGS_DIGEST]: digest } },
        spec: {
          serviceAccountName: plan.serviceAccount,
          automountServiceAccountToken: true,
          terminationGracePeriodSeconds: GRACE_SECONDS,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER,
            runAsGroup: USER,
            fsGroup: USER,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          ...(props.imagePullSecrets && { imagePullSecrets: props.imagePullSecrets.map((name) => ({ name })) }),
          ...(props.priorityClassName && { priorityClassName: props.priorityClassName }),
          ...placementOf(plan),
          containers: [containerOf(plan, args)],
          volumes: volumesOf(plan, hasWatchers),
        },
      },
    },
  });
}

function containerOf(plan: Plan, args: () => string[]): k8s.Container {
  const { props } = plan;
  const { cpuRequest = Cpu.millis(200), cpuLimit = Cpu.units(1) } = props.resources ?? {};
  const { memoryRequest = Size.mebibytes(256), memoryLimit = Size.mebibytes(512) } = props.resources ?? {};
  const heap = Math.floor(memoryLimit.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) * HEAP_SHARE);
  const get = (path: string) => ({ httpGet: { path, port: k8s.IntOrString.fromNumber(PORTS.health) } });
  return {
    name: 'manager',
    image: props.image,
    imagePullPolicy: props.imagePullPolicy ?? 'IfNotPresent',
    args: Lazy.any({ produce: args }) as string[],
    env: environmentOf(plan, heap),
    ports: [
      { name: 'health', containerPort: PORTS.health, protocol: 'TCP' },
      ...(plan.metrics.enabled ? [{ name: 'metrics', containerPort: PORTS.metrics, protocol: 'TCP' }] : []),
      ...(plan.webhooks === 'none' ? [] : [{ name: 'webhooks', containerPort: PORTS.webhooks, protocol: 'TCP' }]),
    ],
    resources: {
      requests: { cpu: k8s.Quantity.fromString(cpuRequest.amount), memory: memory(memoryRequest) },
      limits: { cpu: k8s.Quantity.fromString(cpuLimit.amount), memory: memory(memoryLimit) },
    },
    startupProbe: { ...get('/healthz'), periodSeconds: 10, failureThreshold: 12 },
    livenessProbe: { ...get('/healthz'), timeoutSeconds: 5 },
    readinessProbe: { ...get('/readyz'), timeoutSeconds: 5 },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
    volumeMounts: mountsOf(plan),
  };
}

function memory(size: Size): k8s.Quantity {
  return k8s.Quantity.fromString(size.asString());
}

function mountsOf(plan: Plan): k8s.VolumeMount[] {
  const file = plan.props.settings?.credential?._parts.file;
  return [
    ...(plan.hasWatchers ? [{ name: 'azure-identity', mountPath: TOKEN.directory, readOnly: true }] : []),
    ...(plan.webhooks === 'cert-manager' ? [{ name: 'webhook-cert', mountPath: WEBHOOK_CERTIFICATE_DIRECTORY, readOnly: true }] : []),
    ...(hasMetricsCertificate(plan) ? [{ name: 'metrics-cert', mountPath: METRICS_CERTIFICATE_DIRECTORY, readOnly: true }] : []),
    ...(file ? [{ name: 'identity-file', mountPath: GlobalCredential.IDENTITY_FILE_DIRECTORY, readOnly: true }] : []),
  ];
}

function volumesOf(plan: Plan, hasWatchers: boolean): k8s.Volume[] {
  const file = plan.props.settings?.credential?._parts.file;
  const token = { serviceAccountToken: { audience: TOKEN.audience, expirationSeconds: TOKEN.seconds, path: TOKEN.path } };
  return [
    ...(hasWatchers ? [{ name: 'azure-identity', projected: { sources: [token] } }] : []),
    // The pod starts before cert-manager has created the Secret, and waits for the certificate itself.
    ...(plan.webhooks === 'cert-manager' ? [{ name: 'webhook-cert', secret: { secretName: WEBHOOK_SECRET, optional: true } }] : []),
    ...(hasMetricsCertificate(plan) ? [{ name: 'metrics-cert', secret: { secretName: METRICS_SECRET, optional: true } }] : []),
    ...(file ? [{ name: 'identity-file', secret: { secretName: file.secretName, items: [{ key: file.key, path: file.key }] } }] : []),
  ];
}
