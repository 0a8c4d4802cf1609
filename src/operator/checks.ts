import type { Duration } from 'cdk8s';
import { CrdInstallation } from './bundled-controller-props';
import { DriftDetection, type ControllerSettings } from './controller-settings';
import { isNamespaceName, SETTINGS_SECRET } from './names';
import { OperatorMode } from './operator-mode';
import { servedVersions, type PlanForKinds, type Plan } from './plan';
import { SECRET_NAMES, SETTING_NAMES } from './settings-data';
import { UUID } from '../azure/uuid';
import { Catalog } from '../catalog/catalog';
import { isKubernetesName } from '../core/kubernetes-name';

const IMAGE = /^(?:[\w.-]+(?::\d+)?\/)*[\w.-]+(?<tag>:[\w.-]+)?(?<digest>@sha256:[0-9a-f]{64})?$/;

/** The problems of the props, each with a remedy. */
export function planProblems(plan: Plan): string[] {
  const { props, mode, namespace, replicas, metrics } = plan;
  return [
    ...imageProblems(props.image),
    ...check(isNamespaceName(namespace), `namespace: '${namespace}' is no name of a namespace. Write at most 63 lower-case letters, digits and '-', a letter or digit first and last.`),
    ...check(isKubernetesName(plan.serviceAccount), `serviceAccountName: '${plan.serviceAccount}' is no name of a service account.`),
    ...check(Number.isInteger(replicas) && replicas >= 1, `replicas: ${replicas} is no number of pods. Write 1 or more.`),
    ...check(
      !props.shards || mode !== OperatorMode.WEBHOOKS,
      'shards: with OperatorMode.WEBHOOKS nothing is reconciled. Leave shards out here, and give it to the controller with OperatorMode.WATCHERS.',
    ),
    ...check(
      !props.shards || props.settings?.protectCredentials !== false,
      'shards: replicas learn from the finalizer of a credential\'s Secret who uses it. Leave settings.protectCredentials on.',
    ),
    ...check(inRange(props.verbosity ?? 2, 0, 3), `verbosity: ${props.verbosity} is no level. Write 0, 1, 2 or 3.`),
    ...check(
      !metrics.profiling || metrics.secure,
      'metrics.profiling: profiles hold what the process holds, secrets too. Leave metrics.secure on, or profiling off.',
    ),
    ...check(!metrics.ui || metrics.secure, 'metrics.ui: the page shows all objects. Leave metrics.secure on, or the page off.'),
    ...check(
      mode !== OperatorMode.WEBHOOKS || plan.webhooks !== 'none',
      'webhooks: OperatorMode.WEBHOOKS does nothing but serve them. Write Webhooks.ownCertificate() or Webhooks.certManager(), or take another mode.',
    ),
    ...check(
      mode !== OperatorMode.WATCHERS || (props.webhooks?._certificate ?? 'none') === 'none',
      'webhooks: OperatorMode.WATCHERS serves none. Leave webhooks out here, and give them to the controller with OperatorMode.WEBHOOKS.',
    ),
    ...check(
      mode !== OperatorMode.WATCHERS || plan.crds !== CrdInstallation.CONTROLLER,
      'crds: with OperatorMode.WATCHERS the controller installs none. Write CrdInstallation.CONTROLLER for the controller with OperatorMode.WEBHOOKS.',
    ),
    ...settingsProblems(plan),
    ...environmentProblems(props.environment ?? {}),
    ...check(inRange(props.network?.apiServerPort ?? 6443, 1, 65535), `network.apiServerPort: ${props.network?.apiServerPort} is no port.`),
  ];
}

/** The problems of the kinds. */
export function kindProblems(plan: PlanForKinds): string[] {
  const used = [...plan.kinds.values()];
  if (used.length === 0) {
    return ['kinds: the app has no Azure object, so there is nothing to do. Put the controller into the app that has them, or name the kinds: ControllerKinds.of(\'storage.azure.com/*\').'];
  }
  const catalog = Catalog.default();
  const unknown = used.filter(({ kind }) => !Object.hasOwn(catalog.service(kind.service)?.kinds ?? {}, kind.kind));
  const several =
    plan.webhooks === 'none' && plan.crds === CrdInstallation.MANIFESTS
      ? used.filter((inUse) => servedVersions(plan, inUse).length > 1)
      : [];
  return [
    ...unknown.map(({ kind }) => `kinds: ${kind.group}/${kind.kind} was imported with import-crds; this controller does not know how Azure takes it. Leave its objects to Azure Service Operator, in an app of their own.`),
    ...several.map(({ kind, versions }) => `kinds: ${kind.group}/${kind.kind} is used in the versions ${versions.join(' and ')}, and without webhooks nobody converts between them. Write all objects in one version, or turn webhooks on.`),
  ];
}

