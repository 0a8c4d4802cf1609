import { RESOURCE_ID } from '../../../../src/azure/annotations';
import { parseArmId } from '../../../../src/azure/arm-id';
import { quotedText, segmentProblem } from '../../../../src/azure/arm-segment';
import type { BodyChange } from '../../../../src/catalog';
import { asText } from '../../../../src/util/words';
import { armErrorFrom } from '../../../arm/arm-error';
import { ownerOf } from '../../../resolve/owner';
import { getResource, valueAt, withoutValueAt, withValueAt } from '../../arm-json';
import type { KindBehaviour } from '../../kind-behaviour';
import { KindError, type Body, type KindContext } from '../../types';

const API_VERSION = '2024-11-01';

/** `createOrRecover` and `purgeThenCreate` are ASO's names; Azure knows `recover` and `default` (docs/spec/extensions.md#key-vaults). */
export const vault: KindBehaviour = {
  evidence: ['v2/api/keyvault/customizations/vault_extensions.go'],
  bodyChange: {
    how: 'recoverOrCreate',
    change: withCreateMode,
    // Azure does not store the mode.
    expected: (body, { arm }) => withoutValueAt(body, arm),
  },
};

async function withCreateMode(body: Body, { arm }: BodyChange, context: KindContext): Promise<Body> {
  const mode = valueAt(body, arm);
  return typeof mode === 'string' ? withValueAt(body, arm, await createModeOf(mode, body, context)) : body;
}

async function createModeOf(mode: string, body: Body, context: KindContext): Promise<string> {
  if (mode !== 'createOrRecover' && mode !== 'purgeThenCreate') return mode;
  const url = deletedVaultUrl(body, context);
  if (url === undefined) {
    // Azure rejects a vault without location with a better message.
    if (mode === 'purgeThenCreate') return 'default';
    throw new KindError('spec.location is empty, so soft-deleted vaults cannot be looked for; set it to the vault\'s region');
  }
  // The id of the answer spells the location differently; `vaultId` identifies the vault.
  const question = { checksId: false, needs: [{ path: 'properties/vaultId', is: 'text' }] } as const;
  const deleted = await getResource(context.client, url, API_VERSION, question, context.signal);
  if (deleted === undefined) return 'default';
  checkSameVault(deleted, context);
  if (mode === 'purgeThenCreate') return purge(url, context);
  checkSameGroup(deleted, context);
  return 'recover';
}

function deletedVaultUrl(body: Body, { armId, client }: KindContext): string | undefined {
  const { subscriptionId = client.subscriptionId, names } = parseArmId(armId)!;
  const location = body.location;
  if (typeof location !== 'string' || location === '') return undefined;
  const problem = segmentProblem(location);
  if (problem !== undefined) {
    throw new KindError(`spec.location ${quotedText(location)} ${problem}, so no request is sent: set it to the vault's region`, 'Error');
  }
  return `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/locations/${location}/deletedVaults/${names.at(-1)}`;
}

/** Throws unless the deleted vault is this one: no other vault may be recovered or purged. */
function checkSameVault(deleted: unknown, { armId }: KindContext): void {
  const found = parseArmId(asText(valueAt(deleted, 'properties/vaultId')))?.names.at(-1);
  if (found?.toLowerCase() === parseArmId(armId)?.names.at(-1)?.toLowerCase()) return;
  throw new KindError('the answer is about another soft-deleted vault than the one that was asked for; nothing is recovered or purged, and Azure is asked again later');
}

function checkSameGroup(deleted: unknown, context: KindContext): void {
  const before = parseArmId(asText(valueAt(deleted, 'properties/vaultId')))?.resourceGroup ?? '';
  const now = parseArmId(ownerIdOf(context))?.resourceGroup ?? '';
  if (before.toLowerCase() === now.toLowerCase()) return;
  throw new KindError(
    `the soft-deleted vault of this name belongs to resource group "${before}", but the owner is resource group "${now}": ` +
    'recover it there, purge it, or choose another azureName', 'Error',
  );
}

function ownerIdOf({ object, version, lookup, armId }: KindContext): string {
  const owner = ownerOf(object, version);
  if (owner?.by === 'armId') return owner.armId;
  const found = owner && lookup.find(owner.group, owner.kind, object.metadata.namespace ?? 'default', owner.name);
  return found?.metadata.annotations?.[RESOURCE_ID] ?? armId;
}

/** Starts a purge. It takes minutes: the next reconciles check whether it is finished, so that no worker waits. */
async function purge(url: string, { client, signal }: KindContext): Promise<never> {
  const request = { method: 'POST', url: `${url}/purge`, apiVersion: API_VERSION } as const;
  const response = await client.send(request, signal);
  // 409: a purge that an earlier reconcile has started.
  if (![200, 202, 204, 409].includes(response.status)) throw armErrorFrom(response, request);
  throw new KindError('the soft-deleted vault of this name is being purged', 'Warning', 'ReconciliationBlocked', 'fast');
}
