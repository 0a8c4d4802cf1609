import {
  account, ADMINISTRATORS, answering, configMap, createdGroup, deleted, edit, failing, HOUR, inReadyGroup, OTHER_SUBSCRIPTION, readyGroup,
  refusedGroup, secret, server, SERVERS, waits, operation,
} from './arrange';
import { inEnvironment, table } from './table';
import { withProviderRegistration } from '../../engine/arm/provider-registration';
import type { ArmRequest, ArmResponse } from '../../engine/arm/types';
import { KubernetesError } from '../../engine/kubernetes/types';
import { noAnswer, SUBSCRIPTION } from '../controller/reconcile/fake-azure';
import { settled } from '../controller/reconcile/fake-clock';
import {
  ACCOUNTS,
  CONFIG_MAPS,
  GROUP_ID,
  GROUPS,
  IDENTITIES,
  identity,
  object,
  ROLES,
  SECRETS,
  type TestEnvironment,
} from '../controller/reconcile/harness';

const ready = (environment: TestEnvironment) => environment.ready(GROUPS, 'rg');
const failure = (environment: TestEnvironment) =>
  (environment.reconciles.at(-1)!.result as { failure?: { retry: string; severity: string } }).failure;
const role = (spec: Record<string, unknown>) =>
  object(ROLES, 'role', { owner: { group: GROUPS.group, kind: 'ResourceGroup', name: 'rg' }, ...spec });
const networkRule = (reference: Record<string, string>) =>
  account({ networkAcls: { defaultAction: 'Deny', virtualNetworkRules: [{ reference }] } });

