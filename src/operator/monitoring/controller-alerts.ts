import { ApiObject, ApiObjectMetadata, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { ALERT_RULES, AlertRuleFacts } from './alert-rules';
import { matchersOf } from './matchers';
import { documentation } from '../../documentation';
import { nearest } from '../../util/nearest';

/** Properties of {@link ControllerAlerts}. */
export interface ControllerAlertsProps {
  /**
   * Kubernetes metadata of the PrometheusRule. The Prometheus Operator may select rules by their labels.
   *
   * @default - a name made from the construct's path
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * The namespace of the controller, by which its metrics are selected.
   *
   * @default azureserviceoperator-system
   */
  readonly controllerNamespace?: string;

  /**
   * Label matchers of PromQL that select the controller's metrics, in the place of the namespace and the metrics Service.
   *
   * @default - those that the ServiceMonitor of `BundledController` leads to
   * @example 'job="aso",cluster="production"'
   */
  readonly matchers?: string;

  /**
   * Names of alerts that are left out, e.g. `AsoNoLeader` for a controller without leader election.
   *
   * @default - none
   */
  readonly disable?: string[];

  /**
   * Labels of every alert besides `severity`, for the routes of the Alertmanager.
   *
   * @default - none
   */
  readonly labels?: Record<string, string>;

  /**
   * Memory limit of the pods; `AsoControllerMemory` fires above 90 % of it.
   *
   * @default - 512 MiB, that of `BundledController`
   */
  readonly memoryLimit?: Size;

  /**
   * Address of the runbooks; the name of the alert, in lower case, is added to it.
   *
   * @default - the runbooks of this library
   */
  readonly runbookUrl?: string;
}

/**
 * Alerts about a controller, as a PrometheusRule of the Prometheus Operator. Every alert has a runbook.
 *
 * The alerts about conditions, throttling, batch reads and jobs need the metrics of the bundled controller (`cdk8s_aso_*`); the others work
 * for Azure Service Operator too.
 *
 * @see https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.PrometheusRule
 */
export class ControllerAlerts extends Construct {
  /** The names of all alerts. */
  public static get names(): string[] {
    return ALERT_RULES.map(({ name }) => name);
  }

  /**
   * @param scope the scope of the construct
   * @param id the id, unique within the scope
   * @param props selection of the controller, labels and runbooks
   * @throws when `disable` names an alert that there is not
   */
  public constructor(scope: Construct, id: string, props: ControllerAlertsProps = {}) {
    super(scope, id);
    const { disable = [], labels = {}, memoryLimit = Size.mebibytes(512), metadata } = props;
    const unknown = disable.find((name) => !ControllerAlerts.names.includes(name));
    if (unknown !== undefined) {
      const meant = nearest(unknown, ControllerAlerts.names);
      throw new Error(`ControllerAlerts disable: there is no alert '${unknown}'.${meant === undefined ? '' : ` Did you mean '${meant}'?`}`);
    }
    const runbooks = props.runbookUrl ?? `${documentation('docs/runbooks.md')}#`;
    const values = { matchers: matchersOf(props), memory: String(Math.floor(memoryLimit.toMebibytes() * 1024 * 1024 * 0.9)) };
    const rules = ALERT_RULES.filter(({ name }) => !disable.includes(name)).map((rule) => ({
      alert: rule.name,
      expr: exprOf(rule, values),
      ...(rule.for === '0m' ? {} : { for: rule.for }),
      labels: { ...labels, severity: rule.severity },
      annotations: { summary: rule.summary, description: rule.description, runbook_url: `${runbooks}${rule.name.toLowerCase()}` },
    }));
    new ApiObject(this, 'rule', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      ...(metadata && { metadata }),
      spec: { groups: [{ name: 'azure-service-operator', rules }] },
    });
  }
}

function exprOf({ expr }: AlertRuleFacts, { matchers, memory }: { readonly matchers: string; readonly memory: string }): string {
  return expr.replaceAll('$S', matchers).replaceAll('$MEMORY', memory);
}
