import type { Kind, KindVersion } from '../../../src/catalog';
import { webhookPath } from '../../../src/catalog/webhook-configurations';

/** The answer of a webhook, without its uid. */
export interface AdmissionAnswer {
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
  readonly patchType?: 'JSONPatch';
  readonly patch?: string;
}

interface AdmissionRequest {
  readonly object: any;
  readonly oldObject?: any;
}

/**
 * ASO's admission, by path: it exists for versions that are no storage versions. The name in Azure has a default, and neither it nor the
 * owner changes once the resource was sent to Azure (https://azure.github.io/azure-service-operator/guide/resource-states/). Undefined:
 * there is no such webhook, which the API server takes for a failed call.
 */
export function asoAdmission(kinds: readonly Kind[]): (path: string, request: AdmissionRequest) => AdmissionAnswer | undefined {
  const versions = kinds.flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!));
  const mutate = new Map(versions.map((version) => [webhookPath('mutate', version), version]));
  const validate = new Set(versions.map((version) => webhookPath('validate', version)));
  return (path, request) => {
    const version = mutate.get(path);
    if (version) return defaulted(version, request);
    return validate.has(path) ? validated(request) : undefined;
  };
}

function defaulted(version: KindVersion, { object }: AdmissionRequest): AdmissionAnswer {
  if (version.facts.name !== 'azureName' || object.spec?.azureName) return { allowed: true };
  const patch = [{ op: 'add', path: '/spec/azureName', value: object.metadata.name }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

function validated({ object, oldObject }: AdmissionRequest): AdmissionAnswer {
  const refuse = (message: string): AdmissionAnswer => ({ allowed: false, status: { message: `${message} is not allowed for '${object.kind} : ${object.metadata.name}` } });
  if (!oldObject || !object.metadata.annotations?.['serviceoperator.azure.com/resource-id']) return { allowed: true };
  const [before, after] = [oldObject.spec ?? {}, object.spec ?? {}];
  if (before.azureName && before.azureName !== after.azureName) return refuse("updating 'spec.azureName'");
  if (before.owner && !after.owner) return refuse("removing 'spec.owner'");
  if (before.owner?.name !== after.owner?.name) return refuse("updating 'spec.owner.name'");
  return { allowed: true };
}