table('docs/spec/errors.md#before-azure-is-asked', (row) => {
  row('owner not usable', 'WaitingForOwner', inEnvironment(async (environment) => {
    await environment.cluster.create(IDENTITIES, identity());
    await environment.start();
    expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'WaitingForOwner' });
  }));
  const refused = (name: string, reason: string, message: string) => ({ severity: 'Warning', reason, message, name });
  const reference = (
    what: string,
    prepare: (environment: TestEnvironment) => Promise<unknown>,
    value: Record<string, string>,
    message: string,
  ) =>
    [
      what,
      inEnvironment(async (environment) => {
        await prepare(environment);
        await inReadyGroup(environment, ACCOUNTS, networkRule(value));
        const { name: _, ...expected } = refused('sa', 'ReferenceNotFound', message);
        expect(environment.ready(ACCOUNTS, 'sa')).toMatchObject(expected);
        expect(environment.azure.count('PUT', '/sa')).toBe(0);
      }),
    ] as const;
  const named = { group: IDENTITIES.group, kind: IDENTITIES.kind, name: 'other' };
  row(
    'reference missing',
    ...reference(
      'ReferenceNotFound',
      async () => undefined,
      named,
      'failed resolving ARM IDs for references: couldn\'t resolve reference default/other: default/other does not exist '
      + '(userassignedidentities.managedidentity.azure.com "other" not found)',
    ),
  );
  row(
    'reference not claimed',
    ...reference(
      'ReferenceNotFound',
      (environment) => environment.cluster.create(IDENTITIES, identity('other', { owner: { name: 'nobody' } })),
      named,
      "failed resolving ARM IDs for references: ref other, Group/Kind: managedidentity.azure.com/UserAssignedIdentity doesn't have an assigned ARM ID",
    ),
  );
  const withServer = (prepare: (environment: TestEnvironment) => Promise<unknown>, cause: string) =>
    inEnvironment(async (environment) => {
      environment.types.push(SERVERS);
      await prepare(environment);
      await inReadyGroup(environment, SERVERS, server());
      const message = `failed resolving secret references: couldn't resolve secret reference default/passwords.db: ${cause}`;
      expect(environment.ready(SERVERS, 'db')).toMatchObject({ severity: 'Warning', reason: 'SecretNotFound', message });
    });
  row(
    'Secret missing',
    'SecretNotFound',
    withServer(async () => undefined, 'default/passwords does not exist (secrets "passwords" not found)'),
  );
  row(
    'Secret key missing',
    'SecretNotFound',
    withServer(
      (environment) => environment.cluster.create(SECRETS, secret('passwords', { other: 'x' })),
      'Secret "default/passwords" does not contain key "db"',
    ),
  );
  const principal = () => role({ roleDefinitionReference: { wellKnownName: 'Reader' }, principalIdFromConfig: { name: 'ids', key: 'id' } });
  const withConfigMap = (prepare: (environment: TestEnvironment) => Promise<unknown>, cause: string) =>
    inEnvironment(async (environment) => {
      await prepare(environment);
      await inReadyGroup(environment, ROLES, principal());
      const message = `failed resolving config map references: couldn't resolve config map reference default/ids.id: ${cause}`;
      expect(environment.ready(ROLES, 'role')).toMatchObject({ severity: 'Warning', reason: 'ConfigMapNotFound', message });
    });
  row(
    'ConfigMap missing',
    'ConfigMapNotFound',
    withConfigMap(async () => undefined, 'default/ids does not exist (configmaps "ids" not found)'),
  );
  row(
    'ConfigMap missing',
    'or its key; binaryData is not read',
    withConfigMap(
      (environment) => environment.cluster.create(CONFIG_MAPS, { ...configMap('ids', {}), binaryData: { id: 'eA==' } } as never),
      'ConfigMap "default/ids" does not contain key "id"',
    ),
  );
  row(
    'owner in another subscription',
    'Error Failed',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
      await environment.cluster.create(IDENTITIES, identity());
      await settled();
      const message = `resource subscription "${OTHER_SUBSCRIPTION}" does not match parent subscription "${SUBSCRIPTION}"`;
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Error', reason: 'Failed', message });
    }),
  );
  row(
    'id in another subscription',
    'Error SubscriptionMismatch',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.credential = { subscriptionId: OTHER_SUBSCRIPTION };
      await edit(environment, { tags: { a: 'b' } });
      const message = `SubscriptionID "${SUBSCRIPTION}" for "${GROUP_ID}" resource does not match with Client Credential: "${OTHER_SUBSCRIPTION}"`;
      expect(ready(environment)).toMatchObject({ severity: 'Error', reason: 'SubscriptionMismatch', message });
    }),
  );
  row(
    'other resolver problem',
    'an owner that is gone after the claim is ReferenceNotFound',
    inEnvironment(async (environment) => {
      await inReadyGroup(environment, IDENTITIES, identity());
      await deleted(environment);
      await edit(environment, { tags: { a: 'b' } }, IDENTITIES, 'id');
      const message = 'couldn\'t resolve reference default/rg: default/rg does not exist (resourcegroups.resources.azure.com "rg" not found)';
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'ReferenceNotFound', message });
    }),
  );
  row(
    'credential',
    'a Warning, Slow (better: reasons of its own instead of Failed)',
    inEnvironment(async (environment) => {
      environment.credential = undefined;
      await createdGroup(environment);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'CredentialNotFound' });
      expect(failure(environment)).toMatchObject({ retry: 'slow' });
    }),
  );
  const administrator = () =>
    object(ADMINISTRATORS, 'admin', {
      azureNameFromConfig: { name: 'names', key: 'name' },
      principalName: 'p',
      principalType: 'Group',
      tenantId: SUBSCRIPTION,
      owner: { armId: `${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/db` },
    });
  const nameFrom = (data: Record<string, string> | undefined, message: string) =>
    inEnvironment(async (environment) => {
      environment.types.push(ADMINISTRATORS);
      if (data) await environment.cluster.create(CONFIG_MAPS, configMap('names', data));
      await environment.cluster.create(ADMINISTRATORS, administrator());
      await environment.start();
      expect(environment.ready(ADMINISTRATORS, 'admin')).toMatchObject({
        severity: 'Error',
        reason: 'Failed',
        message: expect.stringContaining(message),
      });
    });
  row('name from ConfigMap', 'Error Failed without the ConfigMap', nameFrom(undefined, 'default/names does not exist'));
  row('name from ConfigMap', 'Error Failed without the key', nameFrom({ other: 'x' }, 'does not contain key "name"'));
  row('name from ConfigMap', 'Error Failed for an empty value', nameFrom({ name: '' }, 'is empty'));
  row(
    'no Azure name',
    'Error Failed (better: only where no name can be worked out; no webhook is needed)',
    inEnvironment(async (environment) => {
      await inReadyGroup(
        environment,
        ROLES,
        object(ROLES, 'role', { principalId: SUBSCRIPTION, roleDefinitionReference: { wellKnownName: 'Reader' } }),
      );
      expect(environment.ready(ROLES, 'role')).toMatchObject({
        severity: 'Error',
        reason: 'Failed',
        message: expect.stringContaining('AzureName'),
      });
    }),
  );
  row(
    'Kubernetes NotFound or Conflict',
    'no condition; the queue tries again',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      const before = ready(environment);
      const exporting = identity('id', { operatorSpec: { configMaps: { clientId: { name: 'out', key: 'client' } } } });
      const systemData = { createdAt: new Date(environment.clock.now()).toISOString() };
      answering(environment, 'GET', { body: { properties: { clientId: 'c' }, systemData } }, '/id');
      let conflicts = 2;
      environment.cluster.before = (what) => {
        if (what === 'create ConfigMap' && conflicts-- > 0) throw new KubernetesError(409, 'Conflict', 'the object has been modified');
      };
      await environment.cluster.create(IDENTITIES, exporting);
      await settled();
      expect(environment.errors.splice(0)).toHaveLength(1);
      expect(environment.ready(IDENTITIES, 'id')).toBeUndefined();
      await environment.clock.advance(1_000);
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT', '/id')).toBe(1);
      expect(ready(environment)).toEqual(before);
    }),
  );
  row(
    'everything else',
    'Warning Failed with the text',
    inEnvironment(async (environment) => {
      await readyGroup(environment);
      environment.cluster.before = (what) => {
        if (what === 'create ConfigMap') throw new KubernetesError(500, 'InternalError', 'the disk is full');
      };
      answering(environment, 'GET', { body: { properties: { clientId: 'c' } } }, '/id');
      await environment.cluster.create(
        IDENTITIES,
        identity('id', { operatorSpec: { configMaps: { clientId: { name: 'out', key: 'client' } } } }),
      );
      await settled();
      expect(environment.ready(IDENTITIES, 'id')).toMatchObject({ severity: 'Warning', reason: 'Failed', message: 'the disk is full' });
    }),
  );
});

