import { ApiObject, Chart } from 'cdk8s';
import { k8s } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { BundledControllerProps } from './bundled-controller-props';
import { kindProblems, planProblems } from './checks';
import { ControllerKinds } from './controller-kinds';
import { LABELS, SETTINGS_SECRET } from './names';
import { argumentsOf } from './objects/arguments';
import { makeCertificates } from './objects/certificates';
import { makeDeployment } from './objects/deployment';
import { makeKindObjects } from './objects/kind-objects';
import { makeIngressPolicy } from './objects/network-policies';
import { makeServices } from './objects/services';
import { planOf, type Plan, type PlanForKinds } from './plan';
import { propagationInUse } from './propagation-in-use';
import { settingsData } from './settings-data';
import { rememberPlace, withPlace } from '../core/checks/made-at';
import { omitUndefined } from '../util/records';

const KIND_OBJECTS = 'Kinds';

/**
 * Installs the controller of this package: a Deployment, its service account, settings, roles, CRDs, webhooks and certificates, limited to
 * the kinds in use. The object names are those of Azure Service Operator's chart, so that federated credentials and dashboards stay valid.
 *
 * ```ts
 * new operator.BundledController(chart, 'controller', {
 *   image: 'registry.example.com/cdk8s-aso-controller:1.2.3',
 *   settings: { credential: operator.GlobalCredential.workloadIdentity({ subscriptionId, tenantId, clientId }) },
 * });
 * ```
 *
 * Apply its chart with `kubectl apply --server-side`: CRDs are too large for client-side apply.
 */
export class BundledController extends Construct {
  /** The namespace of the controller. */
  public readonly namespace: string;

  /** The service account of the controller. */
  public readonly serviceAccountName: string;

  /** The subject for the federated credential of the global credential's identity. */
  public readonly federatedSubject: string;

  private readonly plan: Plan;
  private readonly kinds: ControllerKinds;
  private made?: { readonly key: string; readonly plan: PlanForKinds };

  /**
   * @param scope a chart; CRDs and cluster roles are cluster-scoped
   * @param id name of the construct in its scope
   * @param props settings of the installation; problems are reported at synth
   */
  public constructor(scope: Construct, id: string, props: BundledControllerProps) {
    super(scope, id);
    const plan = planOf(props);
    this.plan = plan;
    this.kinds = props.kinds ?? ControllerKinds.inApp();
    this.namespace = plan.namespace;
    this.serviceAccountName = plan.serviceAccount;
    this.federatedSubject = `system:serviceaccount:${plan.namespace}:${plan.serviceAccount}`;
    this.makeObjects();
    if (!this.kinds._late) this.settle();
    // The app is complete only when it is validated.
    rememberPlace(this, new.target, 10);
    this.node.addValidation({ validate: () => withPlace(this, [...planProblems(plan), ...this.neighbourProblems(), ...this.settle()]) });
  }

  /** The kinds, as `storage.azure.com/StorageAccount`. Complete only at synth. */
  public get kindNames(): string[] {
    return [...this.kinds._resolve(this.node.root).kinds.values()].map(({ kind }) => `${kind.group}/${kind.kind}`).sort();
  }

  private makeObjects(): void {
    const { plan } = this;
    const { props, namespace } = plan;
    if (props.createNamespace ?? true) new k8s.KubeNamespace(this, 'namespace', { metadata: { name: namespace, labels: LABELS } });
    new k8s.KubeServiceAccount(this, 'service-account', {
      metadata: omitUndefined({ name: plan.serviceAccount, namespace, labels: LABELS, annotations: props.serviceAccountAnnotations }),
    });
    const settings = settingsData(props.settings ?? {}, plan.mode);
    new k8s.KubeSecret(this, 'settings', { metadata: { name: SETTINGS_SECRET, namespace, labels: LABELS }, stringData: settings });
    makeCertificates(this, plan);
    makeServices(this, plan);
    makeIngressPolicy(this, plan);
    makeDeployment(this, plan, settings, () => argumentsOf(this.made?.plan ?? { ...plan, kinds: new Map(), propagation: new Set() }));
  }

  /** Creates the objects that depend on the kinds, again if the kinds have changed. Returns the problems of the kinds. */
  private settle(): string[] {
    const { kinds, problems } = this.kinds._resolve(this.node.root);
    const propagation = propagationInUse(this.node.root, this.plan.props.credentialPropagation);
    const plan: PlanForKinds = { ...this.plan, kinds, propagation };
    const key = JSON.stringify([[...kinds.values()].map(({ kind, versions }) => [kind.crdName, versions]), [...propagation].sort()]);
    if (this.made?.key !== key) {
      this.node.tryRemoveChild(KIND_OBJECTS);
      makeKindObjects(new Construct(this, KIND_OBJECTS), plan);
      this.made = { key, plan };
    }
    return [...problems, ...(problems.length > 0 && kinds.size === 0 ? [] : kindProblems(plan))];
  }

  /** Problems with other controllers in the same chart: a chart is deployed to one cluster. */
  private neighbourProblems(): string[] {
    const all = Chart.of(this).node.findAll().filter((construct): construct is BundledController => construct instanceof BundledController);
    return all.filter((other) => other !== this).flatMap((other) => {
      if (other.namespace === this.namespace) return [`namespace: '${other.node.path}' is installed into ${this.namespace}, too, and both write the same objects. Give one of them another namespace.`];
      if (!other.plan.hasWatchers || !this.plan.hasWatchers) return [];
      const [mine, theirs] = [this.plan.targetNamespaces, other.plan.targetNamespaces];
      const shared = mine.length === 0 || theirs.length === 0 ? ['every namespace'] : mine.filter((name) => theirs.includes(name));
      if (shared.length === 0) return [];
      return [`settings.targetNamespaces: '${other.node.path}' watches ${mine.length === 0 || theirs.length === 0 ? 'the same namespaces' : shared.join(', ')}, too, and an object has one controller. Give each its own.`];
    });
  }

  /** All objects, including those that depend on the kinds. Complete only at synth. */
  public get apiObjects(): ApiObject[] {
    return this.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  }
}
