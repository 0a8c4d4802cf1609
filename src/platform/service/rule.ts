import { checkNames, type SettingNames } from './settings';
import type { PlatformProblems } from '../model/problems';

/**
 * Properties that a message has to have: all that are given.
 * @see https://learn.microsoft.com/azure/service-bus-messaging/topic-filters#correlation-filters
 */
export interface Correlation {
  /**
   * Content type of the message.
   * @default - any
   */
  readonly contentType?: string;
  /**
   * Correlation id of the message.
   * @default - any
   */
  readonly correlationId?: string;
  /**
   * Label (subject) of the message.
   * @default - any
   */
  readonly label?: string;
  /**
   * Id of the message.
   * @default - any
   */
  readonly messageId?: string;
  /**
   * Where answers are to go.
   * @default - any
   */
  readonly replyTo?: string;
  /**
   * Session to which answers are to go.
   * @default - any
   */
  readonly replyToSessionId?: string;
  /**
   * Session of the message.
   * @default - any
   */
  readonly sessionId?: string;
  /**
   * Where the message is to go.
   * @default - any
   */
  readonly to?: string;
  /**
   * Properties of the application.
   * @default - none
   */
  readonly properties?: { [key: string]: string };
  /**
   * Whether the rule's action needs the message before the filter.
   * @default - left to Azure
   */
  readonly requiresPreprocessing?: boolean;
}

/** Which messages a subscription gets. */
export interface RuleOptions {
  /**
   * A condition in SQL, e.g. `state = 'granted'`.
   * @see https://learn.microsoft.com/azure/service-bus-messaging/service-bus-messaging-sql-filter
   * @default - `correlation`; one of the two is needed
   */
  readonly sqlExpression?: string;
  /**
   * What messages have to have; cheaper than SQL.
   * @default - `sqlExpression`; one of the two is needed
   */
  readonly correlation?: Correlation;
}

/** A rule of a subscription. */
export interface RuleRequest extends RuleOptions {
  /**
   * Name of the rule, unique in the subscription. Azure gives each new subscription a rule `$Default` that lets everything pass: call your
   * rule `$Default` to put it in that one's place.
   */
  readonly name: string;
}

const CORRELATION: SettingNames<Correlation> = {
  contentType: true,
  correlationId: true,
  label: true,
  messageId: true,
  replyTo: true,
  replyToSessionId: true,
  sessionId: true,
  to: true,
  properties: true,
  requiresPreprocessing: true,
};

/** Notes what is wrong with a rule. */
export function checkRule({ name, sqlExpression, correlation }: RuleRequest, field: string, problems: PlatformProblems): void {
  problems.require(`${field}.name`, name, 'Give the rule a name that is unique in the subscription.');
  const both = `${field} ('${name}') needs a filter, either ${field}.sqlExpression or ${field}.correlation`;
  if (!sqlExpression && !correlation) problems.add(`${field}.sqlExpression`, `required: ${both}. Give one of them; sqlExpression: '1=1' lets everything pass.`);
  if (sqlExpression && correlation) problems.add(`${field}.correlation`, `${both}, and has two. Leave one out.`);
  checkNames(correlation, CORRELATION, `${field}.correlation`, problems);
}