table('docs/spec/errors.md#arm-errors', (row) => {
  const reported = (
    status: number, body: unknown, reason: string, message: unknown, more: Partial<ArmResponse> = {},
  ) => inEnvironment(async (environment) => {
    answering(environment, 'PUT', { status, body, ...more });
    await createdGroup(environment);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason, message });
  });
  row('body', 'a member error', reported(409, { error: { code: 'A', message: 'm' } }, 'A', 'm'));
  row('body', 'else the members at the top', reported(409, { code: 'A', message: 'm' }, 'A', 'm'));
  row('code', 'missing is UnknownError', reported(409, { error: { message: 'm' } }, 'UnknownError', 'm'));
  row('code', 'empty is UnknownError', reported(409, { error: { code: '', message: 'm' } }, 'UnknownError', 'm'));
  row(
    'message',
    'missing or empty is told as unknown',
    reported(409, { error: { code: 'A', message: '' } }, 'A', 'There was an unknown deployment error'),
  );
  row(
    'inner details',
    'do not count and are not in the condition (better: the event has them)',
    inEnvironment(async (environment) => {
      await refusedGroup(
        environment,
        409,
        failing('Conflict', 'outer', { details: [{ code: 'BadRequest', message: 'the cause', target: 'sku' }] }),
      );
      expect(ready(environment)).toMatchObject({ reason: 'Conflict', message: 'outer' });
      const message = 'Reason: Conflict, Severity: Warning, RetryClassification: RetrySlow, Cause: outer [BadRequest: the cause (sku)]';
      expect(environment.events.at(-1)).toMatchObject({ reason: 'CreateOrUpdateActionError', message });
    }),
  );
  row(
    'full text',
    'the request id is in no message, and with the event for its annotations',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 409, failing('Conflict'), { 'x-ms-request-id': 'request-17' });
      const { answer, ...event } = environment.events.at(-1)!;
      expect(JSON.stringify([ready(environment), event])).not.toContain('request-17');
      expect(answer).toEqual({ code: 'Conflict', status: 409, requestId: 'request-17' });
    }),
  );
  row(
    'not JSON',
    'UnknownError, Slow, with the request and what was answered',
    inEnvironment(async (environment) => {
      environment.azure.send = async (request) => ({
        status: 400,
        headers: {},
        body: undefined,
        text: `<html>${request.method === 'PUT' ? 'no' : ''}</html>`,
      });
      await createdGroup(environment);
      expect(ready(environment)).toMatchObject({
        severity: 'Warning',
        reason: 'UnknownError',
        message: `PUT ${GROUP_ID}: HTTP 400: <html>no</html>`,
      });
      expect(failure(environment)).toMatchObject({ retry: 'slow' });
    }),
  );
  row(
    'not JSON',
    'a network failure neither',
    inEnvironment(async (environment) => {
      environment.azure.before = noAnswer;
      await createdGroup(environment);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'UnknownError', message: 'connection reset' });
      expect(failure(environment)).toMatchObject({ retry: 'slow' });
    }),
  );
  row(
    'operation failed',
    'the error object of the poll body',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      operation(environment, { body: { status: 'Failed', error: { code: 'AllocationFailed', message: 'full' } } });
      await environment.clock.advance(1_000);
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'AllocationFailed', message: 'full' });
    }),
  );
});

