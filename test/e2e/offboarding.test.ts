import { ACCEPTS_CREDENTIALS_FROM, PROPAGATE_TO } from '../../src/azure/annotations';
import { CredentialEnvironment, OPERATOR_SUBJECT } from '../engine/credentials/environment';
import { until } from '../setup/until';

const SUBSCRIPTION = '/subscriptions/00000000-0000-0000-0000-000000000000';
const BUS = `${SUBSCRIPTION}/resourceGroups/shared/providers/Microsoft.ServiceBus/namespaces/bus`;
const role = (id: string) => ({ armId: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${id}` });
const CONTRIBUTOR = role('b24988ac-6180-42a0-ab88-20f7382dd24c');
const MINE = ['ResourceGroup', 'UserAssignedIdentity', 'FederatedIdentityCredential', 'RoleAssignment', 'NamespacesQueue'];

/**
 * A team with a group and queues on a shared Service Bus, under an identity of the platform's namespace. The identity lies in the group.
 */
class TeamEnvironment {
  public static async start(): Promise<TeamEnvironment> {
    const environment = await CredentialEnvironment.start({
      principalDelaySeconds: 0,
      existing: [BUS],
      federation: { refuseUnknownClients: false },
    });
    const team = new TeamEnvironment(environment);
    await environment.namespace('platform');
    await environment.namespace('team');
    await environment.annotate('Namespace', '', 'team', { [ACCEPTS_CREDENTIALS_FROM]: 'platform/team' });
    team.startController();
    const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = environment.azure.env;
    await environment.secret('platform', 'aso-credential', {
      AZURE_SUBSCRIPTION_ID,
      AZURE_TENANT_ID,
      AZURE_CLIENT_ID,
      AZURE_CLIENT_SECRET,
    });
    await environment.object('ResourceGroup', 'platform', 'team');
    const exported = { principalId: { name: 'team', key: 'principalId' } };
    await environment.object(
      'UserAssignedIdentity',
      'platform',
      'team',
      { owner: { name: 'team' }, operatorSpec: { configMaps: exported } },
      { [PROPAGATE_TO]: 'Secret/team/aso-credential' },
    );
    await environment.object('FederatedIdentityCredential', 'platform', 'team', {
      owner: { name: 'team' },
      issuer: environment.cluster.tokens.issuer,
      subject: OPERATOR_SUBJECT,
      audiences: ['api://AzureADTokenExchange'],
    });
    const principal = {
      principalIdFromConfig: { name: 'team', key: 'principalId' },
      principalType: 'ServicePrincipal',
      roleDefinitionReference: CONTRIBUTOR,
    };
    await environment.object('RoleAssignment', 'platform', 'team-on-bus', { owner: { armId: BUS }, ...principal });
    await environment.object('RoleAssignment', 'platform', 'team-on-group', {
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'team' },
      ...principal,
    });
    for (const name of ['orders', 'bills']) await environment.object('NamespacesQueue', 'team', name, { owner: { armId: BUS } });
    await environment.object('UserAssignedIdentity', 'team', 'app', { owner: { armId: `${SUBSCRIPTION}/resourceGroups/team` } });
    for (const [kind, name] of team.all) {
      await environment.reason('Succeeded', kind, kind === 'NamespacesQueue' || name === 'app' ? 'team' : 'platform', name);
    }
    return team;
  }

  public readonly all = [
    ['ResourceGroup', 'team'], ['UserAssignedIdentity', 'team'], ['FederatedIdentityCredential', 'team'],
    ['RoleAssignment', 'team-on-bus'], ['RoleAssignment', 'team-on-group'],
    ['NamespacesQueue', 'orders'], ['NamespacesQueue', 'bills'], ['UserAssignedIdentity', 'app'],
  ] as const;

  private constructor(public readonly environment: CredentialEnvironment) {}

  public startController(): void {
    this.environment.startController({ AZURE_SUBSCRIPTION_ID: '', AZURE_FEDERATED_TOKEN_FILE: this.environment.operatorToken() });
  }

  public async left(): Promise<string[]> {
    const found = await Promise.all(
      MINE.flatMap((kind) =>
        ['platform', 'team'].map(async (namespace) =>
          (await this.environment.client.list(this.environment.typeOf(kind), { namespace })).items.map(
            ({ metadata }) => `${kind} ${namespace}/${metadata.name}`,
          ),
        ),
      ),
    );
    return found.flat();
  }

  public inAzure(): string[] {
    return this.environment.azure
      .resources()
      .map(({ id }) => String(id))
      .filter(
        (id) => !id.toLowerCase().startsWith(`${SUBSCRIPTION}/resourcegroups/shared`.toLowerCase()) || /queues|roleAssignments/i.test(id),
      );
  }

  /** Requests that Azure has refused for lack of permission. */
  public forbidden(): string[] {
    return this.environment.azure
      .log()
      .filter(({ status }) => status === 401 || status === 403)
      .map(({ method, path, status }) => `${status} ${method} ${path}`);
  }
}

describe('a team whose objects are all deleted at once', () => {
  let team: TeamEnvironment;
  let environment: CredentialEnvironment;
  let refusedBefore: number;
  beforeEach(async () => {
    team = await TeamEnvironment.start();
    ({ environment } = team);
    refusedBefore = team.forbidden().length;
  });
  afterEach(() => environment.close());

  const deleteAll = async (order: readonly (readonly [string, string])[]) => {
    for (const [kind, name] of order) {
      await environment.delete(kind, kind === 'NamespacesQueue' || name === 'app' ? 'team' : 'platform', name);
    }
  };
  const gone = () => until('all is gone', async () => (await team.left()).length === 0).catch(async (error: unknown) => {
    const ready = await Promise.all((await team.left()).map(async (text) => {
      const [kind, where] = text.split(' ');
      const [namespace, name] = where!.split('/');
      return `${text}: ${(await environment.ready(kind!, namespace!, name!))?.message}`;
    }));
    throw new Error(`${(error as Error).message}\n${ready.join('\n')}\n${team.forbidden().join('\n')}`);
  });

  test('what gives access first, with the credential and the namespace: all goes, nothing is left in Azure, and nothing was refused', async () => {
    // While the controller is away, so that it finds all of it in this state.
    await environment.stopController();
    await deleteAll(team.all);
    await environment.delete('Secret', 'team', 'aso-credential');
    await environment.delete('Namespace', '', 'team');
    // The team's resources take long to delete, so that all others would be gone before.
    for (const path of ['/queues/', '/userAssignedIdentities/app']) {
      environment.azure.faults.add({ method: 'DELETE', path, times: 3, status: 409, code: 'AnotherOperationInProgress', message: 'busy' });
    }
    team.startController();
    await gone();
    expect(team.inAzure()).toEqual([]);
    expect(team.forbidden().slice(refusedBefore)).toEqual([]);
    await until('the namespace is gone', async () => (await environment.get('Namespace', '', 'team')) === undefined);
  });

  test('one after the other, minutes apart: what gives access waits, and says for whom', async () => {
    await deleteAll(team.all.slice(0, 5));
    const { message } = await environment.reason('Deleting', 'UserAssignedIdentity', 'platform', 'team');
    expect(message).toBe(
      'The deletion waits until nobody needs this any more: 3 objects of namespace team that use the credential Secret aso-credential: '
        + 'NamespacesQueue bills, NamespacesQueue orders, UserAssignedIdentity app. Not being deleted: NamespacesQueue bills, NamespacesQueue orders, UserAssignedIdentity app. '
        + 'Delete what is to go, or set the annotation aso.cdk8s.io/delete-in-use: "true" on this object to take their access away',
    );
    const onBus = await environment.reason('Deleting', 'RoleAssignment', 'platform', 'team-on-bus');
    expect(onBus.message).toContain(
      '2 objects of namespace team that use the credential Secret aso-credential: NamespacesQueue bills, NamespacesQueue orders.',
    );
    const onGroup = await environment.reason('Deleting', 'RoleAssignment', 'platform', 'team-on-group');
    expect(onGroup.message).toContain(
      '1 object of namespace team that use the credential Secret aso-credential: UserAssignedIdentity app.',
    );
    expect(environment.azure.log().filter(({ method }) => method === 'DELETE')).toEqual([]);
    await deleteAll(team.all.slice(5));
    await gone();
    expect(team.inAzure()).toEqual([]);
    expect(team.forbidden().slice(refusedBefore)).toEqual([]);
  });

  test('the annotation takes the access away at once', async () => {
    await environment.delete('RoleAssignment', 'platform', 'team-on-bus');
    await environment.reason('Deleting', 'RoleAssignment', 'platform', 'team-on-bus');
    await environment.annotate('RoleAssignment', 'platform', 'team-on-bus', { 'aso.cdk8s.io/delete-in-use': 'true' });
    await until('the role is gone', async () => (await environment.get('RoleAssignment', 'platform', 'team-on-bus')) === undefined);
    // The simulator goes by it: without the role the queue could not be deleted.
    await environment.delete('NamespacesQueue', 'team', 'orders');
    await environment.reason('AuthorizationFailed', 'NamespacesQueue', 'team', 'orders');
  });
});
