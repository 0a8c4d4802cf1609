import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { crdManifest } from '../../catalog/crd';
import { caInjection, webhookConfigurations, webhookConversion } from '../../catalog/webhook-configurations';
import { CrdInstallation } from '../bundled-controller-props';
import { LABELS } from '../names';
import { servedVersions, type PlanForKinds } from '../plan';
import { makeEgressPolicy } from './network-policies';
import { makeRoles } from '../rbac/roles';

/** Creates all objects that depend on the kinds: CRDs, webhook configurations, roles, and the network policy for database ports. */
export function makeKindObjects(scope: Construct, plan: PlanForKinds): void {
  if (plan.crds === CrdInstallation.MANIFESTS) makeCrds(scope, plan);
  makeRoles(scope, plan);
  if (plan.webhooks !== 'none') makeWebhookConfigurations(scope, plan);
  makeEgressPolicy(scope, plan);
}

function makeCrds(scope: Construct, plan: PlanForKinds): void {
  const { namespace } = plan;
  const certManager = plan.webhooks === 'cert-manager';
  for (const inUse of sorted(plan)) {
    const versions = servedVersions(plan, inUse);
    const converted = plan.webhooks !== 'none' && versions.length > 1;
    const { apiVersion, kind, metadata, spec } = crdManifest(inUse.kind, {
      versions,
      labels: plan.props.crdLabels,
      ...(converted && { conversion: webhookConversion({ namespace }), annotations: caInjection({ namespace, certManager }) }),
    });
    new ApiObject(scope, `crd-${inUse.kind.crdName}`, { apiVersion, kind, metadata: plain(metadata), spec });
  }
}

function makeWebhookConfigurations(scope: Construct, plan: PlanForKinds): void {
  const { namespace, webhooks, kinds } = plan;
  const configurations = webhookConfigurations(sorted(plan).map(({ kind }) => kind), {
    namespace,
    certManager: webhooks === 'cert-manager',
    labels: LABELS,
    versions: (kind) => servedVersions(plan, kinds.get(kind.crdName)!),
  });
  for (const { apiVersion, kind, metadata, webhooks: entries } of configurations) {
    new ApiObject(scope, metadata.name, { apiVersion, kind, metadata: plain(metadata), webhooks: entries });
  }
}

function sorted({ kinds }: PlanForKinds) {
  return [...kinds.values()].sort((a, b) => (a.kind.crdName < b.kind.crdName ? -1 : 1));
}

type Texts = Readonly<Record<string, string>>;

/** A mutable copy: the types of cdk8s are not read-only. */
function plain({ name, labels, annotations }: { readonly name: string; readonly labels?: Texts; readonly annotations?: Texts }) {
  return {
    name,
    ...(labels && { labels: { ...labels } }),
    ...(annotations && Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
  };
}