const CODES = {
  Slow: `AnotherOperationInProgress AuthorizationFailed AllocationFailed Conflict FailedIdentityOperation InvalidResourceReference
    InvalidSubscriptionRegistrationState LinkedAuthorizationFailed MissingRegistrationForLocation MissingSubscriptionRegistration
    NoRegisteredProviderFound NotFound ParentResourceNotFound PrincipalNotFound ResourceGroupNotFound ResourceNotFound ResourceQuotaExceeded
    RequestDisallowedByPolicy SubscriptionNotRegistered`,
  VerySlow: `BadRequestFormat BadRequest InvalidResourceGroupLocation InvalidParameter InvalidParameterValue MethodNotAllowed
    ReservedResourceName RegionIsOfferRestricted ScopeLocked SkuNotAvailable SubscriptionNotFound`,
  Fatal: `PublicIpForGatewayIsRequired InvalidResourceType InvalidRequestContent InvalidTemplate InvalidValuesForRequestParameters
    InvalidGatewaySkuProvidedForGatewayVpnType InvalidGatewaySize K8sVersionNotSupported LocationRequired MissingRequiredParameter
    PasswordTooLong PrivateIPAddressInReservedRange PrivateIPAddressNotInSubnet PropertyChangeNotAllowed`,
} as const;

table('docs/spec/errors.md#classification', (row) => {
  const classified = (status: number, body: unknown, severity: string, reason: string, wait: number) =>
    inEnvironment(async (environment) => {
      await refusedGroup(environment, status, body);
      expect(ready(environment)).toMatchObject({ severity, reason });
      expect(waits(environment)).toEqual([wait]);
    });
  const expected = { Slow: ['Warning', 1_000], VerySlow: ['Warning', HOUR], Fatal: ['Error', HOUR] } as const;
  for (const name of ['Slow', 'VerySlow', 'Fatal'] as const) {
    for (const code of CODES[name].split(/\s+/)) {
      // A status that alone would lead to another class.
      row(name, code, classified(name === 'Slow' ? 400 : 409, failing(code), expected[name][0], code, expected[name][1]));
    }
  }
  row('Fatal', 'codes are compared exactly', classified(409, failing('locationrequired'), 'Warning', 'locationrequired', 1_000));
  row('other code, 400', 'VerySlow', classified(400, failing('Whatever'), 'Warning', 'Whatever', HOUR));
  for (const status of [401, 403, 404, 409, 412, 422, 500, 503]) {
    row('other code, other status', `Slow: ${status}`, classified(status, failing('Whatever'), 'Warning', 'Whatever', 1_000));
  }
  row('no code', 'by the status: 400 is VerySlow', classified(400, { error: { message: 'm' } }, 'Warning', 'UnknownError', HOUR));
  row('no code', 'by the status: others are Slow', classified(409, { error: { message: 'm' } }, 'Warning', 'UnknownError', 1_000));
  row('no ARM error', 'Slow whatever the status', classified(400, undefined, 'Warning', 'UnknownError', 1_000));
});

table('docs/spec/errors.md#condition-of-a-class', (row) => {
  row('Retryable', 'Warning, reason and message of Azure', inEnvironment(async (environment) => {
    await refusedGroup(environment, 403, failing('AuthorizationFailed', 'you may not'));
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'AuthorizationFailed', message: 'you may not' });
  }));
  row('Fatal', 'Error, the same texts', inEnvironment(async (environment) => {
    await refusedGroup(environment, 400, failing('LocationRequired', 'where?'));
    expect(ready(environment)).toMatchObject({ severity: 'Error', reason: 'LocationRequired', message: 'where?' });
  }));
  row('DELETE', 'a fatal refusal is a Warning, Slow', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', { status: 400, body: failing('PropertyChangeNotAllowed') });
    await deleted(environment);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'PropertyChangeNotAllowed' });
    expect(failure(environment)).toMatchObject({ retry: 'slow' });
  }));
  row('DELETE', 'so is a fatal end of its operation', inEnvironment(async (environment) => {
    await readyGroup(environment);
    answering(environment, 'DELETE', { status: 202, headers: { 'azure-asyncoperation': 'https://arm.test/operations/x' } });
    await deleted(environment);
    operation(environment, { body: { status: 'Failed', error: { code: 'PropertyChangeNotAllowed', message: 'no' } } });
    await environment.clock.advance(1_000);
    expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'PropertyChangeNotAllowed' });
  }));
});

