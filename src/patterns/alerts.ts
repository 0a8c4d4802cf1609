import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import type { AzureResource } from '../core';
import { armTypeOfResource } from './arm-type';
import { idOfResource } from './resource-id';
import { MetricAlert, MetricAlertSingleResourceMultipleMetricCriteriaOdataType as Criteria, MetricCriteriaCriterionType } from '../services/insights/metric-alert';
import type { MetricCriteriaOperator, MetricCriteriaTimeAggregation } from '../services/insights/metric-alert';
import type { IActionGroupRef } from '../services/insights/refs';
import type { IResourceGroupRef } from '../services/resources/refs';

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

/** The condition of an alert. */
export interface MetricAlertOptions {
  /** Name of the metric: `UsedCapacity`. Azure Monitor has a list for each kind of resource. */
  readonly metric: string;

  /** The aggregation over the window. Not every metric has every one. */
  readonly aggregation: MetricCriteriaTimeAggregation;

  /** The comparison with the threshold. */
  readonly operator: MetricCriteriaOperator;

  /** The threshold, in the unit of the metric. */
  readonly threshold: number;

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

/**
 * Alerts on the metrics of resources.
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
    const { owner, notify } = this.props;
    const { metric, aggregation, operator, threshold, severity = 2, description } = options;
    const window = options.window ?? Duration.minutes(5);
    const every = options.every ?? (window.toMinutes() > 60 ? Duration.hours(1) : window);
    return new MetricAlert(this, `${idOfResource(resource)}-${id}`, {
      owner,
      scopesReferences: [resource],
      targetResourceType: armTypeOfResource(resource),
      enabled: true,
      severity,
      windowSize: window.toIsoString(),
      evaluationFrequency: every.toIsoString(),
      ...(description !== undefined && { description }),
      criteria: {
        microsoftAzureMonitorSingleResourceMultipleMetricCriteria: {
          odataType: Criteria.MICROSOFT_AZURE_MONITOR_SINGLE_RESOURCE_MULTIPLE_METRIC_CRITERIA,
          allOf: [{
            criterionType: MetricCriteriaCriterionType.STATIC_THRESHOLD_CRITERION,
            name: id,
            metricName: metric,
            timeAggregation: aggregation,
            operator,
            threshold,
          }],
        },
      },
      ...(notify && { actions: [{ actionGroupReference: notify }] }),
    });
  }
}
