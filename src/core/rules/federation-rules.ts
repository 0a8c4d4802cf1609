import { ObjectSet } from './object-set';
import { FoundAt, ofSet } from './rule';
import { AzureObject, isNamesake, titleOf } from './set-object';
import { MOST_FEDERATED_CREDENTIALS } from '../../azure/limits';
import { member, text } from '../../util/records';

/** More than 20 federated credentials on one identity. */
export const federatedCredentialLimit = ofSet((set) =>
  [...byIdentity(set).values()].flatMap((credentials) =>
    credentials.slice(MOST_FEDERATED_CREDENTIALS).map((object) => ({
      object,
      field: 'spec.owner',
      message: `is one of ${credentials.length} federated credentials of one identity`,
      fix: 'use another identity, or one flexible credential for many subjects',
    })),
  ),
);

/** Two federated credentials of one identity have the same issuer and subject. */
export const federatedCredentialTwice = ofSet((set) =>
  [...byIdentity(set).values()].flatMap((credentials) => {
    const first = new Map<string, AzureObject>();
    return credentials.flatMap((object): FoundAt[] => {
      const [issuer, subject] = [sourceOf(object, 'issuer'), sourceOf(object, 'subject')];
      if (issuer === undefined || subject === undefined) return [];
      const key = `${issuer}\n${subject}`;
      const other = first.get(key);
      if (!other) first.set(key, object);
      return other
        ? [{ object, field: 'spec.subject', message: `has the issuer and the subject of ${titleOf(other)}`, fix: 'remove one of the two' }]
        : [];
    });
  }));

/** Credentials by their identity; duplicates of an object count once. */
function byIdentity(set: ObjectSet): Map<string, AzureObject[]> {
  const found = new Map<string, AzureObject[]>();
  for (const object of set.kinds.get('managedidentity.azure.com/FederatedIdentityCredential') ?? []) {
    const identity = set.scopeKey(object);
    if (identity === undefined || found.get(identity)?.some((other) => isNamesake(other, object))) continue;
    found.set(identity, [...(found.get(identity) ?? []), object]);
  }
  return found;
}

/** The value of a property, or the ConfigMap and key of the value. */
function sourceOf({ spec, namespace }: AzureObject, name: string): string | undefined {
  const source = member(spec, `${name}FromConfig`);
  return (
    text(spec, name) ?? (source === undefined ? undefined : `${namespace ?? ''}/${text(source, 'name') ?? ''}/${text(source, 'key') ?? ''}`)
  );
}
