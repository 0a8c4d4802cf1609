import { Construct } from 'constructs';
import type { AzureResource, IAzureResourceRef } from '../core';
import { idOfResource } from './resource-id';
import type { INamespacesAuthorizationRuleRef } from '../services/eventhub/refs';
import { DiagnosticSetting } from '../services/insights/diagnostic-setting';
import type { DiagnosticSettingProps } from '../services/insights/diagnostic-setting';
import type { IWorkspaceRef } from '../services/operationalinsights/refs';
import type { IStorageAccountRef } from '../services/storage/refs';
import { omitUndefined } from '../util/records';

/** The diagnostics that are sent. */
export interface DiagnosticsOptions {
  /**
   * Groups of log categories: `allLogs`, `audit`. A list without elements sends no logs.
   * @default - `allLogs`
   */
  readonly categoryGroups?: string[];

  /**
   * Single categories of logs, for kinds without groups or for less than a group.
   * @default - none
   */
  readonly categories?: string[];

  /**
   * Whether the platform metrics are sent, too. They cost as logs do, and alerts work without.
   * @default false
   */
  readonly metrics?: boolean;

  /**
   * Name of the setting in Azure; a resource has five at most.
   * @default diagnostics
   */
  readonly name?: string;
}

/** The destinations of diagnostics; at least one. */
export interface DiagnosticsProps {
  /**
   * The Log Analytics workspace that logs and metrics are sent to.
   * @default - none
   */
  readonly workspace?: IWorkspaceRef;

  /**
   * Whether the workspace keeps the logs of each kind of resource in tables of its own, in place of `AzureDiagnostics`. Some kinds have
   * such tables only.
   * @default - as Azure has it for the kind
   */
  readonly dedicatedTables?: boolean;

  /**
   * The storage account that keeps them, in the region of the resource.
   * @default - none
   */
  readonly archive?: IStorageAccountRef;

  /**
   * The rule of an Event Hubs namespace, with the rights to manage, send and listen, by which they are streamed. The namespace is in the
   * region of the resource.
   * @default - none
   */
  readonly stream?: INamespacesAuthorizationRuleRef;

  /**
   * Name of the event hub in the namespace.
   * @default - one for each category, which Azure makes
   */
  readonly eventHubName?: string;

  /**
   * A partner's solution, such as Datadog or Elastic.
   * @default - none
   */
  readonly partner?: IAzureResourceRef;
}

/**
 * Logs and metrics of resources, sent to a Log Analytics workspace, a storage account, an event hub or a partner.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/platform/diagnostic-settings
 */
export class Diagnostics extends Construct {
  /**
   * Makes no object yet: `sendFrom` does, for each resource.
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the destinations
   * @throws when there is none, or something belongs to one that is not there
   */
  public constructor(scope: Construct, id: string, private readonly props: DiagnosticsProps) {
    super(scope, id);
    const { workspace, archive, stream, partner, eventHubName, dedicatedTables } = props;
    const refuse = (problem: string) => {
      throw new Error(`[${this.node.path}] Diagnostics: ${problem}`);
    };
    if (!workspace && !archive && !stream && !partner) refuse('there is no destination. Give workspace, archive, stream or partner.');
    if (eventHubName !== undefined && !stream) refuse('eventHubName is without stream, the rule of its namespace.');
    if (dedicatedTables !== undefined && !workspace) refuse('dedicatedTables is without a workspace.');
  }

  /**
   * Creates the diagnostic setting of a resource.
   * @param resource the resource; not every kind has logs
   * @param options which logs and metrics; default: all logs
   * @throws when the resource has a setting of this name already
   */
  public sendFrom(resource: AzureResource, options: DiagnosticsOptions = {}): DiagnosticSetting {
    const { categories = [], categoryGroups = categories.length > 0 ? [] : ['allLogs'], metrics = false, name = 'diagnostics' } = options;
    const logs = [
      ...categoryGroups.map((categoryGroup) => ({ categoryGroup, enabled: true })),
      ...categories.map((category) => ({ category, enabled: true })),
    ];
    if (logs.length === 0 && !metrics) {
      throw new Error(`[${resource.node.path}] Diagnostics.sendFrom: there is nothing to send. Give categoryGroups, categories or metrics.`);
    }
    return new DiagnosticSetting(this, `${idOfResource(resource)}-${name}`, {
      owner: resource,
      azureName: name,
      ...this.destinations(),
      ...(logs.length > 0 && { logs }),
      ...(metrics && { metrics: [{ category: 'AllMetrics', enabled: true }] }),
    });
  }

  private destinations(): Partial<DiagnosticSettingProps> {
    const { workspace, archive, stream, partner, eventHubName, dedicatedTables } = this.props;
    return omitUndefined({
      workspaceReference: workspace,
      logAnalyticsDestinationType: dedicatedTables === undefined ? undefined : dedicatedTables ? 'Dedicated' : 'AzureDiagnostics',
      storageAccountReference: archive,
      eventHubAuthorizationRuleReference: stream,
      eventHubName,
      marketplacePartnerReference: partner,
    });
  }
}
