import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { AzureResource } from '../core';
import { armTypeOfResource } from './arm-type';
import { idOfResource } from './resource-id';
import { MetricAlert, MetricAlertSingleResourceMultipleMetricCriteriaOdataType as Criteria, MetricCriteriaCriterionType } from '../services/insights/metric-alert';
import type { MetricCriteria, MetricCriteriaOperator, MetricCriteriaTimeAggregation } from '../services/insights/metric-alert';
import type { IActionGroupRef } from '../services/insights/refs';
import { ConditionOperator, ConditionTimeAggregation, DimensionOperator, ScheduledQueryRule } from '../services/insights/scheduled-query-rule';
import type { IResourceGroupRef } from '../services/resources/refs';
import { omitUndefined } from '../util/records';

const DEFAULT_SEVERITY = 2;
/** As many conditions as Azure takes in a metric alert. */
const MOST_CONDITIONS = 5;

/** The resource group of alerts, and who is notified. */
export interface AlertsProps {
  /** The resource group of the alerts. */
  readonly owner: IResourceGroupRef;

  /**
   * The action group that is notified.
   * @default - the alerts are in the portal only
   */
  readonly notify?: IActionGroupRef;
}

/** A condition on a metric. */
export interface MetricCondition {
  /** Name of the metric: `UsedCapacity`. Azure Monitor has a list for each kind of resource. */
  readonly metric: string;

  /** The aggregation over the window. Not every metric has every one. */
  readonly aggregation: MetricCriteriaTimeAggregation;

  /** The comparison with the threshold. */
  readonly operator: MetricCriteriaOperator;

  /** The threshold, in the unit of the metric. */
  readonly threshold: number;

  /**
   * Dimensions of the metric and the values that are watched, each on its own: `{ EntityName: ['orders'] }`; `*` is every value, also
   * those that come later.
   * @default - all values together
   */
  readonly dimensions?: { [dimension: string]: string[] };

  /**
   * Namespace of the metric, for custom ones: `Azure.VM.Windows.GuestMetrics`.
   * @default - that of the kind
   */
  readonly metricNamespace?: string;
}

/** The severity, the times and the text of an alert. */
export interface AlertOptions {
  /**
   * The severity: 0 (critical) to 4 (verbose).
   * @default 2
   */
  readonly severity?: number;

  /**
   * The period over which the metric is aggregated: 1, 5, 15 or 30 minutes, 1, 6, 12 or 24 hours.
   * @default Duration.minutes(5)
   */
  readonly window?: Duration;

  /**
   * The interval between evaluations: 1, 5, 15 or 30 minutes or 1 hour, at most the window.
   * @default - the window, and one hour at most
   */
  readonly every?: Duration;

  /**
   * The meaning of the alert, and the remedy.
   * @default - none
   */
  readonly description?: string;
}

/** An alert on one metric. */
export interface MetricAlertOptions extends AlertOptions, MetricCondition {}

/** An alert on several metrics of one resource. */
export interface MetricAlertsOptions extends AlertOptions {
  /** The conditions, one to five; the alert fires when all hold. */
  readonly conditions: MetricCondition[];
}

/** An alert on the result of a query over logs. */
export interface QueryAlertOptions extends AlertOptions {
  /** The query, in KQL: `AppExceptions | where AppRoleName == "shop"`. */
  readonly query: string;

  /**
   * The threshold of what is counted or measured.
   * @default 0
   */
  readonly threshold?: number;

  /**
   * The comparison with the threshold.
   * @default ConditionOperator.GREATER_THAN
   */
  readonly operator?: ConditionOperator;

  /**
   * The column whose values are measured, and how.
   * @default - the rows are counted
   */
  readonly measure?: QueryMeasure;

  /**
   * Columns and the values that are watched, each on its own; `*` is every value.
   * @default - all rows together
   */
  readonly dimensions?: { [column: string]: string[] };

  /**
   * The region of the rule: that of the workspace.
   * @default - that of the owner, else of `Defaults`
   */
  readonly location?: string;
}

/** A column of a query's result, and how its values are measured. */
export interface QueryMeasure {
  /** Name of the column. */
  readonly column: string;
  /** The aggregation over the window. */
  readonly aggregation: ConditionTimeAggregation;
}

/**
 * Alerts on the metrics of resources, and on queries over logs.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/metrics-index
 */
export class Alerts extends Construct {
  /**
   * Makes no object yet: `whenMetric` does, for each condition.
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the resource group, and the action group
   */
  public constructor(scope: Construct, id: string, private readonly props: AlertsProps) {
    super(scope, id);
  }

