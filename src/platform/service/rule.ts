import { checkNames, type SettingNames } from './settings';
import type { PlatformProblems } from '../model/problems';

/**
 * Properties that a message must have; all that are set must match.
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
   * Address for replies.
   * @default - any
   */
  readonly replyTo?: string;
  /**
   * Session for replies.
   * @default - any
   */
  readonly replyToSessionId?: string;
  /**
   * Session of the message.
   * @default - any
   */
  readonly sessionId?: string;
  /**
   * Address of the message.
   * @default - any
   */
  readonly to?: string;
  /**
   * Application properties of the message.
   * @default - none
   */
  readonly properties?: { [key: string]: string };
  /**
   * Whether the rule's action needs preprocessing of the message before the filter.
   * @default - Azure's default
   */
  readonly requiresPreprocessing?: boolean;
}

/** Filter of a subscription's messages. */
export interface RuleOptions {
  /**
   * A SQL condition, e.g. `state = 'granted'`.
   * @see https://learn.microsoft.com/azure/service-bus-messaging/service-bus-messaging-sql-filter
   * @default - `correlation`; one of the two is required
   */
  readonly sqlExpression?: string;
  /**
   * Properties that messages must have; cheaper than SQL.
   * @default - `sqlExpression`; one of the two is required
   */
  readonly correlation?: Correlation;
}

/** A rule of a subscription. */
export interface RuleRequest extends RuleOptions {
  /**
   * Name of the rule, unique in the subscription. Azure creates a rule `$Default` in each new subscription that accepts all messages: name
   * your rule `$Default` to replace it.
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

/** Adds the problems of a rule. */
export function checkRule({ name, sqlExpression, correlation }: RuleRequest, field: string, problems: PlatformProblems): void {
  problems.requireName(`${field}.name`, name, 'Give the rule a name that is unique in the subscription.');
  const both = `${field} ('${name}') needs a filter, either ${field}.sqlExpression or ${field}.correlation`;
  if (!sqlExpression && !correlation) {
    problems.add(`${field}.sqlExpression`, `required: ${both}. Give one of them; sqlExpression: '1=1' lets everything pass.`);
  }
  if (sqlExpression && correlation) problems.add(`${field}.correlation`, `${both}, and has two. Leave one out.`);
  checkNames(correlation, CORRELATION, `${field}.correlation`, problems);
}
