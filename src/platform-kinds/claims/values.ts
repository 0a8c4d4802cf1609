import { UUID } from '../../azure/uuid';
import { AzureReference, BuiltInRole, type IAzureResourceRef } from '../../core';
import { PlatformError } from '../../platform/model/problems';
import { ClaimError, type ClaimIssue } from '../../platform-api';
import { UserAssignedIdentity } from '../../services/managedidentity/user-assigned-identity';
import { isRecord } from '../../util/records';

/** Values of a claim's texts. Collects what is wrong with them. */
export class Values {
  private readonly issues: ClaimIssue[] = [];

  /** The resource of an ARM id. */
  public resource(armId: string, path: string): IAzureResourceRef {
    return this.valueOf(path, () => AzureReference.fromArmId(armId));
  }

  /** Properties of a kind, in which an object with the one member `armId` is the resource of that id. */
  public properties(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((each, index) => this.properties(each, `${path}[${index}]`));
    if (!isRecord(value)) return value;
    const { armId } = value;
    if (typeof armId === 'string' && Object.keys(value).length === 1) return this.resource(armId, `${path}.armId`);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.properties(each, `${path}.${name}`)]));
  }

  /** The identity of an ARM id. */
  public identity(armId: string, path: string): ReturnType<typeof UserAssignedIdentity.fromArmId> {
    return this.valueOf(path, () => UserAssignedIdentity.fromArmId(armId));
  }

  /** The role of a name, a UUID or an ARM id. */
  public role(name: string, path: string): IAzureResourceRef {
    return this.valueOf(path, () => (UUID.test(name) || name.startsWith('/') ? BuiltInRole.custom(name) : BuiltInRole.fromName(name)));
  }

  /** @throws ClaimError when there is a problem */
  public throwIfAny(): void {
    if (this.issues.length > 0) throw new ClaimError(this.issues);
  }

  private valueOf<T>(path: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      this.issues.push({ path, message: (error as Error).message });
      // Nothing uses it: `throwIfAny` comes first.
      return undefined as T;
    }
  }
}

/**
 * Runs constructors, whose problems become the claim's.
 * @param pathOf the path in the object of a field of the constructors' props
 */
export function withPaths<T>(pathOf: (field: string) => string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    throw new ClaimError(error.problems.map(({ field, text }) => ({ path: pathOf(field), message: text })));
  }
}
