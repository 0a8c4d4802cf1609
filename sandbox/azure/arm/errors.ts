/** A refusal as Azure Resource Manager words it. */
export class AzureError extends Error {
  public constructor(
    public readonly status: number,
    public readonly code: string,
    message: string,
    public readonly details: { readonly code: string; readonly target?: string | undefined; readonly message: string }[] = [],
    public readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'AzureError';
  }

  public get body(): unknown {
    return { error: { code: this.code, message: this.message, ...(this.details.length > 0 && { details: this.details }) } };
  }
}

const NOT_FOUND_HELP = 'For more details please go to https://aka.ms/ARMResourceNotFoundFix';

export const resourceGroupNotFound = (name: string) =>
  new AzureError(404, 'ResourceGroupNotFound', `Resource group '${name}' could not be found.`);

export const resourceNotFound = (type: string, names: string, resourceGroup: string | undefined) =>
  new AzureError(404, 'ResourceNotFound', resourceGroup === undefined
    ? `The Resource '${type}/${names}' was not found. ${NOT_FOUND_HELP}`
    : `The Resource '${type}/${names}' under resource group '${resourceGroup}' was not found. ${NOT_FOUND_HELP}`);

export const parentResourceNotFound = (operation: 'read' | 'write' | 'delete', type: string, parentId: string) =>
  new AzureError(404, 'ParentResourceNotFound',
    `Failed to perform '${operation}' on resource(s) of type '${type.slice(type.indexOf('/') + 1)}', because the parent resource '${parentId}' could not be found.`);

export const anotherOperationInProgress = (id: string, operationUrl: string) =>
  new AzureError(409, 'AnotherOperationInProgress',
    `Another operation on this or dependent resource is in progress. Resource: ${id}. To retrieve status of the operation use uri: ${operationUrl}.`);

export const resourceGroupBeingDeleted = (name: string) =>
  new AzureError(
    409,
    'ResourceGroupBeingDeleted',
    `The resource group '${name}' is in deprovisioning state and cannot perform this operation.`,
  );

export const parentNotProvisioned = (parentId: string, state: string) =>
  new AzureError(409, 'Conflict', `The parent resource '${parentId}' is in provisioning state '${state}'. Retry when it has succeeded.`);

export const invalidRequestContent = (why: string) =>
  new AzureError(400, 'InvalidRequestContent', `The request content was invalid and could not be deserialized: '${why}'.`);

export const methodNotAllowed = (method: string, target: string) =>
  new AzureError(405, 'MethodNotAllowed', `The requested operation ${method} is not allowed on '${target}'.`);
