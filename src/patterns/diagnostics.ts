import { Construct } from 'constructs';
import type { AzureResource } from '../core';
import { idOfResource } from './resource-id';
import { DiagnosticSetting } from '../services/insights/diagnostic-setting';
import type { IWorkspaceRef } from '../services/operationalinsights/refs';

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

/** The workspace of diagnostics. */
export interface DiagnosticsProps {
  /** The Log Analytics workspace that logs and metrics are sent to. */
  readonly workspace: IWorkspaceRef;
}

/**
 * Logs and metrics of resources, sent to a Log Analytics workspace.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/platform/diagnostic-settings
 */
export class Diagnostics extends Construct {
  /**
   * Makes no object yet: `sendFrom` does, for each resource.
   * @param scope the scope
   * @param id name of the construct in its scope
   * @param props the workspace
   */
  public constructor(scope: Construct, id: string, private readonly props: DiagnosticsProps) {
    super(scope, id);
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
      workspaceReference: this.props.workspace,
      ...(logs.length > 0 && { logs }),
      ...(metrics && { metrics: [{ category: 'AllMetrics', enabled: true }] }),
    });
  }
}
