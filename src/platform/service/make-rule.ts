import type { Construct } from 'constructs';
import { explicit } from './explicit';
import { noteProblems } from './request-problems';
import type { RuleRequest } from './rule';
import type { Kind, ServiceObjects } from './service-objects';
import {
  NamespacesTopicsSubscriptionsRule, FilterType as RuleFilterType,
} from '../../services/servicebus/namespaces-topics-subscriptions-rule';
import type { INamespacesTopicsSubscriptionRef } from '../../services/servicebus/refs';
import type { PlatformProblems } from '../model/problems';
import type { SharedResourceOfTeam } from '../naming/service-naming';

const KIND: Kind = ['servicebus.azure.com', 'NamespacesTopicsSubscriptionsRule'];

/** The subscription and topic of a rule. */
export interface RuleParent {
  readonly scope: Construct;
  readonly objects: ServiceObjects;
  readonly topic: SharedResourceOfTeam;
  readonly subscription: string;
  readonly owner: INamespacesTopicsSubscriptionRef;
}

/** Creates a rule that has been validated. */
export function makeRule(
  parent: RuleParent,
  request: RuleRequest,
  field: string,
  problems: PlatformProblems,
): NamespacesTopicsSubscriptionsRule {
  const { scope, objects, topic, subscription, owner } = parent;
  const { team } = objects.id;
  const names = team.environment.naming.rule(topic, subscription, request.name);
  const filter = request.correlation
    ? { filterType: RuleFilterType.CORRELATION_FILTER, correlationFilter: { properties: {}, ...explicit(request.correlation) } }
    : { filterType: RuleFilterType.SQL_FILTER, sqlFilter: explicit({ sqlExpression: request.sqlExpression }) };
  const rule = new NamespacesTopicsSubscriptionsRule(scope, `rule-${request.name.toLowerCase()}`, {
    ...objects.plain(KIND, names.objectName, team.namespace),
    azureName: names.azureName,
    owner,
    action: {},
    ...filter,
  });
  const places = {
    'azureName': `${field}.name`,
    'metadata.name': `${field}.name`,
    'sqlFilter.sqlExpression': `${field}.sqlExpression`,
    'correlationFilter': `${field}.correlation`,
  };
  noteProblems(rule, places, problems);
  return rule;
}
