import { between, durationBetween, durationOf, eachText, fits, lengthBetween, numberOf, unique } from './finders';
import { LEARN, rule, violation, type AzureRule, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { secondsOfDuration } from '../../util/iso-duration';
import { isRecord, type Struct } from '../../util/records';

const WORKSPACE = 'operationalinsights.azure.com/Workspace';
const COMPONENT = 'insights.azure.com/Component';
const METRIC_ALERT = 'insights.azure.com/MetricAlert';
const QUERY_ALERT = 'insights.azure.com/ScheduledQueryRule';
const ACTION_GROUP = 'insights.azure.com/ActionGroup';
const AUTOSCALE = 'insights.azure.com/AutoscaleSetting';
const DIAGNOSTICS = 'insights.azure.com/DiagnosticSetting';
const ACTIVITY = 'insights.azure.com/ActivityLogAlert';
const WEB_TEST = 'insights.azure.com/Webtest';
const WEB_TESTS = [`${LEARN}/azure-monitor/app/availability`, 'BadRequest'] as const;
const RETENTION = [`${LEARN}/azure-monitor/logs/data-retention-configure`, 'InvalidParameter'] as const;
const CAP = [`${LEARN}/azure-monitor/logs/daily-cap`, 'InvalidParameter'] as const;
const APPLICATION = [`${LEARN}/azure-monitor/app/data-retention-privacy`, 'InvalidParameter'] as const;
const ALERTS = [`${LEARN}/azure-monitor/alerts/alerts-create-metric-alert-rule`, 'BadRequest'] as const;
const QUERIES = [`${LEARN}/azure-monitor/alerts/alerts-create-log-alert-rule`, 'BadRequest'] as const;
const ACTIONS = [`${LEARN}/azure-monitor/alerts/action-groups`, 'BadRequest'] as const;
const SCALE = [`${LEARN}/azure-monitor/autoscale/autoscale-understanding-settings`, 'BadRequest'] as const;
const SETTINGS = [`${LEARN}/azure-monitor/essentials/diagnostic-settings`, 'BadRequest'] as const;

const windowAndFrequency = (spec: Struct): Violation[] => {
  const [window, frequency] = ['windowSize', 'evaluationFrequency'].map((path) => valueAtPath(spec, path));
  const [longest, step] = [window, frequency].map((value) => (typeof value === 'string' ? secondsOfDuration(value) : undefined));
  return longest !== undefined && step !== undefined && longest < step
    ? [{ field: 'windowSize', message: `is ${String(window)}, shorter than evaluationFrequency ${String(frequency)}`, fix: 'write a window that is not shorter' }] : [];
};

const failingPeriods = (spec: Struct, path: string): Violation[] => valuesAt(spec, path).flatMap(({ field, value }) => {
  const { minFailingPeriodsToAlert: least, numberOfEvaluationPeriods: all } = isRecord(value) ? value : {};
  return typeof least === 'number' && typeof all === 'number' && least > all
    ? violation(`${field}.minFailingPeriodsToAlert`, `is ${least} of ${all} periods`, 'write a number that is not above numberOfEvaluationPeriods') : [];
});

export const MONITORING_RULES: readonly AzureRule[] = [
  rule('workspace-retention', WORKSPACE, 'A workspace keeps data for 4 to 730 days.', RETENTION, (subject) =>
    between('retentionInDays', 4, 730, 'days')(subject).filter(({ message }) => message !== 'is -1')),
  rule('workspace-daily-cap', WORKSPACE, 'The daily cap is 0.023 GB at least; -1 is none.', CAP, (subject) =>
    between('workspaceCapping.dailyQuotaGb', 0.023, 1_000_000, 'GB, or -1')(subject).filter(({ message }) => message !== 'is -1')),
  rule('application-insights-retention', COMPONENT, 'Retention is one of nine periods of 30 to 730 days.', APPLICATION,
    numberOf('RetentionInDays', [30, 60, 90, 120, 180, 270, 365, 550, 730])),
  rule('application-insights-sampling', COMPONENT, 'Sampling is a percentage.', APPLICATION, between('SamplingPercentage', 0, 100, 'percent')),
  rule('metric-alert-severity', METRIC_ALERT, 'A severity is 0 (critical) to 4 (verbose).', ALERTS, between('severity', 0, 4)),
  rule('metric-alert-frequency', METRIC_ALERT, 'A metric is evaluated every 1, 5, 15, 30 or 60 minutes.', ALERTS,
    durationOf('evaluationFrequency', ['PT1M', 'PT5M', 'PT15M', 'PT30M', 'PT1H'])),
  rule('metric-alert-window', METRIC_ALERT, 'The window has 1 minute to a day, and is not shorter than the frequency.', ALERTS,
    durationOf('windowSize', ['PT1M', 'PT5M', 'PT15M', 'PT30M', 'PT1H', 'PT6H', 'PT12H', 'P1D']), ({ spec }) => windowAndFrequency(spec)),
  rule('query-alert-severity', QUERY_ALERT, 'A severity is 0 (critical) to 4 (verbose).', QUERIES, between('severity', 0, 4)),
  rule('query-alert-frequency', QUERY_ALERT, 'A query runs every minute to every day.', QUERIES,
    durationOf('evaluationFrequency', ['PT1M', 'PT5M', 'PT10M', 'PT15M', 'PT30M', 'PT45M', 'PT1H', 'PT2H', 'PT3H', 'PT4H', 'PT5H', 'PT6H', 'P1D'])),
  rule('query-alert-window', QUERY_ALERT, 'A query looks at 1 minute to 2 days, and not at less than its frequency.', QUERIES,
    durationOf('windowSize', ['PT1M', 'PT5M', 'PT10M', 'PT15M', 'PT30M', 'PT45M', 'PT1H', 'PT2H', 'PT3H', 'PT4H', 'PT5H', 'PT6H', 'P1D', 'P2D']), ({ spec }) => windowAndFrequency(spec)),
  rule('query-alert-periods', QUERY_ALERT, 'An alert is raised after 1 to 6 periods, some or all of which fail.', QUERIES,
    between('criteria.allOf[].failingPeriods.numberOfEvaluationPeriods', 1, 6, 'periods'), ({ spec }) => failingPeriods(spec, 'criteria.allOf[].failingPeriods')),
  rule('query-alert-mute', QUERY_ALERT, 'Actions are not muted where alerts end by themselves.', QUERIES, ({ spec }) =>
    (valueAtPath(spec, 'autoMitigate') === true && valueAtPath(spec, 'muteActionsDuration') !== undefined
      ? violation('muteActionsDuration', 'is given, but autoMitigate is true', 'remove it, or write autoMitigate: false') : [])),
  rule('metric-alert-periods', METRIC_ALERT, 'Failing periods are not more than the periods looked at.', ALERTS, ({ spec }) =>
    failingPeriods(spec, 'criteria.microsoftAzureMonitorMultipleResourceMultipleMetricCriteria.allOf[].dynamicThresholdCriterion.failingPeriods')),
  rule('activity-alert-category', ACTIVITY, 'A condition names the category of the event.', [`${LEARN}/azure-monitor/alerts/activity-log-alerts`, 'BadRequest'], ({ spec }) => {
    const fields = ['condition.allOf[].field', 'condition.allOf[].anyOf[].field'].flatMap((path) => valuesAt(spec, path)).map(({ value }) => String(value).toLowerCase());
    return fields.length > 0 && !fields.includes('category') ? violation('condition.allOf', 'names no category', 'add field: category') : [];
  }),
  rule('web-test-frequency', WEB_TEST, 'A test runs every 5, 10 or 15 minutes.', WEB_TESTS, numberOf('Frequency', [300, 600, 900])),
  rule('web-test-timeout', WEB_TEST, 'A test waits for 2 minutes at most.', WEB_TESTS, between('Timeout', 1, 120, 'seconds')),
  rule('workspace-reservation', WORKSPACE, 'A reserved capacity has one of its levels, and SKU CapacityReservation.', [`${LEARN}/azure-monitor/logs/cost-logs#commitment-tiers`, 'InvalidParameter'],
    numberOf('sku.capacityReservationLevel', [100, 200, 300, 400, 500, 1000, 2000, 5000, 10_000, 25_000, 50_000]), (subject) =>
      (['capacityreservation', 'lacluster', undefined].includes(wordAt(subject.spec, 'sku.name')) ? []
        : valuesAt(subject.spec, 'sku.capacityReservationLevel').flatMap(({ field }) => violation(field, 'is for SKU CapacityReservation', 'remove it')))),
  rule('workspace-free-retention', WORKSPACE, 'A workspace of SKU Free keeps data for 7 days.', RETENTION, (subject) =>
    (wordAt(subject.spec, 'sku.name') === 'free' ? between('retentionInDays', 7, 7, 'days')(subject) : [])),
  rule('action-group-receivers', ACTION_GROUP, 'Receivers have names of their own, and addresses.', ACTIONS, unique('emailReceivers[].name', 'name'),
    fits('emailReceivers[].emailAddress', /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/, 'no e-mail address', 'write an e-mail address'),
    eachText('webhookReceivers[].serviceUri', (value) => (/^https?:\/\//i.test(value) ? undefined : [`'${value}' is no URL`, 'write an https URL']))),
  rule('action-group-short-name', ACTION_GROUP, 'A short name has 1 to 12 characters.', ACTIONS, lengthBetween('groupShortName', 1, 12)),
  rule('autoscale-capacity', AUTOSCALE, 'Minimum, default and maximum of a profile are in this order.', SCALE, ({ spec }) =>
    valuesAt(spec, 'profiles[].capacity').flatMap(({ field, value }): Violation[] => {
      const [least, usual, most] = ['minimum', 'default', 'maximum'].map((key) => (isRecord(value) ? Number(value[key]) : NaN));
      if (least! > most!) return [{ field: `${field}.minimum`, message: `is ${least}, maximum is ${most}`, fix: 'give a minimum that is not above the maximum' }];
      return usual! < least! || usual! > most!
        ? [{ field: `${field}.default`, message: `is ${usual}, outside of ${least} to ${most}`, fix: 'write a number between minimum and maximum' }] : [];
    })),
  rule('autoscale-profiles', AUTOSCALE, 'A setting has 1 to 20 profiles.', SCALE, ({ spec }) => {
    const count = valuesAt(spec, 'profiles[]').length;
    return count > 20 ? [{ field: 'profiles', message: `has ${count} profiles`, fix: 'give 20 at most' }] : [];
  }),
  rule('autoscale-times', AUTOSCALE, 'Cooldown is 1 minute to a week, a window 5 minutes to 12 hours, its grain 1 minute to 12 hours.', SCALE,
    durationBetween('profiles[].rules[].scaleAction.cooldown', 'PT1M', 'P7D'), durationBetween('profiles[].rules[].metricTrigger.timeWindow', 'PT5M', 'PT12H'),
    durationBetween('profiles[].rules[].metricTrigger.timeGrain', 'PT1M', 'PT12H')),
  // In Azure's words: https://github.com/Azure/azure-rest-api-specs/issues/22719
  rule('diagnostics-category', DIAGNOSTICS, 'Logs are named by category or by group: a setting does not mix them.', SETTINGS, ({ spec }) => {
    const [category] = valuesAt(spec, 'logs[].category');
    const [group] = valuesAt(spec, 'logs[].categoryGroup');
    return category && group ? violation(group.field, `is given beside ${category.field}`, 'name all logs by category, or all by categoryGroup') : [];
  }),
  rule('diagnostics-destination', DIAGNOSTICS, 'A diagnostic setting has a destination.', SETTINGS, ({ spec }) => {
    const destinations = ['workspaceReference', 'storageAccountReference', 'eventHubAuthorizationRuleReference', 'marketplacePartnerReference', 'serviceBusRuleId'];
    return destinations.some((path) => valueAtPath(spec, path) !== undefined)
      ? [] : [{ field: 'workspaceReference', message: 'is missing, and no other destination is given', fix: `give one of ${destinations.slice(0, 3).join(', ')}` }];
  }),
];
