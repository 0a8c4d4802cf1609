import { advice } from './advice';
import type { Advice, CredentialChange, PropertyChange } from './changes';
import { describe, meaningsOf, ownerIdentity } from './meanings';
import { specChanges } from './property-changes';
import { policyAtRemoval, stays, type Comparison } from './resource-changes';
import { foldedId, type AzureItem, type Synth } from './synth';
import type { WrittenObjectId } from '../../src/object-id';
import { member, text } from '../../src/util/records';

/** The issuer and subject of tokens that an identity accepts. */
interface Federation {
  readonly item: AzureItem;
  readonly key: string;
  readonly identity: string;
  readonly issuer: string;
  readonly subject: string;
}

export function isFederation({ group, kind }: WrittenObjectId): boolean {
  return group === 'managedidentity.azure.com' && kind === 'FederatedIdentityCredential';
}

/**
 * Issuers and subjects whose tokens an identity starts or stops accepting.
 * @param deleted resources that the operator deletes, by key and by ARM id
 */
export function federationChanges(comparison: Comparison, deleted: ReadonlyMap<string, AzureItem>): CredentialChange[] {
  const before = federationsOf(comparison.old, comparison);
  const after = federationsOf(comparison.next, comparison);
  const oldByObject = new Map(before.map((federation) => [federation.item.key, federation]));
  const newByObject = new Map(after.map((federation) => [federation.item.key, federation]));
  const oldByKey = new Map([...before].reverse().map((federation) => [federation.key, federation]));
  const newByKey = new Map([...after].reverse().map((federation) => [federation.key, federation]));
  const come = after.flatMap((federation): CredentialChange[] => {
    const same = oldByObject.get(federation.item.key);
    if (same) {
      const properties = changedProperties(same, federation, comparison);
      return properties.length === 0 ? [] : [changeOf('changed', federation, properties)];
    }
    const twin = oldByKey.get(federation.key);
    if (!twin) return [changeOf('added', federation, tokens(federation, 'new'))];
    const sameName = foldedId(twin.item.armId) !== undefined && foldedId(twin.item.armId) === foldedId(federation.item.armId);
    return [
      {
        ...changeOf('renamed', federation, tokens(federation, 'new')),
        advice: sameName ? [moveAdvice(twin.item, federation.item, comparison)] : [advice.federationRenamed()],
      },
    ];
  });
  const gone = before
    .filter(({ item }) => !newByObject.has(item.key))
    .flatMap((federation): CredentialChange | [] => {
      const twin = newByKey.get(federation.key);
      // A new twin is already reported; a twin that existed before now provides the credential alone.
      if (twin) {
        return oldByObject.has(twin.item.key)
          ? { ...changeOf('renamed', twin, tokens(twin, 'new')), advice: [advice.duplicateGoes(federation.item, twin.item)] }
          : [];
      }
      const policy = policyAtRemoval(federation.item, comparison);
      if (!stays(federation.item, comparison, deleted)) return changeOf('removed', federation, tokens(federation, 'old'));
      const note = policy === 'manage' ? advice.protectedObject() : advice.left(policy);
      return { ...changeOf('kept', federation, tokens(federation, 'old')), advice: [note] };
    });
  return [...come, ...gone];
}

function moveAdvice(from: AzureItem, to: AzureItem, comparison: Comparison): Advice {
  const policy = policyAtRemoval(from, comparison);
  return policy === 'manage' ? advice.moveDeletes(from, to) : advice.moveIsSafe(from, policy);
}

function changedProperties(before: Federation, after: Federation, { old, next, pairing }: Comparison): PropertyChange[] {
  return specChanges(
    { ...before.item, meanings: meaningsOf(before.item, old, pairing) },
    { ...after.item, meanings: meaningsOf(after.item, next, pairing) },
  );
}

function changeOf(
  change: CredentialChange['change'],
  { identity, item }: Federation,
  properties: readonly PropertyChange[],
): CredentialChange {
  return { of: 'federation', change, subject: `${identity} (${item.kind} ${item.inNamespace}/${item.name})`, properties, advice: [] };
}

function tokens({ issuer, subject }: Federation, side: 'old' | 'new'): PropertyChange[] {
  return [{ path: 'issuer', [side]: issuer }, { path: 'subject', [side]: subject }];
}

function federationsOf(side: Synth, { pairing }: Comparison): Federation[] {
  return side.azure.filter(isFederation).map((item) => {
    const [issuer, subject] = [textOrSource(item, 'issuer'), textOrSource(item, 'subject')];
    const identity = ownerIdentity(item, side, pairing) ?? 'none';
    return {
      item,
      key: [identity, issuer.toLowerCase(), subject].join('\n'),
      identity: describe(item.facts.owner, item, side),
      issuer,
      subject,
    };
  });
}

function textOrSource({ spec, inNamespace }: AzureItem, property: string): string {
  const source = member(spec, `${property}FromConfig`);
  return (
    text(spec, property)
    ?? (source === undefined ? '(none)' : `ConfigMap ${inNamespace}/${text(source, 'name') ?? '?'}, key ${text(source, 'key') ?? '?'}`)
  );
}
