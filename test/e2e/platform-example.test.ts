import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type LoggedRequest } from './cluster';
import { orchard } from '../../examples/platform/platform';
import { OwnerGraph } from '../../src/core';
import { until } from '../setup/until';

interface Resource {
  readonly id: string;
  readonly properties?: { readonly clientId?: string };
}

/** The three teams, from nothing: groups, identities, trust, roles and the teams' credentials, applied once and never touched again. */
test('the platform example becomes Ready without a second reconcile, and each team\'s resources are made with the team\'s identity', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-platform-'));
  const platform = orchard(directory);
  platform.synth();
  const { environment, teams, id } = platform.clusters[0]!;
  const folder = join(directory, id);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml')).sort().map((file) => join(folder, file));
  // New principals are not known everywhere at once, and identities need roles.
  const sandbox = await startSandbox({ args: ['--principal-delay', '60', ...files] });
  try {
    await until('all is Ready', () => / of \d+ Azure objects Ready/.test(sandbox.output()), 240);
    const [, ready, all] = /(\d+) of (\d+) Azure objects Ready/.exec(sandbox.output())!;
    expect([ready, Number(all) > 40]).toEqual([all, true]);

    const { value: resources }: { value: Resource[] } = await sandbox.azure('/__resources');
    const { requests }: { requests: (LoggedRequest & { client?: string })[] } = await sandbox.azure('/__requests');
    const clientOf = (path: string) =>
      new Set(
        requests
          .filter((request) => request.method === 'PUT' && request.path.toLowerCase() === path.toLowerCase())
          .map(({ client }) => client),
      );
    for (const team of teams) {
      const identity = `${team.resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${environment.naming.teamIdentity(team)}`;
      const clientId = resources.find((resource) => resource.id.toLowerCase() === identity.toLowerCase())?.properties?.clientId;
      expect(clientId).toMatch(/^[0-9a-f-]{36}$/);
      // The platform makes the group and the identity, the team everything in its own namespace.
      expect(clientOf(team.resourceGroupId)).toEqual(new Set([environment.platform.identityClientId]));
      expect(clientOf(identity)).toEqual(new Set([environment.platform.identityClientId]));
      const own = ownResources(platform, team.namespace, environment.subscriptionId);
      expect(own.length).toBeGreaterThan(2);
      for (const armId of own) expect([armId, clientOf(armId)]).toEqual([armId, new Set([clientId])]);
    }
  } finally {
    await sandbox.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

/** ARM ids of what stands in a namespace of the first cluster. */
function ownResources(platform: ReturnType<typeof orchard>, namespace: string, subscriptionId: string): string[] {
  const { nodes } = OwnerGraph.of(platform.clusters[0]!.app, { subscriptionId });
  return nodes.filter((node) => node.namespace === namespace && node.armId !== undefined && !node.external).map(({ armId }) => armId!);
}