function imageProblems(image: string): string[] {
  const parts = typeof image === 'string' ? IMAGE.exec(image) : null;
  if (!parts) return [`image: '${image}' is no image. Write it like registry.example.com/cdk8s-aso-controller:1.2.3.`];
  const { tag, digest } = parts.groups as { tag?: string; digest?: string };
  if (digest || (tag && tag !== ':latest')) return [];
  return [`image: '${image}' does not say which build runs, and pods of one Deployment may run different ones. Add a tag (not latest) or a digest.`];
}

function settingsProblems({ props, mode, targetNamespaces }: Plan): string[] {
  const { credential, additionalTenants = [], endpoints, maxConcurrentReconciles: workers = 4, rateLimit } = props.settings ?? {};
  const ids = Object.entries(credential?.ids ?? {}) as [string, string][];
  const urls = Object.entries(endpoints ?? {}) as [string, string][];
  return [
    ...ids.flatMap(([name, id]) => check(UUID.test(id), `settings.credential.${name}: '${id}' is no UUID. Give it as Azure shows it.`)),
    ...check(
      credential?._parts.from !== SETTINGS_SECRET,
      `settings.credential: the Secret ${SETTINGS_SECRET} is written by this construct. Give yours another name.`,
    ),
    ...additionalTenants.flatMap((id) =>
      check(UUID.test(id), `settings.additionalTenants: '${id}' is no UUID. Give tenants as Azure shows them.`),
    ),
    ...urls.flatMap(([name, url]) =>
      check(URL.canParse(url) && url.startsWith('https://'), `settings.endpoints.${name}: '${url}' is no URL. Give it with https://.`),
    ),
    ...check(
      targetNamespaces.length === 0 || mode !== OperatorMode.WEBHOOKS,
      'settings.targetNamespaces: OperatorMode.WEBHOOKS watches no namespace. Give them to a controller that watches.',
    ),
    ...targetNamespaces.flatMap((name) => check(isNamespaceName(name), `settings.targetNamespaces: '${name}' is no name of a namespace.`)),
    ...check(
      new Set(targetNamespaces).size === targetNamespaces.length,
      `settings.targetNamespaces: a namespace is named twice: ${targetNamespaces.join(', ')}.`,
    ),
    ...check(
      Number.isInteger(workers) && workers >= 1,
      `settings.maxConcurrentReconciles: ${workers} is no number of reconciles. Write 1 or more.`,
    ),
    ...check(
      (rateLimit?.perSecond ?? 1) > 0,
      `settings.rateLimit.perSecond: ${rateLimit?.perSecond} would allow no reconcile. Write a number above 0.`,
    ),
    ...check(
      inRange(rateLimit?.bucketSize ?? 1, 1, Infinity),
      `settings.rateLimit.bucketSize: ${rateLimit?.bucketSize} would allow no reconcile. Write 1 or more.`,
    ),
    ...fullReadProblems(props.settings ?? {}),
  ];
}

function fullReadProblems({ fullReadPeriod, driftDetection }: ControllerSettings): string[] {
  if (!fullReadPeriod) return [];
  return [
    ...check(
      isWholeSeconds(fullReadPeriod),
      `settings.fullReadPeriod: ${fullReadPeriod.toHumanString()} is no period. Give whole seconds, at least one.`,
    ),
    ...check(
      driftDetection !== DriftDetection.INDIVIDUAL,
      'settings.fullReadPeriod: with DriftDetection.INDIVIDUAL every sync reads each resource by itself. Leave it out, or take DriftDetection.BATCH.',
    ),
  ];
}

function isWholeSeconds(period: Duration): boolean {
  return inRange(period.toMilliseconds() / 1000, 1, Number.MAX_SAFE_INTEGER);
}

function environmentProblems(environment: Readonly<Record<string, string>>): string[] {
  const settings: readonly string[] = SETTING_NAMES;
  return Object.keys(environment).flatMap((name) => {
    // The message leaves out the value, which may be a secret.
    if (SECRET_NAMES.includes(name)) return [`environment.${name}: a secret does not belong into a manifest. Name a key of a Secret: settings.credential takes GlobalCredential.clientSecret and others.`];
    return check(!settings.includes(name) && name !== 'POD_NAMESPACE', `environment.${name}: that is a setting. Write it in settings.`);
  });
}

function inRange(value: number, least: number, most: number): boolean {
  return (Number.isInteger(value) || value === Infinity) && value >= least && value <= most;
}

function check(holds: boolean, problem: string): string[] {
  return holds ? [] : [problem];
}
