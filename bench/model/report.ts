import type { Fleet } from './fleet';
import { limitsOf, type PerNamespace } from './limits';
import { predict } from './predict';
import { RATES } from './rates';
import { teamsOf } from '../shared/environment/teams';

export interface ModelRow {
  readonly what: string;
  readonly value: number | string;
}

/** The model of a fleet, as rows of a table; the limits last, the one that comes first on top. */
export function rowsOf(fleet: Fleet, replicaMemoryMiB: number): ModelRow[] {
  const model = predict(fleet, RATES);
  const [bound] = Object.entries(model.bounds).sort(([, a], [, b]) => b - a);
  return [
    { what: 'a cluster: objects, namespaces', value: `${whole(model.objects)}, ${whole(model.namespaces)}` },
    { what: '… the replica with most: objects, memory in MiB', value: `${whole(model.objectsOfReplica)}, ${whole(model.replicaMiB)}` },
    { what: "… API server's memory, etcd's database, MiB", value: `${whole(model.apiServerMiB)}, ${whole(model.storageMiB)}` },
    { what: `all made at once: Ready after, s (${bound![0]})`, value: whole(model.readySeconds) },
    ...Object.entries(model.bounds).map(([what, seconds]) => ({ what: `… by ${what} alone, s`, value: rounded(seconds) })),
    { what: '… requests to Azure, in all', value: whole(model.azureRequests) },
    { what: '… requests a second to the API server of a cluster', value: rounded(model.apiRequestsPerSecond) },
    {
      what: 'at rest: requests a second to Azure, of a subscription; in all',
      value: `${rounded(model.restRequestsPerSecond)}; ${rounded(model.restRequestsPerSecond * fleet.subscriptions)}`,
    },
    {
      what: '… requests about Leases a second, of a cluster; writes of them',
      value: `${rounded(model.leaseRequestsPerSecond)}; ${rounded(model.leaseWritesPerSecond)}`,
    },
    { what: 'all controllers start anew: all confirmed after, s', value: whole(model.restartSeconds) },
    { what: 'a replica dies: its objects are looked after again after, s', value: rounded(model.takeOverSeconds) },
    ...limitsOf(fleet, model, perNamespace(), replicaMemoryMiB).map(({ what, value, limit }) => ({
      what: `limit: ${what}`, value: `${rounded(value)} of ${whole(limit)}: ${rounded(value / limit * 100)} %`,
    })),
  ];
}

/** Resources of a namespace, the average of teams of the benches. */
function perNamespace(): PerNamespace {
  const teams = teamsOf(3_000, 1, { tenantId: '', clientId: '', clientSecret: '' });
  const count = (wanted: string) => teams.flatMap(({ objects }) => objects).filter(({ kind }) => kind === wanted).length / teams.length;
  return { roleAssignments: count('RoleAssignment'), storageAccounts: count('StorageAccount') };
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