table('docs/spec/errors.md#throttling', (row) => {
  row(
    '429',
    'an ordinary Slow error by its code',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 429, failing('SubscriptionRequestsThrottled'));
      expect(ready(environment)).toMatchObject({ severity: 'Warning', reason: 'SubscriptionRequestsThrottled' });
      expect(waits(environment)).toEqual([1_000]);
    }),
  );
  row(
    'Retry-After',
    '(better: honoured on refusals too)',
    inEnvironment(async (environment) => {
      await refusedGroup(environment, 429, failing('TooManyRequests'), { 'retry-after': '42' });
      expect(waits(environment)).toEqual([42_000]);
    }),
  );
  row(
    '429 while polling',
    '(better: the operation is kept, and polled again when Azure says)',
    inEnvironment(async (environment) => {
      environment.azure.polls = 1;
      await createdGroup(environment);
      operation(
        environment,
        { status: 429, body: failing('TooManyRequests'), headers: { 'retry-after': '7' } },
        { body: { status: 'Succeeded' } },
      );
      await environment.clock.advance(1_000);
      expect(waits(environment)).toEqual([1_000, 7_000]);
      await environment.clock.advance(7_000);
      expect(ready(environment)).toMatchObject({ status: 'True' });
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
});

table('docs/spec/errors.md#provider-registration', (row) => {
  const details = [{ code: 'MissingSubscriptionRegistration', target: 'Microsoft.Batch', message: 'm' }];
  /** The condition of a group whose PUT is answered so, and the registrations that were sent. */
  const seen = async (
    environment: TestEnvironment, status: number, body: unknown, registration: Partial<ArmResponse> = { status: 200, body: {} },
  ) => {
    const registrations: ArmRequest[] = [];
    const send = environment.azure.send.bind(environment.azure);
    const client = withProviderRegistration({
      subscriptionId: SUBSCRIPTION,
      endpoint: environment.azure.endpoint,
      send: async (request) => {
        if (request.method === 'POST') registrations.push(request);
        return send(request);
      },
    });
    environment.azure.intercept = ({ method }) => (method === 'PUT' ? { status, body } : method === 'POST' ? registration : undefined);
    environment.azure.send = async (request) => (request.method === 'PUT' ? await client.send(request) as ArmResponse : send(request));
    await createdGroup(environment);
    return { condition: ready(environment), registrations };
  };
  const missing = (more: Record<string, unknown> = { details }) => failing('missingsubscriptionregistration', 'm', more);
  row(
    'trigger',
    '409 and the code, whatever its case',
    inEnvironment(async (environment) => expect((await seen(environment, 409, missing())).registrations).toHaveLength(1)),
  );
  row(
    'trigger',
    'no other status',
    inEnvironment(async (environment) => expect((await seen(environment, 403, missing())).registrations).toEqual([])),
  );
  row(
    'provider',
    'another code passes through',
    inEnvironment(async (environment) => {
      const { condition, registrations } = await seen(environment, 409, failing('Conflict', 'as it was'));
      expect(registrations).toEqual([]);
      expect(condition).toMatchObject({ reason: 'Conflict', message: 'as it was' });
    }),
  );
  row(
    'provider',
    'empty details',
    inEnvironment(async (environment) => {
      expect((await seen(environment, 409, missing({ details: [] }))).condition).toMatchObject({
        reason: 'UnknownError',
        message: 'unexpected empty Details',
      });
    }),
  );
  row(
    'request',
    'registers with the subscription of the URL',
    inEnvironment(async (environment) => {
      const { registrations } = await seen(environment, 409, missing());
      expect(registrations).toEqual([
        { method: 'POST', url: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Batch/register`, apiVersion: '2019-05-01' },
      ]);
    }),
  );
  row(
    'no waiting',
    'Warning UnknownError Slow; the object is tried again',
    inEnvironment(async (environment) => {
      const { condition } = await seen(environment, 409, missing());
      const message = 'registering Resource Provider Microsoft.Batch with subscription. Try again later';
      expect(condition).toMatchObject({ severity: 'Warning', reason: 'UnknownError', message });
      expect(waits(environment)).toEqual([1_000]);
      expect(environment.azure.count('PUT')).toBe(1);
    }),
  );
  row(
    'registration failed',
    'its own error',
    inEnvironment(async (environment) => {
      const { condition } = await seen(environment, 409, missing(), {
        status: 403,
        body: failing('AuthorizationFailed', 'may not register'),
      });
      expect(condition).toMatchObject({ reason: 'AuthorizationFailed', message: 'may not register' });
    }),
  );
});
