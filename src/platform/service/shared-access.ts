import { createHash } from 'node:crypto';
import type { Construct } from 'constructs';
import { databaseLoginOf } from './database-login';
import type { GrantTarget } from './grant-target';
import type { ServiceIdentity } from './service-identity';
import type { ServiceObjects } from './service-objects';
import { SharedObject } from './shared-object';
import { filled } from './shared-place';
import { shortHash } from '../../azure/names/fit-name';
import { withoutTrailing } from '../../azure/trailing-slashes';
import { AzureReference } from '../../core';
import type { AzureResource } from '../../core';
import { mergedDeep } from '../../util/merged-deep';
import { armTypeOfService } from '../model/shared-kind-facts';
import type { SharedRole, AccessObject } from '../model/shared-role';
import type { SharedService } from '../model/shared-service';
import { ownerTypeOf } from '../model/shared-service-checks';

/** Azure's shortest limit for names of access policies is 63. */
const MAX_ACCESS = 60;

/** The shared service and the resource to which the objects of a role refer. */
export interface AccessFacts {
  readonly service: SharedService;
  readonly serviceId: string;
  readonly target: GrantTarget;
}

/** Creates the objects that grant a role for which Azure has no role assignments. */
export function makeAccess(
  scope: Construct, id: string, objects: ServiceObjects, role: SharedRole, facts: AccessFacts, name: string, identity: ServiceIdentity,
): AzureResource[] {
  const { serviceId, target: { armId, azureName } } = facts;
  const values = {
    '{service}': serviceId,
    '{resource}': armId,
    '{name}': azureName,
    '{namespace}': objects.id.team.namespace,
    '{login}': databaseLoginOf(objects.id),
    '{access}': accessName(name),
    '{accessId}': createHash('sha256').update(name).digest('hex').slice(0, 32),
  };
  let last: AzureResource | undefined;
  return role.objects.map((object, index) => {
    const { group, kind, principal, client, credential, properties } = object;
    const ids = [[principal, identity.principalId], [client, identity.clientId]] as const;
    const spec = ids.reduce(
      (merged, [path, value]) => (path === undefined ? merged : mergedDeep(merged, nested(path, value))),
      filled(properties, values) as Record<string, unknown>,
    );
    const made = new SharedObject(scope, index === 0 ? id : `${id}-${index}`, group, kind, {
      ...objects.inPlatform([group, kind], name, serviceId),
      owner: AzureReference.fromArmId(ownerIdOf(object, facts)),
      ...(credential && { credential }),
      ...spec,
    } as object);
    objects.endsWithService(made);
    if (last) made.node.addDependency(last);
    last = made;
    return made;
  });
}

/** With a hash of all characters: different names may have the same letters and digits. */
function accessName(name: string): string {
  const readable = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, MAX_ACCESS - 7);
  return `${withoutTrailing(readable, '-')}-${shortHash(name)}`;
}

function ownerIdOf({ group, kind }: AccessObject, { service, serviceId, target }: AccessFacts): string {
  const isService = ownerTypeOf(group, kind)?.toLowerCase() === armTypeOfService(service)?.toLowerCase();
  return isService ? serviceId : target.armId;
}

function nested(path: string, value: unknown): Record<string, unknown> {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}
