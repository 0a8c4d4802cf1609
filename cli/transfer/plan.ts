import { afterwards, checkTransfer } from './checks';
import { rightsFindings, rightsNeeded } from './rights';
import { selectionOf } from './selection';
import type { Journal, Selection, TransferFinding } from './types';
import { readAzureObjects } from '../cluster/azure-objects';
import type { LiveCluster } from '../cluster/connect';

export interface PlanOptions {
  readonly from: LiveCluster;
  readonly to: LiveCluster;
  readonly fromNamespace: string;
  readonly toNamespace: string;
  /** Label selector; undefined: all Azure objects of the namespace. */
  readonly selector?: string | undefined;
  readonly copyValues: boolean;
  /** Whether objects that a deployer applies may be transferred. */
  readonly allowManaged: boolean;
  readonly now: number;
}

/** A transfer that was not begun yet. */
export interface Plan {
  readonly journal: Journal;
  readonly findings: readonly TransferFinding[];
  /** Sentences about what the user has to do besides. */
  readonly afterwards: readonly string[];
}

/**
 * Reads both sides and checks what stands against the transfer.
 * @throws KubernetesError where a cluster does not answer
 */
export async function planTransfer(options: PlanOptions): Promise<Plan> {
  const { from, to, fromNamespace, toNamespace, selector, copyValues, allowManaged, now } = options;
  const all = await readAzureObjects(from.client, fromNamespace);
  const selected = selector === undefined ? all : await readAzureObjects(from.client, fromNamespace, { labelSelector: selector });
  const selection: Selection = selectionOf(selected.objects, selected.types);
  const journal: Journal = {
    fromNamespace,
    toNamespace,
    toServer: to.server,
    startedAt: new Date(now).toISOString(),
    phase: 'planned',
    items: selection.items,
    values: copyValues ? selection.values : [],
  };
  const checks = { from: from.client, to: to.client, fromNamespace, toNamespace, selection };
  const reviewers = { from: from.client, to: to.client, isOneCluster: from.server === to.server };
  const rights = await rightsFindings(reviewers, rightsNeeded(journal, selection.values));
  // The other checks read what the rights are for.
  const findings = rights.length > 0 ? rights : await checkTransfer({ ...checks, all: all.objects, copyValues, allowManaged, now });
  const unread = all.unread.map((text): TransferFinding => ({
    severity: 'error', object: fromNamespace, message: `was not read as a whole: ${text}`, fix: 'ask for the right to list these kinds',
  }));
  return {
    findings: [...unread, ...findings],
    afterwards: afterwards(checks),
    journal,
  };
}