  /**
   * Creates an alert on a metric.
   * @param resource the resource with the metric
   * @param id name of the alert among those of the resource
   * @param options the condition
   */
  public whenMetric(resource: AzureResource, id: string, options: MetricAlertOptions): MetricAlert {
    return this.whenMetrics(resource, id, { ...options, conditions: [options] });
  }

  /**
   * Creates an alert that fires when several conditions hold at a time.
   * @param resource the resource with the metrics
   * @param id name of the alert among those of the resource
   * @param options the conditions
   * @throws when there is no condition, or more than five
   */
  public whenMetrics(resource: AzureResource, id: string, options: MetricAlertsOptions): MetricAlert {
    const { conditions, severity = DEFAULT_SEVERITY, description } = options;
    if (conditions.length === 0 || conditions.length > MOST_CONDITIONS) {
      throw new Error(`[${resource.node.path}] Alerts.whenMetrics: an alert has one to ${MOST_CONDITIONS} conditions, not ${conditions.length}.`);
    }
    const { owner, notify } = this.props;
    const { windowSize, evaluationFrequency } = timesOf(options);
    return new MetricAlert(this, `${idOfResource(resource)}-${id}`, {
      owner,
      scopesReferences: [resource],
      targetResourceType: armTypeOfResource(resource),
      enabled: true,
      severity,
      windowSize,
      evaluationFrequency,
      ...(description !== undefined && { description }),
      criteria: {
        microsoftAzureMonitorSingleResourceMultipleMetricCriteria: {
          odataType: Criteria.MICROSOFT_AZURE_MONITOR_SINGLE_RESOURCE_MULTIPLE_METRIC_CRITERIA,
          allOf: conditions.map((condition, index) => criterion(conditions.length === 1 ? id : `${id}-${index + 1}`, condition)),
        },
      },
      ...(notify && { actions: [{ actionGroupReference: notify }] }),
    });
  }

  /**
   * Creates an alert on the result of a query over logs.
   * @param scope the workspace, or the resource, whose logs are read
   * @param id name of the alert among those of the workspace
   * @param options the query and its condition
   */
  public whenQuery(scope: AzureResource, id: string, options: QueryAlertOptions): ScheduledQueryRule {
    const { owner, notify } = this.props;
    const { query, threshold = 0, operator = ConditionOperator.GREATER_THAN, measure, dimensions, severity = DEFAULT_SEVERITY } = options;
    const { windowSize, evaluationFrequency } = timesOf(options);
    return new ScheduledQueryRule(this, `${idOfResource(scope)}-${id}`, {
      owner,
      ...(options.location !== undefined && { location: options.location }),
      ...(options.description !== undefined && { description: options.description }),
      scopesReferences: [scope],
      enabled: true,
      severity,
      windowSize,
      evaluationFrequency,
      criteria: {
        allOf: [{
          query,
          threshold,
          operator,
          timeAggregation: measure?.aggregation ?? ConditionTimeAggregation.COUNT,
          ...(measure && { metricMeasureColumn: measure.column }),
          ...(dimensions && { dimensions: dimensionsOf(dimensions).map((one) => ({ ...one, operator: DimensionOperator.INCLUDE })) }),
        }],
      },
      ...(notify && { actions: { actionGroupsReferences: [notify] } }),
    });
  }
}

function criterion(name: string, condition: MetricCondition): MetricCriteria {
  const { metric, aggregation, operator, threshold, dimensions, metricNamespace } = condition;
  return omitUndefined({
    criterionType: MetricCriteriaCriterionType.STATIC_THRESHOLD_CRITERION,
    name,
    metricName: metric,
    metricNamespace,
    timeAggregation: aggregation,
    operator,
    threshold,
    dimensions: dimensions && dimensionsOf(dimensions).map((one) => ({ ...one, operator: 'Include' })),
  });
}

function dimensionsOf(dimensions: Readonly<Record<string, string[]>>): { name: string; values: string[] }[] {
  return Object.entries(dimensions).map(([name, values]) => ({ name, values }));
}

/** The window, and how often it is looked at. */
function timesOf({ window = Duration.minutes(5), every }: AlertOptions): { windowSize: string; evaluationFrequency: string } {
  const frequency = every ?? (window.toMinutes() > 60 ? Duration.hours(1) : window);
  return { windowSize: window.toIsoString(), evaluationFrequency: frequency.toIsoString() };
}
