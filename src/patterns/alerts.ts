import { Duration } from 'cdk8s';
import type { AzureResource } from '../core';
import { armTypeOfResource } from './arm-type';
import { MetricAlert, MetricAlertSingleResourceMultipleMetricCriteriaOdataType as Criteria, MetricCriteriaCriterionType } from '../services/insights/metric-alert';
import type { MetricCriteriaOperator, MetricCriteriaTimeAggregation } from '../services/insights/metric-alert';
import type { IActionGroupRef } from '../services/insights/refs';
import type { IResourceGroupRef } from '../services/resources/refs';

/** The condition of an alert, and the reaction. */
export interface MetricAlertOptions {
  /** The resource group of the alert. */
  readonly owner: IResourceGroupRef;

  /** Name of the metric: `UsedCapacity`. Azure Monitor has a list for each kind of resource. */
  readonly metric: string;

  /** The aggregation over the window. Not every metric has every one. */
  readonly aggregation: MetricCriteriaTimeAggregation;

  /** The comparison with the threshold. */
  readonly operator: MetricCriteriaOperator;

  /** The threshold, in the unit of the metric. */
  readonly threshold: number;

  /**
   * The action group that is notified.
   * @default - the alert is in the portal only
   */
  readonly notify?: IActionGroupRef;

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
 * Alerts on the metrics of a resource.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/metrics-index
 */
export class Alerts {
  /**
   * @param resource the resource with the metrics
   */
  public static of(resource: AzureResource): Alerts {
    return new Alerts(resource);
  }

  private constructor(private readonly resource: AzureResource) {}

  /**
   * Creates an alert on a metric.
   * @param id name of the alert within the resource, and in Azure behind the name of the resource
   * @param options the condition, and the action group
   */
  public whenMetric(id: string, options: MetricAlertOptions): MetricAlert {
    const { resource } = this;
    const { owner, metric, aggregation, operator, threshold, notify, severity = 2, description } = options;
    const window = options.window ?? Duration.minutes(5);
    const every = options.every ?? (window.toMinutes() > 60 ? Duration.hours(1) : window);
    return new MetricAlert(resource.node.scope!, `${resource.node.id}-${id}-alert`, {
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
