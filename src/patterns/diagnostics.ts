import type { AzureResource } from '../core';
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

/**
 * Logs and metrics of a resource, sent to a Log Analytics workspace.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/platform/diagnostic-settings
 */
export class Diagnostics {
  /**
   * @param resource the resource; not every kind has logs
   */
  public static of(resource: AzureResource): Diagnostics {
    return new Diagnostics(resource);
  }

  private constructor(private readonly resource: AzureResource) {}

  /**
   * Creates the diagnostic setting.
   * @param workspace the workspace
   * @param options which logs and metrics; default: all logs
   * @throws when the resource has a setting of this name already
   */
  public sendTo(workspace: IWorkspaceRef, options: DiagnosticsOptions = {}): DiagnosticSetting {
    const { resource } = this;
    const { categories = [], categoryGroups = categories.length > 0 ? [] : ['allLogs'], metrics = false, name = 'diagnostics' } = options;
    const logs = [
      ...categoryGroups.map((categoryGroup) => ({ categoryGroup, enabled: true })),
      ...categories.map((category) => ({ category, enabled: true })),
    ];
    if (logs.length === 0 && !metrics) {
      throw new Error(`[${resource.node.path}] Diagnostics.sendTo: there is nothing to send. Give categoryGroups, categories or metrics.`);
    }
    return new DiagnosticSetting(resource.node.scope!, `${resource.node.id}-${name}`, {
      owner: resource,
      azureName: name,
      workspaceReference: workspace,
      ...(logs.length > 0 && { logs }),
      ...(metrics && { metrics: [{ category: 'AllMetrics', enabled: true }] }),
    });
  }
}
