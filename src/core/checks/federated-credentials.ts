import type { AppResource, Report } from './app-checks';
import type { ResourceGraph } from './resource-graph';
import { MOST_FEDERATED_CREDENTIALS } from '../../azure/limits';
import { text } from '../../util/records';

/** What Azure asks of the federated credentials of one identity: not too many, and no two for the same token. */
export function federatedCredentialProblems(graph: ResourceGraph, report: Report): void {
  const ofIdentities = new Map<string, AppResource[]>();
  for (const entry of graph.resources) {
    const { kind, apiGroup } = entry.resource;
    if (kind !== 'FederatedIdentityCredential' || apiGroup !== 'managedidentity.azure.com' || graph.namesake(entry) !== entry.resource) continue;
    const identity = graph.ownerKey(entry);
    if (identity === undefined) continue;
    const others = ofIdentities.get(identity);
    if (others) others.push(entry);
    else ofIdentities.set(identity, [entry]);
  }
  for (const credentials of ofIdentities.values()) {
    tooMany(credentials, report);
    sameToken(credentials, report);
  }
}

function tooMany(credentials: readonly AppResource[], report: Report): void {
  for (const { resource } of credentials.slice(MOST_FEDERATED_CREDENTIALS)) {
    report(resource, `${resource.kind} owner: is one of ${credentials.length} federated credentials of one identity; Azure lets it have ${MOST_FEDERATED_CREDENTIALS}. Use another identity.`);
  }
}

function sameToken(credentials: readonly AppResource[], report: Report): void {
  const first = new Map<string, AppResource>();
  for (const entry of credentials) {
    const { resource, checked: { spec } } = entry;
    const [issuer, subject] = [sourceOf(spec, 'issuer'), sourceOf(spec, 'subject')];
    if (issuer === undefined || subject === undefined) continue;
    const key = `${issuer}\n${subject}`;
    const other = first.get(key);
    if (!other) first.set(key, entry);
    else report(resource, `${resource.kind} subject: '${other.resource.node.path}' has the same issuer and subject, and Azure refuses a second such credential on one identity. Remove one of the two.`);
  }
}

/** The value of a property, or where it comes from. */
function sourceOf(spec: Record<string, unknown>, name: string): string | undefined {
  const source = spec[`${name}FromConfig`];
  return text(spec, name) ?? (text(source, 'name') && `${text(source, 'name')}/${text(source, 'key') ?? ''}`);
}
