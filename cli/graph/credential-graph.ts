import type { DeclaredRole } from '../../src/core/credentials/scopes/declared-role';
import { evaluate, type Evaluation } from '../../src/core/credentials/scopes/evaluate';
import { declaredRolesIn } from '../../src/core/credentials/scopes/role-definitions';
import { ObjectSet } from '../../src/core/rules/object-set';
import type { Manifest } from '../manifests/manifests';
import { readLimited } from '../manifests/read-limited';
import { oneLine } from '../output/problem';
import { UsageError } from '../output/usage-error';

export interface CredentialGraphOptions {
  readonly subscriptionId?: string | undefined;
  /** File with role definitions. */
  readonly roles?: string | undefined;
  readonly strict?: boolean | undefined;
}

const DEFAULT_NAMESPACE = 'default';

/** The rights of principals, from the objects of files. */
export function credentialsOf(manifests: readonly Manifest[], { subscriptionId, roles, strict }: CredentialGraphOptions): Evaluation {
  const set = ObjectSet.ofManifests(manifests.map(({ object }) => object), { defaultNamespace: DEFAULT_NAMESPACE });
  return evaluate(set, {
    roles: roles === undefined ? [] : rolesOf(roles),
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    ...(strict ? { workloadMode: 'strict' } : {}),
  });
}

/** @throws UsageError when the file is none of role definitions */
function rolesOf(file: string): DeclaredRole[] {
  let text: string;
  try {
    text = readLimited(file);
  } catch (error) {
    throw new UsageError(
      `--roles ${file}: cannot be read: ${oneLine((error as Error).message)}; give the output of az role definition list`,
    );
  }
  const found = parsed(text, file);
  if (found.length === 0) throw new UsageError(`--roles ${file}: has no role definitions; give the output of az role definition list`);
  return found;
}

function parsed(text: string, file: string): DeclaredRole[] {
  try {
    return declaredRolesIn(JSON.parse(text));
  } catch {
    throw new UsageError(`--roles ${file}: is no JSON; give the output of az role definition list`);
  }
}
