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

/** So much longer than running reconciles get: a killed pod would leave its lease to run out. */
const GRACE_SECONDS = 20;
const USER = 65532;
/** Of the memory limit, in percent, for JavaScript objects; the rest is for buffers, code and stacks. */
const HEAP_SHARE = 0.75;
const TOKEN = { directory: '/var/run/secrets/tokens', path: 'azure-identity', audience: 'api://AzureADTokenExchange', seconds: 3600 } as const;

/** The pods. The arguments are asked for at synth: they name the kinds. */
export function makeDeployment(scope: Construct, plan: Plan, settings: Readonly<Record<string, string>>, args: () => string[]): void {
  const { props, namespace, replicas, hasWatchers } = plan;
  const labels = { ...props.labels, ...LABELS };
  // A setting is read at the start of a process only.
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
  new k8s.KubeDeployment(scope, 'deployment', {
    metadata: { name: DEPLOYMENT, namespace, labels },
    spec: {
      replicas,
      revisionHistoryLimit: props.revisionHistoryLimit ?? 10,
      selector: { matchLabels: LABELS },
      // Somebody goes on serving webhooks. Who reconciles is decided by the lease.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: k8s.IntOrString.fromNumber(1), maxUnavailable: k8s.IntOrString.fromNumber(0) } },
      template: {
        metadata: { labels, annotations: { ...props.podAnnotations, [SETTINGS_DIGEST]: digest } },
        spec: {
          serviceAccountName: plan.serviceAccount,
          automountServiceAccountToken: true,
          terminationGracePeriodSeconds: GRACE_SECONDS,
          securityContext: { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER, seccompProfile: { type: 'RuntimeDefault' } },
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
    // Until cert-manager has made it the pod waits for the certificate, not the kubelet for the volume.
    ...(plan.webhooks === 'cert-manager' ? [{ name: 'webhook-cert', secret: { secretName: WEBHOOK_SECRET, optional: true } }] : []),
    ...(hasMetricsCertificate(plan) ? [{ name: 'metrics-cert', secret: { secretName: METRICS_SECRET, optional: true } }] : []),
    ...(file ? [{ name: 'identity-file', secret: { secretName: file.secretName, items: [{ key: file.key, path: file.key }] } }] : []),
  ];
}
