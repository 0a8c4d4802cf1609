/** A property that Azure shows otherwise than it was sent, and that the comparer does not know by a rule. */
export interface Exception {
  readonly kind: string;
  /** JSON pointer; `*` stands for any place in a list. */
  readonly path: string;
  readonly cause: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  { kind: 'Vault', path: '/properties/createMode', cause: 'an instruction for the PUT, which is not kept' },
  { kind: 'Workspace', path: '/properties/allowPublicAccessWhenBehindVnet', cause: 'Azure Machine Learning sets it to true' },
  { kind: 'Workspace', path: '/sku/name', cause: 'Azure Machine Learning has no tier Standard_S1 and takes Basic' },
  { kind: 'Workspace', path: '/properties/sku/name', cause: 'Log Analytics replaces the old tier Standalone by PerGB2018' },
  { kind: 'Workbook', path: '/properties/serializedData', cause: 'given back only where the request asks for it (canFetchContent=true)' },
  {
    kind: 'NamespacesTopicsSubscriptionsRule',
    path: '/properties/correlationFilter',
    cause: 'Service Bus drops the correlation filter of a rule whose filterType is SqlFilter',
  },
  {
    kind: 'SignalR',
    path: '/properties/networkACLs/privateEndpoints/*',
    cause: 'SignalR drops rules for private endpoints that it does not have',
  },
];

export function exceptionFor(kind: string, path: string): Exception | undefined {
  const general = path.replace(/\/\d+(?=\/|$)/g, '/*');
  return EXCEPTIONS.find((exception) => exception.kind === kind && exception.path === general);
}
