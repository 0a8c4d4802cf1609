import { keyOf, SUBSCRIPTION, targetOf, type ArmNode, type NodePath } from './arm-path';
import { AzureError } from './errors';
import { checkPools, completeCluster, completePool } from './managed-clusters';
import { isRecord } from '../../../src/util/records';
import { scaled, type Simulation } from '../model/simulation';
import { provisioningStateOf, type Json, type Resource } from '../model/store';

/** The behaviour of one ARM type beyond the rules for all. */
export interface KindRules {
  /** Throws an AzureError for what the service refuses. */
  check?(simulation: Simulation, nodes: NodePath, body: Json, existing: Resource | undefined): void;
  /** Members that the service adds to the body. */
  complete?(simulation: Simulation, nodes: NodePath, resource: Resource): Json;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Until the directory knows a new principal everywhere, in Azure's seconds. */
const REPLICATION_SECONDS = 20;

const propertiesOf = (body: Json): Json => (isRecord(body.properties) ? body.properties : {});
const sameText = (a: unknown, b: unknown): boolean => typeof a === 'string' && typeof b === 'string' && keyOf(a) === keyOf(b);

/** The scope of an extension resource: everything before its own `providers`. */
const scopeOf = (node: ArmNode): string => node.id.slice(0, node.id.toLowerCase().lastIndexOf('/providers/')) || '/';

const roleAssignment: KindRules = {
  check(simulation, nodes, body, existing) {
    const node = targetOf(nodes);
    const { roleDefinitionId, principalId, principalType } = propertiesOf(body);
    if (!GUID.test(node.name)) {
      throw new AzureError(
        400,
        'InvalidRoleAssignmentId',
        `The role assignment ID '${node.name}' is not valid. The role assignment ID must be a GUID.`,
      );
    }
    if (typeof roleDefinitionId !== 'string' || typeof principalId !== 'string') {
      throw new AzureError(
        400,
        'BadRequestFormat',
        'The request was incorrectly formatted: properties.roleDefinitionId and properties.principalId are required.',
      );
    }
    if (existing) return refuseOtherAssignment(propertiesOf(existing.body), { roleDefinitionId, principalId });
    refuseTwin(simulation, node, { roleDefinitionId, principalId });
    // With a principalType Azure does not ask the directory: that is what the property is for.
    if (principalType === undefined) refuseNewPrincipal(simulation, principalId);
  },
  complete(simulation, nodes, resource) {
    const node = targetOf(nodes);
    const properties = propertiesOf(resource.body);
    const createdOn = new Date(resource.createdAt).toISOString();
    const updatedOn = new Date(simulation.clock.now()).toISOString();
    return {
      ...resource.body,
      properties: { principalType: 'ServicePrincipal', ...properties, scope: scopeOf(node), createdOn, updatedOn },
    };
  },
};

interface Assignment {
  readonly roleDefinitionId: string;
  readonly principalId: string;
}

const isSameAssignment = (a: Json, b: Assignment): boolean =>
  sameText(a.principalId, b.principalId) && sameText(a.roleDefinitionId, b.roleDefinitionId);

function refuseOtherAssignment(before: Json, assignment: Assignment): void {
  if (isSameAssignment(before, assignment)) return;
  throw new AzureError(
    400,
    'RoleAssignmentUpdateNotPermitted',
    'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
  );
}

/** A principal has a role at a scope once, whatever the names of the assignments. */
function refuseTwin(simulation: Simulation, node: ArmNode, assignment: Assignment): void {
  const twin = simulation.store.ofType(node.type).find((other) =>
    sameText(scopeOf(other), scopeOf(node)) && isSameAssignment(propertiesOf(other.body), assignment));
  if (!twin) return;
  const id = twin.name.replace(/-/g, '');
  throw new AzureError(409, 'RoleAssignmentExists', `The role assignment already exists. The ID of the existing role assignment is ${id}.`);
}

/** A principal that was made a moment ago is not known everywhere yet. */
function refuseNewPrincipal(simulation: Simulation, principalId: string): void {
  const madeAt = simulation.principals.get(principalId.toLowerCase());
  const delay = scaled(simulation, simulation.principalDelaySeconds ?? REPLICATION_SECONDS);
  if (madeAt === undefined || simulation.clock.now() >= madeAt + delay) return;
  throw new AzureError(400, 'PrincipalNotFound',
    `Principal ${principalId.replace(/-/g, '')} does not exist in the directory ${simulation.tenantId}. Check that you have the correct principal ID. `
    + 'If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. '
    + 'In this case, set the role assignment principalType property to a value, such as User, Group, or ServicePrincipal. See https://aka.ms/docs-principaltype');
}

const userAssignedIdentity: KindRules = {
  complete(simulation, _nodes, resource) {
    const words = [keyOf(resource.id), resource.incarnation] as const;
    const principalId = simulation.values.uuid(...words, 'principal');
    const clientId = simulation.values.uuid(...words, 'client');
    if (!simulation.principals.has(principalId)) simulation.principals.set(principalId, simulation.clock.now());
    simulation.clients.set(clientId.toLowerCase(), principalId.toLowerCase());
    return { ...resource.body, properties: { ...propertiesOf(resource.body), tenantId: simulation.tenantId, principalId, clientId } };
  },
};

/** Azure spells the id of a role with the subscription alone, whatever scope it was made in. */
const roleDefinition: KindRules = {
  complete(_simulation, nodes, resource) {
    const [subscription] = nodes;
    const properties = { ...propertiesOf(resource.body), type: 'CustomRole' };
    if (subscription?.type !== SUBSCRIPTION) return { ...resource.body, properties };
    return { ...resource.body, id: `${subscription.id}/providers/Microsoft.Authorization/roleDefinitions/${targetOf(nodes).name}`, properties };
  },
};

const storageAccount: KindRules = {
  check(simulation, nodes, _body, existing) {
    const { name, type, id } = targetOf(nodes);
    if (!/^[a-z0-9]{3,24}$/.test(name)) {
      throw new AzureError(400, 'AccountNameInvalid',
        `${name} is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.`);
    }
    const taken = !existing && simulation.store.ofType(type).some((other) => other.name === name && keyOf(other.id) !== keyOf(id));
    if (taken) throw new AzureError(409, 'StorageAccountAlreadyTaken', `The storage account named ${name} is already taken.`);
  },
};

/** Apps and jobs need an environment that is provisioned, as recorded; https://github.com/microsoft/azure-container-apps/issues/868 */
const inEnvironment: KindRules = {
  check(simulation, _nodes, body) {
    const { environmentId, managedEnvironmentId } = propertiesOf(body);
    const id = environmentId ?? managedEnvironmentId;
    const environment = typeof id === 'string' ? simulation.store.get(id) : undefined;
    if (!environment || (provisioningStateOf(environment) ?? 'Succeeded') === 'Succeeded') return;
    throw new AzureError(400, 'ManagedEnvironmentNotProvisioned', `The environment '${String(id)}' has not been provisioned successfully.`);
  },
};

const managedCluster: KindRules = {
  check: checkPools,
  complete: (simulation, _nodes, resource) => completeCluster(simulation, resource),
};

const RULES: Record<string, KindRules> = {
  'microsoft.app/containerapps': inEnvironment,
  'microsoft.app/jobs': inEnvironment,
  'microsoft.authorization/roleassignments': roleAssignment,
  'microsoft.authorization/roledefinitions': roleDefinition,
  'microsoft.containerservice/managedclusters': managedCluster,
  'microsoft.containerservice/managedclusters/agentpools': { complete: completePool },
  'microsoft.managedidentity/userassignedidentities': userAssignedIdentity,
  'microsoft.storage/storageaccounts': storageAccount,
};

export function rulesOf(type: string): KindRules {
  return RULES[type.toLowerCase()] ?? {};
}
